import { expect, test } from 'vitest';
import { makeContext } from '../tools/measure.ts';
import { measurement } from './gateway.ts';
import { figuresOf } from './parts/figures.ts';
import { openRealWorld, WRITE } from './parts/real-gateway.ts';

test('ways around the gateway do not reach the server', async () => {
  const figures = await figuresOf(measurement, makeContext({ scale: 0.1, quiet: true }));
  expect(figures).toMatchObject({ bypasses: 0, undetected: 0, control_caught: 1 });
});

test('the real gateway ends when it is told to, although its client keeps the input open', async () => {
  using world = await openRealWorld();
  const gateway = await world.gateway();
  expect(await gateway.call(...WRITE)).toBe(false);
  expect(await gateway.call('read_file', { path: 'AGENTS.md' })).toBe(true);
  await gateway.kill('SIGTERM');
  expect(world.reached()).toBe(false);
});
