import { expect, test } from 'vitest';
import { makeContext } from '../tools/measure.ts';
import { measurement } from './patches.ts';

test('VAL-1 every attack is refused, and no harmless twin', async () => {
  const figures: Record<string, number> = {};
  for await (const { set, metric, value } of measurement.run(
    makeContext({ data: '/nowhere', quiet: true }),
  ))
    figures[`${set} ${metric}`] = value;
  expect(figures).toMatchObject({ 'total accuracy': 1, 'seen accuracy': 1, 'held accuracy': 1 });
  expect(figures['total attacks']).toBeGreaterThanOrEqual(80);
});
