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
import type { RateBin } from '../facts/index.ts';
import { allowedIncrease } from './comparison.ts';
import type { Evidence, EvidenceOptions, TestView } from './evidence.ts';
import { predictedTimes } from './expectation.ts';
import { type Group, groupsOf } from './groups.ts';
import { MINUTES_SHARE, RING_SHARES } from './late-harm.ts';
import { indexAt } from './place-track.ts';
import { Replay, type Step } from './replayed.ts';
import { sum, usualTimes } from './season.ts';
import { countedUntilMs, timesShorter } from './session-length.ts';
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

/** What was worked out of each series, by its place in the baseline. */
export type Readings = readonly Known[];

interface Known {
  readonly shorter: number;
  /** What says how much shorter sessions are is of the minutes up to here. */
  readonly countedUntilMs: number;
  readonly replay: Replay;
  readonly reading: Reading;
}

/** Readings of other counts with the same baseline and limits. */
export interface Earlier {
  readonly readings: Readings;
  /** By series: the first minute that may differ; infinity where none does. */
  readonly differsMs: readonly number[];
}

/** What was counted of each series of the baseline, in its order, and what that comes to. */
export interface Asked {
  readonly baseline: Baseline;
  readonly limits: Limits;
  readonly bins: readonly (readonly RateBin[])[];
  readonly sums: readonly Count[];
}

export function judge(
  baseline: Baseline,
  observed: readonly SeriesObserved[],
  limits: Limits,
): Judgement {
  const bins = seenIn(baseline, observed);
  return judgeFrom([], { baseline, limits, bins, sums: bins.map(sum) }).judged;
}

export function seenIn(
  { series }: Baseline,
  observed: readonly SeriesObserved[],
): (readonly RateBin[])[] {
  return series.map(({ metric, agent, tool }) => {
    const isIt = (one: SeriesObserved) =>
      one.metric === metric && one.agent === agent && one.tool === tool;
    return observed.find(isIt)?.bins ?? [];
  });
}

/** The same, from where the counts of each series first differ from those of the nearest of the earlier readings. */
export function judgeFrom(
  earlier: readonly Earlier[],
  { baseline, limits, bins, sums }: Asked,
): { readonly judged: Judgement; readonly readings: Readings } {
  const neededBy = evidenceNeededBy(baseline, limits.alpha);
  const known = baseline.series.map((series, at) => {
    const near = earlier
      .map(({ readings, differsMs }) => ({ known: readings[at]!, differsMs: differsMs[at]! }))
      .sort((a, b) => (a.differsMs < b.differsMs ? 1 : -1));
    if (near[0]?.differsMs === Number.POSITIVE_INFINITY) return near[0].known;
    const counted = { bins: bins[at]!, observed: sums[at]! };
    return readingOf(series, near, {
      ...counted,
      baseline,
      limits,
      evidenceNeeded: neededBy(series),
    });
  });
  const readings = known.map(({ reading }) => reading);
  return { judged: { readings, worst: findingsOf(readings)[0] }, readings: known };
}

interface About {
  readonly bins: readonly RateBin[];
  readonly observed: Count;
  readonly baseline: Baseline;
  readonly limits: Limits;
  readonly evidenceNeeded: number;
}

interface Near {
  readonly known: Known;
  readonly differsMs: number;
}

function readingOf(
  series: SeriesBaseline,
  near: readonly Near[],
  { bins, observed, baseline, limits, evidenceNeeded }: About,
): Known {
  const { metric, agent, tool, hours } = series;
  const { startedAtMs } = baseline;
  const total = sum(hours);
  const untilMs = countedUntilMs(bins, startedAtMs);
  const shorter =
    near.find((one) => one.known.countedUntilMs === untilMs && one.differsMs > untilMs)?.known
      .shorter ?? timesShorter(hours, bins, startedAtMs);
  const from = near.find(({ known }) => known.shorter === shorter && known.replay.isKept);
  const allowed = allowedIncrease(metric, limits);
  const about = { baseline: total, effect: allowed, startedAtMs, plannedMs: limits.duration };
  const replay =
    from === undefined
      ? new Replay({ about, evidenceNeeded, times: shorter }, foundBy({ ...about, evidenceNeeded }))
      : from.known.replay.copy();
  const fromMs = from === undefined ? 0 : replay.backTo(from.differsMs);
  const steps = (): Iterable<Step> => {
    const predictedAt = predictedTimes(baseline, series);
    const usualAt = usualTimes(hours, bins, startedAtMs);
    const factorAt = factorsBy(total, usualAt, (atMs) => shorter * predictedAt(atMs));
    const since = fromMs === 0 ? bins : bins.slice(indexAt(bins, fromMs));
    return stepsOf(groupsOf(since, startedAtMs, limits), factorAt);
  };
  const reading = {
    ...{ metric, agent, tool, baseline: total, observed },
    comparable: total.all > 0,
    finding: total.all > 0 ? (replay.found ?? replay.on(steps())) : undefined,
  };
  return { shorter, countedUntilMs: untilMs, replay, reading };
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
  before: Count,
  usualAt: (atMs: number) => number,
  timesAt: (atMs: number) => number,
): (atMs: number) => number {
  const rate = rateOf(before);
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
  return (evidence: Evidence, groupsUpTo: () => readonly Group[]): Finding | undefined => {
    const value = Math.min(evidence.value(), EVIDENCE_MAX);
    if (value < evidenceNeeded) return undefined;
    const test = evidence.strongest();
    const { observed, exposure, fromMs } = test;
    const expectedBad = exposure * rate;
    if (observed.all < EVENTS_MIN || observed.bad < FAILURES_MIN) return undefined;
    if (observed.bad <= expectedBad * (1 + allowed)) return undefined;
    const groups = groupsUpTo();
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
