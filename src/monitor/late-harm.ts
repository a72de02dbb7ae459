/**
 * Harm anywhere and at any time since a deployment: every measure (`measures.ts`) of every agent and tool, hour by hour,
 * against the hours before. A pure function of counts, replayed at every look.
 *
 * One budget of false alarms covers all of it, and the watch by the minute (`judge.ts`) has a part of it: half for what
 * was changed, three tenths for what shares something with it, a fifth for the rest. Within a ring the evidence of its
 * series is averaged: each measure has its part, of which half is divided equally and half by traffic. An average of
 * e-processes is one, whatever their dependence. Some hours are left out (`ill-hours.ts`).
 */
import { LateRate } from '../stats/index.ts';
import { type Known, withoutIllHours } from './ill-hours.ts';
import type { Measure, Series } from './measures.ts';
import { drawnTogether, type HourCount, type Norm, normal } from './norm.ts';
import { type Onset, onsetOf } from './onset.ts';
import { sum } from './season.ts';
import type { Count } from './types.ts';

const HOUR_MS = 3_600_000;

/** Of the budget, by ring; the last two share theirs. */
export const RING_SHARES = [0.5, 0.3, 0.2, 0.2] as const;
/**
 * Of each ring's budget, what the watch by the hour has. The minutes have the rest: what they are for, violent harm, is found
 * with a small part nearly as fast (at 2 % to 50 %, ln 4 more is one event). With .7 and .75 a 25 % worsening inside the
 * reach is found within 2.46 and 2.44, 2.33 and 2.25, 2.77 and 2.72, 2.03 and 2.02, 2.81 and 2.71 times the oracle's events
 * (80th percentile of 800 watches of each of the laws of ADR 079); with .8 the minutes find 2 % to 6 % within two hours in
 * only 89 of 100 watches.
 */
const HOURS_SHARE = 0.75;
export const MINUTES_SHARE = 1 - HOURS_SHARE;
/** Of a ring's budget, by measure. Failures are what most harm shows in; those that are not there leave theirs to the rest. */
export const MEASURE_SHARES: Readonly<Record<Measure, number>> = {
  failures: 0.5,
  tasks: 0.14,
  corrections: 0.06,
  latency: 0.1,
  cost: 0.04,
  tokens: 0.04,
  more_calls: 0.04,
  fewer_calls: 0.04,
  silence: 0.04,
};
/** These count events; the others count hours. */
const OF_EVENTS: ReadonlySet<Measure> = new Set(['failures', 'tasks', 'corrections']);
/** Where a change hardly reaches, the smallest worsening worth knowing is so many times the allowed one: a doubling. */
const FAR_EFFECT = 4;
/** Below this no rollback is proposed, however clear it looks. */
const EVENTS_MIN = 20;
const FAILURES_MIN = 5;
/** So many hours for measures that count hours. */
const HOURS_MIN = 3;
/** So much of the time before the deployment stands beside what came since: without any, all began with it. */
const LEVEL_MS = 7 * 24 * HOUR_MS;

export interface LateFinding extends Onset {
  readonly series: Series;
  readonly norm: Norm;
  /** Since the onset. */
  readonly observed: Count;
  readonly expectedBad: number;
  readonly increase: number;
  readonly evidence: number;
  readonly evidenceNeeded: number;
}

export interface LateLimits {
  readonly alpha: number;
  /** By how much a measure may get worse; half of it is what an alarm must at least estimate. */
  readonly allowed: number;
  /** The same for tasks and corrections, where it differs. */
  readonly otherwise?: number;
  /** The longest watch, in hours. */
  readonly hours: number;
}

export interface Looked {
  /** Since the deployment only the hours that count. */
  readonly series: Series;
  readonly norm: Norm;
  readonly evidence: number;
  readonly evidenceNeeded: number;
}

/** What got worse and still is, the clearest first, whichever ring it is in. */
export function lateHarm(all: readonly Series[], limits: LateLimits): LateFinding[] {
  return harmIn(lookAt(all, limits), limits);
}

export interface Asked extends Looked {
  readonly isAlarm: boolean;
}

export function harmIn(looked: readonly Asked[], limits: LateLimits): LateFinding[] {
  return looked.flatMap((one) => (one.isAlarm ? (findingOf(one, limits) ?? []) : []));
}

