/**
 * One decision from several metrics. The primary metric must improve by at least its smallest effect
 * worth having; no guard rail may be harmed by more than its tolerance. Intervals come from confidence
 * sequences, so the decision may be asked for at every look.
 *
 * The family is protected both ways: each guard rail's interval must be made at `guardRailAlpha`, so
 * that a harmless change is stopped with probability at most alpha however many rails there are; a
 * change ships only when every rail is shown to be within its tolerance, which needs no correction
 * (all of them must be wrong at once).
 */

import { requireParameter } from './errors.ts';
import type { Interval } from './types.ts';

export interface MetricReading {
  readonly name: string;
  /** The interval of the change, positive for "more of the metric". */
  readonly change: Interval;
  /** Which way is bad. */
  readonly badDirection: 'up' | 'down';
}

export interface PrimaryReading extends MetricReading {
  /** The smallest improvement worth having, from 0. */
  readonly minimumEffect: number;
}

export interface GuardRailReading extends MetricReading {
  /** The largest harm that is borne, from 0. */
  readonly tolerance: number;
}

export type TrialDecision =
  | { readonly decision: 'ship'; readonly reasons: readonly string[] }
  | { readonly decision: 'stop'; readonly reasons: readonly string[] }
  | { readonly decision: 'continue'; readonly reasons: readonly string[] };

export function guardRailAlpha(alpha: number, rails: number): number {
  requireParameter(alpha > 0 && alpha < 1, 'alpha', 'between 0 and 1', alpha);
  requireParameter(
    Number.isSafeInteger(rails) && rails >= 0,
    'rails',
    'a whole number from 0',
    rails,
  );
  return alpha / Math.max(1, rails);
}

export function decideTrial(
  primary: PrimaryReading,
  rails: readonly GuardRailReading[],
): TrialDecision {
  const gain = improvement(primary);
  const harmed = rails.filter((rail) => improvement(rail).high < -rail.tolerance);
  const stops = harmed.map(
    (rail) => `${rail.name} is harmed beyond its tolerance of ${rail.tolerance}`,
  );
  if (gain.high < primary.minimumEffect)
    stops.push(`${primary.name} cannot improve by ${primary.minimumEffect} any more`);
  if (stops.length > 0) return { decision: 'stop', reasons: stops };

  const waits = rails
    .filter((rail) => !(improvement(rail).low >= -rail.tolerance))
    .map((rail) => `${rail.name} is not yet shown to be within its tolerance of ${rail.tolerance}`);
  if (!(gain.low > 0) || !(middle(gain) >= primary.minimumEffect))
    waits.push(`${primary.name} is not yet shown to improve by ${primary.minimumEffect}`);
  if (waits.length > 0) return { decision: 'continue', reasons: waits };
  return { decision: 'ship', reasons: [`${primary.name} improves and every guard rail holds`] };
}

/** The interval of the change with "good" as the positive direction. */
function improvement({ change, badDirection }: MetricReading): Interval {
  return badDirection === 'up' ? { low: -change.high, high: -change.low } : change;
}

function middle({ low, high }: Interval): number {
  return 0.5 * (low + high);
}
