/**
 * The effects that the sequential tests of rates bet on, and the sum of their bets. Two thirds of the
 * stake lie on the smallest effect worth knowing (+25 % by default): at a rate of 5 % it is found within
 * 1.6 times the oracle's events (80th percentile), a doubled rate in 320 events, a tenfold one in 12.
 * An even spread takes 2.1 times, 296 and 9; all of it on the smallest 1.5 times, 382 and 26.
 */

/** Multiples of the smallest effect worth knowing. */
export const EFFECT_MULTIPLES = [1, 2, 4, 8, 16, 64] as const;
export const EFFECT_WEIGHTS = [0.66, 0.14, 0.08, 0.06, 0.04, 0.02] as const;

/** log of the sum of exponentials, safe for logarithms of any size. */
export function logSum(logs: Float64Array): number {
  let largest = -Infinity;
  for (let j = 0; j < logs.length; j++) if (logs[j]! > largest) largest = logs[j]!;
  let sum = 0;
  for (let j = 0; j < logs.length; j++) sum += Math.exp(logs[j]! - largest);
  return largest + Math.log(sum);
}
