/**
 * Many comparisons at once. Benjamini and Hochberg's step-up keeps the expected share of false
 * findings among all findings at most `rate`, for independent or positively dependent tests.
 */
import { requireParameter } from './errors.ts';

export interface Adjusted {
  /** In the order of the input; a finding is one that is at most the wanted rate. */
  readonly adjusted: readonly number[];
  readonly found: readonly boolean[];
}

export function benjaminiHochberg(pValues: readonly number[], rate = 0.05): Adjusted {
  requireParameter(rate > 0 && rate < 1, 'rate', 'between 0 and 1', rate);
  pValues.forEach((p, i) => {
    requireParameter(p >= 0 && p <= 1, `pValues[${i}]`, 'in [0, 1]', p);
  });
  const order = pValues.map((_, index) => index).sort((a, b) => pValues[b]! - pValues[a]!);
  const adjusted = new Array<number>(pValues.length).fill(1);
  let least = 1;
  order.forEach((index, fromTop) => {
    least = Math.min(least, pValues[index]! * (pValues.length / (pValues.length - fromTop)));
    adjusted[index] = least;
  });
  return { adjusted, found: adjusted.map((p) => p <= rate) };
}
