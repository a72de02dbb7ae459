import { expect, test } from 'vitest';
import { makeContext } from '../tools/measure.ts';
import { measurement } from './approvals.ts';
import { figuresOf } from './parts/figures.ts';

test('no sequence of reviews, pushes, merges and decisions deploys without a fitting decision', async () => {
  const figures = await figuresOf(measurement, makeContext({ scale: 0.2, seed: 5, quiet: true }));
  expect(figures).toMatchObject({ violations: 0, control_caught: 1 });
  expect(figures['deployments']).toBeGreaterThan(100);
  expect(figures['deployed_outside']).toBeGreaterThan(20);
  expect(figures['carried']).toBeGreaterThan(10);
  expect(figures['alone']).toBeGreaterThan(20);
});
