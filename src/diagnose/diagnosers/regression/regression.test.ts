import { expect, test } from 'vitest';
import type { FailureGroup, PlaceBin } from '../../../facts/index.ts';
import { memoryRepository } from '../../../git/index.ts';
import { commitFiles } from '../../../git/test-repositories.ts';
import { diagnoserContract } from '../../diagnoser-contract.test-support.ts';
import { COMMIT, group, HOUR_MS, settingsOf, WINDOW } from '../../failures.test-support.ts';
import { mergeAlike } from '../../identity.ts';
import { readEdits } from '../../read-edits.ts';
import type { TargetEdit } from '../../types.ts';
import { regression } from './regression.ts';

const BEGAN_MS = WINDOW.fromMs + 12 * HOUR_MS;
const MINUTE_MS = 60_000;

/** Well until noon, then half of the calls fail. `others` are calls of other agents, and of these so many failed. */
const history = (others = 0, othersFailed = 0): PlaceBin[] =>
  Array.from({ length: 24 * 60 }, (_, minute) => {
    const atMs = WINDOW.fromMs + minute * MINUTE_MS;
    const isIll = atMs >= BEGAN_MS;
    return {
      ...{ atMs, bad: isIll ? 2 : 0, all: 4, timed: 2, timedMs: 100, toolCalls: 4 + others },
      ...{ othersCalls: others, othersFailed: isIll ? othersFailed : 0 },
    };
  });
const BEGUN: Partial<FailureGroup> = { history: history(), failures: 1440, calls: 5760 };
const place = { commit: 'a'.repeat(40), parent: 'b'.repeat(40), atMs: BEGAN_MS - 10 * MINUTE_MS };
const FILE = 'agents/researcher.yaml';
const lowered: TargetEdit = {
  ...{ ...place, kind: 'value', file: FILE, path: ['web_search', 'timeout_ms'] },
  ...{ before: 5000, after: 800 },
};
const swapped: TargetEdit = {
  ...{ ...place, kind: 'value', file: FILE, path: ['model'] },
  ...{ before: 'large-1', after: 'small-2' },
};
const reworded: TargetEdit = { ...place, kind: 'text', file: 'prompts/answer.md', line: 3 };
const files = {
  [FILE]:
    'name: researcher\nprompt: ../prompts/answer.md\nmodel: small-2\nweb_search: { timeout_ms: 800 }\n',
  'agents/writer.yaml': 'name: writer\nprompt: prompts/other.md\n',
};

diagnoserContract({
  diagnoser: regression,
  explains: [
    { groups: [BEGUN], files, edits: [lowered] },
    { groups: [BEGUN], files, edits: [swapped] },
    { groups: [BEGUN], files, edits: [reworded] },
    { groups: [BEGUN], files, edits: [lowered, swapped] },
  ],
  passesOver: [
    { groups: [BEGUN], files },
    // As old as the record.
    { groups: [{}], files, edits: [lowered] },
    // Long before, or after it began.
    { groups: [BEGUN], files, edits: [{ ...lowered, atMs: BEGAN_MS - 9 * HOUR_MS }] },
    { groups: [BEGUN], files, edits: [{ ...lowered, atMs: BEGAN_MS + 2 * HOUR_MS }] },
    // Another agent's, and one that was changed again since.
    { groups: [BEGUN], files, edits: [{ ...reworded, file: 'prompts/other.md' }] },
    { groups: [BEGUN], files, edits: [{ ...lowered, after: 700 }] },
    // Others that the commit does not reach fail since the same minute.
    { groups: [BEGUN, { ...BEGUN, agent: 'writer' }], files, edits: [lowered] },
  ],
});

function causes(edits: readonly TargetEdit[], more: Partial<FailureGroup> = {}) {
  const all = mergeAlike([group({ ...BEGUN, ...more })]);
  const settings = Object.entries(files).flatMap(([file, text]) => settingsOf(file, text));
  return regression.explain(all[0]!, {
    ...{ window: WINDOW, all, settings, commit: COMMIT, commits: [], edits, failureShare: 0.02 },
  });
}

test('a change of the tool itself is surer than one of the agent, and surer still where others are well', () => {
  const [own] = causes([lowered]);
  expect(own).toMatchObject({
    layer: 'settings',
    subject: { value: 800, before: { value: 5000 } },
  });
  const [agents] = causes([swapped]);
  expect(own!.confidence).toBeGreaterThan(agents!.confidence);
  const [alone] = causes([swapped], { history: history(6) });
  expect(alone!.confidence).toBeGreaterThan(agents!.confidence);
  expect(alone!.reasons[1]!.text).toContain('only researcher is met');
});

test('the longer after the commit it begins, the less sure', () => {
  const soon = causes([swapped])[0]!.confidence;
  const late = causes([{ ...swapped, atMs: BEGAN_MS - 5 * HOUR_MS }])[0]!.confidence;
  expect(late).toBeLessThan(soon - 0.1);
});

test('commits are read value by value, texts as texts, and what Hone itself changed is left out', async () => {
  const repository = memoryRepository();
  const old = { [FILE]: 'a: 1\nb: x\n', 'p.md': 'one\ntwo\n', 'code.py': 'x = 1\n' };
  const first = await commitFiles(repository, undefined, old);
  const now = { [FILE]: 'a: 2\nb: x\nc: 3\n', 'p.md': 'one\nthree\n', 'code.py': 'x = 2\n' };
  const second = await commitFiles(repository, first, now);
  const commit = { id: second, title: '', atMs: 5, paths: Object.keys(now) };
  expect(await readEdits(repository, [commit])).toMatchObject([
    { kind: 'value', path: ['a'], before: 1, after: 2, commit: second, parent: first },
    { kind: 'text', file: 'p.md', line: 2 },
    { kind: 'value', file: 'code.py', path: ['x'], before: 1, after: 2 },
  ]);
  expect(await readEdits(repository, [{ ...commit, id: 'f'.repeat(40) }])).toEqual([]);
});
