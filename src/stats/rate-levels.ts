/**
 * When a rate changed, by the exact posterior of a step between two Beta(½, ½) rates. With K bad of N events before and
 * after a bin τ the score of τ is lnB(K₀+½, N₀−K₀+½) + lnB(K₁+½, N₁−K₁+½). Softmax over τ is the posterior of the
 * place; its log mean less the score of "no change" is the log Bayes factor. Sides are split again while that is
 * above ln 20. Prefix sums and a table of log-gamma keep it linear in bins for each split.
 *
 * Failures come in bursts. φ is Pearson's χ² per degree of freedom inside the two levels of a split, over blocks
 * with at least a few expected failures; counts are divided by it before they are believed. Without it bursts are
 * taken for changes (figures in the README).
 */
import { chiSquareQuantile } from './distributions.ts';
import { requireParameter } from './errors.ts';
import { logGamma } from './special.ts';

/** `bad` of `all` events from `atMs` on, up to the next bin. */
export interface CountBin {
  readonly atMs: number;
  readonly bad: number;
  readonly all: number;
}

/** A stretch of time with one rate. */
export interface RateLevel {
  readonly fromMs: number;
  /** 95 % interval of `fromMs`; the same three times for the first level. */
  readonly fromLowMs: number;
  readonly fromHighMs: number;
  readonly bad: number;
  readonly all: number;
  /** How much more than by chance counts vary inside it; at least 1. */
  readonly dispersion: number;
  /** The least of it that chance leaves possible, in 99 of 100 cases; few counts vary by much more than 1 by themselves. */
  readonly dispersionLow: number;
}

/** A change must be this much likelier than none. */
const ACCEPTED = Math.log(20);
const BINS_MAX = 1500;
const LEVELS_MAX = 24;
/** Blocks for the dispersion are made of bins until so many failures are expected in them. */
const EXPECTED = [2, 8, 32];
const BLOCKS_MIN = 10;
const TAIL = 0.025;

/** Ascending in time, at least one if there is any event. Bins are ascending; empty ones may be left out. */
export function findRateLevels(bins: readonly CountBin[]): readonly RateLevel[] {
  const counted = joined(bins.filter(({ all }) => all > 0));
  for (const { bad, all } of counted)
    requireParameter(bad >= 0 && bad <= all, 'bad', `from 0 to ${all}`, bad);
  if (counted.length === 0) return [];
  const sums = prefixSums(counted);
  const cuts: Cut[] = [];
  split(counted, sums, { from: 0, to: counted.length }, cuts);
  cuts.sort((a, b) => a.at - b.at);
  const edges = [0, ...cuts.map(({ at }) => at), counted.length];
  return edges.slice(0, -1).map((from, index) => {
    const to = edges[index + 1]!;
    const cut = cuts[index - 1];
    const fromMs = counted[from]!.atMs;
    return {
      fromMs,
      fromLowMs: cut === undefined ? fromMs : counted[cut.low]!.atMs,
      fromHighMs: cut === undefined ? fromMs : counted[cut.high]!.atMs,
      bad: sums.bad[to]! - sums.bad[from]!,
      all: sums.all[to]! - sums.all[from]!,
      dispersion: dispersionOf(counted, sums, [{ from, to }]),
      dispersionLow: leastDispersion(counted, sums, [{ from, to }]),
    };
  });
}

export interface Step {
  readonly atMs: number;
  /** 95 % interval. */
  readonly lowMs: number;
  readonly highMs: number;
}

/** Where the rate most likely changed, if it did once; a wide interval is the answer where little says it. */
export function likeliestStep(bins: readonly CountBin[]): Step | undefined {
  const counted = joined(bins.filter(({ all }) => all > 0));
  if (counted.length < 2) return undefined;
  const sums = prefixSums(counted);
  const whole = { from: 0, to: counted.length };
  const { at: edge } = bestCut(sums, whole, 1);
  const parts = [
    { from: 0, to: edge },
    { from: edge, to: counted.length },
  ];
  const { at, low, high } = bestCut(sums, whole, dispersionOf(counted, sums, parts));
  const atMs = (bin: number) => counted[bin]!.atMs;
  return { atMs: atMs(at), lowMs: atMs(low), highMs: atMs(high) };
}

