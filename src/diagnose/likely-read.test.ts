import { expect, test } from 'vitest';
import { COMMIT, group, settingsOf, WINDOW } from './failures.test-support.ts';
import { mergeAlike } from './identity.ts';
import { isLeftBehind, likelyReadFirst, usedOnly } from './likely-read.ts';
import { wordsOfFile } from './references.ts';
import { settingSubject } from './subjects.ts';
import type { Cause, Failure } from './types.ts';

const YAML = 'timeout_ms: 800\n';
const [FAILURE] = mergeAlike([group()]) as [Failure];
const causeIn = (file: string): Cause => ({
  subject: { kind: 'tool_contract', tool: 't', file, line: 1, commit: 'c' },
  layer: 'settings',
  confidence: 0.8,
  reasons: [],
  against: [],
});

function first(...files: string[]): string {
  const settings = files.flatMap((file) => settingsOf(file, YAML));
  const [copyA, copyB] = files as [string, string];
  const [best] = likelyReadFirst([causeIn(copyA), causeIn(copyB)], { settings });
  return (best!.subject as { file: string }).file;
}

test('a file that another one mentions comes before one that nothing mentions', () => {
  const files = ['conf/a/spare.py', 'conf/b/c/limits.py'];
  const causes = files.map(causeIn);
  const settings = files.flatMap((file) => settingsOf(file, 'WAIT = 800\n'));
  const words = new Map([
    ...files.map((file) => [file, wordsOfFile('WAIT = 800')] as const),
    ['bots/clerk.py', wordsOfFile('from conf.b.c import limits\nwait(limits.WAIT)')] as const,
  ]);
  expect(likelyReadFirst(causes, { settings })[0]).toBe(causes[0]);
  expect(likelyReadFirst(causes, { settings, words })[0]).toBe(causes[1]);
});

test('a constant that no other line says is not blamed beside one that is used', () => {
  const blamed = (files: Record<string, string>, sure = 0.8) => {
    const causes = Object.entries(files).flatMap(([file, text]) =>
      settingsOf(file, text)
        .filter(({ value, steps }) => value === 6000 && steps.length === 1)
        .map(({ path }): Cause => {
          const [one] = settingsOf(file, text);
          const subject = settingSubject({ ...one!, path }, FAILURE, {
            settings: [],
            commit: COMMIT,
          });
          const confidence = path[0] === 'ROOM' ? sure : 0.8;
          return { ...causeIn(file), subject, confidence };
        }),
    );
    const words = new Map(
      Object.entries(files).map(([file, text]) => [file, wordsOfFile(text)] as const),
    );
    return usedOnly(causes, { words }).map(({ subject }) => 'path' in subject && subject.path[0]);
  };
  const file = 'ARMFUL = 6000\nROOM = 6000\ndesk = Desk(room=ROOM)\n';
  expect(blamed({ 'desks/reader.py': file })).toEqual(['ROOM']);
  // It is less sure, somebody else says the other's name, or nothing uses either.
  expect(blamed({ 'desks/reader.py': file }, 0.7)).toEqual(['ARMFUL', 'ROOM']);
  expect(blamed({ 'desks/reader.py': file, 'desks/other.py': 'take(ARMFUL)\n' })).toEqual([
    'ARMFUL',
    'ROOM',
  ]);
  expect(blamed({ 'desks/reader.py': 'ARMFUL = 6000\nROOM = 6000\n' })).toEqual(['ARMFUL', 'ROOM']);
  // A key of a settings file is read by whoever reads the file.
  expect(blamed({ 'desks/reader.yaml': 'ARMFUL: 6000\nROOM: 6000\n# ROOM\n' })).toEqual([
    'ARMFUL',
    'ROOM',
  ]);
});

test('a file among those of other agents comes before a copy that stands apart', () => {
  const agents = ['agents/writer.yaml', 'agents/coder.yaml'];
  expect(first('attic/researcher.yaml', 'agents/researcher.yaml', ...agents)).toBe(
    'agents/researcher.yaml',
  );
});

test('between equals a name that says "a copy" comes last, then the longer path', () => {
  expect(first('agents.old/a.yaml', 'agents/a.yaml')).toBe('agents/a.yaml');
  expect(first('docs/a.yaml', 'conf/a.yaml')).toBe('conf/a.yaml');
  expect(first('x/y/z/a.yaml', 'x/a.yaml')).toBe('x/a.yaml');
});

test('a copy of a value that was changed in the window is not blamed for what was before', () => {
  const [failure] = mergeAlike([group()]);
  const leftBehind = (files: Record<string, string>, paths: string[]) => {
    const settings = Object.entries(files).flatMap(([file, text]) => settingsOf(file, text));
    const commits = [{ id: COMMIT, title: 'Wait longer', atMs: WINDOW.fromMs + 1, paths }];
    const evidence = { all: [failure!], settings, commit: COMMIT, commits, window: WINDOW };
    const copy = settings.find(({ file }) => file.startsWith('attic/'))!;
    const subject = settingSubject(copy, failure!, evidence);
    return isLeftBehind(subject, failure!, evidence);
  };
  const copy = { 'attic/waits.yaml': YAML };
  const raised = { ...copy, 'conf/waits.yaml': 'timeout_ms: 2000\n' };
  expect(leftBehind(raised, ['conf/waits.yaml'])).toBe(true);
  expect(leftBehind(raised, ['conf/other.yaml'])).toBe(false);
  expect(leftBehind({ ...copy, 'conf/waits.yaml': YAML }, ['conf/waits.yaml'])).toBe(false);
  // Another agent's.
  const others = { ...copy, 'agents/writer.yaml': 'timeout_ms: 2000\n' };
  expect(leftBehind(others, ['agents/writer.yaml'])).toBe(false);
});
