import { expect, test } from 'vitest';
import { makeContext } from '../tools/measure.ts';
import { figuresOf } from './parts/figures.ts';
import { measurement } from './process.ts';

test('PROC-1 no sequence of requests moves a task out of order or without valid evidence', async () => {
  const figures = await figuresOf(measurement, makeContext({ scale: 0.01, seed: 5, quiet: true }));
  expect(figures).toMatchObject({ violations: 0, control_caught: 1 });
  expect(figures['transitions']).toBeGreaterThan(50);
  expect(figures['refused']).toBeGreaterThan(50);
});