/** Every series that can be compared, those with the most evidence for their need first. */
export function lookAt(all: readonly Series[], limits: LateLimits): Asked[] {
  const everywhere = weighed(knownOf(all)).flatMap(({ ring, own }) => {
    const alpha = alphaOf(ring, limits);
    const looked = own.map(({ series, norm, weight }) => {
      const evidence = evidenceOf(series, norm, { ...limits, alpha: alpha * weight });
      return { series, norm, weight, evidence };
    });
    const together = looked.reduce((total, { weight, evidence }) => total + weight * evidence, 0);
    return looked.map(({ series, norm, evidence, weight }) => ({
      series,
      norm,
      evidence,
      evidenceNeeded: 1 / (alpha * weight),
      // The ring's alarm is its largest parts' alarm; a part that is one by itself is not hidden by a larger one.
      isAlarm:
        weight * evidence >= 1 / alpha ||
        (together >= 1 / alpha && weight * evidence >= together / (2 * own.length)),
    }));
  });
  return everywhere.sort((a, b) => b.evidence / b.evidenceNeeded - a.evidence / a.evidenceNeeded);
}

export interface CourseHour {
  readonly atMs: number;
  readonly share: number;
  readonly parts: Readonly<Partial<Record<Measure, number>>>;
}

/**
 * The evidence of each ring after every hour, as a share of what an alarm needs: what a person is shown of a watch, and
 * what `score -- watch` counts false alarms by. Rings 2 and 3 are one. `parts` is what each measure adds to it.
 */
export function courseOf(
  all: readonly Series[],
  limits: LateLimits,
): ReadonlyMap<number, readonly CourseHour[]> {
  const known = knownOf(all);
  const atMs = [...new Set(all.flatMap(({ since }) => since.map((hour) => hour.atMs)))];
  const hours = atMs.sort((a, b) => a - b);
  return new Map(
    weighed(known).map(({ ring, own }) => {
      const parts = hours.map((): Partial<Record<Measure, number>> => ({}));
      const alpha = alphaOf(ring, limits);
      for (const { series, norm, weight } of own) {
        const detector = detectorOf(series, norm, { ...limits, alpha: alpha * weight });
        const counted = new Map(series.since.map((hour) => [hour.atMs, hour]));
        for (const [index, hourMs] of hours.entries()) {
          const hour = counted.get(hourMs);
          if (hour !== undefined) detector.observe(hour.bad, hour.all, norm.factorAt(hourMs));
          const share = weight * detector.evidence() * alpha;
          parts[index]![series.measure] = (parts[index]![series.measure] ?? 0) + share;
        }
      }
      const course = hours.map((hourMs, index) => {
        const own = parts[index]!;
        return { atMs: hourMs, share: Object.values(own).reduce((a, b) => a + b, 0), parts: own };
      });
      return [ring, course];
    }),
  );
}

/** The detector that saw these hours, for which budget and norm, and what it saw: a look an hour later has one hour more. */
interface Seen {
  readonly detector: LateRate;
  readonly dispersion: number;
  readonly hours: number;
  readonly alpha: number;
  readonly effect: number;
  since: readonly HourCount[];
}

const SEEN = new WeakMap<readonly HourCount[], Seen>();

/** After all hours; those that were seen before, and are the same, are not gone through again. */
function evidenceOf({ before, since, ...series }: Series, norm: Norm, limits: LateLimits): number {
  const effect = minimumEffectOf(series, limits);
  const { dispersion } = norm;
  const { hours, alpha } = limits;
  let seen = SEEN.get(before);
  if (
    seen?.dispersion !== dispersion ||
    seen.hours !== hours ||
    seen.alpha !== alpha ||
    seen.effect !== effect ||
    !isBeginningOf(seen.since, since)
  ) {
    const detector = detectorOf(series, norm, limits);
    seen = { detector, dispersion, hours, alpha, effect, since: [] };
    SEEN.set(before, seen);
  }
  for (let at = seen.since.length; at < since.length; at++) {
    const { atMs, bad, all } = since[at]!;
    seen.detector.observe(bad, all, norm.factorAt(atMs));
  }
  seen.since = since;
  return seen.detector.evidence();
}

function isBeginningOf(first: readonly HourCount[], whole: readonly HourCount[]): boolean {
  if (first === whole) return true;
  if (first.length > whole.length) return false;
  for (let at = 0; at < first.length; at++) {
    const [one, other] = [first[at]!, whole[at]!];
    if (one === other) continue;
    if (one.atMs !== other.atMs || one.bad !== other.bad || one.all !== other.all) return false;
  }
  return true;
}

function alphaOf(ring: number, { alpha }: LateLimits): number {
  return alpha * HOURS_SHARE * RING_SHARES[ring]!;
}

type Kind = Pick<Series, 'ring' | 'measure'>;

