/**
 * Watches a mean of measurements that lie between 0 and 1 (scores, shares, capped latencies) against
 * a limit, with no assumption on their law. After every measurement the chance of ever saying `above`
 * while the mean is at most the limit is at most `alpha`.
 *
 * A gambler who bets a part of his capital on "above the limit" at fair odds cannot expect to win while
 * the mean is not above it (Waudby-Smith and Ramdas 2024). The stake follows the mean and variance seen
 * so far and never risks ruin.
 */
import { requireParameter } from './errors.ts';

export interface BoundedMeanOptions {
  readonly limit: number;
  readonly alpha?: number;
}

/** The largest part of the capital that a single measurement can lose. */
const STAKE_MAX = 0.5;

export class BoundedMeanWatch {
  readonly #limit: number;
  readonly #logNeeded: number;
  #count = 0;
  #mean: number;
  #variance = 0.25;
  #logCapital = 0;
  #logCapitalMax = 0;

  constructor({ limit, alpha = 0.05 }: BoundedMeanOptions) {
    requireParameter(limit > 0 && limit < 1, 'limit', 'between 0 and 1', limit);
    requireParameter(alpha > 0 && alpha < 1, 'alpha', 'between 0 and 1', alpha);
    this.#limit = limit;
    this.#mean = limit;
    this.#logNeeded = -Math.log(alpha);
  }

  /** True once the mean is found to be above the limit. */
  push(value: number): boolean {
    requireParameter(value >= 0 && value <= 1, 'value', 'in [0, 1]', value);
    const excess = this.#mean - this.#limit;
    const fitting = excess / (this.#variance + excess * excess);
    const stake = Math.min(Math.max(0, fitting), STAKE_MAX / this.#limit);
    this.#logCapital += Math.log1p(stake * (value - this.#limit));
    this.#logCapitalMax = Math.max(this.#logCapitalMax, this.#logCapital);
    this.#learn(value);
    return this.#logCapitalMax >= this.#logNeeded;
  }

  /** Starts from one imagined measurement at the limit with variance ¼, so that early stakes are low. */
  #learn(value: number): void {
    this.#count += 1;
    const before = value - this.#mean;
    this.#mean += before / (this.#count + 1);
    this.#variance += (before * (value - this.#mean) - this.#variance) / (this.#count + 1);
  }

  status(): {
    readonly verdict: 'above' | 'undecided';
    readonly count: number;
    readonly pValue: number;
  } {
    return {
      verdict: this.#logCapitalMax >= this.#logNeeded ? 'above' : 'undecided',
      count: this.#count,
      pValue: Math.exp(-this.#logCapitalMax),
    };
  }
}
