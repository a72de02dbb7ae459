/**
 * Whether a deployment made things worse: a pure function of counts. It replays all counts since the
 * deployment and says where, if ever, the evidence was enough; the same counts give the same answer. What was
 * worked out of the same first counts is only kept in memory (`replayed.ts`).
 *
 * Each series (metric and scope) gathers evidence against its baseline (`evidence.ts`), with its events
 * weighed by their time of day (`season.ts`). The series divide their part of the budget of false alarms: the chance
 * that a harmless change is called, in any series at any look, is at most alpha, with the watch by the hour.
 *
 * Beyond noise is not enough: the rate must also exceed the allowed increase, over a minimum of events.
 */
import { allowedIncrease } from './comparison.ts';
import type { Evidence, EvidenceOptions, TestView } from './evidence.ts';
import { predictedTimes } from './expectation.ts';
import { type Group, groupsOf } from './groups.ts';
import { MINUTES_SHARE, RING_SHARES } from './late-harm.ts';
import { indexAt } from './place-track.ts';
import { Replay, type Step } from './replayed.ts';
import { sum, usualTimes } from './season.ts';
import { timesShorter } from './session-length.ts';
import type {
  Baseline,
  Count,
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

/** Below this no rollback is called for, however clear it looks. */
const EVENTS_MIN = 20;
const FAILURES_MIN = 5;

/** Evidence is kept in files, and JSON has no infinity. */
const EVIDENCE_MAX = 1e300;

/** What a look worked out of each series, by its place in the baseline: the next round differs in a few minutes. */
export type Readings = Map<number, Known>;

interface Known {
  readonly seen: SeriesObserved;
  readonly shorter: number;
  readonly replay: Replay;
  readonly reading: Reading;
}

/** `known` is of the same baseline and limits. */
export function judge(
  baseline: Baseline,
  observed: readonly SeriesObserved[],
  limits: Limits,
  known: Readings = new Map(),
): Judgement {
  const neededBy = evidenceNeededBy(baseline, limits.alpha);
  const readings = baseline.series.map((series, at): Reading => {
    const { metric, agent, tool, hours } = series;
    const isIt = (one: SeriesObserved) =>
      one.metric === metric && one.agent === agent && one.tool === tool;
    const seen = observed.find(isIt) ?? { metric, agent, tool, bins: [] };
    const before = known.get(at);
    if (before?.seen === seen) return before.reading;
    const total = sum(hours);
    const { startedAtMs } = baseline;
    const shorter = timesShorter(hours, seen.bins, startedAtMs);
    const allowed = allowedIncrease(metric, limits);
    const evidenceNeeded = neededBy(series);
    const about = { baseline: total, effect: allowed, startedAtMs, plannedMs: limits.duration };
    const isAsBefore = before?.shorter === shorter;
    const replay = isAsBefore
      ? before.replay
      : new Replay(
          { about, evidenceNeeded, times: shorter },
          foundBy({ ...about, evidenceNeeded }),
        );
    const fromMs = isAsBefore ? replay.backTo(firstDifferent(before.seen, seen)) : 0;
    const bins = fromMs === 0 ? seen.bins : seen.bins.slice(indexAt(seen.bins, fromMs));
    const predictedAt = predictedTimes(baseline, series);
    const usualAt = usualTimes(hours, seen.bins, startedAtMs);
    const factorAt = factorsBy(series, usualAt, (atMs) => shorter * predictedAt(atMs));
    const reading = {
      metric,
      agent,
      tool,
      baseline: total,
      observed: sum(seen.bins),
      comparable: total.all > 0,
      finding:
        total.all > 0
          ? replay.on(stepsOf(groupsOf(bins, startedAtMs, limits), factorAt))
          : undefined,
    };
    known.set(at, { seen, shorter, replay, reading });
    return reading;
  });
  return { readings, worst: findingsOf(readings)[0] };
}

/** The first minute that only one of them has. The minutes of both are of one read, and in one of them a stretch is left out. */
function firstDifferent({ bins: before }: SeriesObserved, { bins: now }: SeriesObserved): number {
  let [low, high] = [0, Math.min(before.length, now.length)];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (before[middle] === now[middle]) low = middle + 1;
    else high = middle;
  }
  return Math.min(before[low]?.atMs ?? Infinity, now[low]?.atMs ?? Infinity);
}

function* stepsOf(groups: Iterable<Group>, factorAt: (atMs: number) => number): Generator<Step> {
  for (const group of groups) yield { group, factor: factorAt(group.atMs) };
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

/** How many times as many are expected then: by the time of day, by what the change brings, and by what shorter sessions do. */
function factorsBy(
  { hours }: SeriesBaseline,
  usualAt: (atMs: number) => number,
  timesAt: (atMs: number) => number,
): (atMs: number) => number {
  const rate = rateOf(sum(hours));
  return (atMs) => {
    const usual = usualAt(atMs);
    // A rate of 1 is the most that can be predicted.
    return Math.min(usual * timesAt(atMs), Math.max(usual, 1 / rate));
  };
}

/** As in the test itself: no failure at all in the baseline does not make its rate 0. */
const rateOf = ({ bad, all }: Count) => (bad + 0.5) / (all + 1);

function foundBy({
  baseline,
  effect: allowed,
  evidenceNeeded,
}: EvidenceOptions & { readonly evidenceNeeded: number }) {
  const rate = rateOf(baseline);
  return (evidence: Evidence, groups: readonly Group[]): Finding | undefined => {
    const value = Math.min(evidence.value(), EVIDENCE_MAX);
    if (value < evidenceNeeded) return undefined;
    const test = evidence.strongest();
    const { observed, exposure, fromMs } = test;
    const expectedBad = exposure * rate;
    if (observed.all < EVENTS_MIN || observed.bad < FAILURES_MIN) return undefined;
    if (observed.bad <= expectedBad * (1 + allowed)) return undefined;
    const { atMs, lengthMs } = groups.at(-1)!;
    return {
      fromMs,
      foundAtMs: atMs + lengthMs,
      firstBadAtMs: firstBad(groups, test, expectedBad),
      observed,
      expectedBad,
      increase: observed.bad / expectedBad - 1,
      allowed,
      evidence: value,
      evidenceNeeded,
      pValue: 1 / value,
    };
  };
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
