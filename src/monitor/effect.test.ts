import { expect, test } from 'vitest';
import type { CallHours } from '../facts/index.ts';
import { type EffectQuestion, effectOf } from './effect.ts';

const HOUR_MS = 3_600_000;
const DAY = 24;
const STARTED = 14 * DAY;

/** Calls of an agent at a tool by hour, from two weeks before the deployment to a week after it. */
function calls(
  tool: string,
  of: (hour: number) => { readonly all: number; readonly bad: number },
  hours: readonly number[] = Array.from({ length: STARTED + 7 * DAY }, (_, hour) => hour),
): CallHours {
  const none = { timed: 0, latencySumMs: 0, timedWell: 0, latencyWellMs: 0, tokens: 0, costUsd: 0 };
  return {
    ...{ agent: 'a', tool },
    hours: hours.map((hour) => {
      const { all, bad } = of(hour);
      return { atMs: hour * HOUR_MS, calls: all, failed: bad, ...none };
    }),
  };
}

const ask = (given: readonly CallHours[], changes: Partial<EffectQuestion> = {}) =>
  effectOf('week', {
    calls: given,
    footing: { agents: ['a'], tools: ['t'], after: [] },
    place: { agent: 'a', tool: 't' },
    failsSinceMs: (STARTED - DAY) * HOUR_MS,
    proposedAtMs: STARTED * HOUR_MS,
    startedAtMs: STARTED * HOUR_MS,
    nowMs: (STARTED + 7 * DAY) * HOUR_MS,
    ...changes,
  });

test('a failure that is not of calls of a tool is not measured by calls', () => {
  const given = [calls('t', () => ({ all: 100, bad: 5 }))];
  expect(ask(given)).toBeDefined();
  expect(ask(given, { place: { agent: 'a', tool: undefined } })).toBeUndefined();
});

test('one bad day that ends by itself is not a benefit', () => {
  // 6 calls an hour, of which one in twelve always fails by chance, and twice as many on the day that was picked.
  const usual = calls('t', (hour) => {
    const isPicked = hour >= STARTED - DAY && hour < STARTED;
    return { all: 6, bad: isPicked ? 1 : hour % 2 };
  });
  expect(ask([usual])!.low).toBeLessThanOrEqual(0);
});

test('a failure that began with many calls and ended with the change is one', () => {
  const given = calls('t', (hour) => {
    const isIll = hour >= STARTED - DAY && hour < STARTED;
    return { all: 100, bad: isIll ? 30 : 1 };
  });
  const { low, benefit } = ask([given])!;
  expect(low).toBeGreaterThan(0.2);
  expect(benefit).toBeLessThan(0.29);
});

test('with few calls since the proposal its share is drawn to the whole record', () => {
  const given = calls('t', (hour) => ({
    all: 4,
    bad: hour >= STARTED - DAY && hour < STARTED ? 2 : 0,
  }));
  const { beforeBad, beforeAll } = ask([given])!;
  expect(beforeAll).toBe(96);
  expect(beforeBad).toBeLessThan(20);
});

test('the order of what was counted changes nothing', () => {
  // In bursts, so that it matters which hours are beside each other.
  const of = (hour: number) => ({ all: 50, bad: hour < STARTED ? (hour % 12 < 3 ? 20 : 1) : 1 });
  const [odd, even] = [1, 0].map((rest) =>
    calls(
      't',
      of,
      Array.from({ length: STARTED + 7 * DAY }, (_, hour) => hour).filter(
        (hour) => hour % 2 === rest,
      ),
    ),
  ) as [CallHours, CallHours];
  expect(ask([odd, even])).toEqual(ask([even, odd]));
  expect(ask([odd, even])).toEqual(ask([calls('t', of)]));
});
