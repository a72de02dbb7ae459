import { describe, expect, test } from 'vitest';
import { type Random, seededRandom } from '../../base/index.ts';
import { autoregressive, gaussian } from '../../stats/noise.test-support.ts';
import { findDrift } from './find-drift.ts';
import { HOUR_MS, type HourValue } from './find-shift.ts';

const WEEKS = 336;

/** NaN is an hour in which nothing was measured. */
const hoursOf = (values: readonly number[]): HourValue[] =>
  values
    .map((value, at) => ({ atMs: at * HOUR_MS, value }))
    .filter(({ value }) => !Number.isNaN(value));

const each = (length: number, seed: number, value: (at: number, random: Random) => number) => {
  const random = seededRandom(seed);
  return Array.from({ length }, (_, at) => value(at, random));
};

/** The share of series in which a drift is at least that sure. */
function share(series: number, make: (seed: number) => readonly number[], isRatio = false): number {
  let found = 0;
  for (let seed = 1; seed <= series; seed++)
    if ((findDrift(hoursOf(make(seed)), isRatio)?.pValue ?? 1) <= 0.05) found += 1;
  return found / series;
}

describe('DIAG-3 a drift of one measure', () => {
  const day = (at: number) => 60 * Math.sin((2 * Math.PI * at) / 24);
  const week = (at: number) => (at % 168 >= 120 ? -30 : 0);

  test('is found with where it comes from and goes to, in either direction', () => {
    for (const slope of [0.15, -0.15]) {
      const values = each(WEEKS, 1, (at, r) => 200 + slope * at + 20 * gaussian(r));
      const { pValue, shift } = findDrift(hoursOf(values), false)!;
      expect(pValue).toBeLessThan(1e-3);
      expect(shift!.before).toBeCloseTo(200, -2);
      expect((shift!.after - shift!.before) / slope).toBeGreaterThan(250);
      expect(shift).toMatchObject({ form: 'drift', sinceMs: 0 });
    }
  });

  test('is found through days, weekends, odd hours and gaps', () => {
    const drifting = (slope: number) => (seed: number) =>
      each(WEEKS, seed, (at, r) => {
        if (at % 24 < 6 || r.next() < 0.2) return Number.NaN;
        const odd = r.next() < 0.03 ? 2000 : 0;
        return 300 + day(at) + week(at) + slope * at + 15 * gaussian(r) + odd;
      });
    expect(share(40, drifting(0.3))).toBeGreaterThan(0.9);
    expect(share(100, drifting(0))).toBeLessThanOrEqual(0.05);
  });

  test.each([
    ['white', (seed: number) => each(WEEKS, seed, (_, r) => 100 + 20 * gaussian(r))],
    ['skewed', (seed: number) => each(WEEKS, seed, (_, r) => 100 * Math.exp(gaussian(r)))],
    ['heavy-tailed', (seed: number) => each(WEEKS, seed, (_, r) => 100 + 9 / (r.next() + 0.01))],
    ['of days', (seed: number) => each(WEEKS, seed, (at, r) => 200 + day(at) + 20 * gaussian(r))],
    ['of weeks', (seed: number) => each(WEEKS, seed, (at, r) => 200 + week(at) + 9 * gaussian(r))],
    [
      'autocorrelated',
      (seed: number) =>
        autoregressive(seededRandom(seed), WEEKS, 0.7).map((value) => 100 + 20 * value),
    ],
  ])('noise without one is silent at the stated rate: %s', (_, noise) => {
    expect(share(300, noise)).toBeLessThanOrEqual(0.05);
  });

  test('needs eight days, and an effect of 5 %', () => {
    const short = each(7 * 24, 1, (at) => 100 + at);
    expect(findDrift(hoursOf(short), false)).toBeUndefined();
    const tiny = each(WEEKS, 1, (at, r) => 100 + 0.01 * at + 0.1 * gaussian(r));
    expect(findDrift(hoursOf(tiny), false)).toEqual({ pValue: 1, shift: undefined });
    expect(findDrift(hoursOf([...tiny.slice(1), -1]), true)).toBeUndefined();
  });
});
