/**
 * The bootstrap: an interval for any statistic of a sample by drawing from the sample itself. The
 * randomness is given, so the same seed gives the same interval. Bias-corrected percentiles (Efron's
 * BC): the plain percentile interval of a skewed statistic is shifted to the wrong side.
 */
import type { Random } from '../base/index.ts';
import { randomInt } from '../base/index.ts';
import { normalCdf, normalQuantile } from './distributions.ts';
import { requireCount, requireFinite, requireParameter } from './errors.ts';
import type { Interval } from './types.ts';

export interface BootstrapOptions {
  readonly random: Random;
  readonly level?: number;
  readonly draws?: number;
}

export interface BootstrapResult extends Interval {
  readonly estimate: number;
}

export function bootstrapInterval(
  sample: readonly number[],
  statistic: (sample: readonly number[]) => number,
  options: BootstrapOptions,
): BootstrapResult {
  const { random, level = 0.95, draws = 2000 } = options;
  requireCount(sample.length, 2, 'sample');
  requireFinite(sample, 'sample');
  requireParameter(level > 0 && level < 1, 'level', 'between 0 and 1', level);
  requireParameter(
    Number.isSafeInteger(draws) && draws >= 100,
    'draws',
    'a whole number from 100',
    draws,
  );
  const estimate = statistic(sample);
  const drawn = new Float64Array(draws);
  const resample = new Array<number>(sample.length);
  for (let d = 0; d < draws; d++) {
    for (let i = 0; i < sample.length; i++) resample[i] = sample[randomInt(random, sample.length)]!;
    drawn[d] = statistic(resample);
  }
  requireFinite(drawn, 'statistic');
  drawn.sort();
  const below = drawn.reduce(
    (sum, value) => sum + (value < estimate ? 1 : value === estimate ? 0.5 : 0),
    0,
  );
  const bias = normalQuantile(Math.min(Math.max(below, 0.5), draws - 0.5) / draws);
  const z = normalQuantile(0.5 + level / 2);
  const at = (p: number) => drawn[Math.min(draws - 1, Math.max(0, Math.floor(p * draws)))]!;
  return {
    estimate,
    low: at(normalCdf(2 * bias - z)),
    high: at(normalCdf(2 * bias + z)),
  };
}
