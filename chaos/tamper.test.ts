import { expect, test } from 'vitest';
import { makeContext } from '../tools/measure.ts';
import { figuresOf } from './parts/figures.ts';
import { measurement } from './tamper.ts';

test('LEDGER-2 LEDGER-3 every change of a byte, a cut, a rewriting and a fork is found and named', async () => {
  const figures = await figuresOf(measurement, makeContext({ scale: 0.02, seed: 7, quiet: true }));
  expect(figures).toMatchObject({
    undetected: 0,
    misnamed: 0,
    structural_undetected: 0,
    control_caught: 1,
  });
  expect(figures['positions']).toBeGreaterThanOrEqual(500);
});
