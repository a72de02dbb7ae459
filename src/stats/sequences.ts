/**
 * Confidence sequences: intervals that cover the truth at all times at once with the stated
 * probability, so that one may look after every event and stop when one likes.
 *
 * - `rateSequence`: a rate, exact, by a Beta(½,½) mixture of likelihood ratios.
 * - `meanSequence`: a mean (or the mean of paired differences) of roughly normal measurements whose
 *   spread is unknown: the mixture t-test (Lai 1976), exact for normal data, and close to it for sums
 *   of many measurements of any law with a variance.
 * - `meanDifferenceSequence`: the difference of two independent means with a common spread.
 */

import { requireParameter } from './errors.ts';
import { type RateCount, requireRateCount } from './intervals.ts';
import { logGamma } from './special.ts';
import type { Interval } from './types.ts';

const LOG_BETA_HALF = Math.log(Math.PI);

function requireAlpha(alpha: number): void {
  requireParameter(alpha > 0 && alpha < 1, 'alpha', 'between 0 and 1', alpha);
}

export function rateSequence(count: RateCount, alpha = 0.05): Interval {
  requireRateCount(count);
  requireAlpha(alpha);
  const { failures, events } = count;
  if (events === 0) return { low: 0, high: 1 };
  const successes = events - failures;
  const mixture =
    logGamma(failures + 0.5) + logGamma(successes + 0.5) - logGamma(events + 1) - LOG_BETA_HALF;
  const limit = mixture + Math.log(alpha);
  const holds = (rate: number) => {
    const up = failures === 0 ? 0 : failures * Math.log(rate);
    const down = successes === 0 ? 0 : successes * Math.log1p(-rate);
    return up + down >= limit;
  };
  const rate = failures / events;
  return {
    low: failures === 0 ? 0 : edge(rate, 0, holds),
    high: successes === 0 ? 1 : edge(rate, 1, holds),
  };
}

/** Where `holds` turns false on the way from inside to outside, to full precision. */
function edge(inside: number, outside: number, holds: (at: number) => boolean): number {
  let good = inside;
  let bad = outside;
  for (let i = 0; i < 60; i++) {
    const middle = 0.5 * (good + bad);
    if (holds(middle)) good = middle;
    else bad = middle;
  }
  // The outer side, so that rounding never narrows the interval.
  return bad;
}

/** Count, mean and sum of squared deviations of measurements, one at a time (Welford's method). */
export class Moments {
  count = 0;
  mean = 0;
  squares = 0;

  push(value: number): void {
    requireParameter(Number.isFinite(value), 'value', 'a finite number', value);
    this.count += 1;
    const before = value - this.mean;
    this.mean += before / this.count;
    this.squares += before * (value - this.mean);
  }
}

export interface MomentsView {
  readonly count: number;
  readonly mean: number;
  readonly squares: number;
}

export interface MeanSequenceOptions {
  readonly alpha?: number;
  /**
   * The size of effect, in standard deviations, for which the interval is narrowest; it is valid for
   * every size. 0.2 is what people call a small effect.
   */
  readonly tunedTo?: number;
}

/** The interval of the mean; infinite while there is too little to bound it. */
export function meanSequence(moments: MomentsView, options: MeanSequenceOptions = {}): Interval {
  const { count, mean, squares } = moments;
  const half = halfWidth({ size: count, freedom: count - 1, squares }, options);
  return { low: mean - half, high: mean + half };
}

/** The interval of `b`'s mean less `a`'s. */
export function meanDifferenceSequence(
  a: MomentsView,
  b: MomentsView,
  options: MeanSequenceOptions = {},
): Interval {
  const size = a.count === 0 || b.count === 0 ? 0 : 1 / (1 / a.count + 1 / b.count);
  const freedom = a.count + b.count - 2;
  const half = halfWidth({ size, freedom, squares: a.squares + b.squares }, options);
  return { low: b.mean - a.mean - half, high: b.mean - a.mean + half };
}

interface Evidence {
  /** The inverse of the estimate's variance, in units of one measurement's. */
  readonly size: number;
  readonly freedom: number;
  readonly squares: number;
}

/**
 * The evidence against a mean at distance t standard errors is
 *   (1+g)^-½ · ((1 + t²/ν) / (1 + t²/(ν(1+g))))^((ν+1)/2)   with g = size · tunedTo²;
 * setting it to 1/alpha and solving for t² gives the half width in closed form.
 */
function halfWidth({ size, freedom, squares }: Evidence, options: MeanSequenceOptions): number {
  const { alpha = 0.05, tunedTo = 0.2 } = options;
  requireAlpha(alpha);
  requireParameter(tunedTo > 0 && tunedTo < Infinity, 'tunedTo', 'positive and finite', tunedTo);
  if (freedom < 1) return Infinity;
  const spread = 1 + size * tunedTo * tunedTo;
  const power = Math.exp(((0.5 * Math.log(spread) - Math.log(alpha)) * 2) / (freedom + 1));
  if (power >= spread) return Infinity;
  const tSquared = (freedom * (power - 1)) / (1 - power / spread);
  return Math.sqrt((tSquared * squares) / (freedom * size));
}
