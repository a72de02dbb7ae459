import { describe, expect, test } from 'vitest';
import { type BaselineHour, judgeBaseline } from './index.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW_MS = 100 * DAY_MS;
const SETTINGS = { nowMs: NOW_MS, days: 7, callsMin: 50, tolerance: 0.25 };

/** Hours of the last days, the newest day first: the share of failures by day; null for a day without calls. */
function hours(shares: readonly (number | null)[], callsPerHour = 40): BaselineHour[] {
  return shares.flatMap((share, ago) =>
    Array.from({ length: share === null ? 0 : 24 }, (_, hour) => ({
      atMs: NOW_MS - (ago + 1) * DAY_MS + hour * HOUR_MS,
      calls: callsPerHour,
      // A steady fleet is not the same number each hour.
      failed: Math.round(callsPerHour * share! + ((hour * 7) % 5) - 2) * (share === 0 ? 0 : 1),
      timedWell: 10,
      latencyWellMs: 3000,
    })),
  );
}

const steady = (days: number, share = 0.1) => Array.from({ length: days }, () => share);

describe('HLTH-4 the baseline', () => {
  test('seven days alike are stable, and its figures are shown', () => {
    expect(judgeBaseline(hours(steady(7)), SETTINGS)).toMatchObject({
      verdict: 'stable',
      daysSeen: 7,
      calls: 7 * 24 * 40,
      failureRate: expect.closeTo(0.1, 2),
      latencyMs: 300,
    });
  });

  test('six days are too short, and so are seven of which one had hardly any calls', () => {
    expect(judgeBaseline(hours(steady(6)), SETTINGS)).toMatchObject({
      verdict: 'too_short',
      why: '6 of 7 days with at least 50 calls were seen',
    });
    expect(judgeBaseline(hours(steady(7), 2), SETTINGS).verdict).toBe('too_short');
    expect(judgeBaseline([], SETTINGS)).toMatchObject({ verdict: 'too_short', failureRate: null });
  });

  test('a fleet that rests at weekends has its days within two weeks, and not beyond', () => {
    const week = [0.1, 0.1, null, null, 0.1, 0.1, 0.1, 0.1, 0.1];
    expect(judgeBaseline(hours(week), SETTINGS).verdict).toBe('stable');
    const old = [...Array.from({ length: 8 }, () => null), ...steady(7)];
    expect(judgeBaseline(hours(old), SETTINGS)).toMatchObject({
      verdict: 'too_short',
      daysSeen: 6,
    });
  });

  test('one day of twice as many failures is told, by its figures', () => {
    const days = [0.1, 0.1, 0.1, 0.2, 0.1, 0.1, 0.1];
    expect(judgeBaseline(hours(days), SETTINGS)).toMatchObject({
      verdict: 'unstable',
      why: 'one day failed 20 % of its calls, the others 9.9 %',
    });
    // A day that is better than the others is no steady fleet either.
    const better = judgeBaseline(hours([0.1, 0.02, 0.1, 0.1, 0.1, 0.1, 0.1], 400), SETTINGS);
    expect(better.verdict).toBe('unstable');
  });

  test('a difference within what the watch tolerates does not count, however many calls show it', () => {
    const days = [0.1, 0.11, 0.1, 0.1, 0.1, 0.1, 0.1];
    expect(judgeBaseline(hours(days, 4000), SETTINGS).verdict).toBe('stable');
  });
});
