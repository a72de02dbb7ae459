import { expect, test } from 'vitest';
import { seededRandom } from '../base/index.ts';
import { aftermathOf, drainMs } from './aftermath.ts';
import { normOf } from './norm.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const FOUND = { observed: { bad: 60, all: 100 }, expectedBad: 2 };

/** One call every `every` minutes since the rollback, which fails until `wellAt`; looked at `at`. */
function after({ every, wellAt, at }: { every: number; wellAt: number; at: number }) {
  const bins = [];
  for (let atMs = 10 * MINUTE; atMs < at; atMs += every * MINUTE)
    bins.push({ atMs, bad: atMs < wellAt ? 1 : 0, all: 1 });
  return aftermathOf(FOUND, bins, { revertedAtMs: 0, nowMs: at });
}

test('with a dozen calls an hour it is over by the newest calls, however long they took', () => {
  expect(after({ every: 5, wellAt: 4 * HOUR, at: 4 * HOUR + 30 * MINUTE }).say).toBe('waiting');
  const cleared = after({ every: 5, wellAt: 4 * HOUR, at: 6 * HOUR });
  expect(cleared.say).toBe('cleared');
  expect(cleared.did).toContain('by the last 20 events, which came since');
});

test('with many calls a quarter of an hour is over at once, and less is not', () => {
  expect(after({ every: 0.2, wellAt: HOUR, at: HOUR + 6 * MINUTE }).say).toBe('waiting');
  const cleared = after({ every: 0.2, wellAt: HOUR, at: HOUR + 20 * MINUTE });
  expect(cleared.did).toContain('were over at');
});

test('calls that showed that it went on do not show that it is over', () => {
  expect(after({ every: 5, wellAt: 50 * MINUTE, at: 2 * HOUR + 15 * MINUTE }).say).toBe('waiting');
});

/** Five calls a minute for twelve hours since the rollback, at the rate of each minute; looked at every ten minutes. */
function verdicts(runs: number, rateAt: (atMs: number) => number) {
  const random = seededRandom(5);
  const day = Array.from({ length: 24 }, (_, hour) => {
    const atMs = (hour - 30) * HOUR;
    return { atMs, bad: Math.round(300 * usualAt(atMs)), all: 300 };
  });
  const usual = normOf(day);
  return Array.from({ length: runs }, () => {
    const bins = Array.from({ length: 720 }, (_, minute) => {
      const atMs = minute * MINUTE;
      const calls = Array.from({ length: 5 }, () => (random.next() < rateAt(atMs) ? 1 : 0));
      return { atMs, bad: calls.reduce<number>((sum, one) => sum + one, 0), all: 5 };
    });
    for (let nowMs = 10 * MINUTE; nowMs <= 12 * HOUR; nowMs += 10 * MINUTE) {
      const seen = bins.filter(({ atMs }) => atMs < nowMs);
      const { say } = aftermathOf(MILD, seen, { revertedAtMs: 0, nowMs, usual });
      if (say !== 'waiting') return say;
    }
    return 'waiting';
  });
}

/** 16 % where 9 % are usual on average, and twice that at the busiest hour. */
const MILD = { observed: { bad: 416, all: 2600 }, expectedBad: 234 };
const usualAt = (atMs: number) => 0.09 * (1 + Math.sin((2 * Math.PI * atMs) / (24 * HOUR)));

test('failures that are usual at their time of day clear no change', () => {
  const said = verdicts(100, usualAt);
  expect(said.filter((one) => one === 'cleared').length).toBeLessThanOrEqual(3);
  expect(said.filter((one) => one === 'unknown').length).toBeGreaterThan(90);
});

test('mild harm that goes on for hours without the change, and then ends, clears it', () => {
  const said = verdicts(100, (atMs) => usualAt(atMs) * (atMs < 4 * HOUR ? 1.78 : 1));
  expect(said.filter((one) => one === 'cleared').length).toBeGreaterThan(90);
});

test('what the change began is waited for: twice what its calls took, those that failed included', async () => {
  const hour = { atMs: 0, calls: 20, failed: 2, tokens: 0, costUsd: 0 };
  const taking = { timed: 20, timedWell: 18, latencyWellMs: 18_000, latencySumMs: 1_618_000 };
  const callHours = async () => [{ agent: 'a', tool: 't', hours: [{ ...hour, ...taking }] }];
  expect(await drainMs(0, HOUR, { callHours })).toBe(1_600_000);
  expect(await drainMs(undefined, HOUR, { callHours })).toBe(0);
});
