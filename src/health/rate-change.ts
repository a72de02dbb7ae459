/**
 * Whether a share of failures changed from one time to the next: the interval of the difference decides, not the two
 * figures. Failures come in bursts, so hours that scatter more than chance alone would count for fewer calls.
 */
import { type Interval, newcombeInterval, type RateCount } from '../stats/at-start.ts';

export interface HourCount {
  readonly calls: number;
  readonly failed: number;
}

export interface RateChange {
  /** Of the later share minus the earlier one. */
  readonly interval: Interval;
  readonly verdict: 'better' | 'worse' | 'same';
}

/** Null where one of them has no calls. `level`: how sure the interval is. */
export function rateChange(
  before: readonly HourCount[],
  now: readonly HourCount[],
  level = 0.95,
): RateChange | null {
  const [earlier, later] = [countsOf(before), countsOf(now)];
  if (earlier.events === 0 || later.events === 0) return null;
  const interval = newcombeInterval(thinned(earlier, before), thinned(later, now), level);
  const verdict = interval.high < 0 ? 'better' : interval.low > 0 ? 'worse' : 'same';
  return { interval, verdict };
}

function countsOf(hours: readonly HourCount[]): RateCount {
  return {
    failures: hours.reduce((sum, { failed }) => sum + failed, 0),
    events: hours.reduce((sum, { calls }) => sum + calls, 0),
  };
}

/** So many calls, independent of each other, would say as much. */
function thinned({ failures, events }: RateCount, hours: readonly HourCount[]): RateCount {
  const rate = failures / events;
  const left = Math.max(1, Math.round(events / dispersion(hours, rate)));
  return { failures: Math.round(rate * left), events: left };
}

/** Pearson's statistic over its degrees of freedom; at least 1, what independent calls have. */
function dispersion(hours: readonly HourCount[], rate: number): number {
  const counted = hours.filter(({ calls }) => calls > 0);
  if (counted.length < 2 || rate === 0 || rate === 1) return 1;
  const pearson = counted.reduce(
    (sum, { calls, failed }) => sum + (failed - calls * rate) ** 2 / (calls * rate * (1 - rate)),
    0,
  );
  return Math.max(1, pearson / (counted.length - 1));
}
