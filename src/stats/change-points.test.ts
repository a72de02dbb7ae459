import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../base/index.ts';
import { findChangePoints } from './change-points.ts';
import { StatsError } from './errors.ts';
import { autoregressive, gaussian } from './noise.test-support.ts';

const indices = (values: ArrayLike<number>) =>
  findChangePoints(values).changes.map((change) => change.index);

function series(length: number, seed: number, signal: (i: number) => number): number[] {
  const random = seededRandom(seed);
  return Array.from({ length }, (_, i) => signal(i) + gaussian(random));
}

/** The share of series in which something was found. */
function alarmShare(count: number, make: (seed: number) => number[]): number {
  let alarms = 0;
  for (let seed = 1; seed <= count; seed++) if (indices(make(seed)).length > 0) alarms += 1;
  return alarms / count;
}

describe('change points', () => {
  it('finds a step, says how much and where, with intervals', () => {
    const report = findChangePoints(series(120, 1, (i) => (i < 70 ? 10 : 13)));
    expect(report.shape).toBe('level');
    expect(report.changes).toHaveLength(1);
    const [change] = report.changes;
    expect(Math.abs(change!.index - 70)).toBeLessThanOrEqual(2);
    expect(change!.place.low).toBeLessThanOrEqual(70);
    expect(change!.place.high).toBeGreaterThanOrEqual(70);
    expect(change!.difference.low).toBeLessThan(3);
    expect(change!.difference.high).toBeGreaterThan(3);
    expect(change!.after - change!.before).toBeCloseTo(3, 0);
  });

  it('finds several levels, and both ends of a bump', () => {
    expect(indices(series(300, 2, (i) => 4 * Math.floor(i / 100)))).toEqual([100, 200]);
    const levels = [0, 10, 4, 14, 2, 8, 0];
    const steps = indices(series(700, 13, (i) => levels[Math.floor(i / 100)]!));
    expect(steps).toEqual([100, 200, 300, 400, 500, 600]);
    expect(indices(series(200, 3, (i) => (i >= 90 && i < 110 ? 8 : 0)))).toEqual([90, 110]);
  });

  it('covers the true place and size in about 95 of 100 series', () => {
    let placed = 0;
    let sized = 0;
    let found = 0;
    for (let seed = 1; seed <= 150; seed++) {
      const { changes } = findChangePoints(series(100, seed, (i) => (i < 60 ? 0 : 2)));
      if (changes.length !== 1) continue;
      found += 1;
      const { place, difference } = changes[0]!;
      if (place.low <= 60 && place.high >= 60) placed += 1;
      if (difference.low <= 2 && difference.high >= 2) sized += 1;
    }
    expect(found).toBeGreaterThan(130);
    expect(placed / found).toBeGreaterThan(0.92);
    expect(sized / found).toBeGreaterThan(0.9);
  });

  it('sees a straight trend as no change and a kink as one', () => {
    expect(indices(series(100, 4, (i) => i / 3))).toEqual([]);
    const kink = findChangePoints(series(100, 5, (i) => (i < 50 ? i : 100 - i)));
    expect(kink.shape).toBe('trend');
    expect(kink.changes).toHaveLength(1);
    expect(Math.abs(kink.changes[0]!.index - 50)).toBeLessThanOrEqual(5);
    expect(kink.changes[0]!.slopeBefore).toBeCloseTo(1, 0);
    expect(kink.changes[0]!.slopeAfter).toBeCloseTo(-1, 0);
  });

  it('sees smooth growth as a curve, not as a broken line', () => {
    const growth = findChangePoints(series(300, 12, (i) => (i / 20) ** 2));
    expect(growth).toMatchObject({ changes: [], shape: 'curve' });
    expect(growth.noise).toBeCloseTo(1, 0);
  });

  it('takes a season out before it looks', () => {
    const wave = (i: number) => 12 * Math.sin((2 * Math.PI * i) / 12);
    expect(findChangePoints(series(144, 6, wave))).toMatchObject({ changes: [], period: 12 });
    expect(indices(series(144, 6, (i) => wave(i) + (i < 80 ? 0 : 9)))).toEqual([80]);
  });

  it('is not fooled by single outliers', () => {
    expect(indices(series(100, 7, (i) => (i % 33 === 5 ? 60 : 0)))).toEqual([]);
    expect(indices(series(100, 8, (i) => (i % 33 === 5 ? 60 : 0) + (i < 40 ? 0 : 4)))).toEqual([
      40,
    ]);
  });

  it('is silent on white noise in 99 and on correlated noise in 95 of 100 series', () => {
    expect(alarmShare(200, (seed) => series(60, seed, () => 5))).toBeLessThanOrEqual(0.01);
    expect(alarmShare(30, (seed) => series(300, seed, () => 5))).toBe(0);
    const correlated = (seed: number) => autoregressive(seededRandom(seed), 100, 0.5);
    expect(alarmShare(150, correlated)).toBeLessThanOrEqual(0.05);
  });

  it('does not depend on unit or origin', () => {
    const base = series(150, 9, (i) => (i < 60 ? 0 : 3));
    const expected = indices(base);
    fc.assert(
      fc.property(
        fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
        fc.double({ min: -1e3, max: 1e3, noNaN: true }),
        (scale, shift) => {
          expect(indices(base.map((value) => (value + shift) * scale))).toEqual(expected);
        },
      ),
      { numRuns: 20, seed: 4 },
    );
  });

  it('bridges gaps and refuses infinities by name', () => {
    const values = series(120, 10, (i) => (i < 60 ? 0 : 5));
    for (const gap of [3, 20, 21, 22, 61, 119]) values[gap] = Number.NaN;
    expect(indices(values)).toHaveLength(1);
    const refusal = () => findChangePoints([1, 2, Infinity, 4]);
    expect(refusal).toThrow(StatsError);
    expect(refusal).toThrow(/values\[2\]/);
  });

  it.each([
    ['empty', []],
    ['one element', [1]],
    ['two elements', [1, 9]],
    ['nine elements', [0, 0, 0, 0, 9, 9, 9, 9, 9]],
    ['a constant', new Array<number>(500).fill(0.1)],
    ['nothing but gaps', new Array<number>(50).fill(Number.NaN)],
    [
      'a constant with one outlier',
      [...new Array<number>(50).fill(3), 99, ...new Array<number>(50).fill(3)],
    ],
  ])('says none for %s', (_, values) => {
    expect(findChangePoints(values).changes).toEqual([]);
  });

  it('keeps to the limit it is given', () => {
    const values = series(300, 2, (i) => 4 * Math.floor(i / 50));
    expect(findChangePoints(values, { changesMax: 1 }).changes.length).toBeLessThanOrEqual(1);
    expect(() => findChangePoints(values, { changesMax: -1 })).toThrow(StatsError);
  });

  it('refines the place in a series that is thinned for the search', () => {
    const values = series(20_000, 11, (i) => (i < 12_345 ? 0 : 3));
    const [found] = indices(values);
    expect(Math.abs(found! - 12_345)).toBeLessThanOrEqual(3);
  });
});
