import { expect, test } from 'vitest';
import type { CallHours } from '../facts/index.ts';
import { busierDaySeenMs } from './kind-of-day.ts';
import { isWeekend } from './norm.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A Friday, at six in the evening. */
const FRIDAY = Date.UTC(2026, 2, 20, 18);

function fleet(callsAt: (atMs: number) => number, startedAtMs = FRIDAY, days = 14): CallHours[] {
  const hours = Array.from({ length: days * 24 }, (_, hour) => {
    const atMs = startedAtMs - (hour + 1) * HOUR;
    const none = { failed: 0, timed: 0, latencySumMs: 0, timedWell: 0, latencyWellMs: 0 };
    return { atMs, calls: callsAt(atMs), ...none, tokens: 0, costUsd: 0 };
  });
  return [{ agent: 'a', tool: 't', hours }];
}

const office = (atMs: number) => (isWeekend(atMs) ? 2 : 50);
const after = (startedAtMs: number, calls: CallHours[], durationMs = DAY) => {
  const seen = busierDaySeenMs(calls, { startedAtMs, durationMs, nowMs: startedAtMs + durationMs });
  return seen === undefined ? undefined : (seen - startedAtMs) / HOUR;
};

test('what went live on a Friday evening is watched until Monday evening', () => {
  // Six hours of Friday, two days of rest, eighteen hours of Monday.
  expect(after(FRIDAY, fleet(office))).toBe(72);
});

test('what went live on a Tuesday has seen its day', () => {
  const tuesday = FRIDAY - 3 * DAY;
  expect(after(tuesday, fleet(office, tuesday))).toBeUndefined();
});

test('a shop that sells at weekends waits for one', () => {
  const tuesday = FRIDAY - 3 * DAY;
  const shop = (atMs: number) => (isWeekend(atMs) ? 50 : 5);
  expect(after(tuesday, fleet(shop, tuesday))).toBe(4 * 24 + 6);
});

test('agents that work the same all week, and those whose week is not known, are not kept waiting', () => {
  expect(
    after(
      FRIDAY,
      fleet(() => 20),
    ),
  ).toBeUndefined();
  expect(after(FRIDAY, fleet(office, FRIDAY, 3))).toBeUndefined();
  expect(
    after(
      FRIDAY,
      fleet(() => 0),
    ),
  ).toBeUndefined();
  expect(after(FRIDAY, [])).toBeUndefined();
});

test('a watch of an hour needs an hour of such a day', () => {
  expect(after(FRIDAY, fleet(office), HOUR)).toBeUndefined();
  const saturday = FRIDAY + 10 * HOUR;
  expect(after(saturday, fleet(office, saturday), HOUR)).toBe(45);
});
