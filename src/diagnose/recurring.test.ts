import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CountedFailure, FailureGroup } from '../facts/index.ts';
import { COMMIT, examples, group, LIMITS, overTheDay, WINDOW } from './failures.test-support.ts';
import { diagnose, recurringPatterns } from './index.ts';

/** As telemetry gives it, and how often its examples were read. */
function counted(groups: readonly FailureGroup[]) {
  const read: string[] = [];
  const failures = groups.map((one): CountedFailure => {
    const { examples: some, sessions: _, failedLatency: __, succeededLatency: ___, ...count } = one;
    return {
      ...count,
      examples: async () => {
        read.push(one.template);
        return some;
      },
    };
  });
  return { failures, read };
}

const words = fc.constantFrom('timed out', '<*>', 'too many requests', 'no such page <*>', '');
const groups = fc.array(
  fc.record({
    template: words,
    agent: fc.constantFrom('researcher', 'coder'),
    tool: fc.constantFrom('web_search', 'read', ''),
    errorCode: fc.constantFrom('TIMEOUT', 'error', 'E_404', ''),
    failures: fc.integer({ min: 0, max: 60 }),
    calls: fc.integer({ min: 0, max: 500 }),
    examples: words.map((message) => examples(message, overTheDay(3))),
  }),
  { maxLength: 8 },
);

test('the same patterns recur that a diagnosis finds, known ones by their old id', async () => {
  await fc.assert(
    fc.asyncProperty(groups, groups, async (before, now) => {
      const limits = LIMITS;
      const rest = { window: WINDOW, settings: [], commit: COMMIT, limits };
      const known = diagnose({ ...rest, groups: before.map(group) }).patterns;
      const found = diagnose({ ...rest, groups: now.map(group), known }).patterns;
      const { failures } = counted(now.map(group));
      const recurring = await recurringPatterns({
        counted: failures,
        limits,
        known: async () => known,
      });
      expect([...recurring].sort()).toEqual(found.map(({ id }) => id).sort());
    }),
  );
});

test('examples and known patterns are read only where code and template tell nothing', async () => {
  const told = [group(), group({ errorCode: 'E1', template: 'deadline exceeded' })];
  const known = () => Promise.reject(new Error('not needed'));
  const first = counted(told);
  await recurringPatterns({ counted: first.failures, limits: LIMITS, known });
  expect(first.read).toEqual([]);
  const second = counted([...told, group({ errorCode: '', template: '<*>' })]);
  await recurringPatterns({ counted: second.failures, limits: LIMITS, known: async () => [] });
  expect(second.read).toEqual(['<*>']);
});
