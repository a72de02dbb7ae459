/**
 * Whether a deployment made things worse: a pure function of counts. It replays all counts since the
 * deployment and says where, if ever, the evidence was enough; the same counts give the same answer, so
 * nothing is remembered between looks.
 *
 * Each series (metric and scope) gathers evidence against its baseline (`evidence.ts`), with its events
 * weighed by their time of day (`season.ts`). The series divide their part of the budget of false alarms: the chance
 * that a harmless change is called, in any series at any look, is at most alpha, with the watch by the hour.
 *
 * Beyond noise is not enough: the rate must also exceed the allowed increase, over a minimum of events.
 */
import { allowedIncrease } from './comparison.ts';
import { Evidence, type TestView } from './evidence.ts';
import { predictedTimes } from './expectation.ts';
import { type Group, groupBins } from './groups.ts';
import { MINUTES_SHARE, RING_SHARES } from './late-harm.ts';
import { seasonOf, sum } from './season.ts';
import { timesShorter } from './session-length.ts';
import type {
  Baseline,
  Finding,
  Found,
  Judgement,
  MonitorSettings,
  Reading,
  SeriesBaseline,
  SeriesObserved,
} from './types.ts';

export type Limits = Pick<
  MonitorSettings,
  'alpha' | 'errorRate' | 'otherMetrics' | 'duration' | 'fast' | 'fastInterval' | 'interval'
>;

const HOUR_MS = 3_600_000;

/** Below this no rollback is called for, however clear it looks. */
const EVENTS_MIN = 20;
const FAILURES_MIN = 5;

/** Evidence is kept in files, and JSON has no infinity. */
const EVIDENCE_MAX = 1e300;

export function judge(
  baseline: Baseline,
  observed: readonly SeriesObserved[],
  limits: Limits,
): Judgement {
  const neededBy = evidenceNeededBy(baseline, limits.alpha);
  const readings = baseline.series.map((series): Reading => {
    const { metric, agent, tool, hours } = series;
    const isIt = (one: SeriesObserved) =>
      one.metric === metric && one.agent === agent && one.tool === tool;
    const bins = observed.find(isIt)?.bins ?? [];
    const groups = groupBins(bins, baseline.startedAtMs, limits);
    const before = sum(hours);
    const allowed = allowedIncrease(metric, limits);
    const evidenceNeeded = neededBy(series);
    const { startedAtMs } = baseline;
    const predictedAt = predictedTimes(baseline, series);
    const shorter = timesShorter(hours, bins);
    const timesAt = (atMs: number) => shorter * predictedAt(atMs);
    const options = { startedAtMs, plannedMs: limits.duration, allowed, evidenceNeeded, timesAt };
    return {
      metric,
      agent,
      tool,
      baseline: before,
      observed: sum(groups),
      comparable: before.all > 0,
      finding: before.all > 0 ? firstFinding(series, groups, options) : undefined,
    };
  });
  return { readings, worst: findingsOf(readings)[0] };
}

/**
 * The minutes have their part of the one budget (`late-harm.ts`), by ring: the agent that was changed, those who share its
 * tool, the fleet. Each series of a ring has an equal part; rings without a series leave theirs to the others.
 */
function evidenceNeededBy({ series }: Baseline, alpha: number) {
  const rings = Map.groupBy(
    series.filter(({ hours }) => sum(hours).all > 0),
    ringOf,
  );
  const shares = [...rings.keys()].reduce<number>((total, ring) => total + RING_SHARES[ring], 0);
  return (one: SeriesBaseline): number => {
    const ring = ringOf(one);
    const share = (MINUTES_SHARE * RING_SHARES[ring]) / shares;
    return (rings.get(ring)?.length ?? 1) / (alpha * share);
  };
}

function ringOf({ agent, tool }: SeriesBaseline): 0 | 1 | 2 {
  if (tool !== undefined) return 1;
  return agent === null ? 2 : 0;
}

/** What got worse, in the order it was found. */
export function findingsOf(readings: readonly Reading[]): Found[] {
  return readings
    .flatMap((one) => (one.finding === undefined ? [] : [{ ...one, finding: one.finding }]))
    .sort((a, b) => a.finding.foundAtMs - b.finding.foundAtMs);
}

interface FindingOptions {
  readonly startedAtMs: number;
  readonly plannedMs: number;
  readonly allowed: number;
  readonly evidenceNeeded: number;
  /** How many times as many are expected then: what the change brings, and what shorter sessions make of it. */
  timesAt(atMs: number): number;
}

function firstFinding(
  { hours }: SeriesBaseline,
  groups: readonly Group[],
  options: FindingOptions,
): Finding | undefined {
  const { startedAtMs, allowed, evidenceNeeded, timesAt } = options;
  const baseline = sum(hours);
  // As in the test itself: no failure at all in the baseline does not make its rate 0.
  const rate = (baseline.bad + 0.5) / (baseline.all + 1);
  const season = seasonOf(hours);
  const evidence = new Evidence({ ...options, baseline, effect: allowed });
  for (const [at, group] of groups.entries()) {
    const hour = Math.floor((group.atMs - startedAtMs) / HOUR_MS);
    const usual = season[hour % season.length]!;
    // A rate of 1 is the most that can be predicted.
    evidence.add(group, Math.min(usual * timesAt(group.atMs), Math.max(usual, 1 / rate)));
    const value = Math.min(evidence.value(), EVIDENCE_MAX);
    if (value < evidenceNeeded) continue;
    const test = evidence.strongest();
    const { observed, exposure, fromMs } = test;
    const expectedBad = exposure * rate;
    if (observed.all < EVENTS_MIN || observed.bad < FAILURES_MIN) continue;
    if (observed.bad <= expectedBad * (1 + allowed)) continue;
    return {
      fromMs,
      foundAtMs: group.atMs + group.lengthMs,
      firstBadAtMs: firstBad(groups.slice(0, at + 1), test, expectedBad),
      observed,
      expectedBad,
      increase: observed.bad / expectedBad - 1,
      allowed,
      evidence: value,
      evidenceNeeded,
      pValue: 1 / value,
    };
  }
  return undefined;
}

/** Where the evidence for a rate as high as was seen began to rise for good. */
function firstBad(groups: readonly Group[], test: TestView, expectedBad: number): number {
  const { bad, all } = test.observed;
  const perFailure = Math.log(bad / expectedBad);
  const perEvent = (bad - expectedBad) / all;
  let [score, least, atMs] = [0, Number.POSITIVE_INFINITY, test.fromMs];
  for (const group of groups) {
    if (group.atMs < test.fromMs) continue;
    if (score < least) [least, atMs] = [score, group.atMs];
    score += group.bad * perFailure - group.all * perEvent;
  }
  return atMs;
}
