import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Random, seededRandom } from '../base/index.ts';
import { poissonCount } from './noise.test-support.ts';
import { type CountBin, findRateLevels } from './rate-levels.ts';

const MINUTE = 60_000;

/** Minutes of calls, each failing by itself with the rate of its minute. */
function minutes(
  random: Random,
  { length, perHour }: { length: number; perHour: number },
  rate: (minute: number) => number,
): CountBin[] {
  return Array.from({ length }, (_, minute) => {
    const all = poissonCount(random, perHour / 60);
    let bad = 0;
    for (let call = 0; call < all; call++) if (random.next() < rate(minute)) bad += 1;
    return { atMs: minute * MINUTE, bad, all };
  });
}

const DAY = { length: 1440, perHour: 600 };

describe('levels of a rate', () => {
  test.each([
    [0.01, 0.5, 3],
    [0.005, 0.1, 15],
    [0.02, 0.06, 60],
  ])('a step from %d to %d is found, with an interval that holds it', (before, after, wide) => {
    let held = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const random = seededRandom(seed);
      const at = 300 + Math.floor(random.next() * 800);
      const levels = findRateLevels(minutes(random, DAY, (now) => (now < at ? before : after)));
      expect(levels).toHaveLength(2);
      const { fromLowMs, fromHighMs, bad, all } = levels[1]!;
      if (fromLowMs <= at * MINUTE && at * MINUTE <= fromHighMs) held += 1;
      expect(fromHighMs - fromLowMs).toBeLessThan(4 * wide * MINUTE);
      expect(Math.abs(bad / all - after)).toBeLessThan(0.05);
    }
    expect(held).toBeGreaterThanOrEqual(36);
  });

  test('a rate that stays has one level, also where failures come in bursts', () => {
    let changed = 0;
    for (let seed = 1; seed <= 60; seed++) {
      const random = seededRandom(seed);
      const bursts = Array.from({ length: 144 }, () => (random.next() < 0.1 ? 0.3 : 0.02));
      const rate = (now: number) => (seed % 2 === 0 ? 0.05 : bursts[Math.floor(now / 10)]!);
      if (findRateLevels(minutes(random, DAY, rate)).length > 1) changed += 1;
    }
    expect(changed).toBeLessThanOrEqual(2);
  });

  test('a short outage is an episode with its two ends', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const day = { length: 1440, perHour: 300 };
      const levels = findRateLevels(
        minutes(seededRandom(seed), day, (now) => (now >= 700 && now < 740 ? 0.6 : 0.01)),
      );
      const isIll = levels.map(({ bad, all }) => bad / all > 0.1);
      expect([isIll[0], isIll.at(-1)]).toEqual([false, false]);
      const begins = levels[isIll.indexOf(true)]!;
      const ends = levels[isIll.lastIndexOf(true) + 1]!;
      expect(Math.abs(begins.fromMs / MINUTE - 700)).toBeLessThan(8);
      expect(Math.abs(ends.fromMs / MINUTE - 740)).toBeLessThan(8);
    }
  });

  test('a few calls an hour are enough for a large change', () => {
    const three = { length: 3 * 1440, perHour: 5 };
    const levels = findRateLevels(
      minutes(seededRandom(7), three, (now) => (now >= 2880 ? 0.4 : 0.01)),
    );
    expect(levels).toHaveLength(2);
  });

  test('how much it varies is told', () => {
    const steady = findRateLevels(minutes(seededRandom(3), DAY, () => 0.12));
    expect(steady[0]!.dispersion).toBeLessThan(1.3);
    const bursts = findRateLevels(
      minutes(seededRandom(3), DAY, (now) => (Math.floor(now / 10) % 7 === 0 ? 0.5 : 0.05)),
    );
    expect(bursts[0]!.dispersion).toBeGreaterThan(3);
    expect(bursts[0]!.dispersionLow).toBeGreaterThan(2);
    expect(bursts[0]!.dispersionLow).toBeLessThan(bursts[0]!.dispersion);
  });

  test('few counts vary by chance: what is sure of it stays small in 99 of 100 cases', () => {
    const days = { length: 2 * 1440, perHour: 35 };
    const seen = Array.from({ length: 200 }, (_, seed) => {
      const [level] = findRateLevels(minutes(seededRandom(seed), days, () => 0.09));
      return level!;
    });
    const beyond = (of: 'dispersion' | 'dispersionLow') =>
      seen.filter((level) => level[of] > 1.3).length;
    expect(beyond('dispersion')).toBeGreaterThan(20);
    expect(beyond('dispersionLow')).toBeLessThanOrEqual(2);
    expect(seen.every((one) => one.dispersionLow <= one.dispersion)).toBe(true);
  });

  test('whatever is counted, levels hold every event once, in order', () => {
    const bin = fc.tuple(fc.nat(50), fc.nat(50)).map(([bad, more]) => ({ bad, all: bad + more }));
    fc.assert(
      fc.property(fc.array(bin, { maxLength: 60 }), (counts) => {
        const bins = counts.map((one, at) => ({ ...one, atMs: at * MINUTE }));
        const levels = findRateLevels(bins);
        const sum = (of: readonly { bad: number; all: number }[]) =>
          of.reduce((n, one) => ({ bad: n.bad + one.bad, all: n.all + one.all }), {
            bad: 0,
            all: 0,
          });
        expect(sum(levels)).toEqual(sum(bins));
        const starts = levels.map(({ fromMs }) => fromMs);
        expect(starts).toEqual([...new Set(starts)].sort((a, b) => a - b));
        for (const { fromLowMs, fromMs, fromHighMs } of levels) {
          expect(fromLowMs).toBeLessThanOrEqual(fromMs);
          expect(fromHighMs).toBeGreaterThanOrEqual(fromMs);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('more failures than events are refused', () => {
    expect(() => findRateLevels([{ atMs: 0, bad: 2, all: 1 }])).toThrow(/bad/);
  });
});
