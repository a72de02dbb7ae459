import { describe, expect, test } from 'vitest';
import { type Random, seededRandom } from '../../base/index.ts';
import { autoregressive, gaussian } from '../../stats/noise.test-support.ts';
import { findShift, HOUR_MS, type HourValue } from './find-shift.ts';

const WEEKS = 336;

/** NaN is an hour in which nothing was measured. */
function hoursOf(values: readonly number[]): HourValue[] {
  return values
    .map((value, at) => ({ atMs: at * HOUR_MS, value }))
    .filter(({ value }) => !Number.isNaN(value));
}

const each = (length: number, seed: number, value: (at: number, random: Random) => number) => {
  const random = seededRandom(seed);
  return Array.from({ length }, (_, at) => value(at, random));
};

/** The share of series in which a shift is at least that sure. */
function share(series: number, make: (seed: number) => readonly number[]): number {
  let found = 0;
  for (let seed = 1; seed <= series; seed++)
    if ((findShift(hoursOf(make(seed)), false)?.pValue ?? 1) <= 0.05) found += 1;
  return found / series;
}

describe('DIAG-3 a lasting shift of one measure', () => {
  test('is told with its levels, its first hour and between which times it began', () => {
    const values = each(WEEKS, 1, (at, random) => (at < 300 ? 100 : 160) + 30 * gaussian(random));
    const { pValue, shift } = findShift(hoursOf(values), false)!;
    expect(pValue).toBeLessThan(1e-6);
    expect(shift!.before).toBeCloseTo(100, -1);
    expect(shift!.after).toBeCloseTo(160, -2);
    expect(shift!.onset.fromMs).toBeLessThanOrEqual(300 * HOUR_MS);
    expect(shift!.onset.toMs).toBeGreaterThan(300 * HOUR_MS);
    expect(shift).toMatchObject({ comparedHours: [24, 168] });
    expect(shift!.hoursBefore + shift!.hoursSince).toBe(WEEKS);
  });

  test('of a day and a night is found by what differs from the same hours before', () => {
    const day = (at: number) => 60 * Math.sin((2 * Math.PI * at) / 24);
    const noisy = (step: number) => (seed: number) =>
      each(WEEKS, seed, (at, r) => 100 + day(at) + (at < 296 ? 0 : step) + 10 * gaussian(r));
    expect(share(12, noisy(0))).toBe(0);
    expect(share(12, noisy(60))).toBe(1);
  });

  test('is not told of a weekend that the week before had, too', () => {
    const week = (at: number) => (at % 168 >= 120 ? 30 : 100);
    const weekend = (seed: number) => each(WEEKS, seed, (at, r) => week(at) + 8 * gaussian(r));
    expect(share(12, weekend)).toBe(0);
  });

  test('is not told of an episode that is over, nor before it lasts', () => {
    const bump = (from: number, to: number) => (seed: number) =>
      each(WEEKS, seed, (at, r) => (at >= from && at < to ? 300 : 100) + 10 * gaussian(r));
    expect(share(8, bump(250, 280))).toBe(0);
    expect(share(8, bump(WEEKS - 8, WEEKS))).toBe(0);
    expect(share(8, bump(WEEKS - 14, WEEKS))).toBe(1);
  });

  test('does not count the hours between that were not measured', () => {
    const isWork = (at: number) => at % 24 >= 9 && at % 24 < 17;
    const office = (step: number) => (seed: number) =>
      each(WEEKS, seed, (at, r) =>
        isWork(at) ? (at < 240 ? 100 : 100 + step) + 20 * gaussian(r) : Number.NaN,
      );
    expect(share(12, office(0))).toBe(0);
    expect(share(12, office(100))).toBeGreaterThan(0.9);
  });

  test('needs twenty hours, and an effect of 5 %', () => {
    expect(findShift(hoursOf(new Array(19).fill(1)), false)).toBeUndefined();
    const tiny = each(100, 1, (at, r) => (at < 50 ? 100 : 103) + 0.1 * gaussian(r));
    expect(findShift(hoursOf(tiny), false)).toEqual({ pValue: 1, shift: undefined });
  });

  test('a level without any noise is as sure as can be', () => {
    const switched = [...new Array(30).fill(0), ...new Array(30).fill(5)];
    expect(findShift(hoursOf(switched), false)).toMatchObject({
      pValue: expect.closeTo(0, 9),
      shift: { before: 0, after: 5 },
    });
  });

  test.each([
    ['white', 0.01, (r: Random, n: number) => Array.from({ length: n }, () => 9 + gaussian(r))],
    [
      'skewed',
      0.02,
      (r: Random, n: number) => Array.from({ length: n }, () => Math.exp(gaussian(r))),
    ],
    [
      'heavy',
      0.02,
      (r: Random, n: number) => Array.from({ length: n }, () => (1 - r.next()) ** -0.6),
    ],
    ['correlated', 0.03, (r: Random, n: number) => autoregressive(r, n, 0.5).map((v) => v + 20)],
  ])('%s noise is silent but for %d of series', (_, most, law) => {
    for (const length of [40, 100])
      expect(share(100, (seed) => law(seededRandom(seed), length))).toBeLessThanOrEqual(most);
    expect(share(20, (seed) => law(seededRandom(seed), WEEKS))).toBe(0);
  });
});
