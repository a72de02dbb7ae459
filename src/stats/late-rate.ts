/**
 * Whether a rate of failures got worse than its baseline at some unknown time, however late: the evidence against "no
 * worsening", valid at every look of a watch of at most `hours` hours.
 *
 * A part of it is an e-process from the beginning (as in `RateWatch`), for harm that is there at once. The other part is a
 * Shiryaev-Roberts e-detector: every hour a new e-process begins for each effect, `S <- (S + w) * LR`, so that quiet days
 * before a late harm cost nothing. Under no worsening the sum grows by at most 1 an hour on average, so its part of
 * `hours` is at most 1: the chance that the evidence ever passes 1/alpha is at most alpha (Doob).
 *
 * A baseline that was counted is not known exactly. The first part takes it as a Beta distribution on both sides. The second
 * has tests without a common beginning: what each hour says is divided by 1 + events since / events before, by which the
 * variance of their difference grows (exact in the normal limit for the longest of them, cautious for the others).
 * With a short baseline and a long watch that doubt hides everything, so half of the second part are tests that end with
 * the day they began in: each has only the doubt of its own day, and stays where it ended.
 * Rejected: the upper limit of the baseline in place of it; one deviation does not do for the thinnest of 500 series.
 * Counts that come in bursts are divided by their dispersion.
 *
 * Where the budget is known, three fifths of it are final looks (`final-looks.ts`): one for each of the smaller effects, when so
 * many events were seen that it should show.
 */
import { EFFECT_MULTIPLES, EFFECT_WEIGHTS, logSum } from './effect-mixture.ts';
import { requireParameter } from './errors.ts';
import { FinalLooks } from './final-looks.ts';
import { logGamma } from './special.ts';

export interface LateRateOptions {
  readonly baseline: { readonly failures: number; readonly events: number };
  /** The smallest relative worsening worth knowing. */
  readonly minimumEffect: number;
  /** Variance over that of independent events, at least 1. */
  readonly dispersion: number;
  /** The longest that it is watched. */
  readonly hours: number;
  /** The budget: 1/level is what an alarm needs. Without it there are no final looks. */
  readonly level?: number | undefined;
}

/** Most harm begins with the change; what is late pays ln 4 for that. */
const FIRST_PART = 0.75;
/** Of the budget, what final looks have where there are any: the rest pays ln 2.5 for it. */
const FINAL_PART = 0.6;
/**
 * Nearly all for the smallest effect, which takes the most events; large effects are few failures, and for those the
 * sequential test is nearly as good. Over five laws of traffic, rate and season (`docs/adr/079-weights-of-final-looks.md`).
 */
const FINAL_WEIGHTS = [0.94, 0.04, 0.02] as const;
const EVIDENCE_MAX = 1e300;
const EFFECTS = EFFECT_MULTIPLES.length;
const DAY_HOURS = 24;

interface Bets {
  readonly up: Float64Array;
  readonly down: Float64Array;
}

export class LateRate {
  readonly #options: LateRateOptions;
  readonly #rate: number;
  readonly #size: number;
  readonly #late = new Float64Array(EFFECTS);
  readonly #today = new Float64Array(EFFECTS);
  #ended = 0;
  #hours = 0;
  #exposureToday = 0;
  readonly #bets = new Map<number, Bets>();
  #failures = 0;
  #exposure = 0;
  readonly #final: FinalLooks | undefined;
  #hasPassed = false;
  readonly #usual: Prior;
  readonly #raised: readonly Prior[];

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
    this.#final = this.#finalLooks();
    this.#usual = priorOf(this.#rate, this.#size);
    this.#raised = EFFECT_MULTIPLES.map((multiple) =>
      priorOf(raisedRate(this.#rate, minimumEffect * multiple), this.#size),
    );
  }

