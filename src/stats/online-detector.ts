/**
 * Watches one metric, point by point, and says how unusual each point is: a tail probability, made so
 * that one threshold serves every metric, whatever its unit, noise, season or heaviness of tails.
 *
 * Several witnesses look at each point, each with a plain question: is the value, the jump, the step
 * beyond what this time of day brings, the recent average against the season, the stillness unusual?
 * Every witness compares its answer with its own history (`TailHistories`), upwards
 * and downwards apart. The smallest probability is the score, with a correction for the number of
 * questions. The gate
 * (`AlarmGate`) makes alarms of scores under the threshold, one per episode.
 *
 * Promises: constant time and memory per point, nothing allocated; no alarm in the first 100 points; on
 * noise, at most the threshold's share of points is under it (tested for several laws); NaN is a gap and
 * changes nothing; the same points give the same scores. A lasting new level is news once, then habit.
 */
import { AlarmGate } from './alarm-gate.ts';
import { Cell, SHEET_CELLS, WITNESSES, type Witness } from './detector-sheet.ts';
import { StatsError } from './errors.ts';
import { SeasonProfile } from './season-profile.ts';
import { TailHistories } from './tail-history.ts';

/** A constant of this module: V8 folds it, but looks an imported binding up at every use. */
const at = Cell;

const COLD_POINTS = 100;
/** Before this nothing is known about the metric's unit, so no history is kept. */
const UNIT_POINTS = 20;
const SPREAD_MEMORY = 1500;
const RECENT_RATE = 1 / 12;
const FAST_RATE = 1 / 2;
const LEVEL_RATE = 0.002;
/** A witness reports only beyond this many usual deviations, however quiet its history. */
const LEAST_DEVIATIONS = 3;
const LEAST_DEVIATIONS_OF_MEAN = 0.5;
const LEAST_STILL_POINTS = 8;
/** A deviation beyond this is an outlier: the next point is not expected to share it. */
const OUTLIER_DEVIATIONS = 4;
const GAP_INTERVALS = 4;

export interface Reading {
  /** The probability of a point at least as unusual, 1 for an ordinary one. */
  readonly probability: number;
  /** True at the first point of an episode whose probability is under the threshold. */
  readonly alarm: boolean;
  /** Which question gave the probability; undefined for an ordinary point. */
  readonly witness: Witness | undefined;
  readonly direction: 'up' | 'down';
  /** What this time of day usually brings; undefined while it is unknown. */
  readonly expected: number | undefined;
}

export class OnlineDetector {
  readonly #sheet = new Float64Array(SHEET_CELLS);
  readonly #histories = new TailHistories();
  readonly #season = new SeasonProfile();
  readonly #gate = new AlarmGate();
  #alarm = false;

  /** Takes in a point and returns its tail probability. `reading()` says more about the last point. */
  push(timeMs: number, value: number): number {
    const sheet = this.#sheet;
    this.#alarm = false;
    sheet[at.probability] = 1;
    if (Number.isNaN(value)) return 1;
    if (!Number.isFinite(timeMs) || !Number.isFinite(value))
      throw new StatsError('STATS_NOT_FINITE', `The point (${timeMs}, ${value}) is not finite.`);
    sheet[at.timeMs] = timeMs;
    sheet[at.value] = value;
    this.#noteTime();
    this.#season.turnTo(sheet);
    this.#compare();
    this.#season.writeSpreads(sheet);
    this.#ask();
    this.#season.learn(sheet);
    if (sheet[at.count]! <= COLD_POINTS) sheet[at.probability] = 1;
    const probability = sheet[at.probability]!;
    this.#alarm = this.#gate.push(probability);
    return probability;
  }

  /** Whether the last point raised an alarm. */
  get alarm(): boolean {
    return this.#alarm;
  }

  reading(): Reading {
    const sheet = this.#sheet;
    const probability = sheet[at.probability]!;
    const speaker = sheet[at.speaker]!;
    return {
      probability,
      alarm: this.#alarm,
      witness: probability < 1 ? WITNESSES[speaker >> 1] : undefined,
      direction: probability < 1 && (speaker & 1) === 1 ? 'down' : 'up',
      expected: sheet[at.seasonKnown]! > 0 ? sheet[at.seasonExpected]! : undefined,
    };
  }

