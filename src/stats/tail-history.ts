/**
 * How unusual is a size, given all sizes seen before? A histogram over powers of two (eight bins to an
 * octave) forgets slowly and answers in two ways, of which the less surprising counts:
 *
 * - what was seen before is as likely as it was frequent;
 * - what was never seen lies on the Pareto tail through the largest few per cent (Hill's estimator).
 *
 * Either alone fails: frequencies cannot tell a record by 1 % from one by a factor of ten, and a fitted
 * tail calls a daily spike one in 10 000 although it comes every day. On the benchmark frequencies alone
 * get 49 points, the tail alone 61, both 77. A Pareto tail also bounds lighter ones: it errs towards
 * silence.
 *
 * One object holds the histories of all witnesses, upwards and downwards apart, in flat arrays: adding
 * costs a few nanoseconds and allocates nothing; logarithms are taken for exceedances only.
 */
import { Cell, WITNESSES } from './detector-sheet.ts';

/** A constant of this module: V8 folds it, but looks an imported binding up at every use. */
const at = Cell;
const WITNESS_COUNT = WITNESSES.length;

const OCTAVES = 64;
const BINS = OCTAVES * 8;
const HISTORIES = 2 * WITNESS_COUNT;
/** The bin of 1 is in the middle: sizes from 2^-32 to 2^32 units are distinguished. */
const FIRST_BIN = (1023 - OCTAVES / 2) * 8;
/** Points after which a size counts a third; half as many give the same benchmark score. */
const MEMORY = 6000;
/** The share of sizes that counts as the tail. */
const TAIL_SHARE = 0.03;
/** Until some dozen exceedances are there the tail is taken to fall with the fourth power. */
const SHAPE_PRIOR = 0.25;
const SHAPE_PRIOR_COUNT = 8;
const SHAPE_MIN = 0.02;
/** A size this far above the threshold enters the history no higher, so that one cannot spoil it. */
const BINS_ABOVE_MAX = 8 * 10;
/** Every history is asked, so a frequency counts that often; 4 gives 73 benchmark points, 14 gives 78. */
const LOOKS = HISTORIES;
const WEIGHT_MAX = 1e100;
const STEPS_PER_TURN = 32;
/** Every second point moves one history's threshold; every point is no better, only slower. */
const POINTS_PER_TURN = 2;
const LAST_TURN = HISTORIES * POINTS_PER_TURN - 1;

const SCRATCH = new Float64Array(1);
const SCRATCH_WORDS = new Uint32Array(SCRATCH.buffer);
/** Which half of a double holds its exponent, on this machine. */
const HIGH_WORD = new Uint32Array(new Float64Array([1]).buffer)[1] === 0 ? 0 : 1;

const LOG_EDGE = Float64Array.from({ length: BINS }, (_, bin) => logOfBin(bin, 0));
const LOG_MIDDLE = Float64Array.from({ length: BINS }, (_, bin) => logOfBin(bin, 0.5));

function logOfBin(bin: number, within: number): number {
  return Math.LN2 * (Math.floor(bin / 8) - OCTAVES / 2) + Math.log1p(((bin % 8) + within) / 8);
}

export class TailHistories {
  readonly #counts = new Float64Array(HISTORIES * BINS);
  /** Of each history: the first bin of the tail, what lies from it on, the sum of its logarithms. */
  readonly #from = new Int32Array(HISTORIES).fill(BINS - 1);
  readonly #above = new Float64Array(HISTORIES);
  readonly #logsAbove = new Float64Array(HISTORIES);
  readonly #largest = new Int32Array(HISTORIES);
  /** Counts points round all histories: each has its threshold moved once. */
  #turn = -1;
  /** The weight of the point at hand, which grows, and of all before it. */
  readonly #weights = new Float64Array([1, 0]);