  #finalLooks(): FinalLooks | undefined {
    const { level, minimumEffect } = this.#options;
    if (level === undefined) return undefined;
    const effects = FINAL_WEIGHTS.map((weight, j) => ({
      rate: raisedRate(this.#rate, minimumEffect * EFFECT_MULTIPLES[j]!),
      level: level * FINAL_PART * weight,
      lineLevel: level * (1 - FINAL_PART) * FIRST_PART * EFFECT_WEIGHTS[j]!,
    }));
    return new FinalLooks({ rate: this.#rate, size: this.#size, effects });
  }

  /** One hour. `factor`: how much of the baseline's rate belongs to this time of day. */
  observe(failures: number, events: number, factor = 1): void {
    const { dispersion } = this.#options;
    const { up, down } = this.#betsAt(factor);
    const successes = events - failures;
    // An event at a time of day with twice the failures counts as two.
    this.#failures += failures;
    this.#exposure += Math.max(failures, events * factor);
    if (this.#final?.look(this.#failures / dispersion, this.#exposure / dispersion) === true)
      this.#hasPassed = true;
    this.#beginDay();
    this.#exposureToday += Math.max(failures, events * factor);
    const doubtAfter = (exposure: number) => dispersion * (1 + exposure / dispersion / this.#size);
    const [doubt, doubtToday] = [doubtAfter(this.#exposure), doubtAfter(this.#exposureToday)];
    for (let j = 0; j < EFFECTS; j++) {
      const log = failures * up[j]! + successes * down[j]!;
      const grown = (evidence: number, by: number) =>
        Math.min(EVIDENCE_MAX, (evidence + EFFECT_WEIGHTS[j]!) * Math.exp(Math.min(log / by, 600)));
      this.#late[j] = grown(this.#late[j]!, doubt);
      this.#today[j] = grown(this.#today[j]!, doubtToday);
    }
  }

  /** Tests of the day before stay where they ended. */
  #beginDay(): void {
    if (this.#hours > 0 && this.#hours % DAY_HOURS === 0) {
      for (let j = 0; j < EFFECTS; j++) this.#ended += this.#today[j]!;
      this.#today.fill(0);
      this.#exposureToday = 0;
    }
    this.#hours += 1;
  }

  /** What a failure and a success add for each effect. There are few times of day, and many hours. */
  #betsAt(factor: number): Bets {
    // Whole numbers are found fast, and a ten-thousandth makes no difference.
    const key = Math.round(factor * 1e4);
    const known = this.#bets.get(key);
    if (known !== undefined) return known;
    const base = Math.min(0.999, this.#rate * factor);
    const raised = EFFECT_MULTIPLES.map((multiple) =>
      raisedRate(base, this.#options.minimumEffect * multiple),
    );
    const bets = {
      up: Float64Array.from(raised, (rate) => Math.log(rate / base)),
      down: Float64Array.from(raised, (rate) => Math.log((1 - rate) / (1 - base))),
    };
    this.#bets.set(key, bets);
    return bets;
  }

  /** 1/alpha is what it must reach. */
  evidence(): number {
    let late = this.#ended / 2;
    for (let j = 0; j < EFFECTS; j++) late += (this.#late[j]! + this.#today[j]!) / 2;
    const sequential =
      FIRST_PART * this.#fromTheStart() + ((1 - FIRST_PART) * late) / this.#options.hours;
    const evidence =
      this.#final === undefined
        ? sequential
        : (1 - FINAL_PART) * sequential + (this.#hasPassed ? 1 / this.#options.level! : 0);
    return Math.min(evidence, EVIDENCE_MAX);
  }

  #fromTheStart(): number {
    const { dispersion } = this.#options;
    const failures = this.#failures / dispersion;
    const successes = Math.max(0, this.#exposure / dispersion - failures);
    const predicted = ({ bad, good, logs }: Prior) =>
      logGamma(bad + failures) + logGamma(good + successes) - logs;
    const base = predicted(this.#usual);
    const logs = Float64Array.from(
      this.#raised,
      (prior, j) => Math.log(EFFECT_WEIGHTS[j]!) + predicted(prior) - base,
    );
    return Math.exp(Math.min(logSum(logs), 690));
  }
}

/** A rate as a Beta distribution, with the logarithms that every look needs. */
interface Prior {
  readonly bad: number;
  readonly good: number;
  readonly logs: number;
}

function priorOf(rate: number, size: number): Prior {
  const [bad, good] = [rate * size, (1 - rate) * size];
  return { bad, good, logs: logGamma(bad) + logGamma(good) };
}

/** A raised rate stays below 1, at most half-way from the baseline to it. */
function raisedRate(rate: number, effect: number): number {
  return Math.min(rate * (1 + effect), 0.5 + rate / 2);
}