/** A level begins at bin `at`; 95 % of the posterior lies from `low` to `high`. */
interface Cut {
  readonly at: number;
  readonly low: number;
  readonly high: number;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

interface Sums {
  readonly bad: Float64Array;
  readonly all: Float64Array;
}

function prefixSums(bins: readonly CountBin[]): Sums {
  const bad = new Float64Array(bins.length + 1);
  const all = new Float64Array(bins.length + 1);
  for (const [index, bin] of bins.entries()) {
    bad[index + 1] = bad[index]! + bin.bad;
    all[index + 1] = all[index]! + bin.all;
  }
  return { bad, all };
}

/** Neighbours are added up where there are too many. */
function joined(bins: readonly CountBin[]): readonly CountBin[] {
  const each = Math.ceil(bins.length / BINS_MAX);
  if (each <= 1) return bins;
  const result: CountBin[] = [];
  for (let at = 0; at < bins.length; at += each) {
    const some = bins.slice(at, at + each);
    const sum = (count: (bin: CountBin) => number) => some.reduce((n, bin) => n + count(bin), 0);
    result.push({ atMs: some[0]!.atMs, bad: sum(({ bad }) => bad), all: sum(({ all }) => all) });
  }
  return result;
}

/** A step, or an episode: what hides between two steps back and forth no single step shows. */
function split(bins: readonly CountBin[], sums: Sums, range: Range, cuts: Cut[]): void {
  if (range.to - range.from < 2 || cuts.length >= LEVELS_MAX - 2) return;
  const found = stepIn(bins, sums, range) ?? episodeIn(bins, sums, range);
  if (found === undefined) return;
  cuts.push(...found);
  const edges = [range.from, ...found.map(({ at }) => at), range.to];
  for (let part = 1; part < edges.length; part++)
    split(bins, sums, { from: edges[part - 1]!, to: edges[part]! }, cuts);
}

function stepIn(bins: readonly CountBin[], sums: Sums, { from, to }: Range): Cut[] | undefined {
  const plain = bestCut(sums, { from, to }, 1);
  const dispersion = dispersionOf(bins, sums, [
    { from, to: plain.at },
    { from: plain.at, to },
  ]);
  const cut = dispersion > 1 ? bestCut(sums, { from, to }, dispersion) : plain;
  return cut.logBayes < ACCEPTED ? undefined : [cut];
}

/** How many times as often, or as rarely, an episode fails as the rest, at least about. */
const EPISODE_FACTORS = [0.02, 0.2, 0.5, 2, 5, 50];

/** The stretch that differs most from what is around it, if bursts like it are not all over. */
function episodeIn(bins: readonly CountBin[], sums: Sums, range: Range): Cut[] | undefined {
  const { from, to } = range;
  const pairs = ((to - from) * (to - from - 1)) / 2;
  let best: { readonly cuts: Cut[]; readonly logBayes: number } | undefined;
  for (const factor of EPISODE_FACTORS) {
    const inner = mostUnlike(bins, sums, range, factor);
    if (inner.from === from || inner.to === to || inner.to <= inner.from) continue;
    const levels = [{ from, to: inner.from }, inner, { from: inner.to, to }];
    const dispersion = dispersionOf(bins, sums, levels);
    const changed = levels.reduce((sum, level) => sum + levelScore(sums, level, dispersion), 0);
    const logBayes =
      changed - levelScore(sums, range, dispersion) - 2 * Math.log(Math.PI) - Math.log(pairs);
    if (logBayes < Math.max(ACCEPTED, best?.logBayes ?? 0)) continue;
    const begins = bestCut(sums, { from, to: inner.to }, dispersion);
    const ends = bestCut(sums, { from: inner.from, to }, dispersion);
    const cuts = [placedAt(begins, inner.from), placedAt(ends, inner.to)];
    best = { cuts, logBayes };
  }
  return best?.cuts;
}

/** The same place, named by the episode. */
function placedAt({ low, high }: Cut, at: number): Cut {
  return { at, low: Math.min(low, at), high: Math.max(high, at) };
}

/** The stretch whose likelihood gains most from a rate of `factor` times the usual (Kadane's scan). */
function mostUnlike(
  bins: readonly CountBin[],
  { bad, all }: Sums,
  { from, to }: Range,
  factor: number,
): Range {
  const [k, n] = [bad[to]! - bad[from]! + 0.5, all[to]! - all[from]! + 1];
  const usual = k / n;
  const other = factor > 1 ? Math.min(factor * usual, 0.5 + usual / 2) : factor * usual;
  const [failed, fine] = [Math.log(other / usual), Math.log((1 - other) / (1 - usual))];
  let best = { from, to: from };
  let [most, sum, first] = [0, 0, from];
  for (let at = from; at < to; at++) {
    if (sum <= 0) [sum, first] = [0, at];
    sum += bins[at]!.bad * failed + (bins[at]!.all - bins[at]!.bad) * fine;
    if (sum > most) [most, best] = [sum, { from: first, to: at + 1 }];
  }
  return best;
}

function levelScore({ bad, all }: Sums, { from, to }: Range, dispersion: number): number {
  const k = (bad[to]! - bad[from]!) / dispersion;
  const n = (all[to]! - all[from]!) / dispersion;
  return logGamma(k + 0.5) + logGamma(n - k + 0.5) - logGamma(n + 1);
}

function bestCut(
  sums: Sums,
  { from, to }: Range,
  dispersion: number,
): Cut & { readonly logBayes: number } {
  const score = (first: number, last: number) =>
    levelScore(sums, { from: first, to: last }, dispersion);
  const scores = new Float64Array(to - from);
  let [best, most] = [from + 1, Number.NEGATIVE_INFINITY];
  for (let at = from + 1; at < to; at++) {
    const here = score(from, at) + score(at, to);
    scores[at - from] = here;
    if (here > most) [best, most] = [at, here];
  }
  let total = 0;
  for (let at = from + 1; at < to; at++) {
    const weight = Math.exp(scores[at - from]! - most);
    scores[at - from] = weight;
    total += weight;
  }
  let [low, high, seen] = [best, best, 0];
  for (let at = from + 1; at < to; at++) {
    const before = seen;
    seen += scores[at - from]! / total;
    if (before < TAIL && seen >= TAIL) low = at;
    if (before < 1 - TAIL && seen >= 1 - TAIL) high = at;
  }
  // B(½, ½) = π is the density of a rate that nothing is known of: one more of them with a change.
  const logBayes = most + Math.log(total / (to - from - 1)) - score(from, to) - Math.log(Math.PI);
  return { at: best, low: Math.min(low, best), high: Math.max(high, best), logBayes };
}

/** Bursts may be short or long: the block size that shows most of them counts. */
function dispersionOf(bins: readonly CountBin[], sums: Sums, levels: readonly Range[]): number {
  return Math.max(
    1,
    ...EXPECTED.map((least) => dispersionBy(least, { bins, sums, levels }).dispersion),
  );
}

const SURE = 0.99;

function leastDispersion(bins: readonly CountBin[], sums: Sums, levels: readonly Range[]): number {
  const p = 1 - (1 - SURE) / EXPECTED.length;
  const least = EXPECTED.map((expected) => {
    const { dispersion, freedom } = dispersionBy(expected, { bins, sums, levels });
    return freedom === 0 ? 1 : (dispersion * freedom) / chiSquareQuantile(p, freedom);
  });
  return Math.max(1, ...least);
}

interface Fit {
  readonly bins: readonly CountBin[];
  readonly sums: Sums;
  readonly levels: readonly Range[];
}

function dispersionBy(
  least: number,
  { bins, sums: { bad, all }, levels }: Fit,
): { dispersion: number; freedom: number } {
  let [squares, blocks, fitted] = [0, 0, 0];
  for (const { from, to } of levels) {
    const rate = (bad[to]! - bad[from]!) / (all[to]! - all[from]!);
    if (rate <= 0 || rate >= 1) continue;
    fitted += 1;
    let [k, n] = [0, 0];
    for (let at = from; at < to; at++) {
      k += bins[at]!.bad;
      n += bins[at]!.all;
      if (n * Math.min(rate, 1 - rate) < least) continue;
      squares += (k - n * rate) ** 2 / (n * rate * (1 - rate));
      blocks += 1;
      [k, n] = [0, 0];
    }
  }
  if (blocks < BLOCKS_MIN) return { dispersion: 1, freedom: 0 };
  const freedom = blocks - fitted;
  return { dispersion: squares / freedom, freedom };
}
