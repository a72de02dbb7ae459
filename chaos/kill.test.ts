import { expect, test } from 'vitest';
import { makeContext } from '../tools/measure.ts';
import { measurement } from './kill.ts';
import { figuresOf } from './parts/figures.ts';

test('STORE-1 nothing acknowledged is lost or half-written when processes are killed', async () => {
  const figures = await figuresOf(measurement, makeContext({ scale: 0.01, seed: 7, quiet: true }));
  expect(figures).toMatchObject({ lost: 0, violations: 0, control_caught: 1 });
  expect(figures['cycles']).toBeGreaterThanOrEqual(20);
});
