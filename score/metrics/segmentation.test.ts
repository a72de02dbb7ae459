import { describe, expect, it } from 'vitest';
import { coverMeasure, fMeasure, truePositives } from './segmentation.ts';

describe('change point measures', () => {
  it('matches each prediction once, the nearest first (the cases of the benchmark itself)', () => {
    expect(truePositives([1, 10, 20, 23], [3, 8, 20], 5)).toBe(3);
    expect(truePositives([1, 10, 20, 23], [1, 3, 8, 20], 5)).toBe(3);
    expect(truePositives([1, 10, 20, 23], [1, 3, 5, 8, 20], 5)).toBe(3);
    expect(truePositives([], [1, 2, 3], 5)).toBe(0);
    expect(truePositives([1, 2, 3], [], 5)).toBe(0);
  });

  it('gives "none" its due: precision 1, recall by how many people marked something', () => {
    const { precision, recall, f1 } = fMeasure([[], [50]], []);
    expect(precision).toBe(1);
    expect(recall).toBeCloseTo(0.75, 12);
    expect(f1).toBeCloseTo((2 * 0.75) / 1.75, 12);
  });

  it('takes precision from the union of people and recall as their mean', () => {
    const { precision, recall } = fMeasure([[10, 20], [30]], [10, 30, 60]);
    expect(precision).toBeCloseTo(3 / 4, 12);
    expect(recall).toBeCloseTo((2 / 3 + 2 / 2) / 2, 12);
  });

  it('covers perfectly when the segments agree, by Jaccard otherwise', () => {
    expect(coverMeasure([[50]], [50], 100)).toBe(1);
    expect(coverMeasure([[]], [], 100)).toBe(1);
    expect(coverMeasure([[]], [50], 100)).toBeCloseTo(0.5, 12);
    expect(coverMeasure([[50]], [], 100)).toBeCloseTo(0.5, 12);
    // Truth 0-40, 40-100; guess 0-50, 50-100: 40 * 40/50 + 60 * 50/60 over 100.
    expect(coverMeasure([[40]], [50], 100)).toBeCloseTo(0.82, 12);
  });

  it('is a mean over people', () => {
    expect(coverMeasure([[50], []], [50], 100)).toBeCloseTo(0.75, 12);
  });
});
