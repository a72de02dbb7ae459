/**
 * What a metric usually does at this time of day and of the week. 288 slots of five minutes hold the
 * day: mean, usual deviation from it, and usual deviation of the step from one point to the next; 168
 * hours hold what the week adds to the day, and count only once a few weeks have confirmed it. Times
 * are UTC; a daylight-saving shift is learnt again like any other change of habit.
 */
import { Cell } from './detector-sheet.ts';

/** A constant of this module: V8 folds it, but looks an imported binding up at every use. */
const at = Cell;

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const SLOT_MS = 300_000;
const HOUR_MS = 3_600_000;
const SLOTS = DAY_MS / SLOT_MS;
const HOURS = WEEK_MS / HOUR_MS;
/** One day's weight in a slot once ten days are known. */
const DAY_RATE = 0.1;
const WEEK_RATE = 0.3;
/** After this many weeks the week's share is believed half. */
const WEEK_PRIOR = 5;
/** A slot's own deviations count like this many visits less than all slots' together. */
const SPREAD_PRIOR = 2;
/** No slot is taken to be quieter than this part of the whole. */
const SPREAD_MIN = 0.3;
/** Visits to a slot after which its own deviations are all that counts; a table saves a division. */
const OWN_SHARE = Float64Array.from(
  { length: 65 },
  (_, visits) => visits / (visits + SPREAD_PRIOR),
);

export class SeasonProfile {
  readonly #mean = new Float64Array(SLOTS);
  readonly #spread = new Float64Array(SLOTS);
  readonly #stepSpread = new Float64Array(SLOTS);
  readonly #visits = new Float64Array(SLOTS);
  readonly #week = new Float64Array(HOURS);
  readonly #weekPoints = new Float64Array(HOURS);
  #slot = 0;
  #hour = -1;
  /** How far the week's share of this hour is believed. */
  #belief = 0;
  #pointsPerHour = 1;
  #dayRate = DAY_RATE;
  #weekRate = WEEK_RATE;

  /** Many points to a slot or an hour share the weight that one would have. */
  setSpacing(intervalMs: number): void {
    this.#pointsPerHour = Math.max(1, HOUR_MS / intervalMs);
    this.#dayRate = DAY_RATE / Math.max(1, SLOT_MS / intervalMs);
    this.#weekRate = WEEK_RATE / this.#pointsPerHour;
  }

  /** Turns to the point's time and writes what is known about it. */
  turnTo(sheet: Float64Array): void {
    const timeMs = sheet[at.timeMs]!;
    // Subtracted, not by fraction: 5:00 must not fall now into this slot and now into the one before.
    this.#slot = ((timeMs - Math.floor(timeMs / DAY_MS) * DAY_MS) / SLOT_MS) | 0;
    const hour = ((timeMs - Math.floor(timeMs / WEEK_MS) * WEEK_MS) / HOUR_MS) | 0;
    if (hour !== this.#hour) {
      this.#hour = hour;
      const weeks = this.#weekPoints[hour]! / this.#pointsPerHour;
      this.#belief = weeks / (weeks + WEEK_PRIOR);
    }
    sheet[at.seasonKnown] = this.#visits[this.#slot]!;
    sheet[at.seasonExpected] = this.#mean[this.#slot]! + this.#belief * this.#week[hour]!;
  }

  /** Writes how far points usually stray at this time, given how far they do at all times. */
  writeSpreads(sheet: Float64Array): void {
    const own = OWN_SHARE[Math.min(64, this.#visits[this.#slot]!)]!;
    const shared = 1 - own + SPREAD_MIN;
    const { deviationSpread, stepSpread } = Cell;
    sheet[at.seasonSpread] = own * this.#spread[this.#slot]! + shared * sheet[deviationSpread]!;
    sheet[at.seasonStepSpread] = own * this.#stepSpread[this.#slot]! + shared * sheet[stepSpread]!;
  }

  /** Takes the point in. */
  learn(sheet: Float64Array): void {
    const slot = this.#slot;
    const visits = this.#visits[slot]!;
    const rate = learningRate(visits, this.#dayRate);
    const deviation = sheet[at.deviation]!;
    if (visits > 0) {
      this.#learnWeek(sheet);
      this.#mean[slot]! += deviation * rate;
    } else this.#mean[slot] = sheet[at.value]!;
    this.#spread[slot]! += (Math.abs(deviation) - this.#spread[slot]!) * rate;
    this.#stepSpread[slot]! += (Math.abs(sheet[at.step]!) - this.#stepSpread[slot]!) * rate;
    this.#visits[slot] = visits + 1;
  }

  /** One outlier must not teach a whole hour of the week: it counts as three usual deviations. */
  #learnWeek(sheet: Float64Array): void {
    const hour = this.#hour;
    const points = this.#weekPoints[hour]!;
    const rate = learningRate(points, this.#weekRate);
    const news = sheet[at.value]! - this.#mean[this.#slot]! - this.#week[hour]!;
    const most = 3 * sheet[at.deviationSpread]!;
    this.#week[hour]! += Math.max(-most, Math.min(most, news)) * rate;
    this.#weekPoints[hour] = points + 1;
  }
}

/** That of a plain mean until it has come down to the lasting one. */
function learningRate(seen: number, lasting: number): number {
  return (seen + 1) * lasting >= 1 ? lasting : 1 / (seen + 1);
}
