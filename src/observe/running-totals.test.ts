import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RunningTotals } from './running-totals.ts';

function added(totals: RunningTotals, series: number, atMs: number, value: number, startMs = 0) {
  const event = { kind: 'metric', session: 's', name: 'm', atMs, value } as const;
  const record = totals.newOf({ ok: true, event, total: { series, startMs } });
  return record.event.value;
}

test('whatever is restarted in between, what is new adds up to the last total', () => {
  const steps = fc.array(fc.record({ more: fc.nat(100), restarts: fc.boolean() }), {
    minLength: 1,
  });
  fc.assert(
    fc.property(steps, fc.nat(1000), (all, first) => {
      let totals = RunningTotals.of(null);
      added(totals, 1, 1, first);
      let [total, sum] = [first, 0];
      all.forEach(({ more, restarts }, at) => {
        if (restarts) totals = RunningTotals.of(JSON.parse(JSON.stringify(totals.state())));
        total += more;
        sum += added(totals, 1, at + 2, total);
      });
      expect(sum).toBe(total - first);
    }),
  );
});

test('a program that began after the source was heard counts from its start, another from its second value', () => {
  const totals = RunningTotals.of(null);
  expect(added(totals, 1, 100, 50, 10)).toBe(0);
  expect(added(totals, 2, 200, 7, 150)).toBe(7);
  expect(added(totals, 3, 200, 7, 99)).toBe(0);
  expect(added(totals, 2, 300, 9, 250)).toBe(9);
  expect(added(totals, 2, 290, 8, 250)).toBe(0);
  expect(added(totals, 2, 400, 4, 250)).toBe(4);
});

test('of too many series the oldest is forgotten, and never counted again from its start', () => {
  const totals = RunningTotals.of(null);
  added(totals, 0, 1, 5);
  for (let series = 1; series <= 800; series++)
    added(totals, 2 ** 48 - series, 1_767_265_200_000, 1e9 + series / 7, 1_767_265_100_000);
  expect(JSON.stringify(totals.state()).length).toBeLessThan(64 * 1024);
  expect(added(totals, 0, 1_767_265_300_000, 9, 50)).toBe(0);
  expect(added(totals, 0, 1_767_265_400_000, 12, 50)).toBe(3);
});

test('a state of another build is read as far as it goes', () => {
  for (const state of [null, 'x', {}, [], [null, 1, 'x']])
    expect(added(RunningTotals.of(state as never), 1, 5, 9)).toBe(0);
});
