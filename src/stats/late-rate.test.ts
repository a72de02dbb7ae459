import { describe, expect, test } from 'vitest';
import { seededRandom } from '../base/index.ts';
import { LateRate } from './index.ts';

const HOURS = 336;
const baseline = { failures: 672, events: 33_600 };
const options = { baseline, minimumEffect: 0.25, dispersion: 1, hours: HOURS };

/** Hours until the evidence passes 1/alpha, at 100 calls an hour; undefined where it never does. */
function foundAfter(rateAt: (hour: number) => number, seed: number, alpha = 0.05) {
  const random = seededRandom(seed);
  const detector = new LateRate(options);
  for (let hour = 0; hour < HOURS; hour++) {
    let failures = 0;
    for (let call = 0; call < 100; call++) if (random.next() < rateAt(hour)) failures += 1;
    detector.observe(failures, 100);
    if (detector.evidence() >= 1 / alpha) return hour + 1;
  }
  return undefined;
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

describe('a rate that may get worse late', () => {
  test('is not called worse more often than alpha allows', () => {
    const called = Array.from({ length: 200 }, (_, seed) => foundAfter(() => 0.02, seed + 1));
    expect(called.filter((one) => one !== undefined).length).toBeLessThanOrEqual(10);
  });

  test('is found nearly as soon after quiet days as at once', () => {
    const delays = (from: number, rate: number) =>
      median(
        Array.from({ length: 15 }, (_, seed) => {
          const found = foundAfter((hour) => (hour >= from ? rate : 0.02), seed + 1);
          return (found ?? HOURS * 2) - from;
        }),
      );
    expect(delays(0, 0.04)).toBeLessThanOrEqual(14);
    // The longer ago the baseline, the less it is worth: an hour counts for half after as long as it lasted.
    expect(delays(74, 0.04)).toBeLessThanOrEqual(18);
    expect(delays(250, 0.04)).toBeLessThanOrEqual(24);
    expect(delays(250, 0.5)).toBe(1);
  });

  test('says nothing of hours without calls, and stays a number however bad it is', () => {
    const detector = new LateRate(options);
    for (let hour = 0; hour < HOURS; hour++) detector.observe(0, 0);
    expect(detector.evidence()).toBeLessThanOrEqual(1);
    for (let hour = 0; hour < HOURS; hour++) detector.observe(1e6, 1e6);
    expect(Number.isFinite(detector.evidence())).toBe(true);
  });

  test('a time of day with twice the failures is no worsening', () => {
    const detector = new LateRate(options);
    for (let hour = 0; hour < 100; hour++) detector.observe(4, 100, 2);
    expect(detector.evidence()).toBeLessThan(1);
  });
});

test('late harm is found within a day though the baseline is an afternoon and the watch a week', () => {
  const watch = new LateRate({
    baseline: { failures: 32, events: 200 },
    minimumEffect: 0.25,
    dispersion: 1.3,
    hours: 336,
  });
  for (let hour = 0; hour < 144; hour++) watch.observe(3, 250);
  expect(watch.evidence()).toBeLessThan(1);
  for (let hour = 0; hour < 12; hour++) watch.observe(150, 250);
  expect(watch.evidence()).toBeGreaterThan(1 / 0.0001);
});
