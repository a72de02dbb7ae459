import { expect, test } from 'vitest';
import { makeContext } from '../tools/measure.ts';
import { measurement } from './outbox.ts';
import { figuresOf } from './parts/figures.ts';

test('OUTBOX-1 every queued effect happens once, whoever is killed while sending', async () => {
  const figures = await figuresOf(measurement, makeContext({ scale: 0.08, seed: 7, quiet: true }));
  expect(figures).toMatchObject({ duplicate_effects: 0, missing_effects: 0, control_caught: 1 });
  expect(figures['deliveries']).toBeGreaterThanOrEqual(70);
  expect(figures['late']).toBeGreaterThan(0);
});