function detectorOf(kind: Kind, norm: Norm, limits: LateLimits): LateRate {
  return new LateRate({
    baseline: { failures: norm.bad, events: norm.all },
    minimumEffect: minimumEffectOf(kind, limits),
    dispersion: norm.dispersion,
    hours: limits.hours,
    // Hours that are bad come in rows, and a look at a fixed size would be misled by one.
    level: OF_EVENTS.has(kind.measure) ? limits.alpha : undefined,
  });
}

function minimumEffectOf({ ring, measure }: Kind, limits: LateLimits): number {
  const allowed = allowedOf(measure, limits);
  const isNear = ring < 2 && OF_EVENTS.has(measure);
  return isNear ? allowed : Math.max(FAR_EFFECT * limits.allowed, allowed);
}

function allowedOf(measure: Measure, { allowed, otherwise = allowed }: LateLimits): number {
  return measure === 'tasks' || measure === 'corrections' ? otherwise : allowed;
}

/** Places whose failures cannot be compared, because too few calls were made before: new ones, and rare ones. */
export function notCompared(all: readonly Series[]): readonly Series[] {
  return all.filter(
    ({ measure, before, since }) =>
      measure === 'failures' && since.length > 0 && sum(before).all < EVENTS_MIN,
  );
}

/** What can be compared, without the hours that say nothing of it. */
function knownOf(all: readonly Series[]): Known[] {
  const known = all
    .map((series) => ({ series, norm: normal(series.before) }))
    .filter(({ norm }) => norm.all >= EVENTS_MIN);
  const byMeasure = Map.groupBy(known, ({ series }) => series.measure);
  return withoutIllHours([...byMeasure.values()].flatMap((some) => drawnTogether(some)));
}

/** By ring, and there by measure; half of its weight by equal parts, half by traffic. */
function weighed(known: readonly Known[]) {
  const rings = Map.groupBy(known, ({ series }) => Math.min(series.ring, 2));
  return [...rings].map(([ring, inRing]) => {
    const measures = Map.groupBy(inRing, ({ series }) => series.measure);
    const shares = [...measures.keys()].reduce((sum, one) => sum + MEASURE_SHARES[one], 0);
    const own = [...measures].flatMap(([measure, some]) => {
      const traffic = some.reduce((total, { norm }) => total + norm.all, 0);
      const share = MEASURE_SHARES[measure] / shares;
      return some.map((one) => ({
        ...one,
        weight: share * (0.5 / some.length + (0.5 * one.norm.all) / traffic),
      }));
    });
    return { ring, own };
  });
}

/** Whether so much was seen that harm may be called by it. */
export function isEnough({ bad, all }: Count, measure: Measure): boolean {
  if (!OF_EVENTS.has(measure)) return bad >= HOURS_MIN;
  return all >= EVENTS_MIN && bad >= FAILURES_MIN;
}

/** How much worse a series is now; undefined where it is not, where it is too little, or too little was seen. */
export function findingOf(looked: Looked, limits: LateLimits): LateFinding | undefined {
  const found = lastWorse(looked, limits);
  return found?.endMs === Infinity ? found : undefined;
}

/** The last time that a series was worse, whether or not it still is. */
export function lastWorse(
  { series, norm, evidence, evidenceNeeded }: Looked,
  limits: LateLimits,
): LateFinding | undefined {
  const allowed = allowedOf(series.measure, limits);
  const last = series.since.at(-1);
  if (last === undefined || norm.all === 0) return undefined;
  const rate = (norm.bad + 0.5) / (norm.all + 1);
  const firstMs = series.since[0]!.atMs;
  const before = series.before.filter(({ atMs }) => atMs >= firstMs - LEVEL_MS);
  const onset = onsetOf({ before, since: series.since, norm, worse: 1 + allowed / 2 });
  if (onset === undefined) return undefined;
  const { onsetMs, endMs } = onset;
  // A level that has no beginning in the record began before the deployment: then the deployment is what is compared.
  const fromMs = Math.max(onsetMs, firstMs);
  const hours = series.since.filter(({ atMs }) => atMs >= fromMs && atMs < endMs);
  const observed = sum(hours);
  const expectedBad = hours.reduce(
    (total, { atMs, all }) => total + all * rate * norm.factorAt(atMs),
    0,
  );
  if (!isEnough(observed, series.measure)) return undefined;
  const increase = observed.bad / expectedBad - 1;
  if (increase < allowed / 2) return undefined;
  return {
    series,
    norm,
    ...onset,
    observed,
    expectedBad,
    increase,
    evidence,
    evidenceNeeded,
  };
}
