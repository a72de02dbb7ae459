import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../base/index.ts';
import { StatsError } from './errors.ts';
import { RateWatch } from './rate-watch.ts';
import { logGamma } from './special.ts';

/** The expectation of the evidence after `length` events, over every sequence of outcomes. */
function expectedEvidence(
  make: () => RateWatch,
  length: number,
  probability: (failures: number, events: number) => number,
): number {
  let sum = 0;
  for (let bits = 0; bits < 2 ** length; bits++) {
    const watch = make();
    let failures = 0;
    for (let i = 0; i < length; i++) {
      const failed = ((bits >> i) & 1) === 1;
      watch.push(failed);
      if (failed) failures += 1;
    }
    sum += probability(failures, length) * watch.status().eValue;
  }
  return sum;
}

const bernoulli = (rate: number) => (failures: number, events: number) =>
  rate ** failures * (1 - rate) ** (events - failures);

describe('watching a rate against a baseline', () => {
  it('is a fair game at a known baseline: the expected evidence is exactly 1', () => {
    const make = () => new RateWatch({ baseline: { rate: 0.2 } });
    for (const length of [1, 3, 10])
      expect(expectedEvidence(make, length, bernoulli(0.2))).toBeCloseTo(1, 10);
  });

  it('is a losing game below the baseline', () => {
    const make = () => new RateWatch({ baseline: { rate: 0.2 } });
    expect(expectedEvidence(make, 10, bernoulli(0.15))).toBeLessThan(1);
  });

  it('is a fair game at a counted baseline, whose rate is then a Beta distribution', () => {
    const make = () => new RateWatch({ baseline: { failures: 4, events: 30 } });
    const [a, b] = [4.5, 26.5];
    const logBeta = (x: number, y: number) => logGamma(x) + logGamma(y) - logGamma(x + y);
    const predictive = (failures: number, events: number) =>
      Math.exp(logBeta(a + failures, b + events - failures) - logBeta(a, b));
    expect(expectedEvidence(make, 10, predictive)).toBeCloseTo(1, 10);
  });

  it('counts a batch as its events one by one', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 400 }),
        fc.integer({ min: 0, max: 20 }),
        fc.constantFrom({ rate: 0.05 }, { failures: 40, events: 800 }, { failures: 0, events: 3 }),
        (successes, failures, baseline) => {
          const single = new RateWatch({ baseline });
          for (let i = 0; i < successes; i++) single.push(false);
          for (let i = 0; i < failures; i++) single.push(true);
          const batch = new RateWatch({ baseline });
          const { eValue } = batch.observe({ failures, successes });
          expect(Math.abs(eValue / single.status().eValue - 1)).toBeLessThan(1e-9);
        },
      ),
      { numRuns: 100, seed: 4 },
    );
  });

  it('only loses evidence with a success, so looking at failures is looking at all', () => {
    for (const baseline of [{ rate: 0.1 }, { failures: 50, events: 500 }]) {
      const watch = new RateWatch({ baseline });
      const random = seededRandom(7);
      for (let i = 0; i < 500; i++) {
        const before = watch.status().eValue;
        watch.push(false);
        expect(watch.status().eValue).toBeLessThan(before);
        if (random.next() < 0.2) watch.push(true);
      }
    }
  });

  it('finds a doubled rate, keeps the verdict and says how sure it is', () => {
    const watch = new RateWatch({ baseline: { failures: 500, events: 10_000 } });
    const random = seededRandom(1);
    let events = 0;
    while (!watch.push(random.next() < 0.1)) events += 1;
    expect(events).toBeLessThan(1500);
    watch.observe({ failures: 0, successes: 500 });
    expect(watch.status().verdict).toBe('worse');
    expect(watch.status().pValue).toBeLessThanOrEqual(0.05);
  });

  it('keeps its false alarms under alpha when the baseline is small and drawn anew', () => {
    const random = seededRandom(2);
    let alarms = 0;
    const streams = 600;
    for (let s = 0; s < streams; s++) {
      let failures = 0;
      for (let i = 0; i < 200; i++) if (random.next() < 0.1) failures += 1;
      const watch = new RateWatch({ baseline: { failures, events: 200 } });
      for (let i = 0; i < 1500; i++) {
        if (!watch.push(random.next() < 0.1)) continue;
        alarms += 1;
        break;
      }
    }
    // 600 streams at 5 % stray to 6.8 % in one run of forty.
    expect(alarms / streams).toBeLessThan(0.068);
  });

  it.each([
    () => new RateWatch({ baseline: { rate: 0 } }),
    () => new RateWatch({ baseline: { rate: Number.NaN } }),
    () => new RateWatch({ baseline: { failures: 3, events: 2 } }),
    () => new RateWatch({ baseline: { rate: 0.1 }, alpha: 1 }),
    () => new RateWatch({ baseline: { rate: 0.1 }, minimumEffect: 0 }),
    () => new RateWatch({ baseline: { rate: 0.1 } }).observe({ failures: -1, successes: 0 }),
  ])('refuses what has no answer: %s', (call) => {
    expect(call).toThrow(StatsError);
  });

  it('answers with no events and with a baseline that saw no failure', () => {
    const watch = new RateWatch({ baseline: { failures: 0, events: 1000 } });
    expect(watch.status()).toMatchObject({ verdict: 'undecided', pValue: 1, events: 0 });
    for (let i = 0; i < 30; i++) watch.push(true);
    expect(watch.status().verdict).toBe('worse');
  });
});
