/**
 * When the present level of a series began: at the first of the steps that lead to it. Where no step shows, it may have begun
 * at any time that the counts leave open. Pure.
 */
import { binomialSf, findRateLevels, likeliestStep, type RateLevel } from '../stats/index.ts';
import type { HourCount, Norm } from './norm.ts';
import { sum } from './season.ts';
import type { Count } from './types.ts';

/** A level before the last is a step of the same harm, and not noise, below this chance: as those who have it too are ill. */
const CHANCE = 0.01;

export interface Onset {
  readonly onsetMs: number;
  /** Between which times it lies, 95 % sure. */
  readonly onsetLowMs: number;
  readonly onsetHighMs: number;
  /** Infinity while it goes on. */
  readonly endMs: number;
}

export interface Hours {
  readonly before: readonly HourCount[];
  readonly since: readonly HourCount[];
  readonly norm: Norm;
  /** What is worse, against the norm: so many times as often. */
  readonly worse: number;
}

/** Of the last time that it was worse; undefined where it never was. */
export function onsetOf({ before, since, norm, worse }: Hours): Onset | undefined {
  const rate = (norm.bad + 0.5) / (norm.all + 1);
  const isWorse = ({ bad, all }: Count) => bad > all * rate * worse;
  // As the evidence has it: a call at a time of day with twice the failures counts as two. Else every morning is an onset.
  const bins = [...before, ...since].map(({ atMs, bad, all }) => ({
    atMs,
    bad,
    all: Math.max(bad, all * norm.factorAt(atMs)),
  }));
  const levels = findRateLevels(bins);
  const to = levels.findLastIndex(isWorse) + 1;
  if (to === 0) return undefined;
  const endMs = levels[to]?.fromMs ?? Infinity;
  // Harm that grows in steps began with the first of them. What is a little worse by chance is none.
  const isStep = (level: RateLevel) => isWorse(level) && isBeyondNoise(level, norm);
  const from = levels.slice(0, to - 1).findLastIndex((level) => !isStep(level)) + 1;
  const { fromMs, fromLowMs, fromHighMs } = levels[from]!;
  const known = { onsetMs: fromMs, onsetLowMs: fromLowMs, onsetHighMs: fromHighMs, endMs };
  const firstMs = since[0]!.atMs;
  if (from > 0 || fromMs >= firstMs) return known;
  const earlier = sum(bins.slice(0, before.length));
  if (!wasAsUsual(earlier, { usual: rate, now: sum(since) })) return known;
  // One level from before the deployment until now, although it was well before: its step hides.
  const step = likeliestStep(bins.filter(({ atMs }) => atMs < (levels[1]?.fromMs ?? Infinity)));
  if (step === undefined) return known;
  const onsetHighMs = Math.max(step.highMs, firstMs);
  return { onsetMs: step.atMs, onsetLowMs: step.lowMs, onsetHighMs, endMs };
}

/** Against a norm that was counted, and may be of a few hours. */
function isBeyondNoise({ bad, all }: Count, norm: Norm): boolean {
  const of = (count: number) => count / norm.dispersion;
  const total = Math.round(of(bad + norm.bad));
  return binomialSf(Math.floor(of(bad)) - 1, total, all / (all + norm.all)) < CHANCE;
}

/** Whether it failed as usual then, rather than as it does now. */
function wasAsUsual(
  then: Count,
  { usual, now }: { readonly usual: number; readonly now: Count },
): boolean {
  return then.bad < (then.all * (usual + now.bad / now.all)) / 2;
}
