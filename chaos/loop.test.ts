import { expect, test } from 'vitest';
import { makeContext } from '../tools/measure.ts';
import { measurement } from './loop.ts';
import { figuresOf } from './parts/figures.ts';

test('a harmful change is taken back once, whichever workers are killed, and the ledger fits', async () => {
  const figures = await figuresOf(measurement, makeContext({ scale: 0.01, seed: 7, quiet: true }));
  expect(figures).toMatchObject({ violations: 0, diverged: 0, kills: 3, control_caught: 1 });
});
