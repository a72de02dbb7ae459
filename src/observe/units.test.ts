import fc from 'fast-check';
import { expect, test } from 'vitest';
import { covering, DAY_MS, floorTo, HOUR_MS, MINUTE_MS, wholeUnits } from './units.ts';

const minutes = fc.integer({ min: 0, max: 40 * 24 * 60 });

test('stretches follow each other from edge to edge, and each holds whole units', () => {
  fc.assert(
    fc.property(minutes, minutes, (from, length) => {
      const window = { fromMs: from * MINUTE_MS, toMs: (from + length) * MINUTE_MS };
      let at = window.fromMs;
      for (const { unitMs, fromMs, toMs } of covering(window)) {
        if (fromMs === toMs) continue;
        expect(fromMs).toBe(at);
        expect(fromMs % unitMs).toBe(0);
        expect(toMs % unitMs).toBe(0);
        expect(toMs).toBeGreaterThan(fromMs);
        at = toMs;
      }
      expect(at).toBe(window.toMs);
    }),
  );
});

test('a longer window is read by few more units', () => {
  const units = (days: number) =>
    covering({ fromMs: 37 * MINUTE_MS, toMs: days * DAY_MS + 11 * HOUR_MS + 5 * MINUTE_MS })
      .map(({ unitMs, fromMs, toMs }) => (toMs - fromMs) / unitMs)
      .reduce((sum, count) => sum + count, 0);
  expect(units(1)).toBeLessThan(70);
  expect(units(30)).toBe(units(2) + 28);
});

test('what ends before it begins is empty', () => {
  const stretches = covering({ fromMs: 5 * DAY_MS, toMs: DAY_MS });
  for (const { fromMs, toMs } of stretches) expect(fromMs).toBe(toMs);
});

test('edges are moved outwards', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.constantFrom(MINUTE_MS, HOUR_MS), (a, b, unitMs) => {
      const [fromMs, toMs] = [Math.min(a, b), Math.max(a, b)];
      const whole = wholeUnits(unitMs, { fromMs, toMs });
      expect(whole.fromMs).toBe(floorTo(unitMs, fromMs));
      expect(whole.toMs).toBeGreaterThanOrEqual(toMs);
      expect(whole.toMs - toMs).toBeLessThan(unitMs);
    }),
  );
});
