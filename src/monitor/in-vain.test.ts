import { expect, test } from 'vitest';
import { inVain, inVainSentence, promisesFewer } from './in-vain.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2026, 2, 3, 10);

/** Ten calls a minute, a day before the deployment and a day since; how many of them fail by what the change answers. */
function record(before: (hour: number) => number, since: (hour: number) => number, calls = 10) {
  return Array.from({ length: 2 * 24 * 60 }, (_, at) => {
    const hour = Math.floor(at / 60) - 24;
    const bad = hour < 0 ? before(hour) : since(hour);
    const isDue = (at * 7919) % 100 < (100 * bad) % 100;
    return {
      atMs: START + (at - 24 * 60) * MINUTE,
      bad: Math.floor(bad) + Number(isDue),
      all: calls,
    };
  });
}
const always = (bad: number) => () => bad;
const asked = (bins: ReturnType<typeof record>, failsSinceMs = START - 24 * HOUR) =>
  inVain(bins, { failsSinceMs, startedAtMs: START });

test('a limit that was raised and cut nothing less was raised in vain', () => {
  const found = asked(record(always(0.8), always(0.8)))!;
  expect(found.savedAtMost).toBeLessThan(0.2);
  expect(inVainSentence(found)).toMatch(
    /^It did no harm and brought nothing: .* at most \d+ % of it is saved\.$/,
  );
});

test.each([
  ['nearly all of it', 0.05],
  ['half of it', 0.4],
  ['a fifth of it, a step on a long way', 0.64],
])('one that saves %s was not', (_, since) => {
  expect(asked(record(always(0.8), always(since)))).toBeUndefined();
});

test('nothing is said of a failure that is rare, that comes in bursts, or that nobody saw since', () => {
  expect(asked(record(always(0.02), always(0.02), 1))).toBeUndefined();
  // Three hours of a day, in which most calls fail: what brought nothing and what came by chance look alike.
  const bursts = (hour: number) => ((hour + 24) % 24 < 3 ? 6 : 0);
  expect(asked(record(bursts, bursts))).toBeUndefined();
  expect(
    asked(record(always(0.8), always(0.8)).filter(({ atMs }) => atMs < START)),
  ).toBeUndefined();
  expect(asked(record(always(0), always(0.8)))).toBeUndefined();
  expect(asked([])).toBeUndefined();
});

test('an outage of the same kind amid the watch says nothing against a change that helps otherwise', () => {
  const outage = (hour: number) => (hour >= 4 && hour < 7 ? 9 : 0.05);
  expect(asked(record(always(0.8), outage))).toBeUndefined();
});

test('what was well before the failure began is not compared', () => {
  const begun = (hour: number) => (hour < -6 ? 0.01 : 3);
  expect(asked(record(begun, always(3)), START - 6 * HOUR)).toBeDefined();
});

test('only a longer limit promises what these counts can show', () => {
  const longer = { failures: 'less', latency: 'more', latencyTimes: 4, calls: 'same' } as const;
  const shorter = { failures: 'less', latency: 'less', calls: 'same' } as const;
  const tries = { before: 0, after: 2 };
  const more = { failures: 'same', latency: 'same', calls: 'more', tries } as const;
  expect([longer, shorter, more].map((signs) => promisesFewer({ signs }))).toEqual([
    true,
    false,
    false,
  ]);
  expect(promisesFewer(undefined)).toBe(false);
});
