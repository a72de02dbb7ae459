import { expect, test } from 'vitest';
import { makeContext } from '../tools/measure.ts';
import { figuresOf } from './parts/figures.ts';
import { measurement } from './stale-holder.ts';

test('LEASE-1 a holder that slept through its lease writes nothing, on both engines', async () => {
  const figures = await figuresOf(measurement, makeContext({ scale: 0.05, seed: 7, quiet: true }));
  expect(figures).toMatchObject({ stale_writes: 0, control_caught: 1 });
  expect(figures['trials']).toBeGreaterThanOrEqual(10);
});
