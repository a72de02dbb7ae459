/**
 * Whether a rate of failures got worse than its baseline at some unknown time, however late: the evidence against "no
 * worsening", valid at every look of a watch of at most `hours` hours.
 *
 * Half of it is an e-process from the beginning (as in `RateWatch`), for harm that is there at once. The other half is a
 * Shiryaev-Roberts e-detector: every hour a new e-process begins for each effect, `S <- (S + w) * LR`, so that quiet days
 * before a late harm cost nothing. Under no worsening the sum grows by at most 1 an hour on average, so its part of
 * `hours` is at most 1: the chance that the evidence ever passes 1/alpha is at most alpha (Doob).
 *
 * A baseline that was counted is not known exactly. The first half takes it as a Beta distribution on both sides; the second
 * tests against the baseline's upper limit (`LIMIT_SDS`), because its tests have no common beginning. Counts that come in
 * bursts are divided by their dispersion.
 */
import { EFFECT_MULTIPLES, EFFECT_WEIGHTS, logSum } from './effect-mixture.ts';
import { requireParameter } from './errors.ts';
import { logGamma } from './special.ts';

export interface LateRateOptions {
  readonly baseline: { readonly failures: number; readonly events: number };
  /** The smallest relative worsening worth knowing. */
  readonly minimumEffect: number;
  /** Variance over that of independent events, at least 1. */
  readonly dispersion: number;
  /** The longest that it is watched. */
  readonly hours: number;
}

/**
 * How far above the counted rate the second half's null hypothesis lies, in standard deviations. With 0 a baseline as
 * long as the watch gives 9 % false alarms at alpha .05; with 1 less than alpha (`score -- watch`), for 1.2 times the events.
 */
const LIMIT_SDS = 1;

const EVIDENCE_MAX = 1e300;
const EFFECTS = EFFECT_MULTIPLES.length;

export class LateRate {
  readonly #options: LateRateOptions;
  readonly #rate: number;
  readonly #size: number;
  readonly #limit: number;
  readonly #late = new Float64Array(EFFECTS);
  #failures = 0;
  #exposure = 0;

  constructor(options: LateRateOptions) {
    const { baseline, minimumEffect, dispersion, hours } = options;
    const { failures, events } = baseline;
    requireParameter(events >= failures && failures >= 0, 'baseline', 'counts', failures);
    requireParameter(minimumEffect > 0, 'minimumEffect', 'above 0', minimumEffect);
    requireParameter(dispersion >= 1, 'dispersion', 'at least 1', dispersion);
    requireParameter(hours >= 1, 'hours', 'at least 1', hours);
    this.#options = options;
    this.#rate = (failures + 0.5) / (events + 1);
    this.#size = (events + 1) / dispersion;
    const sd = Math.sqrt((this.#rate * (1 - this.#rate)) / this.#size);
    this.#limit = Math.min(0.999, this.#rate + LIMIT_SDS * sd);
  }

  /** One hour. `factor`: how much of the baseline's rate belongs to this time of day. */
  observe(failures: number, events: number, factor = 1): void {
    const { dispersion, minimumEffect } = this.#options;
    const base = Math.min(0.999, this.#limit * factor);
    const successes = events - failures;
    for (let j = 0; j < EFFECTS; j++) {
      const raised = raisedRate(base, minimumEffect * EFFECT_MULTIPLES[j]!);
      const log =
        (failures * Math.log(raised / base) + successes * Math.log((1 - raised) / (1 - base))) /
        dispersion;
      const next = (this.#late[j]! + EFFECT_WEIGHTS[j]!) * Math.exp(Math.min(log, 600));
      this.#late[j] = Math.min(next, EVIDENCE_MAX);
    }
    this.#failures += failures;
    // An event at a time of day with twice the failures counts as two.
    this.#exposure += Math.max(failures, events * factor);
  }

  /** For one of two equal halves of the evidence; 1/alpha is what it must reach. */
  evidence(): number {
    let late = 0;
    for (let j = 0; j < EFFECTS; j++) late += this.#late[j]!;
    return Math.min((this.#fromTheStart() + late / this.#options.hours) / 2, EVIDENCE_MAX);
  }

  #fromTheStart(): number {
    const { dispersion, minimumEffect } = this.#options;
    const failures = this.#failures / dispersion;
    const successes = Math.max(0, this.#exposure / dispersion - failures);
    const predicted = (rate: number) =>
      logRising(rate * this.#size, failures) + logRising((1 - rate) * this.#size, successes);
    const base = predicted(this.#rate);
    const logs = Float64Array.from(EFFECT_WEIGHTS, (weight, j) => {
      const raised = raisedRate(this.#rate, minimumEffect * EFFECT_MULTIPLES[j]!);
      return Math.log(weight) + predicted(raised) - base;
    });
    return Math.exp(Math.min(logSum(logs), 690));
  }
}

/** A raised rate stays below 1, at most half-way from the baseline to it. */
function raisedRate(rate: number, effect: number): number {
  return Math.min(rate * (1 + effect), 0.5 + rate / 2);
}

const logRising = (from: number, by: number) => logGamma(from + by) - logGamma(from);
