import { expect, test } from 'vitest';
import { makeContext } from '../tools/measure.ts';
import { measurement } from './watch.ts';

test('bench watch, in short: both figures, and growth that is linear in series', async () => {
  const figures = new Map<string, number>();
  for await (const { metric, value } of measurement.run(
    makeContext({ scale: 0.04, seed: 3, quiet: true }),
  ))
    figures.set(metric, value);
  expect([...figures.keys()]).toEqual(Object.keys(measurement.aims!));
  // Ten times the series; twice that leaves room for a busy machine, and none for what grows with the square.
  expect(figures.get('growth_10x_series')).toBeLessThan(50);
});
