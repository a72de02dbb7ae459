/** What is usual at an hour of the day that a baseline did not reach. */
import { describe, expect, test } from 'vitest';
import { measured } from './comparison.ts';
import { usualTimes } from './season.ts';
import type { Count } from './types.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Deployed at nine, nine hours after the first event. */
const startedAtMs = 9 * HOUR_MS;
const TRAFFIC = [60, 60, 60, 60, 80, 100, 140, 180, 220];

/** Shares of 1 % at 20 calls an hour, times a power of the traffic. */
const night = (power: number, traffic = TRAFFIC): Count[] =>
  traffic.map((all) => ({ all, bad: Math.round(all * 0.01 * (all / 20) ** power) }));
const minutes = (fromHour: number, perHour: number, length = 60) =>
  Array.from({ length }, (_, at) => ({
    atMs: fromHour * HOUR_MS + at * MINUTE_MS,
    all: perHour / 60,
    bad: 0,
  }));
const NOON_MS = 12.5 * HOUR_MS;

describe('MON-2 an hour of the day that the baseline did not reach', () => {
  test('fails as often as its traffic leads to expect, where failures grew with the traffic', () => {
    const before = night(1);
    const [expected] = measured({ hours: before, bins: minutes(12, 600, 31) }, startedAtMs).slice(
      -1,
    );
    // At 220 calls an hour 11 % failed, at 600 it would be 30 %; the prior draws it towards less.
    expect(expected!.expectedBad / expected!.all).toBeGreaterThan(0.17);
    expect(expected!.expectedBad / expected!.all).toBeLessThan(0.3);
  });

  test('fails as often as the rest where they did not, and where the traffic is no larger', () => {
    expect(usualTimes(night(0), minutes(12, 600), startedAtMs)(NOON_MS)).toBeCloseTo(1, 0);
    expect(usualTimes(night(-1), minutes(12, 600), startedAtMs)(NOON_MS)).toBe(1);
    expect(usualTimes(night(1), minutes(12, 60), startedAtMs)(NOON_MS)).toBe(1);
    // One bad hour with little more traffic is an episode, and says nothing of traffic.
    const episode = night(0).map((hour, at) => (at === 4 ? { ...hour, bad: 60 } : hour));
    expect(usualTimes(episode, minutes(12, 600), startedAtMs)(NOON_MS)).toBeLessThan(1.1);
  });

  test('never says that more than all of them fail', () => {
    const hours = night(
      1,
      TRAFFIC.map((all) => all * 3),
    );
    const times = usualTimes(hours, minutes(12, 60_000), startedAtMs)(NOON_MS);
    const [bad, all] = [
      hours.reduce((sum, h) => sum + h.bad, 0),
      hours.reduce((s, h) => s + h.all, 0),
    ];
    expect((times * bad) / all).toBeLessThanOrEqual(1);
  });

  test('is judged by what came up to then: a later look finds the same', () => {
    const early = minutes(12, 600, 31);
    const late = [...early, ...minutes(13, 6000)];
    expect(usualTimes(night(1), late, startedAtMs)(NOON_MS)).toBe(
      usualTimes(night(1), early, startedAtMs)(NOON_MS),
    );
  });

  test('and an hour that it knows is as it was, whatever the traffic', () => {
    const hours = night(
      1,
      Array.from({ length: 24 }, (_, at) => TRAFFIC[at % 9]!),
    );
    const [quiet, busy] = [60, 6000].map((perHour) =>
      usualTimes(hours, minutes(12, perHour), startedAtMs)(NOON_MS),
    );
    expect(busy).toBe(quiet);
  });
});
