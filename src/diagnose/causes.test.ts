import { expect, test } from 'vitest';
import type { SettingSubject, Subject } from '../facts/index.ts';
import { rootCauseOf } from './causes.ts';
import { COMMIT, group, RESEARCHER, settingsOf, WINDOW } from './failures.test-support.ts';
import { mergeAlike } from './identity.ts';
import type { Diagnoser, Setting, TargetEdit } from './types.ts';

const FILE = 'agents/researcher.yaml';
const settings = settingsOf(FILE, RESEARCHER);
const limit = settings.find(({ path }) => path.join('.').endsWith('web_search.timeout_ms'))!;
const place = { commit: 'a'.repeat(40), parent: 'b'.repeat(40) };
/** A commit renamed the key, so that its old value is not a value of this key. */
const edit = (of: readonly Setting[]): TargetEdit => ({
  ...{ ...place, kind: 'lines', file: FILE, line: limit.line, atMs: WINDOW.fromMs },
  ...{ words: new Set<string>(), settings: of },
});
const reach = { kind: 'unknown' as const, names: [], within: 'researcher' };
const tuned: SettingSubject = {
  ...{ kind: 'setting', file: FILE, line: limit.line, path: [...limit.path] },
  ...{ value: limit.value, unit: 'ms', commit: COMMIT, reach },
};
const lines: Subject = {
  ...{ kind: 'rule', file: FILE, line: limit.line, section: [FILE], commit: COMMIT, reach },
  before: { ...place, line: limit.line },
};

const saying = (name: string, subject: Subject, confidence: number): Diagnoser => ({
  name,
  explain: () => [
    {
      ...{ subject, layer: 'settings', confidence, against: [] },
      reasons: [{ text: name, events: [] }],
    },
  ],
});

function rootOf(diagnosers: readonly Diagnoser[], edits: readonly TargetEdit[]) {
  const all = mergeAlike([group({})]);
  const evidence = { window: WINDOW, all, settings, commit: COMMIT, commits: [], edits };
  return rootCauseOf(all[0]!, { ...evidence, failureShare: 0.02 }, diagnosers);
}

test('what a value was before it began stands for whoever else blames the value, which is tried next', () => {
  const both = [saying('setting-limit', tuned, 0.95), saying('regression', lines, 0.6)];
  const alone = rootOf([both[0]!], [edit([limit])]);
  const root = rootOf(both, [edit([limit])]);
  expect(root).toMatchObject({ subject: lines, alternatives: [tuned] });
  // They are one cause, so that neither takes from the other.
  expect(root.confidence).toBeGreaterThanOrEqual(alone.confidence);
  const known: SettingSubject = { ...tuned, before: { ...place, value: 5000 } };
  const aimed: SettingSubject = { ...tuned, aim: { value: 2000, why: 'It is enough.' } };
  const values = [saying('setting-limit', aimed, 0.95), saying('regression', known, 0.6)];
  expect(rootOf(values, []).subject).toMatchObject({ before: { value: 5000 } });
});

test('lines in which the value does not stand are a rival of it', () => {
  const both = [saying('setting-limit', tuned, 0.95), saying('regression', lines, 0.6)];
  const others = settings.filter((one) => one !== limit);
  const alone = rootOf([both[0]!], []);
  for (const edits of [[edit(others)], []])
    expect(rootOf(both, edits).weighed.every((one) => one.likelihood < alone.confidence)).toBe(
      true,
    );
});

test('that an agent runs in circles is no rival of what it is no longer told', () => {
  const circles = saying('endless-loop', { kind: 'service', name: 'web_search' }, 0.85);
  const told: Subject = { ...lines, before: place };
  const alone = rootOf([saying('regression', told, 0.7)], []);
  const root = rootOf([circles, saying('regression', told, 0.7)], []);
  expect(root).toMatchObject({ subject: told, confidence: alone.confidence });
  // Without such a change it is all that is known.
  expect(rootOf([circles], []).subject).toMatchObject({ kind: 'service' });
});

test('that other tools fail alike says nothing of whose a limit on load is that was measured', () => {
  const own: SettingSubject = {
    ...tuned,
    limits: 'calls',
    aim: { value: 9, why: 'It is enough.' },
  };
  const measured: Diagnoser = {
    name: 'load-limit',
    explain: () => [
      ...saying('load-limit', own, 0.6)
        .explain(mergeAlike([group({})])[0]!, {} as never)
        .map((cause) => ({ ...cause, share: 0.7, isByLoad: true })),
      ...saying('load-limit', { kind: 'service', name: 'web_search' }, 0.3)
        .explain(mergeAlike([group({})])[0]!, {} as never)
        .map((cause) => ({ ...cause, share: 0.3, isByLoad: true })),
    ],
  };
  const echo = saying('outside-service', { kind: 'service', name: 'web_search' }, 0.9);
  const alone = rootOf([measured], []);
  expect(rootOf([measured, echo], [])).toMatchObject({
    subject: own,
    confidence: alone.confidence,
  });
  expect(rootOf([echo], []).subject).toMatchObject({ kind: 'service' });
});
