/** The tests and intervals at a fixed horizon, against values of SciPy 1.17 and of the papers. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../base/index.ts';
import { bootstrapInterval } from './bootstrap.ts';
import { laggedCorrelation } from './correlation.ts';
import { StatsError } from './errors.ts';
import {
  clopperPearsonInterval,
  newcombeInterval,
  type PairCounts,
  pairedInterval,
  wilsonInterval,
} from './intervals.ts';
import { benjaminiHochberg } from './multiplicity.ts';
import { autoregressive, gaussian } from './noise.test-support.ts';
import { mannWhitney } from './rank-test.ts';

const count = (failures: number, events: number) => ({ failures, events });

describe('intervals of rates', () => {
  it('has the published values', () => {
    const wilson = wilsonInterval(count(15, 148));
    expect(wilson.low).toBeCloseTo(0.06238639953073629, 12);
    expect(wilson.high).toBeCloseTo(0.16048724172330803, 12);
    const exact = clopperPearsonInterval(count(15, 148));
    expect(exact.low).toBeCloseTo(0.05784401008344801, 10);
    expect(exact.high).toBeCloseTo(0.16165049034947895, 10);
    expect(clopperPearsonInterval(count(0, 20)).high).toBeCloseTo(0.16843347098308548, 10);
    // Newcombe (1998), table II, method 10: 56/70 less 48/80.
    const difference = newcombeInterval(count(48, 80), count(56, 70));
    expect(difference.low).toBeCloseTo(0.0524, 4);
    expect(difference.high).toBeCloseTo(0.3339, 4);
  });

  it('contains the rate, stays in range, and narrows with the level', () => {
    fc.assert(
      fc.property(fc.nat(500), fc.nat(500), (a, b) => {
        const sample = count(Math.min(a, b), Math.max(a, b));
        if (sample.events === 0) return;
        const rate = sample.failures / sample.events;
        const intervals = [0.5, 0.95].flatMap((level) => [
          wilsonInterval(sample, level),
          clopperPearsonInterval(sample, level),
        ]);
        for (const { low, high } of intervals) {
          expect(low).toBeLessThanOrEqual(rate + 1e-12);
          expect(high).toBeGreaterThanOrEqual(rate - 1e-12);
          expect(low).toBeGreaterThanOrEqual(0);
          expect(high).toBeLessThanOrEqual(1);
        }
        expect(intervals[0]!.high).toBeLessThanOrEqual(intervals[2]!.high);
      }),
      { numRuns: 100, seed: 4 },
    );
  });

  it('knows nothing without events', () => {
    expect(wilsonInterval(count(0, 0))).toEqual({ low: 0, high: 1 });
    expect(newcombeInterval(count(0, 0), count(0, 0)).low).toBeLessThan(-0.5);
    expect(() => wilsonInterval(count(3, 2))).toThrow(StatsError);
    expect(() => wilsonInterval(count(1, 2), 1)).toThrow(StatsError);
  });
});

describe('the interval of pairs', () => {
  /** The cells' probabilities, drawn `events` times. */
  function drawn(cells: readonly number[], events: number, random: () => number): PairCounts {
    const counts = [0, 0, 0, 0];
    for (let event = 0; event < events; event++) {
      let [at, left] = [0, random()];
      while (at < 3 && left >= cells[at]!) left -= cells[at++]!;
      counts[at]! += 1;
    }
    const [both, onlyBefore, onlyAfter, neither] = counts as [number, number, number, number];
    return { both, onlyBefore, onlyAfter, neither };
  }

  it.each([
    ['most fail, a fifth is mended', [0.5, 0.2, 0.02, 0.28], 60],
    ['few fail, half of them is mended', [0.05, 0.05, 0.005, 0.895], 100],
    ['nothing changes', [0.3, 0.05, 0.05, 0.6], 40],
  ])('covers the truth as often as it says: %s', (_, cells, events) => {
    const { next } = seededRandom(11);
    const truth = cells[2]! - cells[1]!;
    let covered = 0;
    for (let time = 0; time < 2000; time++) {
      const { low, high } = pairedInterval(drawn(cells, events, next));
      if (low <= truth && truth <= high) covered += 1;
    }
    expect(covered / 2000).toBeGreaterThan(0.93);
    expect(covered / 2000).toBeLessThan(0.99);
  });

  it('is narrower than that of two samples that know nothing of each other', () => {
    const pairs = pairedInterval({ both: 30, onlyBefore: 20, onlyAfter: 0, neither: 50 });
    const apart = newcombeInterval(count(50, 100), count(30, 100));
    expect(pairs.high - pairs.low).toBeLessThan(apart.high - apart.low);
    expect(pairs.high).toBeLessThan(0);
  });

  it('knows nothing without pairs, and stays in range', () => {
    expect(pairedInterval({ both: 0, onlyBefore: 0, onlyAfter: 0, neither: 0 })).toEqual({
      low: -1,
      high: 1,
    });
    const all = pairedInterval({ both: 0, onlyBefore: 9, onlyAfter: 0, neither: 0 });
    expect(all.low).toBe(-1);
    expect(all.high).toBeLessThan(0);
  });
});

