/**
 * Intervals for rates at a fixed number of events: Wilson's for one rate, Newcombe's (his method 10)
 * for the difference of two, Clopper and Pearson's where the coverage must never fall short. For looks
 * at any time use `rateSequence`.
 */

import { betaQuantile, normalQuantile } from './distributions.ts';
import { requireParameter } from './errors.ts';
import type { Interval } from './types.ts';

export interface RateCount {
  readonly failures: number;
  readonly events: number;
}

export function requireRateCount({ failures, events }: RateCount): void {
  requireParameter(
    Number.isSafeInteger(events) && events >= 0,
    'events',
    'a whole number from 0',
    events,
  );
  requireParameter(
    Number.isSafeInteger(failures) && failures >= 0 && failures <= events,
    'failures',
    `a whole number from 0 to events (${events})`,
    failures,
  );
}

function zOf(level: number): number {
  requireParameter(level > 0 && level < 1, 'level', 'between 0 and 1', level);
  return normalQuantile(0.5 + level / 2);
}

/** With no events the whole range [0, 1]. */
export function wilsonInterval(count: RateCount, level = 0.95): Interval {
  requireRateCount(count);
  const z = zOf(level);
  const { failures, events } = count;
  if (events === 0) return { low: 0, high: 1 };
  const rate = failures / events;
  const shrink = 1 + (z * z) / events;
  const centre = (rate + (z * z) / (2 * events)) / shrink;
  const half =
    (z / shrink) * Math.sqrt((rate * (1 - rate)) / events + (z * z) / (4 * events * events));
  return {
    low: failures === 0 ? 0 : Math.max(0, centre - half),
    high: failures === events ? 1 : Math.min(1, centre + half),
  };
}

/** The interval of `treatment rate - control rate`, from the two Wilson intervals. */
export function newcombeInterval(control: RateCount, treatment: RateCount, level = 0.95): Interval {
  const a = wilsonInterval(control, level);
  const b = wilsonInterval(treatment, level);
  const rateA = control.events === 0 ? 0.5 : control.failures / control.events;
  const rateB = treatment.events === 0 ? 0.5 : treatment.failures / treatment.events;
  const difference = rateB - rateA;
  return {
    low: Math.max(-1, difference - Math.hypot(rateB - b.low, a.high - rateA)),
    high: Math.min(1, difference + Math.hypot(b.high - rateB, rateA - a.low)),
  };
}

/** The same things looked at twice: how many were so both times, only before, only after, never. */
export interface PairCounts {
  readonly both: number;
  readonly onlyBefore: number;
  readonly onlyAfter: number;
  readonly neither: number;
}

/**
 * The interval of `rate after - rate before` of pairs: Newcombe's method 10 for paired rates (1998), the two Wilson
 * intervals joined by how much the two looks agree. With no pairs the whole range.
 */
export function pairedInterval(pairs: PairCounts, level = 0.95): Interval {
  const { both, onlyBefore, onlyAfter, neither } = pairs;
  const events = both + onlyBefore + onlyAfter + neither;
  const before = wilsonInterval({ failures: both + onlyBefore, events }, level);
  const after = wilsonInterval({ failures: both + onlyAfter, events }, level);
  if (events === 0) return { low: -1, high: 1 };
  const [rateBefore, rateAfter] = [(both + onlyBefore) / events, (both + onlyAfter) / events];
  const difference = rateAfter - rateBefore;
  const agreement = correlation(pairs);
  const half = (one: number, other: number) =>
    Math.sqrt(Math.max(0, one * one - 2 * agreement * one * other + other * other));
  return {
    low: Math.max(-1, difference - half(rateAfter - after.low, before.high - rateBefore)),
    high: Math.min(1, difference + half(after.high - rateAfter, rateBefore - before.low)),
  };
}

/** Phi of the two looks, corrected for continuity where they agree; 0 where one of them is always the same. */
function correlation({ both, onlyBefore, onlyAfter, neither }: PairCounts): number {
  const events = both + onlyBefore + onlyAfter + neither;
  const spread = Math.sqrt(
    (both + onlyBefore) * (onlyAfter + neither) * (both + onlyAfter) * (onlyBefore + neither),
  );
  if (spread === 0) return 0;
  const agreed = both * neither - onlyBefore * onlyAfter;
  return (agreed > 0 ? Math.max(0, agreed - events / 2) : agreed) / spread;
}

/** Exact: never covers less than `level`, and more for small counts. */
export function clopperPearsonInterval(count: RateCount, level = 0.95): Interval {
  requireRateCount(count);
  requireParameter(level > 0 && level < 1, 'level', 'between 0 and 1', level);
  const { failures, events } = count;
  const tail = (1 - level) / 2;
  return {
    low: failures === 0 ? 0 : betaQuantile(tail, failures, events - failures + 1),
    high: failures === events ? 1 : betaQuantile(1 - tail, failures + 1, events - failures),
  };
}
