/**
 * Compares the failure rates of two arms that share live traffic, and may be looked at after every
 * event. The chance that it ever says `worse` while the treatment's rate is not above the control's is
 * at most `alpha`, whatever that common rate is; the same holds for `better`.
 *
 * Each event is a bet: its probability in its own arm over its probability in the mixed traffic, both
 * by rates that were estimated before the event came. Mixed with the arms' true shares of the traffic
 * the expectation of that ratio is exactly 1 under every common rate, so the product is a martingale
 * with nothing to assume about the rate (Turner, Ly and Grünwald's e-variables, per event). With fixed
 * blocks of the same shares in place of random assignment it is at most 1.
 */
import { EFFECT_MULTIPLES, EFFECT_WEIGHTS } from './effect-mixture.ts';
import { requireParameter } from './errors.ts';

export type Arm = 'control' | 'treatment';

export interface RateTrialOptions {
  /** The smallest relative difference worth knowing. */
  readonly minimumEffect?: number;
  readonly alpha?: number;
  /** The share of events that goes to the treatment. */
  readonly treatmentShare?: number;
}

export interface ArmCounts {
  readonly events: number;
  readonly failures: number;
}

export interface TrialStatus {
  readonly verdict: 'worse' | 'better' | 'undecided';
  readonly control: ArmCounts;
  readonly treatment: ArmCounts;
  /** Evidence now, for the treatment's being worse and for its being better. */
  readonly eWorse: number;
  readonly eBetter: number;
  /** Valid at any stopping time. */
  readonly pWorse: number;
  readonly pBetter: number;
}

/**
 * One-sided evidence that one arm, the `high` one, fails more often than the other. The bets are kept
 * as plain numbers, not logarithms: one that falls below 1e-308 is lost for good, which is what a
 * capital of 1e-308 amounts to. The odds are set anew after each failure and whenever the traffic has
 * grown by a quarter, so that most events cost a dozen multiplications.
 */
class RaisedArm {
  readonly #shareHigh: number;
  readonly #ratios: Float64Array;
  readonly #bets: Float64Array;
  /** What a success multiplies each bet by, in the low and in the high arm. */
  readonly #successLow: Float64Array;
  readonly #successHigh: Float64Array;
  #evidence = 1;
  #evidenceMax = 1;

  constructor(shareHigh: number, minimumEffect: number) {
    this.#shareHigh = shareHigh;
    this.#ratios = Float64Array.from(EFFECT_MULTIPLES, (multiple) => 1 + minimumEffect * multiple);
    this.#bets = Float64Array.from(EFFECT_WEIGHTS);
    this.#successLow = new Float64Array(this.#bets.length);
    this.#successHigh = new Float64Array(this.#bets.length);
    this.setOdds(0, 0, 0);
  }

  get evidence(): number {
    return this.#evidence;
  }

  get evidenceMax(): number {
    return this.#evidenceMax;
  }

  /** From counts of the past alone: a bet must not know its outcome. */
  setOdds(failures: number, low: number, high: number): void {
    for (let j = 0; j < this.#bets.length; j++) {
      const ratio = this.#ratios[j]!;
      // Both arms' failures tell about the low rate once the ratio is assumed; a rate stays below 1.
      const estimate = (failures + 0.5) / (low + ratio * high + 1);
      const rate = Math.min(estimate, 0.98 / ratio);
      const mixed = 1 - rate * this.#dilution(ratio);
      this.#successLow[j] = (1 - rate) / mixed;
      this.#successHigh[j] = (1 - rate * ratio) / mixed;
    }
  }

  push(failed: boolean, isHigh: boolean): void {
    const bets = this.#bets;
    const factors = isHigh ? this.#successHigh : this.#successLow;
    let sum = 0;
    for (let j = 0; j < bets.length; j++) {
      const ratio = this.#ratios[j]!;
      const factor = failed ? (isHigh ? ratio : 1) / this.#dilution(ratio) : factors[j]!;
      bets[j]! *= factor;
      sum += bets[j]!;
    }
    this.#evidence = sum;
    if (sum > this.#evidenceMax) this.#evidenceMax = Math.min(sum, 1e300);
  }

  /** The mixed traffic's rate over the low arm's. */
  #dilution(ratio: number): number {
    return 1 + this.#shareHigh * (ratio - 1);
  }
}

export class RateTrial {
  readonly #limit: number;
  readonly #worse: RaisedArm;
  readonly #better: RaisedArm;
  #oddsDue = 1;
  readonly #counts = { control: 0, treatment: 0, controlFailures: 0, treatmentFailures: 0 };

  constructor(options: RateTrialOptions = {}) {
    const { minimumEffect = 0.25, alpha = 0.05, treatmentShare = 0.5 } = options;
    requireParameter(alpha > 0 && alpha < 1, 'alpha', 'between 0 and 1', alpha);
    requireParameter(
      minimumEffect > 0 && minimumEffect <= 100,
      'minimumEffect',
      'in (0, 100]',
      minimumEffect,
    );
    requireParameter(
      treatmentShare > 0 && treatmentShare < 1,
      'treatmentShare',
      'between 0 and 1',
      treatmentShare,
    );
    this.#limit = 1 / alpha;
    this.#worse = new RaisedArm(treatmentShare, minimumEffect);
    this.#better = new RaisedArm(1 - treatmentShare, minimumEffect);
  }

  /** One event; true once there is a verdict. */
  push(arm: Arm, failed: boolean): boolean {
    const counts = this.#counts;
    const treated = arm === 'treatment';
    this.#worse.push(failed, treated);
    this.#better.push(failed, !treated);
    counts[arm] += 1;
    if (failed) counts[treated ? 'treatmentFailures' : 'controlFailures'] += 1;
    const events = counts.control + counts.treatment;
    if (failed || events >= this.#oddsDue) {
      this.#oddsDue = 1.25 * events;
      const failures = counts.controlFailures + counts.treatmentFailures;
      this.#worse.setOdds(failures, counts.control, counts.treatment);
      this.#better.setOdds(failures, counts.treatment, counts.control);
    }
    return Math.max(this.#worse.evidenceMax, this.#better.evidenceMax) >= this.#limit;
  }

  status(): TrialStatus {
    const { control, treatment, controlFailures, treatmentFailures } = this.#counts;
    return {
      verdict: this.#verdict(),
      control: { events: control, failures: controlFailures },
      treatment: { events: treatment, failures: treatmentFailures },
      eWorse: this.#worse.evidence,
      eBetter: this.#better.evidence,
      pWorse: 1 / this.#worse.evidenceMax,
      pBetter: 1 / this.#better.evidenceMax,
    };
  }

  /** If both limits were ever passed, the stronger evidence decides; harm wins a tie. */
  #verdict(): TrialStatus['verdict'] {
    const worse = this.#worse.evidenceMax;
    const better = this.#better.evidenceMax;
    if (Math.max(worse, better) < this.#limit) return 'undecided';
    return worse >= better ? 'worse' : 'better';
  }
}
