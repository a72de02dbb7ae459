import { expect, test } from 'vitest';
import { settingsOf } from './failures.test-support.ts';
import { likelyReadFirst } from './likely-read.ts';
import { wordsOfFile } from './references.ts';
import type { Cause } from './types.ts';

const YAML = 'timeout_ms: 800\n';
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
