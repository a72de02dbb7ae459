/** One series, or the fleet without one agent, compared with what its baseline leads to expect. */
import type { RateBin, RateMetric, Window } from '../facts/index.ts';
import { poissonCdf, poissonSf } from '../stats/index.ts';
import { indexAt } from './place-track.ts';
import { seasonOf, sum, usualTimes } from './season.ts';
import type { Baseline, Count, MonitorSettings, SeriesBaseline, SeriesObserved } from './types.ts';

const HOUR_MS = 3_600_000;

/** What was counted of one series before the deployment and since. */
export interface Counted {
  readonly hours: readonly Count[];
  readonly bins: readonly RateBin[];
}

export interface Measured extends Count {
  /** What the baseline leads to expect of as many events at these times of day. */
  readonly expectedBad: number;
}

/** The minutes of the window alone. Found by halving: a look asks for short windows of long watches, again and again. */
export function within<T extends { readonly atMs: number }>(
  bins: readonly T[],
  { fromMs, toMs }: Window,
): readonly T[] {
  const [from, to] = [indexAt(bins, fromMs), indexAt(bins, toMs)];
  return from === 0 && to === bins.length ? bins : bins.slice(from, to);
}

/** Every series with the minutes of the window alone. */
export function observedIn(
  observed: readonly SeriesObserved[],
  window: Window,
): readonly SeriesObserved[] {
  return observed.map((one) => ({ ...one, bins: within(one.bins, window) }));
}

/** By how much a metric may get worse, in its bad direction and relative to the baseline. */
export function allowedIncrease(
  metric: RateMetric,
  limits: Pick<MonitorSettings, 'errorRate' | 'otherMetrics'>,
): number {
  return metric === 'error_rate' ? limits.errorRate : limits.otherMetrics;
}

interface Series {
  readonly baseline: Baseline;
  readonly observed: readonly SeriesObserved[];
}

/** The whole fleet (null), one agent, or its calls of one tool; undefined when it was not counted. */
export function countedOf(
  { baseline, observed }: Series,
  metric: RateMetric,
  agent: string | null,
  tool?: string,
): Counted | undefined {
  const isIt = (one: SeriesBaseline | SeriesObserved) =>
    one.metric === metric && one.agent === agent && one.tool === tool;
  const before = baseline.series.find(isIt);
  return before && { hours: before.hours, bins: observed.find(isIt)?.bins ?? [] };
}

/**
 * The fleet without the agent that the change is about, by subtracting its counts. Exact for calls; a
 * session in which both worked counts as the agent's.
 */
export function othersOf(series: Series, metric: RateMetric, agent: string): Counted | undefined {
  const [fleet, own] = [countedOf(series, metric, null), countedOf(series, metric, agent)];
  if (fleet === undefined || own === undefined) return undefined;
  // Both end with the deployment; that of the agent may begin with what the change answers (`baseline.ts`).
  const length = Math.min(fleet.hours.length, own.hours.length);
  const ownHours = own.hours.slice(-length);
  const ownAt = new Map(own.bins.map((bin) => [bin.atMs, bin]));
  return {
    hours: fleet.hours.slice(-length).map((hour, at) => less(hour, ownHours[at])),
    bins: fleet.bins.map((bin) => ({ atMs: bin.atMs, ...less(bin, ownAt.get(bin.atMs)) })),
  };
}

function less({ bad, all }: Count, other: Count = { bad: 0, all: 0 }): Count {
  const left = Math.max(0, all - other.all);
  return { bad: Math.min(left, Math.max(0, bad - other.bad)), all: left };
}

/** Every minute with how much of it was expected to be bad. */
export function measured({ hours, bins }: Counted, startedAtMs: number): (RateBin & Measured)[] {
  return expectedAt({ hours, bins }, usualTimes(hours, bins, startedAtMs));
}

/** The same by the time of day alone, whatever the traffic: for minutes and for hours. */
export function measuredByDay(
  { hours, bins }: Counted,
  startedAtMs: number,
): (RateBin & Measured)[] {
  const season = seasonOf(hours);
  return expectedAt(
    { hours, bins },
    (atMs) => season[Math.floor((atMs - startedAtMs) / HOUR_MS) % season.length]!,
  );
}

function expectedAt({ hours, bins }: Counted, timesAt: (atMs: number) => number) {
  const before = sum(hours);
  const rate = (before.bad + 0.5) / (before.all + 1);
  // Spelled out: a look makes millions of these, and a spread is slower by far.
  return bins.map(({ atMs, bad, all }) => {
    const expectedBad = all * rate * timesAt(atMs);
    return { atMs, bad, all, expectedBad };
  });
}

export function added(bins: readonly Measured[]): Measured {
  let [bad, all, expectedBad] = [0, 0, 0];
  for (const bin of bins) {
    bad += bin.bad;
    all += bin.all;
    expectedBad += bin.expectedBad;
  }
  return { bad, all, expectedBad };
}

/** How likely so many bad ones are by chance, where the allowed increase is not exceeded. */
export function chanceOf({ bad, expectedBad }: Measured, allowed: number): number {
  return poissonSf(bad - 1, expectedBad * (1 + allowed));
}

/** How likely so few bad ones are, were the share of them so much larger than expected. */
export function chanceOfSoFew({ bad, all, expectedBad }: Measured, excess: number): number {
  return poissonCdf(bad, expectedBad + Math.max(0, excess) * all);
}

/** The share that is bad beyond what was expected. */
export function excessOf({ bad, all, expectedBad }: Measured): number {
  return all === 0 ? 0 : (bad - expectedBad) / all;
}
