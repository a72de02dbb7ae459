/**
 * A look judges in rounds, each without one more stretch of time than the one before. A round begins from whatever is like it
 * for longest: the round before it, up to the stretch; or the same round of the look before, if that left the same stretches
 * out, up to the first minute that has other counts since. A look a few minutes later works out those few minutes (ADR 137).
 *
 * What is kept of the look before is only where its replays were (`replayed.ts`). Forgetting changes nothing but the time.
 */
import type { RateBin } from '../facts/index.ts';
import type { Harm } from './cause.ts';
import { type Earlier, judgeFrom, type Limits, type Readings, seenIn } from './judge.ts';
import { indexAt } from './place-track.ts';
import { treesForgotten } from './replayed.ts';
import { sum } from './season.ts';
import type { Baseline, Count, Judgement, SeriesObserved } from './types.ts';

export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
}

interface Round {
  /** What was left out before it, beside what was left out before the round before. */
  readonly left: Stretch | undefined;
  readonly readings: Readings;
  /** When the harm that was found in it had ended. */
  over?: { readonly harm: Harm; readonly atMs: number };
}

interface Counts {
  readonly baseline: Baseline;
  readonly observed: readonly SeriesObserved[];
  readonly limits: Limits;
}

interface Past {
  readonly bins: readonly (readonly RateBin[])[];
  readonly rounds: readonly Round[];
}

/** As many watches as there are trees for; those that were looked at last come last. */
const PAST_MAX = 16;
const PAST = new Map<string, Past>();

export class Rounds {
  readonly #baseline: Baseline;
  readonly #limits: Limits;
  /** Undefined from the first round on that leaves out another stretch than the same round of the look before. */
  #past: Past | undefined;
  /** By series: the first minute that is not as it was at the look before. */
  readonly #newMs: readonly number[];
  readonly #rounds: Round[] = [];
  #observed: readonly SeriesObserved[];
  /** What is left of the counts, by series of the baseline. */
  #bins: (readonly RateBin[])[];
  #sums: Count[];
  #judged: Judgement;

  /** `key` says of which watch, baseline and limits this is; without one nothing is kept for the next look. */
  constructor({ baseline, observed, limits }: Counts, key?: string) {
    this.#baseline = baseline;
    this.#limits = limits;
    this.#observed = observed;
    this.#bins = seenIn(baseline, observed);
    this.#sums = this.#bins.map(sum);
    const past = key === undefined ? undefined : PAST.get(key);
    this.#past = past;
    this.#newMs =
      past === undefined ? [] : this.#bins.map((bins, at) => firstNewMs(past.bins[at]!, bins));
    if (key !== undefined) keep(key, { bins: this.#bins, rounds: this.#rounds });
    this.#judged = this.#judge(undefined, []);
  }

  /** As what is left was judged. */
  get judged(): Judgement {
    return this.#judged;
  }

  /** What is left of the counts. */
  get observed(): readonly SeriesObserved[] {
    return this.#observed;
  }

  leaveOut(left: Stretch): void {
    const { readings } = this.#rounds.at(-1)!;
    const differsMs: number[] = [];
    const isLess = new Map<readonly RateBin[], readonly RateBin[]>();
    this.#sums = [...this.#sums];
    this.#bins = this.#bins.map((bins, at) => {
      const [from, to] = [indexAt(bins, left.fromMs), indexAt(bins, left.toMs)];
      differsMs.push(from < to ? left.fromMs : Number.POSITIVE_INFINITY);
      if (from >= to) return bins;
      this.#sums[at] = less(this.#sums[at]!, sum(bins.slice(from, to)));
      const rest = bins.slice(0, from).concat(bins.slice(to));
      isLess.set(bins, rest);
      return rest;
    });
    this.#observed = this.#observed.map((one) => {
      const rest = isLess.get(one.bins);
      return rest === undefined ? one : { ...one, bins: rest };
    });
    this.#judged = this.#judge(left, [{ readings, differsMs }]);
  }

  /** The end of this harm, asked for where it is not the one that the same round of the look before had, in minutes that it knew. */
  overAt(harm: Harm, find: () => number | undefined): number | undefined {
    const known = this.#past?.rounds[this.#rounds.length - 1]?.over;
    const isKnown =
      known !== undefined &&
      known.harm.found.finding === harm.found.finding &&
      known.harm.cause === harm.cause &&
      known.harm.beganAtMs === harm.beganAtMs &&
      this.#newMs.every((ms) => ms >= known.atMs);
    const atMs = isKnown ? known.atMs : find();
    if (atMs !== undefined) this.#rounds.at(-1)!.over = { harm, atMs };
    return atMs;
  }

  #judge(left: Stretch | undefined, earlier: readonly Earlier[]): Judgement {
    const same = this.#past?.rounds[this.#rounds.length];
    const isSame =
      same !== undefined && same.left?.fromMs === left?.fromMs && same.left?.toMs === left?.toMs;
    if (!isSame) this.#past = undefined;
    const before = isSame ? [{ readings: same.readings, differsMs: this.#newMs }] : [];
    const asked = { baseline: this.#baseline, limits: this.#limits };
    const counted = { ...asked, bins: this.#bins, sums: this.#sums };
    const { judged, readings } = judgeFrom([...earlier, ...before], counted);
    this.#rounds.push({ left, readings });
    return judged;
  }
}

let releasedAt = 0;

function keep(key: string, past: Past): void {
  if (releasedAt !== treesForgotten()) {
    for (const { rounds } of PAST.values())
      for (const { readings } of rounds) for (const { replay } of readings) replay.release();
    releasedAt = treesForgotten();
  }
  PAST.delete(key);
  PAST.set(key, past);
  if (PAST.size > PAST_MAX) PAST.delete(PAST.keys().next().value!);
}

/** The first minute that is not in both, or not with the same counts. Most are the same objects. */
function firstNewMs(before: readonly RateBin[], now: readonly RateBin[]): number {
  const length = Math.max(before.length, now.length);
  for (let at = 0; at < length; at++) {
    const [one, other] = [before[at], now[at]];
    if (one === other) continue;
    if (one === undefined || other === undefined) return (one ?? other)!.atMs;
    const isSame =
      one.atMs === other.atMs &&
      one.bad === other.bad &&
      one.all === other.all &&
      one.begun === other.begun;
    if (!isSame) return Math.min(one.atMs, other.atMs);
  }
  return Number.POSITIVE_INFINITY;
}

function less(one: Count, other: Count): Count {
  return { bad: one.bad - other.bad, all: one.all - other.all };
}
