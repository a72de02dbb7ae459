import { expect, test } from 'vitest';
import { makeContext } from '../tools/measure.ts';
import { measurement } from './watch.ts';

test('score watch, in short: every figure is there, no alarm on fleets that go on as before, few outages blamed', async () => {
  const figures: { set?: string | undefined; metric: string; value: number }[] = [];
  for await (const one of measurement.run(makeContext({ scale: 0.01, seed: 3, quiet: true })))
    figures.push(one as (typeof figures)[number]);
  const total = new Map(
    figures.filter(({ set }) => set === 'total').map(({ metric, value }) => [metric, value]),
  );
  expect([...total.keys()].sort()).toEqual(Object.keys(measurement.aims!).sort());
  // None of two: its upper limit.
  expect(total.get('family_false_alarm_upper')).toBeLessThan(0.8);
  expect(total.get('reach_detection_ratio')).toBeLessThan(6);
  expect(total.get('outage_blamed_share')).toBe(0);
});
