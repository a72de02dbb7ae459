import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { optimalSegmentations, SegmentSums, type Shape } from './segmentation.ts';

/** Residual squares by the definition: fit, subtract, square, sum. */
function plainSquares(values: readonly number[], shape: Shape, from: number, to: number): number {
  const part = values.slice(from, to);
  const mean = part.reduce((sum, value) => sum + value, 0) / part.length;
  const centre = (part.length - 1) / 2;
  let slope = 0;
  if (shape === 'trend' && part.length > 1) {
    const products = part.reduce((sum, value, i) => sum + (i - centre) * (value - mean), 0);
    slope = products / part.reduce((sum, _, i) => sum + (i - centre) ** 2, 0);
  }
  return part.reduce((sum, value, i) => sum + (value - mean - slope * (i - centre)) ** 2, 0);
}

const shapes = fc.constantFrom<Shape>('level', 'trend');
const seriesOf = (minLength: number, maxLength: number) =>
  fc.array(fc.integer({ min: -9, max: 9 }), { minLength, maxLength });

describe('segmentation', () => {
  it('prices any segment as the definition does', () => {
    fc.assert(
      fc.property(seriesOf(2, 40), shapes, fc.nat(), fc.nat(), (values, shape, a, b) => {
        const from = a % values.length;
        const to = from + 1 + (b % (values.length - from));
        const sums = new SegmentSums(values);
        const squares = sums.residualSquares(shape, from, to);
        expect(squares).toBeCloseTo(plainSquares(values, shape, from, to), 6);
        const { intercept, slope } = sums.fit(shape, from, to);
        let again = 0;
        for (let i = from; i < to; i++) again += (values[i]! - intercept - slope * i) ** 2;
        expect(again).toBeCloseTo(squares, 6);
      }),
      { numRuns: 300, seed: 4 },
    );
  });

  it('finds the best two changes that trying all of them finds', () => {
    fc.assert(
      fc.property(seriesOf(9, 16), shapes, (values, shape) => {
        const sums = new SegmentSums(values);
        const found = optimalSegmentations(sums, { shape, changesMax: 2, segmentMin: 3 })[2]!;
        let least = Infinity;
        for (let a = 3; a <= values.length - 6; a++)
          for (let b = a + 3; b <= values.length - 3; b++)
            least = Math.min(
              least,
              sums.residualSquares(shape, 0, a) +
                sums.residualSquares(shape, a, b) +
                sums.residualSquares(shape, b, values.length),
            );
        expect(found.residualSquares).toBeCloseTo(least, 8);
        expect(found.changes).toHaveLength(2);
      }),
      { numRuns: 100, seed: 4 },
    );
  });

  it('gives as many segmentations as fit', () => {
    const sums = new SegmentSums([1, 2, 3, 4, 5, 6, 7]);
    const all = optimalSegmentations(sums, { shape: 'level', changesMax: 9, segmentMin: 3 });
    expect(all.map((one) => one.changes.length)).toEqual([0, 1]);
  });
});
