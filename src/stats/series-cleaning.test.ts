import { describe, expect, it } from 'vitest';
import { StatsError } from './errors.ts';
import { fillGaps, pullInOutliers, removeSeason } from './series-cleaning.ts';

const { NaN: gap } = Number;

describe('cleaning a series', () => {
  it('draws a line across a gap and holds the ends', () => {
    expect([...fillGaps([gap, 1, gap, gap, 4, gap])!]).toEqual([1, 1, 2, 3, 4, 4]);
    expect(fillGaps([gap, gap])).toBeUndefined();
    expect(fillGaps([])).toBeUndefined();
    expect(() => fillGaps([1, -Infinity])).toThrow(StatsError);
  });

  it('pulls in a spike and leaves a step alone', () => {
    const noisy = (i: number) => ((i * 7) % 5) / 10;
    const spike = Float64Array.from({ length: 40 }, (_, i) => noisy(i) + (i === 20 ? 50 : 0));
    expect(pullInOutliers(spike)[20]).toBeLessThan(1);
    const step = Float64Array.from({ length: 40 }, (_, i) => noisy(i) + (i < 20 ? 0 : 50));
    expect(pullInOutliers(step)).toEqual(step);
  });

  it('finds a period, takes its wave out and keeps the trend', () => {
    const wave = (i: number) => [0, 3, 8, 3, 0, -3, -8, -3][i % 8]!;
    const values = Float64Array.from({ length: 96 }, (_, i) => 0.5 * i + wave(i));
    const { values: plain, period } = removeSeason(values);
    expect(period).toBe(8);
    const rest = plain.map((value, i) => value - 0.5 * i);
    expect(Math.max(...rest) - Math.min(...rest)).toBeLessThan(1);
  });

  it('finds no period in a trend, in growth or in too short a series', () => {
    const growth = Float64Array.from({ length: 104 }, (_, i) => Math.exp(i / 20));
    expect(removeSeason(growth).period).toBeUndefined();
    expect(removeSeason(Float64Array.from({ length: 60 }, (_, i) => i)).period).toBeUndefined();
    expect(removeSeason(Float64Array.from([1, 2, 1, 2])).period).toBeUndefined();
  });
});
