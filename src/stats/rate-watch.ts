/**
 * Watches a rate of failures against a baseline and may be looked at after every event: the chance
 * that it ever says `worse` while the rate is not above the baseline's is at most `alpha`, however
 * often and however long one looks.
 *
 * It is a likelihood ratio (an e-process): a mixture of worsened rates, most of its weight on the
 * smallest worsening worth knowing, against the baseline. Under the baseline it is a non-negative
 * martingale that starts at 1, so by Ville's inequality it passes 1/alpha with probability at most
 * alpha; below the baseline it only shrinks.
 *
 * A baseline that was itself counted is not known exactly. Its failures and events then enter both
 * sides as a Beta distribution with Jeffreys' prior, and the ratio is that of the predictions. This
 * is exact in the normal limit (the ratio depends only on the difference from the baseline, whose law
 * does not depend on the unknown rate) and is checked by `score -- sequential` with the baseline drawn
 * anew for every stream. Rejected: the upper confidence limit of the baseline as if it were known, with
 * a fifth of alpha spent on it: valid too, but with a baseline of ten times the oracle's size it takes
 * 3.4 times the oracle's events in place of 1.7.
 */
import { EFFECT_MULTIPLES, EFFECT_WEIGHTS, logSum } from './effect-mixture.ts';
import { requireParameter } from './errors.ts';

export type Baseline =
  /** Known from elsewhere, such as a service level. */
  | { readonly rate: number }
  /** Counted before the change. */
  | { readonly failures: number; readonly events: number };

export interface RateWatchOptions {
  readonly baseline: Baseline;
  /** The smallest relative worsening worth knowing: 0.25 is a quarter more failures. */
  readonly minimumEffect?: number;
  readonly alpha?: number;
}

export interface RateStatus {
  readonly verdict: 'worse' | 'undecided';
  readonly events: number;
  readonly failures: number;
  /** Evidence for a worsening now; 20 is as good as one chance in twenty. */
  readonly eValue: number;
  /** Valid at any stopping time: the inverse of the greatest evidence seen so far, at most 1. */
  readonly pValue: number;
}

export class RateWatch {
  readonly #alpha: number;
  /** Beta parameters of the baseline; `#size` is infinite when its rate is known. */
  readonly #rate: number;
  readonly #size: number;
  /** The rates that are bet on: of failures, and of successes. */
  readonly #raised: Float64Array;
  readonly #lowered: Float64Array;
  /** What one failure and one success add to each logarithm when the baseline is known. */
  readonly #logUp: Float64Array;
  readonly #logDown: Float64Array;
  readonly #logs: Float64Array;
  #events = 0;
  #failures = 0;
  #logE = 0;
  #logEMax = 0;