  /** Asks all witnesses, writes the smallest probability and its speaker, then takes the point in. */
  judge(sheet: Float64Array): void {
    const counts = this.#counts;
    const from = this.#from;
    const weight = this.#weights[0]!;
    for (let witness = 0; witness < WITNESS_COUNT; witness++) {
      const seen = sheet[at.seen + witness]!;
      if (seen === 0) continue;
      // Sign and bin come straight from the number's bits (its exponent and the first three digits):
      // a comparison with 0 is a coin toss to the processor's branch predictor.
      SCRATCH[0] = seen;
      const word = SCRATCH_WORDS[HIGH_WORD]!;
      const history = 2 * witness + (word >>> 31);
      const place = ((word & 0x7fffffff) >>> 17) - FIRST_BIN;
      let bin = place < 0 ? 0 : place >= BINS ? BINS - 1 : place;
      if (bin >= from[history]!) bin = this.#judgeTail(sheet, history, bin);
      counts[history * BINS + bin]! += weight;
    }
    this.#turn += 1;
    if (this.#turn % POINTS_PER_TURN === 0) this.#moveThreshold((this.#turn / POINTS_PER_TURN) | 0);
    if (this.#turn === LAST_TURN) this.#turn = -1;
    this.#age();
  }

  /** The rare case: the size in the scratch cell lies in the tail. Returns the bin to count it in. */
  #judgeTail(sheet: Float64Array, history: number, place: number): number {
    if (Math.abs(SCRATCH[0]!) >= sheet[at.least + (history >> 1)]!) {
      const probability = this.#probability(history, place);
      if (probability < sheet[at.probability]!) {
        sheet[at.probability] = probability;
        sheet[at.speaker] = history;
      }
    }
    const isFirst = this.#above[history] === 0;
    const bin = isFirst ? place : Math.min(place, this.#from[history]! + BINS_ABOVE_MAX, BINS - 1);
    if (bin > this.#largest[history]!) this.#largest[history] = bin;
    this.#above[history]! += this.#weights[0]!;
    this.#logsAbove[history]! += this.#weights[0]! * LOG_MIDDLE[bin]!;
    return bin;
  }

  /** Of a size at least as large as the one in the scratch cell, which lies in the tail. */
  #probability(history: number, bin: number): number {
    const weight = this.#weights[0]!;
    const total = this.#weights[1]!;
    if (total === 0) return 1;
    const above = this.#above[history]!;
    const exceedances = above / weight;
    const start = LOG_EDGE[this.#from[history]!]!;
    const seen = above > 0 ? this.#logsAbove[history]! / above - start : 0;
    const prior = SHAPE_PRIOR * SHAPE_PRIOR_COUNT;
    const fit = (seen * exceedances + prior) / (exceedances + SHAPE_PRIOR_COUNT);
    const share = (above + 0.5 * weight) / (total + weight);
    const beyond = (start - Math.log(Math.abs(SCRATCH[0]!))) / Math.max(SHAPE_MIN, fit);
    const frequency = (LOOKS * this.#countFrom(history, bin)) / (total + weight);
    return Math.min(1, Math.max(share * Math.exp(beyond), frequency));
  }

  #countFrom(history: number, bin: number): number {
    const first = history * BINS;
    let count = 0;
    for (let b = bin; b <= this.#largest[history]!; b++) count += this.#counts[first + b]!;
    return count;
  }

  /** One history's turn, a few steps at a time: the share above its threshold drifts slowly. */
  #moveThreshold(history: number): void {
    const counts = this.#counts;
    const first = history * BINS;
    const wanted = TAIL_SHARE * (this.#weights[0]! + this.#weights[1]!);
    for (let step = 0; step < STEPS_PER_TURN; step++) {
      const from = this.#from[history]!;
      const above = this.#above[history]!;
      const here = counts[first + from]!;
      if (above > wanted && from < BINS - 1 && above - here >= 0.5 * wanted) {
        this.#above[history] = above - here;
        this.#logsAbove[history]! -= here * LOG_MIDDLE[from]!;
        this.#from[history] = from + 1;
        continue;
      }
      if (from === 0) return;
      const below = counts[first + from - 1]!;
      if (above + below > wanted) return;
      this.#above[history] = above + below;
      this.#logsAbove[history]! += below * LOG_MIDDLE[from - 1]!;
      this.#from[history] = from - 1;
      if (below > 0 && from > this.#largest[history]!) this.#largest[history] = from - 1;
    }
  }

  /** Growing weights forget without touching every bin; all are scaled back every million points. */
  #age(): void {
    const weights = this.#weights;
    weights[1]! += weights[0]!;
    weights[0]! *= 1 + 1 / MEMORY;
    if (weights[0]! < WEIGHT_MAX) return;
    const scale = 1 / weights[0]!;
    for (const numbers of [weights, this.#counts, this.#above, this.#logsAbove])
      for (let i = 0; i < numbers.length; i++) numbers[i]! *= scale;
  }
}
