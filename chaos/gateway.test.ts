import { expect, test } from 'vitest';
import { makeContext } from '../tools/measure.ts';
import { measurement } from './gateway.ts';
import { figuresOf } from './parts/figures.ts';

test('ways around the gateway do not reach the server', async () => {
  const figures = await figuresOf(measurement, makeContext({ scale: 0.1, quiet: true }));
  expect(figures).toMatchObject({ bypasses: 0, undetected: 0, control_caught: 1 });
});
