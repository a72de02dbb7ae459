/**
 * Harm anywhere and at any time since a deployment: every agent's calls of every tool, hour by hour, against the hours
 * before. A pure function of counts, replayed at every look.
 *
 * One budget of false alarms covers all of it: half for what was changed, three tenths for what shares something with it,
 * a fifth for the rest. Within a ring the evidence of its series is averaged, half by equal parts and half by traffic: an
 * average of e-processes is one, whatever their dependence. Some hours are left out (`ill-hours.ts`).
 */
import { findRateLevels, LateRate } from '../stats/index.ts';
import { type Known, withoutIllHours } from './ill-hours.ts';
import { drawnTogether, type HourCount, type Norm, normOf } from './norm.ts';
import type { Place, Ring } from './rings.ts';
import { sum } from './season.ts';
import type { Count } from './types.ts';

const HOUR_MS = 3_600_000;

/** Of the budget, by ring; the last two share theirs. */
const RING_SHARES = [0.5, 0.3, 0.2, 0.2] as const;
/** Where a change hardly reaches, the smallest worsening worth knowing is so many times the allowed one: a doubling. */
const FAR_EFFECT = 4;
/** Below this no rollback is proposed, however clear it looks. */
const EVENTS_MIN = 20;
const FAILURES_MIN = 5;
/** How far back the present level is compared. */
const LEVEL_MS = 7 * 24 * HOUR_MS;

/** One series: an agent's calls of a tool, or another measure of them, as bad of all. */
export interface Series extends Place {
  readonly measure: string;
  readonly ring: Ring;
  readonly before: readonly HourCount[];
  /** Whole hours since the deployment. */
  readonly since: readonly HourCount[];
}

export interface LateFinding {
  readonly series: Series;
  readonly norm: Norm;
  /** Where the present level most likely began, and between which times, 95 % sure. */
  readonly onsetMs: number;
  readonly onsetLowMs: number;
  readonly onsetHighMs: number;
  /** Infinity while it goes on. */
  readonly endMs: number;
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
  return lookAt(all, limits).flatMap(({ isAlarm, ...looked }) => {
    if (!isAlarm) return [];
    const found = findingOf(looked, limits);
    return found === undefined ? [] : [found];
  });
}

/** Every series that can be compared, those with the most evidence for their need first. */
export function lookAt(
  all: readonly Series[],
  limits: LateLimits,
): (Looked & { readonly isAlarm: boolean })[] {
  const everywhere = weighed(knownOf(all)).flatMap(({ ring, own }) => {
    const alpha = limits.alpha * RING_SHARES[ring]!;
    const looked = own.map(({ series, norm, weight }) => {
      const detector = detectorOf(ring, norm, limits);
      for (const { atMs, bad, all: events } of series.since)
        detector.observe(bad, events, norm.factorAt(atMs));
      return { series, norm, weight, evidence: detector.evidence() };
    });
    const together = looked.reduce((total, { weight, evidence }) => total + weight * evidence, 0);
    return looked.map(({ series, norm, evidence, weight }) => ({
      series,
      norm,
      evidence,
      evidenceNeeded: 1 / (alpha * weight),
      // The ring's alarm is its largest parts' alarm.
      isAlarm: together >= 1 / alpha && weight * evidence >= together / (2 * own.length),
    }));
  });
  return everywhere.sort((a, b) => b.evidence / b.evidenceNeeded - a.evidence / a.evidenceNeeded);
}

/**
 * The evidence of each ring after every hour, as a share of what an alarm needs: what a person is shown of a watch, and
 * what `score -- watch` counts false alarms by. Rings 2 and 3 are one.
 */
