/**
 * Harm anywhere and at any time since a deployment: every agent's calls of every tool, hour by hour, against the hours
 * before. A pure function of counts, replayed at every look.
 *
 * One budget of false alarms covers all of it: half for what was changed, three tenths for what shares something with it,
 * a fifth for the rest. Within a ring the evidence of its series is averaged, half by equal parts and half by traffic: an
 * average of e-processes is one, whatever their dependence. Hours in which the parts out of reach are ill are left out.
 */
import { findRateLevels, LateRate, poissonSf } from '../stats/index.ts';
import { type HourCount, type Norm, normOf } from './norm.ts';
import type { Place, Ring } from './rings.ts';
import { sum } from './season.ts';
import type { Count } from './types.ts';

const HOUR_MS = 3_600_000;

/** Of the budget, by ring; the last two share theirs. */
const RING_SHARES = [0.5, 0.3, 0.2, 0.2] as const;
/** Below this no rollback is proposed, however clear it looks. */
const EVENTS_MIN = 20;
const FAILURES_MIN = 5;
/** Hours of the comparison that are this unlikely by chance are left out. */
const ILL_CHANCE = 0.001;
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
  readonly series: Series;
  readonly norm: Norm;
  readonly evidence: number;
  readonly evidenceNeeded: number;
}

/** What got worse and still is, the clearest first. */
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
  const known = all
    .map((series) => ({ series, norm: normOf(series.before) }))
    .filter(({ norm }) => norm.all >= EVENTS_MIN);
  const ill = illHours(known);
  const rings = Map.groupBy(known, ({ series }) => Math.min(series.ring, 2));
  return [...rings].flatMap(([ring, own]) => {
    const alpha = limits.alpha * RING_SHARES[ring]!;
    const traffic = own.reduce((total, { norm }) => total + norm.all, 0);
    const weighed = own.map(({ series, norm }) => {
      const weight = 0.5 / own.length + (0.5 * norm.all) / traffic;
      const evidence = evidenceOf(series, norm, { limits, ill });
      return { series, norm, evidence, weight };
    });
    const together = weighed.reduce((total, { weight, evidence }) => total + weight * evidence, 0);
    const isRingAlarm = together >= 1 / alpha;
    return weighed
      .map(({ series, norm, evidence, weight }) => ({
        series,
        norm,
        evidence,
        evidenceNeeded: 1 / (alpha * weight),
        // The ring's alarm is its largest parts' alarm.
        isAlarm: isRingAlarm && weight * evidence >= together / (2 * own.length),
      }))
      .sort((a, b) => b.evidence / b.evidenceNeeded - a.evidence / a.evidenceNeeded);
  });
}

function evidenceOf(
  { since }: Series,
  norm: Norm,
  { limits, ill }: { limits: LateLimits; ill: ReadonlySet<number> },
): number {
  const detector = new LateRate({
    baseline: { failures: norm.bad, events: norm.all },
    minimumEffect: limits.allowed,
    dispersion: norm.dispersion,
    hours: limits.hours,
  });
  for (const { atMs, bad, all } of since)
    if (!ill.has(atMs)) detector.observe(bad, all, norm.factorAt(atMs));
  return detector.evidence();
}

interface Known {
  readonly series: Series;
  readonly norm: Norm;
}

/** Hours in which failures rose where the change cannot reach: whatever it is, it is not the change. */
function illHours(known: readonly Known[]): ReadonlySet<number> {
  const hours = new Map<number, { bad: number; expected: number; spread: number }>();
  for (const { series, norm } of known) {
    if (series.ring !== 3 || series.measure !== 'failures') continue;
    const rate = (norm.bad + 0.5) / (norm.all + 1);
    for (const { atMs, bad, all } of series.since) {
      const hour = hours.get(atMs) ?? { bad: 0, expected: 0, spread: 1 };
      hours.set(atMs, {
        bad: hour.bad + bad,
        expected: hour.expected + all * rate * norm.factorAt(atMs),
        spread: Math.max(hour.spread, norm.dispersion),
      });
    }
  }
  const isIll = ({ bad, expected, spread }: { bad: number; expected: number; spread: number }) =>
    bad >= FAILURES_MIN && poissonSf(bad / spread - 1, expected / spread) < ILL_CHANCE;
  return new Set([...hours].filter(([, hour]) => isIll(hour)).map(([atMs]) => atMs));
}

/** How much worse a series is now; undefined where it is not, where it is too little, or too little was seen. */
export function findingOf(
  { series, norm, evidence, evidenceNeeded }: Looked,
  { allowed }: LateLimits,
): LateFinding | undefined {
  const last = series.since.at(-1);
  if (last === undefined) return undefined;
  const rate = (norm.bad + 0.5) / (norm.all + 1);
  const isWorse = ({ bad, all }: Count) => bad > all * rate * (1 + allowed / 2);
  const known = series.before.filter(({ atMs }) => atMs >= last.atMs - LEVEL_MS);
  const levels = findRateLevels([...known, ...series.since]);
  if (!isWorse(levels.at(-1)!)) return undefined;
  // Harm that grows in steps began with the first of them.
  const from = levels.findLastIndex((level) => !isWorse(level)) + 1;
  const { fromMs: onsetMs, fromLowMs: onsetLowMs, fromHighMs: onsetHighMs } = levels[from]!;
  const firstMs = series.since[0]!.atMs;
  // A level that has no beginning in the record began before the deployment: then the deployment is what is compared.
  const fromMs = Math.max(onsetMs, firstMs);
  const hours = series.since.filter(({ atMs }) => atMs >= fromMs);
  const observed = sum(hours);
  const expectedBad = hours.reduce(
    (total, { atMs, all }) => total + all * rate * norm.factorAt(atMs),
    0,
  );
  if (observed.all < EVENTS_MIN || observed.bad < FAILURES_MIN) return undefined;
  const increase = observed.bad / expectedBad - 1;
  if (increase < allowed / 2) return undefined;
  return {
    series,
    norm,
    onsetMs,
    onsetLowMs,
    onsetHighMs,
    observed,
    expectedBad,
    increase,
    evidence,
    evidenceNeeded,
  };
}
