import { expect, test } from 'vitest';
import { makeContext } from '../tools/measure.ts';
import { measurement } from './deploy.ts';
import { figuresOf } from './parts/figures.ts';

test('DEP-4 a story of deployment and rollback has one end, wherever it is killed', async () => {
  const figures = await figuresOf(measurement, makeContext({ scale: 0.02, seed: 7, quiet: true }));
  expect(figures).toMatchObject({ violations: 0, duplicate_prs: 0, control_caught: 1 });
  expect(figures['kills']).toBeGreaterThanOrEqual(4);
});