describe('Mann and Whitney’s test', () => {
  it('is exact for small samples without ties', () => {
    const result = mannWhitney([1.1, 2.3, 3.7, 4.2, 5.9], [2.9, 4.8, 6.1, 7.7, 8.3, 9.0]);
    expect(result).toMatchObject({ u: 26, method: 'exact' });
    expect(result.pValue).toBeCloseTo(0.05194805194805195, 12);
    expect(result.superiority).toBeCloseTo(26 / 30, 12);
  });

  it('corrects for ties and continuity', () => {
    const result = mannWhitney([1, 2, 2, 3, 3, 3, 4, 5], [2, 3, 4, 4, 5, 5, 6]);
    expect(result).toMatchObject({ u: 42.5, method: 'normal' });
    expect(result.pValue).toBeCloseTo(0.0983349877585014, 12);
  });

  it('turns round with its samples, and finds nothing in constants', () => {
    const a = [3, 1, 4, 1.5, 9];
    const b = [2, 6, 5, 3.5];
    expect(mannWhitney(a, b).pValue).toBeCloseTo(mannWhitney(b, a).pValue, 12);
    expect(mannWhitney(a, b).u + mannWhitney(b, a).u).toBe(20);
    expect(mannWhitney([2, 2, 2], [2, 2]).pValue).toBe(1);
  });

  it('refuses empty samples and gaps', () => {
    expect(() => mannWhitney([], [1])).toThrow(StatsError);
    expect(() => mannWhitney([1], [Number.NaN])).toThrow(StatsError);
  });
});

describe('Benjamini and Hochberg', () => {
  it('adjusts as published', () => {
    const { adjusted, found } = benjaminiHochberg([0.01, 0.04, 0.03, 0.005, 0.8]);
    [0.025, 0.05, 0.05, 0.025, 0.8].forEach((expected, i) => {
      expect(adjusted[i]).toBeCloseTo(expected, 12);
    });
    expect(found).toEqual([true, true, true, true, false]);
    expect(benjaminiHochberg([])).toEqual({ adjusted: [], found: [] });
    expect(() => benjaminiHochberg([1.2])).toThrow(StatsError);
  });

  it('keeps the order and never lowers a p-value', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 }), (ps) => {
        const { adjusted } = benjaminiHochberg(ps);
        ps.forEach((p, i) => {
          expect(adjusted[i]).toBeGreaterThanOrEqual(p);
          ps.forEach((other, j) => {
            if (p < other) expect(adjusted[i]).toBeLessThanOrEqual(adjusted[j]!);
          });
        });
      }),
      { numRuns: 100, seed: 4 },
    );
  });
});

