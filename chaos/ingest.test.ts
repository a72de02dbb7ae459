import { expect, test } from 'vitest';
import { makeContext } from '../tools/measure.ts';
import { measurement } from './ingest.ts';
import { figuresOf } from './parts/figures.ts';

test('OBS-2 every acknowledged event is stored once, whoever is killed', async () => {
  const figures = await figuresOf(measurement, makeContext({ scale: 0.02, seed: 7, quiet: true }));
  expect(figures).toMatchObject({ lost: 0, duplicated: 0, miscounted: 0, control_caught: 1 });
  expect(figures['acknowledged']).toBeGreaterThan(100);
  expect(figures['repeated']).toBeGreaterThan(0);
});
