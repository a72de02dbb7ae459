import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadCurve, loadWithTries } from './load-curve.ts';

const points = fc.array(
  fc
    .record({ load: fc.integer({ min: 1, max: 200 }), all: fc.integer({ min: 1, max: 99 }) })
    .chain((one) =>
      fc.record({
        ...{ load: fc.constant(one.load), all: fc.constant(one.all) },
        bad: fc.integer({ min: 0, max: one.all }),
      }),
    ),
  { maxLength: 30 },
);

test('never falls and stays a share, whatever was counted', () => {
  fc.assert(
    fc.property(points, (all) => {
      const curve = loadCurve(all);
      const shares = Array.from({ length: 50 }, (_, at) => curve(at * 5));
      for (const [at, share] of shares.entries()) {
        expect(share).toBeGreaterThanOrEqual(at === 0 ? 0 : shares[at - 1]! - 1e-12);
        expect(share).toBeLessThanOrEqual(1);
      }
    }),
  );
});

test('with a share that does not depend on load, tries add up as a geometric series', () => {
  for (const from of ['above', 'below'] as const) {
    const callers = [
      { first: 100, retries: 2 },
      { first: 50, retries: 0 },
    ];
    const { load, share } = loadWithTries(callers, { curve: () => 0.2, from });
    expect(load).toBeCloseTo(100 * (1 + 0.2 + 0.04) + 50, 2);
    expect(share).toBe(0.2);
  }
});

test('a tool that was on its knees may stay there with tries that a recovered one stands', () => {
  const curve = (load: number) => (load > 250 ? 0.95 : 0.01);
  const loadOf = (retries: number, from: 'above' | 'below') =>
    loadWithTries([{ first: 100, retries }], { curve, from }).load;
  expect(loadOf(3, 'below')).toBeLessThan(102);
  expect(loadOf(3, 'above')).toBeGreaterThan(350);
  expect(loadOf(1, 'above')).toBeLessThan(102);
});