  /** A new one, or a copy that has seen the same and goes on by itself. */
  constructor(options: RateWatchOptions | RateWatch) {
    if (options instanceof RateWatch) {
      this.#alpha = options.#alpha;
      this.#rate = options.#rate;
      this.#size = options.#size;
      // What is bet on stays as it is, and may be shared.
      this.#raised = options.#raised;
      this.#lowered = options.#lowered;
      this.#logUp = options.#logUp;
      this.#logDown = options.#logDown;
      this.#logs = options.#logs.slice();
      this.#events = options.#events;
      this.#failures = options.#failures;
      this.#logE = options.#logE;
      this.#logEMax = options.#logEMax;
      return;
    }
    const { baseline, minimumEffect = 0.25, alpha = 0.05 } = options;
    requireParameter(alpha > 0 && alpha < 1, 'alpha', 'between 0 and 1', alpha);
    requireParameter(
      minimumEffect > 0 && minimumEffect <= 100,
      'minimumEffect',
      'in (0, 100]',
      minimumEffect,
    );
    const { rate, size } = baselineBeta(baseline);
    this.#alpha = alpha;
    this.#rate = rate;
    this.#size = size;
    // A raised rate stays below 1, at most half-way from the baseline to it.
    this.#raised = Float64Array.from(EFFECT_MULTIPLES, (multiple) =>
      Math.min(rate * (1 + minimumEffect * multiple), 0.5 + rate / 2),
    );
    this.#lowered = this.#raised.map((raised) => 1 - raised);
    this.#logUp = this.#raised.map((raised) => Math.log(raised / rate));
    this.#logDown = this.#raised.map((raised) => Math.log((1 - raised) / (1 - rate)));
    this.#logs = Float64Array.from(EFFECT_WEIGHTS, Math.log);
  }

  /** A batch counts as its successes first; looks between them could only see less evidence. */
  observe(batch: { readonly failures: number; readonly successes: number }): RateStatus {
    requireCountable(batch.failures, 'failures');
    requireCountable(batch.successes, 'successes');
    this.addBatch(batch.failures, batch.successes);
    return this.status();
  }

  /** `observe` for whoever asks very often: without a status object, the evidence alone. */
  addBatch(failures: number, successes: number): number {
    this.#addSuccesses(successes);
    this.#addFailures(failures);
    this.#logE = logSum(this.#logs);
    if (this.#logE > this.#logEMax) this.#logEMax = this.#logE;
    return Math.exp(this.#logE);
  }

  /** One event, without making a status object; true once the watch has found a worsening. */
  push(failed: boolean): boolean {
    if (failed) this.#addFailures(1);
    else this.#addSuccesses(1);
    this.#logE = logSum(this.#logs);
    if (this.#logE > this.#logEMax) this.#logEMax = this.#logE;
    return this.#logEMax >= -Math.log(this.#alpha);
  }

  /** Many successes at once, as `push(false)` for each. */
  pushSuccesses(count: number): void {
    this.#addSuccesses(count);
  }

  status(): RateStatus {
    return {
      verdict: this.#logEMax >= -Math.log(this.#alpha) ? 'worse' : 'undecided',
      events: this.#events,
      failures: this.#failures,
      eValue: Math.exp(this.#logE),
      pValue: Math.min(1, Math.exp(-this.#logEMax)),
    };
  }

  #addFailures(count: number): void {
    this.#add(count, this.#failures, this.#rate, this.#raised, this.#logUp);
    this.#failures += count;
    this.#events += count;
  }

  #addSuccesses(count: number): void {
    const seen = this.#events - this.#failures;
    this.#add(count, seen, 1 - this.#rate, this.#lowered, this.#logDown);
    this.#events += count;
  }

  /** Events of one kind, of which `seen` came before: how likely each bet makes them, over the baseline. */
  #add(count: number, seen: number, usual: number, bets: Float64Array, known: Float64Array): void {
    if (count === 0) return;
    const logs = this.#logs;
    const size = this.#size;
    if (size === Infinity) {
      for (let j = 0; j < logs.length; j++) logs[j]! += count * known[j]!;
      return;
    }
    const base = usual * size + seen;
    // The baseline's own part is the same for all of them.
    const logBase = count <= SHORT ? 0 : logRising(base, count);
    for (let j = 0; j < logs.length; j++) {
      const from = bets[j]! * size + seen;
      logs[j]! +=
        count <= SHORT ? logShortRatio(from, base, count) : logRising(from, count) - logBase;
    }
  }
}

function baselineBeta(baseline: Baseline): { rate: number; size: number } {
  if ('rate' in baseline) {
    const { rate } = baseline;
    requireParameter(rate > 0 && rate < 1, 'baseline.rate', 'between 0 and 1', rate);
    return { rate, size: Infinity };
  }
  const { failures, events } = baseline;
  requireCountable(failures, 'baseline.failures');
  requireCountable(events, 'baseline.events');
  requireParameter(failures <= events, 'baseline.failures', 'at most baseline.events', failures);
  return { rate: (failures + 0.5) / (events + 1), size: events + 1 };
}

function requireCountable(count: number, name: string): void {
  requireParameter(Number.isSafeInteger(count) && count >= 0, name, 'a whole number from 0', count);
}

/** Up to this many factors are multiplied one by one. */
const SHORT = 8;

/** log of a(a+1)…(a+count-1) / b(b+1)…(b+count-1). */
function logShortRatio(a: number, b: number, count: number): number {
  let ratio = 1;
  for (let i = 0; i < count; i++) ratio *= (a + i) / (b + i);
  return Math.log(ratio);
}

/** log of x(x+1)…(x+count-1), by Stirling where x is large. */
function logRising(x: number, count: number): number {
  // log Γ(x+count) - log Γ(x) with the large parts combined first: they nearly cancel.
  let head = 0;
  let start = x;
  let rest = count;
  while (start < 20 && rest > 0) {
    head += Math.log(start);
    start += 1;
    rest -= 1;
  }
  if (rest === 0) return head;
  const end = start + rest;
  const main = (start - 0.5) * Math.log1p(rest / start) + rest * Math.log(end) - rest;
  return head + main + stirling(end) - stirling(start);
}

function stirling(x: number): number {
  const r = 1 / (x * x);
  return (1 / 12 - r * (1 / 360 - r * (1 / 1260 - r / 1680))) / x;
}