export function courseOf(
  all: readonly Series[],
  limits: LateLimits,
): ReadonlyMap<number, readonly { readonly atMs: number; readonly share: number }[]> {
  const known = knownOf(all);
  const atMs = [...new Set(all.flatMap(({ since }) => since.map((hour) => hour.atMs)))];
  const hours = atMs.sort((a, b) => a - b);
  return new Map(
    weighed(known).map(({ ring, own }) => {
      const shares = new Float64Array(hours.length);
      for (const { series, norm, weight } of own) {
        const detector = detectorOf(ring, norm, limits);
        const counted = new Map(series.since.map((hour) => [hour.atMs, hour]));
        for (const [index, hourMs] of hours.entries()) {
          const hour = counted.get(hourMs);
          if (hour !== undefined) detector.observe(hour.bad, hour.all, norm.factorAt(hourMs));
          shares[index]! += weight * detector.evidence() * limits.alpha * RING_SHARES[ring]!;
        }
      }
      return [ring, hours.map((hourMs, index) => ({ atMs: hourMs, share: shares[index]! }))];
    }),
  );
}

function detectorOf(ring: number, norm: Norm, limits: LateLimits): LateRate {
  return new LateRate({
    baseline: { failures: norm.bad, events: norm.all },
    minimumEffect: ring < 2 ? limits.allowed : FAR_EFFECT * limits.allowed,
    dispersion: norm.dispersion,
    hours: limits.hours,
  });
}

/** What can be compared, without the hours that say nothing of it. */
function knownOf(all: readonly Series[]): Known[] {
  const known = all
    .map((series) => ({ series, norm: normOf(series.before) }))
    .filter(({ norm }) => norm.all >= EVENTS_MIN);
  return withoutIllHours(drawnTogether(known));
}

/** By ring; half of a ring's weight by equal parts, half by traffic. */
function weighed(known: readonly Known[]) {
  const rings = Map.groupBy(known, ({ series }) => Math.min(series.ring, 2));
  return [...rings].map(([ring, own]) => {
    const traffic = own.reduce((total, { norm }) => total + norm.all, 0);
    return {
      ring,
      own: own.map((one) => ({
        ...one,
        weight: 0.5 / own.length + (0.5 * one.norm.all) / traffic,
      })),
    };
  });
}

/** Whether so much was seen that harm may be called by it. */
export function isEnough({ bad, all }: Count): boolean {
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
  { allowed }: LateLimits,
): LateFinding | undefined {
  const last = series.since.at(-1);
  if (last === undefined || norm.all === 0) return undefined;
  const rate = (norm.bad + 0.5) / (norm.all + 1);
  const isWorse = ({ bad, all }: Count) => bad > all * rate * (1 + allowed / 2);
  const known = series.before.filter(({ atMs }) => atMs >= last.atMs - LEVEL_MS);
  // As the evidence has it: a call at a time of day with twice the failures counts as two. Else every morning is an onset.
  const levels = findRateLevels(
    [...known, ...series.since].map(({ atMs, bad, all }) => ({
      atMs,
      bad,
      all: Math.max(bad, all * norm.factorAt(atMs)),
    })),
  );
  const to = levels.findLastIndex(isWorse) + 1;
  if (to === 0) return undefined;
  const endMs = levels[to]?.fromMs ?? Infinity;
  // Harm that grows in steps began with the first of them.
  const from = levels.slice(0, to).findLastIndex((level) => !isWorse(level)) + 1;
  const { fromMs: onsetMs, fromLowMs: onsetLowMs, fromHighMs: onsetHighMs } = levels[from]!;
  const firstMs = series.since[0]!.atMs;
  // A level that has no beginning in the record began before the deployment: then the deployment is what is compared.
  const fromMs = Math.max(onsetMs, firstMs);
  const hours = series.since.filter(({ atMs }) => atMs >= fromMs && atMs < endMs);
  const observed = sum(hours);
  const expectedBad = hours.reduce(
    (total, { atMs, all }) => total + all * rate * norm.factorAt(atMs),
    0,
  );
  if (!isEnough(observed)) return undefined;
  const increase = observed.bad / expectedBad - 1;
  if (increase < allowed / 2) return undefined;
  return {
    series,
    norm,
    onsetMs,
    onsetLowMs,
    onsetHighMs,
    endMs,
    observed,
    expectedBad,
    increase,
    evidence,
    evidenceNeeded,
  };
}