  /** Learns the interval between points; after a gap the last point says nothing about this one. */
  #noteTime(): void {
    const sheet = this.#sheet;
    const value = sheet[at.value]!;
    sheet[at.count]! += 1;
    if (sheet[at.count] === 1) {
      for (const cell of [at.level, at.fast, at.previousValue]) sheet[cell] = value;
      sheet[at.previousMs] = sheet[at.timeMs]!;
      sheet[at.least + 2] = LEAST_DEVIATIONS;
      sheet[at.least + 3] = LEAST_DEVIATIONS_OF_MEAN;
      sheet[at.least + 4] = LEAST_STILL_POINTS;
      return;
    }
    const passedMs = sheet[at.timeMs]! - sheet[at.previousMs]!;
    sheet[at.previousMs] = sheet[at.timeMs]!;
    // Clocks are set back and feeds repeat themselves; that says nothing about the interval.
    if (!(passedMs > 0)) return;
    const known = sheet[at.intervalMs]!;
    if (passedMs === known) return;
    if (known > 0 && passedMs > GAP_INTERVALS * known) {
      sheet[at.fast] = value;
      sheet[at.previousDeviation] = 0;
    }
    const counted = known > 0 ? Math.min(passedMs, GAP_INTERVALS * known) : passedMs;
    const interval = known + (counted - known) * (known > 0 ? 0.01 : 1);
    sheet[at.intervalMs] = interval;
    this.#season.setSpacing(interval);
  }

  /** How far the point is from all that was expected of it. */
  #compare(): void {
    const sheet = this.#sheet;
    const value = sheet[at.value]!;
    const count = sheet[at.count]!;
    const rate = count < SPREAD_MEMORY ? 1 / count : 1 / SPREAD_MEMORY;
    const fromLevel = value - sheet[at.level]!;
    const spread = follow(sheet[at.spread]!, Math.abs(fromLevel), rate);
    const known = sheet[at.seasonKnown]! > 0;
    const deviation = known ? value - sheet[at.seasonExpected]! : fromLevel;
    const deviationSpread = follow(sheet[at.deviationSpread]!, Math.abs(deviation), rate);
    sheet[at.spread] = spread;
    sheet[at.deviation] = deviation;
    sheet[at.deviationSpread] = deviationSpread;

    const previous = sheet[at.previousDeviation]!;
    const lagged = sheet[at.lagged]!;
    const squared = sheet[at.squared]!;
    const carried = squared > 0 ? Math.max(0, Math.min(1, lagged / squared)) * previous : 0;
    sheet[at.step] = deviation - carried;
    sheet[at.stepSpread] = follow(sheet[at.stepSpread]!, Math.abs(deviation - carried), rate);
    sheet[at.lagged] = follow(lagged, deviation * previous, rate);
    sheet[at.squared] = follow(squared, previous * previous, rate);
    // An outlier carries nothing over: else the way back from a spike looks like a second one.
    const isOutlier = Math.abs(deviation) > OUTLIER_DEVIATIONS * deviationSpread;
    sheet[at.previousDeviation] = isOutlier ? 0 : deviation;

    const moved = Math.abs(value - sheet[at.previousValue]!);
    sheet[at.stillPoints] = moved <= 1e-9 * spread ? sheet[at.stillPoints]! + 1 : 0;
    sheet[at.previousValue] = value;
  }

  /** Puts the comparisons before the witnesses, then lets level and averages follow the point. */
  #ask(): void {
    const sheet = this.#sheet;
    const value = sheet[at.value]!;
    const level = sheet[at.level]!;
    const fast = sheet[at.fast]!;
    // The least number keeps a constant metric from dividing by zero.
    const forTime = sheet[at.deviation]! / (sheet[at.seasonSpread]! + Number.MIN_VALUE);
    const recentForTime = follow(sheet[at.recentForTime]!, forTime, RECENT_RATE);
    const perUnit = sheet[at.perUnit]!;
    if (perUnit > 0) {
      const spread = sheet[at.spread]! * perUnit;
      sheet[at.seen] = (value - level) * perUnit;
      sheet[at.seen + 1] = (value - fast) * perUnit;
      sheet[at.seen + 2] = sheet[at.step]! / (sheet[at.seasonStepSpread]! + Number.MIN_VALUE);
      sheet[at.seen + 3] = recentForTime;
      sheet[at.seen + 4] = sheet[at.stillPoints]!;
      sheet[at.least] = LEAST_DEVIATIONS * spread;
      sheet[at.least + 1] = LEAST_DEVIATIONS * spread;
      this.#histories.judge(sheet);
    } else this.#fixUnit();
    sheet[at.recentForTime] = recentForTime;
    sheet[at.fast] = follow(fast, value, FAST_RATE);
    // A step of a fixed size towards the value follows the median, not the mean.
    const count = sheet[at.count]!;
    const stride = sheet[at.spread]! * (count * LEVEL_RATE < 1 ? 1 / count : LEVEL_RATE);
    sheet[at.level] = value > level ? level + stride : value < level ? level - stride : level;
  }

  /** A metric that never moved before has no unit: its first move is as rare as all points so far. */
  #fixUnit(): void {
    const sheet = this.#sheet;
    const count = sheet[at.count]!;
    if (count < UNIT_POINTS || !(sheet[at.spread]! > 0)) return;
    sheet[at.perUnit] = 1 / sheet[at.spread]!;
    if (count === UNIT_POINTS) return;
    sheet[at.probability] = 1 / (count + 1);
    sheet[at.speaker] = 0;
  }
}

/** An exponential average's next value. */
function follow(average: number, value: number, rate: number): number {
  return average + (value - average) * rate;
}
