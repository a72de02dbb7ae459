import { expect, test } from 'vitest';
import { makeContext } from '../tools/measure.ts';
import { measurement } from './http.ts';
import { figuresOf } from './parts/figures.ts';

test('every attack on the server is refused, and a server without protection fails each', async () => {
  const figures = await figuresOf(measurement, makeContext({ scale: 0.1, seed: 7, quiet: true }));
  expect(figures).toMatchObject({ passed_share: 1, control_caught: 1 });
  expect(figures['attacks']).toBeGreaterThanOrEqual(40);
});
