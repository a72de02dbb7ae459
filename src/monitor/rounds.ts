/**
 * A look judges in rounds, each without one more stretch of time than the one before. A round begins from whatever is like it
 * for longest: the round before it, up to the stretch; or the same round of the look before, if that left the same stretches
 * out, up to the first minute that has other counts since. A look a few minutes later works out those few minutes (ADR 137).
 *
 * What is kept of the look before is where its replays were (`replayed.ts`), whose harm it found, and when that was over. Forgetting
 * changes nothing but the time.
 */
import type { RateBin } from '../facts/index.ts';
import { type Harm, SETTLE_MS } from './cause.ts';
import type { CallsByTool } from './harmed-tools.ts';
import { type Earlier, judgeFrom, type Limits, type Readings, seenIn } from './judge.ts';
import { indexAt } from './place-track.ts';
import { treesForgotten } from './replayed.ts';
import { sum } from './season.ts';
import type { Baseline, Count, Found, Judgement, SeriesObserved } from './types.ts';

export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Of every series, or of those of the whole fleet alone. */
interface Left extends Stretch {
  readonly isOfFleet?: boolean;
}

interface Round {
  /** What was left out before it, beside what was left out before the round before. */
  readonly left: Left | undefined;
  readonly readings: Readings;
  /** When the harm that was found in it had ended. */
  over?: { readonly harm: Harm; readonly atMs: number };
  /** Whose harm it was, of what has settled. */
  readonly harms: Harm[];
}

interface Counts {
  readonly baseline: Baseline;
  readonly observed: readonly SeriesObserved[];
  readonly limits: Limits;
}

interface Past {
  readonly bins: readonly (readonly RateBin[])[];
  readonly rounds: Round[];
  /** By which it was said whose harm it is. */
  calls?: CallsByTool | undefined;
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
  /** What the next look has as its past. */
  readonly #own: Past;
  /** The first minute in which calls of tools are not as they were at the look before, once that was asked. */
  #newCallsMs: number | undefined;
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
    this.#own = { bins: this.#bins, rounds: [] };
    if (key !== undefined) keep(key, this.#own);
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

  leaveOut(left: Left): void {
    const { readings } = this.#own.rounds.at(-1)!;
    const differsMs: number[] = [];
    const isLess = new Map<readonly RateBin[], readonly RateBin[]>();
    this.#sums = [...this.#sums];
    this.#bins = this.#bins.map((bins, at) => {
      const isLeft = left.isOfFleet !== true || this.#baseline.series[at]!.agent === null;
      const [from, to] = isLeft ? [indexAt(bins, left.fromMs), indexAt(bins, left.toMs)] : [0, 0];
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
    const known = this.#past?.rounds[this.#own.rounds.length - 1]?.over;
    const isKnown =
      known !== undefined &&
      known.harm.found.finding === harm.found.finding &&
      known.harm.cause === harm.cause &&
      known.harm.beganAtMs === harm.beganAtMs &&
      this.#newMs.every((ms) => ms >= known.atMs);
    const atMs = isKnown ? known.atMs : find();
    if (atMs !== undefined) this.#own.rounds.at(-1)!.over = { harm, atMs };
    return atMs;
  }

  /**
   * Whose harm this is: what the same round of the look before said, if nothing that it asked for has other counts since. Before the
   * harm has settled it depends on the time of the look.
   */
  harmOf(
    found: Found,
    { calls, nowMs }: { readonly calls?: CallsByTool | undefined; readonly nowMs: number },
    find: () => Harm,
  ): Harm {
    const settledAtMs = found.finding.foundAtMs + SETTLE_MS;
    if (nowMs < settledAtMs) return find();
    const known = this.#past?.rounds[this.#own.rounds.length - 1]?.harms.find((one) =>
      isSameFinding(one.found, found),
    );
    this.#own.calls = calls;
    this.#newCallsMs ??= firstNewCallMs(this.#past?.calls, calls);
    const isSame = this.#newCallsMs >= settledAtMs && this.#newMs.every((ms) => ms >= settledAtMs);
    const harm = known !== undefined && isSame ? { ...known, found } : find();
    this.#own.rounds.at(-1)!.harms.push(harm);
    return harm;
  }

  #judge(left: Left | undefined, earlier: readonly Earlier[]): Judgement {
    const same = this.#past?.rounds[this.#own.rounds.length];
    const isSame =
      same !== undefined &&
      same.left?.fromMs === left?.fromMs &&
      same.left?.toMs === left?.toMs &&
      same.left?.isOfFleet === left?.isOfFleet;
    if (!isSame) this.#past = undefined;
    const before = isSame ? [{ readings: same.readings, differsMs: this.#newMs }] : [];
    const asked = { baseline: this.#baseline, limits: this.#limits };
    const counted = { ...asked, bins: this.#bins, sums: this.#sums };
    const { judged, readings } = judgeFrom([...earlier, ...before], counted);
    this.#own.rounds.push({ left, readings, harms: [] });
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

/** Of what was called before the deployment everything counts. */
function firstNewCallMs(before: CallsByTool | undefined, now: CallsByTool | undefined): number {
  if (before === now) return Number.POSITIVE_INFINITY;
  const isSame =
    before !== undefined &&
    now !== undefined &&
    before.changed === now.changed &&
    before.before === now.before &&
    before.since.every(
      ({ agent, tool }, at) => agent === now.since[at]?.agent && tool === now.since[at].tool,
    );
  if (!isSame) return Number.NEGATIVE_INFINITY;
  return Math.min(
    ...now.since.map(({ bins }, at) => firstNewMs(before.since[at]?.bins ?? [], bins)),
    Number.POSITIVE_INFINITY,
  );
}

function isSameFinding(one: Found, other: Found): boolean {
  return (
    one.finding === other.finding &&
    one.metric === other.metric &&
    one.agent === other.agent &&
    one.tool === other.tool
  );
}

function less(one: Count, other: Count): Count {
  return { bad: one.bad - other.bad, all: one.all - other.all };
}
