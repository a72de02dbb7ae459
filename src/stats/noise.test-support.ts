/**
 * Seeded noise of several laws, for property tests and simulations: the same seed, the same series.
 */
import type { Random } from '../base/index.ts';

export function gaussian(random: Random): number {
  return Math.sqrt(-2 * Math.log1p(-random.next())) * Math.cos(2 * Math.PI * random.next());
}

/** A series whose neighbours correlate by `carry` (0 is white noise, 1 a random walk). */
export function autoregressive(random: Random, length: number, carry: number): number[] {
  let value = 0;
  return Array.from({ length }, () => {
    value = carry * value + gaussian(random);
    return value;
  });
}

/** Counts with the given mean (by waiting times; for small means). */
export function poissonCount(random: Random, mean: number): number {
  let count = 0;
  for (let time = -Math.log1p(-random.next()); time < mean; count++)
    time -= Math.log1p(-random.next());
  return count;
}
