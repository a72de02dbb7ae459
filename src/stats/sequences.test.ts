import { describe, expect, it } from 'vitest';
import { seededRandom } from '../base/index.ts';
import { StatsError } from './errors.ts';
import { gaussian } from './noise.test-support.ts';
import {
  Moments,
  type MomentsView,
  meanDifferenceSequence,
  meanSequence,
  rateSequence,
} from './sequences.ts';

function momentsOf(values: readonly number[]): Moments {
  const moments = new Moments();
  for (const value of values) moments.push(value);
  return moments;
}

describe('confidence sequences', () => {
  it('covers a rate at all looks at once', () => {
    const random = seededRandom(1);
    let missed = 0;
    for (let stream = 0; stream < 200; stream++) {
      let failures = 0;
      for (let events = 1; events <= 400; events++) {
        if (random.next() < 0.1) failures += 1;
        if (events % 5 !== 0) continue;
        const { low, high } = rateSequence({ failures, events });
        if (low <= 0.1 && high >= 0.1) continue;
        missed += 1;
        break;
      }
    }
    expect(missed / 200).toBeLessThanOrEqual(0.05);
  });

  it('ends where the evidence is just 1/alpha', () => {
    // Against rate r the Beta(½,½) mixture for 3 of 10 is B(3.5, 7.5)/B(½,½) / r³(1-r)⁷.
    const { low, high } = rateSequence({ failures: 3, events: 10 }, 0.1);
    const beta = 0.000545501708984375;
    for (const rate of [low, high]) expect(beta / (rate ** 3 * (1 - rate) ** 7)).toBeCloseTo(10, 6);
    expect(rateSequence({ failures: 0, events: 0 })).toEqual({ low: 0, high: 1 });
    expect(rateSequence({ failures: 0, events: 50 }).low).toBe(0);
    expect(rateSequence({ failures: 50, events: 50 }).high).toBe(1);
  });

  it('covers a mean at all looks at once, whatever the spread', () => {
    const random = seededRandom(2);
    let missed = 0;
    for (let stream = 0; stream < 400; stream++) {
      const moments = new Moments();
      for (let i = 0; i < 300; i++) {
        moments.push(7 + 3 * gaussian(random));
        const { low, high } = meanSequence(moments);
        if (low <= 7 && high >= 7) continue;
        missed += 1;
        break;
      }
    }
    expect(missed / 400).toBeLessThanOrEqual(0.05);
  });

  it('narrows with the square root of the count, and is wider than a single look', () => {
    const random = seededRandom(3);
    const values = Array.from({ length: 4000 }, () => gaussian(random));
    const width = (count: number) => {
      const { low, high } = meanSequence(momentsOf(values.slice(0, count)));
      return high - low;
    };
    expect(width(4000)).toBeLessThan(0.7 * width(1000));
    expect(width(4000)).toBeGreaterThan((2 * 1.96) / Math.sqrt(4000));
    expect(width(4000)).toBeLessThan((2 * 4) / Math.sqrt(4000));
  });

  it('bounds a difference of means, and a paired difference more tightly', () => {
    const random = seededRandom(4);
    const before = Array.from({ length: 300 }, () => 10 * gaussian(random));
    const after = before.map((value) => value + 1 + gaussian(random));
    const apart = meanDifferenceSequence(momentsOf(before), momentsOf(after));
    const paired = meanSequence(momentsOf(after.map((value, i) => value - before[i]!)));
    expect(paired.low).toBeGreaterThan(0);
    expect(apart.low).toBeLessThan(0);
    expect(paired.high - paired.low).toBeLessThan(apart.high - apart.low);
  });

  it('knows nothing from too little, and everything from a constant', () => {
    const nothing: MomentsView = { count: 0, mean: 0, squares: 0 };
    expect(meanSequence(nothing)).toEqual({ low: -Infinity, high: Infinity });
    expect(meanSequence(momentsOf([4]))).toEqual({ low: -Infinity, high: Infinity });
    expect(meanDifferenceSequence(nothing, momentsOf([1, 2, 3])).high).toBe(Infinity);
    const constant = meanSequence(momentsOf(new Array<number>(500).fill(4)));
    expect(constant).toEqual({ low: 4, high: 4 });
  });

  it('refuses values and levels that have no place', () => {
    expect(() => new Moments().push(Number.NaN)).toThrow(StatsError);
    expect(() => meanSequence(momentsOf([1, 2]), { alpha: 2 })).toThrow(StatsError);
    expect(() => meanSequence(momentsOf([1, 2]), { tunedTo: 0 })).toThrow(StatsError);
    expect(() => rateSequence({ failures: 2, events: 1 })).toThrow(StatsError);
  });
});
