import { expect, test } from 'vitest';
import { commitBehind } from './peoples-commits.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 2, 2);
const CHANGE = { agent: 'cutter', files: ['loft/limits.env'], startedAtMs: START };
const BEGAN = START + 20 * HOUR;
const commit = (beforeMs: number, ...paths: string[]) => ({
  ...{ id: 'c'.repeat(40), title: 'Tidy up', atMs: BEGAN - beforeMs, paths },
});
const MINUTES = 60_000;

test('a commit to the same file right before harm that begins late is the likelier cause', () => {
  const found = commitBehind(BEGAN, CHANGE, [commit(10 * MINUTES, 'loft/limits.env')]);
  expect(found?.title).toBe('Tidy up');
  expect(commitBehind(BEGAN, CHANGE, [commit(10 * MINUTES, 'agents/Cutter.md')])).toBeDefined();
});

test('one long before, after, or of others is not, nor where the change itself is as new', () => {
  expect(commitBehind(BEGAN, CHANGE, [commit(90 * MINUTES, 'loft/limits.env')])).toBeDefined();
  expect(commitBehind(BEGAN, CHANGE, [commit(4 * HOUR, 'loft/limits.env')])).toBeUndefined();
  expect(commitBehind(BEGAN, CHANGE, [commit(-HOUR, 'loft/limits.env')])).toBeUndefined();
  expect(commitBehind(BEGAN, CHANGE, [commit(10 * MINUTES, 'loft/rigger.env')])).toBeUndefined();
  const soon = { ...CHANGE, startedAtMs: BEGAN - HOUR };
  expect(commitBehind(BEGAN, soon, [commit(10 * MINUTES, 'loft/limits.env')])).toBeUndefined();
  expect(commitBehind(BEGAN, CHANGE, [])).toBeUndefined();
});
