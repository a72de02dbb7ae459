import { expect, test } from 'vitest';
import { makeContext } from '../tools/measure.ts';
import { measurement } from './loop.ts';
import { figuresOf } from './parts/figures.ts';

test('the loop, killed while it watches and takes back, comes to the same end', async () => {
  const figures = await figuresOf(measurement, makeContext({ scale: 0.01, seed: 7, quiet: true }));
  expect(figures).toMatchObject({ violations: 0, control_caught: 1 });
  expect(figures['kills']).toBeGreaterThanOrEqual(2);
});
