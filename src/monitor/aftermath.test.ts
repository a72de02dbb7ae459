import { expect, test } from 'vitest';
import { aftermathOf } from './aftermath.ts';

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
