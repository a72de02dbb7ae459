import { expect, test } from 'vitest';
import { figuresOf } from '../chaos/parts/figures.ts';
import { makeContext } from '../tools/measure.ts';
import { measurement } from './claims.ts';

test('CHK-1 false claims are refused and true ones are not, on our own set', async () => {
  const figures = await figuresOf(measurement, makeContext({ data: '/nowhere', quiet: true }));
  expect(figures['false_caught']).toBeGreaterThan(0.8);
  expect(figures['true_refused']).toBeLessThan(0.05);
  expect(figures['n']).toBeGreaterThanOrEqual(300);
});