describe('correlation with a lag', () => {
  it('finds by how much one series follows the other', () => {
    const random = seededRandom(1);
    const cause = Array.from({ length: 200 }, () => gaussian(random));
    const effect = cause.map((_, i) => (cause[i - 4] ?? 0) + 0.3 * gaussian(random));
    const found = laggedCorrelation(cause, effect, 10);
    expect(found.lag).toBe(4);
    expect(found.correlation).toBeGreaterThan(0.9);
    expect(found.pValue).toBeLessThan(1e-6);
    expect(laggedCorrelation(effect, cause, 10).lag).toBe(-4);
  });

  it('is not impressed by two smooth series that have nothing to do with each other', () => {
    let found = 0;
    for (let seed = 1; seed <= 100; seed++) {
      const random = seededRandom(seed);
      const a = autoregressive(random, 150, 0.9);
      const b = autoregressive(random, 150, 0.9);
      if (laggedCorrelation(a, b, 5).pValue < 0.05) found += 1;
    }
    expect(found).toBeLessThanOrEqual(8);
  });

  it('answers for constants and refuses what does not fit', () => {
    const constant = new Array<number>(20).fill(0.1);
    const line = constant.map((_, i) => i);
    expect(laggedCorrelation(constant, line).correlation).toBe(0);
    expect(laggedCorrelation(line, line).correlation).toBeCloseTo(1, 12);
    expect(() => laggedCorrelation([1, 2], [1])).toThrow(/2 and 1/);
    expect(() => laggedCorrelation([1, 2, 3], [1, 2, 3])).toThrow(StatsError);
    expect(() => laggedCorrelation(line, line, 15)).toThrow(StatsError);
  });
});

describe('the bootstrap', () => {
  const mean = (values: readonly number[]) => values.reduce((s, v) => s + v, 0) / values.length;

  it('repeats itself with the same seed', () => {
    const sample = [1.31, 5.07, 2.93, 8.11, 3.3, 9.7, 4.01, 6.23, 7.9, 2.2];
    const once = bootstrapInterval(sample, mean, { random: seededRandom(5) });
    expect(bootstrapInterval(sample, mean, { random: seededRandom(5) })).toEqual(once);
    expect(bootstrapInterval(sample, mean, { random: seededRandom(6) })).not.toEqual(once);
  });

  it('corrects the bias of a statistic that resampling makes smaller', () => {
    const random = seededRandom(9);
    const sample = Array.from({ length: 15 }, () => gaussian(random));
    const seen: number[] = [];
    const variance = (values: readonly number[]) => {
      const centre = mean(values);
      seen.push(mean(values.map((value) => (value - centre) ** 2)));
      return seen.at(-1)!;
    };
    const { low, high } = bootstrapInterval(sample, variance, { random });
    const drawn = seen.slice(1).sort((a, b) => a - b);
    expect(low).toBeGreaterThan(drawn[50]!);
    expect(high).toBeGreaterThan(drawn[1949]!);
  });

  it('covers the mean about as often as it says', () => {
    const random = seededRandom(7);
    let covered = 0;
    for (let i = 0; i < 150; i++) {
      const sample = Array.from({ length: 60 }, () => gaussian(random));
      const { low, high } = bootstrapInterval(sample, mean, { random, draws: 400 });
      if (low <= 0 && high >= 0) covered += 1;
    }
    expect(covered / 150).toBeGreaterThan(0.88);
  });

  it('answers for a constant and refuses a single value', () => {
    const constant = bootstrapInterval([3, 3, 3], mean, { random: seededRandom(1) });
    expect(constant).toMatchObject({ estimate: 3, low: 3, high: 3 });
    expect(() => bootstrapInterval([1], mean, { random: seededRandom(1) })).toThrow(StatsError);
    expect(() => bootstrapInterval([1, 2], () => Number.NaN, { random: seededRandom(1) })).toThrow(
      /statistic/,
    );
  });
});
