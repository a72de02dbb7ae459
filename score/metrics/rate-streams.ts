/**
 * Simulated streams of events for the sequential tests, and the fixed-size test that knows the effect
 * (the oracle) against which their speed is measured: one-sided, level 5 %, power 80 %.
 */
import type { Random } from '../../src/base/index.ts';
import { normalQuantile } from '../../src/stats/index.ts';

const Z_LEVEL = normalQuantile(0.95);
const Z_POWER = normalQuantile(0.8);

const spread = (rate: number) => rate * (1 - rate);

/** Events after the change that the oracle needs when it knows the rate before it. */
export function oracleEvents(before: number, after: number): number {
  const reach = Z_LEVEL * Math.sqrt(spread(before)) + Z_POWER * Math.sqrt(spread(after));
  return Math.ceil((reach / (after - before)) ** 2);
}

/** The same when the rate before was counted in `baselineEvents` events. */
export function oracleEventsCounted(before: number, after: number, baselineEvents: number): number {
  const enough = (events: number) => {
    const pooled = (after * events + before * baselineEvents) / (events + baselineEvents);
    const level = Math.sqrt(spread(pooled) * (1 / events + 1 / baselineEvents));
    const power = Math.sqrt(spread(after) / events + spread(before) / baselineEvents);
    return Z_LEVEL * level + Z_POWER * power <= after - before;
  };
  return leastWith(enough);
}

/** Events in both arms together, half in each. */
export function oracleEventsArms(control: number, treatment: number): number {
  const pooled = (control + treatment) / 2;
  const reach =
    Z_LEVEL * Math.sqrt(2 * spread(pooled)) +
    Z_POWER * Math.sqrt(spread(control) + spread(treatment));
  return 2 * Math.ceil((reach / (treatment - control)) ** 2);
}

function leastWith(enough: (events: number) => boolean): number {
  let low = 0;
  let high = 1;
  while (!enough(high)) high *= 2;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (enough(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** How many successes come before the next failure: as many draws of events as one would make singly. */
export function successesBeforeFailure(random: Random, rate: number): number {
  return Math.floor(Math.log1p(-random.next()) / Math.log1p(-rate));
}

export function countFailures(random: Random, rate: number, events: number): number {
  let failures = 0;
  for (let at = successesBeforeFailure(random, rate); at < events; failures++)
    at += 1 + successesBeforeFailure(random, rate);
  return failures;
}

/** The value below which the given share of the times lies; streams never found count as Infinity. */
export function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Infinity;
}
