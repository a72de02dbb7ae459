import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { group, LIMITS, settingsOf } from './failures.test-support.ts';
import { findPatterns } from './find-patterns.ts';
import { hitTask } from './task-cells.ts';

const cell = (task: string, failures: number, calls: number) => ({ task, failures, calls });

test('a task of which nearly everything fails is found behind totals that hide it', () => {
  const tasks = [cell('export', 12, 12), cell('read', 3, 4000)];
  expect(hitTask({ tasks, failures: 15, calls: 4012 }, LIMITS)?.task).toBe('export');
  const rare = group({ failures: 15, calls: 4012, tasks });
  const { patterns, passedOver } = findPatterns({
    ...{ window: { fromMs: 0, toMs: 1 }, groups: [rare], settings: settingsOf('a.yaml', 'a: 1') },
    ...{ commit: 'c', commits: [], limits: LIMITS, known: [] },
  });
  expect(passedOver).toEqual([]);
  expect(patterns[0]!.reasons[0]).toBe('It hits all 12 calls of the task export.');
});

test.each([
  ['too few', [cell('export', 2, 2)], 2],
  ['in every task alike', [cell('a', 40, 100), cell('b', 40, 100)], 80],
  ['hardly more than may fail', [cell('export', 3, 60), cell('read', 3, 900)], 6],
  ['no task', [], 12],
])('but not where it is %s', (_, tasks, failures) => {
  const calls = tasks.reduce((sum, one) => sum + one.calls, 0) + 1;
  expect(hitTask({ tasks, failures, calls }, LIMITS)).toBeUndefined();
});

test('noise in many tasks names one in hardly any look', () => {
  const noisy = fc.array(
    fc.array(fc.integer({ min: 0, max: 99 }), { minLength: 30, maxLength: 30 }),
    {
      minLength: 20,
      maxLength: 20,
    },
  );
  let named = 0;
  let looks = 0;
  fc.assert(
    fc.property(noisy, (drawn) => {
      // One call in fifty fails.
      const tasks = drawn.map((rolls, at) =>
        cell(`t${at}`, rolls.filter((roll) => roll < 2).length, 30),
      );
      const failures = tasks.reduce((sum, one) => sum + one.failures, 0);
      looks += 1;
      if (hitTask({ tasks, failures, calls: 600 }, LIMITS) !== undefined) named += 1;
    }),
    { seed: 7, numRuns: 300 },
  );
  expect(named / looks).toBeLessThan(0.02);
});
