import { expect, test } from 'vitest';
import type { PlaceBin } from '../facts/index.ts';
import { endedTogether } from './ended-together.ts';
import { group, HOUR_MS, LIMITS } from './failures.test-support.ts';
import type { Failure } from './types.ts';
import { courseOfFailure } from './why-now.ts';

const START = Date.UTC(2026, 0, 5);
const { failureShare } = LIMITS;

function failing(id: string, agent: string, calls: number, bad: (hour: number) => number): Failure {
  const history = Array.from({ length: 50 }, (_, hour): PlaceBin => {
    const place = { atMs: START + hour * HOUR_MS, bad: bad(hour), all: calls, toolCalls: calls };
    return { ...place, othersCalls: 0, othersFailed: 0, timed: 0, timedMs: 0 };
  });
  return { ...group({ agent, history }), id, kind: 'timeout' };
}

/** An outage of four hours, over for two. */
const isDown = (hour: number) => hour >= 44 && hour < 48;
const refusals = failing('refused', 'auditor', 200, (hour) => (isDown(hour) ? 150 : 0));
/** Three calls an hour: that none failed since it was over says little by itself. */
const few = (since: number) =>
  failing('slow', 'clerk', 3, (hour) => (isDown(hour) ? 2 : hour >= 48 ? since : 0));
const endOf = (failure: Failure, others: readonly Failure[]) => {
  const course = courseOfFailure(failure, failureShare);
  return endedTogether(failure, course, { all: [failure, ...others], failureShare });
};

test('what began with an outage of its tool is over with it, however few calls it has', () => {
  const slow = few(0);
  expect(courseOfFailure(slow, failureShare).kind).toBe('began');
  expect(endOf(slow, [refusals])).toMatchObject({
    kind: 'ended',
    episode: { toMs: START + 48 * HOUR_MS },
  });
});

test('what is seen to go on, began at another time or is at another tool has its own end', () => {
  const slow = few(2);
  expect(endOf(slow, [refusals]).kind).toBe('began');
  const earlier = failing('refused', 'auditor', 200, (hour) => (hour > 9 && hour < 14 ? 150 : 0));
  const last = failing('slow', 'clerk', 3, (hour) => (hour >= 44 ? 2 : 0));
  expect(endOf(last, [earlier]).kind).toBe('began');
  expect(endOf(last, [{ ...refusals, tool: 'other' }]).kind).toBe('began');
});
