/**
 * The evidence against a deployment in one series, at any time.
 *
 * Sequential tests (`RateWatch`) compare what comes with the baseline: one from the deployment on, and one
 * from the beginning of every later hour, for `LATE_HOURS`, because good hours before a late harm would
 * outweigh it in the first one for as long again. Their evidence is averaged with weights that add up to
 * 1: an average of e-processes is an e-process, so the chance that it ever passes 1/a is at most a. Three
 * quarters of the weight are the first test's. The later ones of the planned watch share an eighth, those
 * of an extension as long a sixteenth, and so on, so that the sum holds however often it is extended.
 *
 * The factors of the time of day (`season.ts`) come from the same baseline, each from a few hours of it. A
 * test therefore counts only a share of the baseline's events: a later one the hours that it looks at and
 * one on each side, the first one five eighths. With all of them up to 7 % of harmless watches were called;
 * so it is at most 4.8 %, over 25 kinds of fleets (10 to 3600 events an hour, rates of 0.5 to 30 %, swinging
 * by up to a half over the day, all of alpha in one series, 500 to 1000 watches each).
 */
import { RateWatch } from '../stats/index.ts';
import type { Group } from './groups.ts';
import type { Count } from './types.ts';

const HOUR_MS = 3_600_000;
const LATE_HOURS = 4;
const LATE_SHARE = (LATE_HOURS + 2) / 24;
const FIRST_SHARE = 5 / 8;

export interface EvidenceOptions {
  readonly baseline: Count;
  readonly startedAtMs: number;
  readonly plannedMs: number;
  /** The smallest relative worsening worth knowing. */
  readonly effect: number;
}

/** One of the tests, and what it has seen. */
export interface TestView {
  readonly fromMs: number;
  readonly observed: Count;
  /** Events, each by the factor of its time of day. */
  readonly exposure: number;
}

export class Evidence {
  readonly #options: EvidenceOptions;
  /** In the order in which they began. */
  #running: Test[] = [];
  #lastHour = -1;
  /** What those that are over came to. */
  #ended = { evidence: 0, weight: 0 };

  /** A new one, or a copy that has seen the same and goes on by itself. */
  constructor(options: EvidenceOptions | Evidence) {
    if (!(options instanceof Evidence)) {
      this.#options = options;
      return;
    }
    this.#options = options.#options;
    this.#running = options.#running.map((test) => test.copy());
    this.#lastHour = options.#lastHour;
    this.#ended = { ...options.#ended };
  }

  /** In the order of time. `factor` is how much of the baseline's rate belongs to this time of day. */
  add(group: Group, factor: number): void {
    const hour = Math.floor((group.atMs - this.#options.startedAtMs) / HOUR_MS);
    if (this.#lastHour < 0) this.#begin(0);
    if (hour > this.#lastHour) this.#begin(hour);
    if (this.#running.some(({ untilMs }) => group.atMs >= untilMs)) this.#end(group.atMs);
    for (const test of this.#running) test.add(group, factor);
  }

  /** Tests that have not begun are at 1; those that are over stay where they ended. */
  value(): number {
    let { evidence, weight } = this.#ended;
    for (const test of this.#running) {
      evidence += test.weight * test.evidence;
      weight += test.weight;
    }
    return evidence + (1 - weight);
  }

  /** Of those that go on. */
  strongest(): TestView {
    return this.#running.reduce((a, b) => (b.weight * b.evidence > a.weight * a.evidence ? b : a));
  }

  #begin(hour: number): void {
    this.#running.push(Test.at(hour, this.#options));
    this.#lastHour = hour;
  }

  #end(atMs: number): void {
    for (const { untilMs, weight, evidence } of this.#running)
      if (atMs >= untilMs) {
        this.#ended.evidence += weight * evidence;
        this.#ended.weight += weight;
      }
    this.#running = this.#running.filter(({ untilMs }) => atMs < untilMs);
  }
}

class Test implements TestView {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly weight: number;
  readonly #watch: RateWatch;
  #bad = 0;
  #all = 0;
  #fed = 0;
  exposure = 0;
  evidence = 1;

  constructor(when: Pick<Test, 'fromMs' | 'untilMs' | 'weight'>, watch: RateWatch) {
    this.fromMs = when.fromMs;
    this.untilMs = when.untilMs;
    this.weight = when.weight;
    this.#watch = watch;
  }

  static at(hour: number, { baseline, startedAtMs, plannedMs, effect }: EvidenceOptions): Test {
    const hours = Math.ceil(plannedMs / HOUR_MS);
    const fromMs = startedAtMs + hour * HOUR_MS;
    const untilMs = hour === 0 ? Number.POSITIVE_INFINITY : fromMs + LATE_HOURS * HOUR_MS;
    const weight = hour === 0 ? 3 / 4 : 2 ** -(Math.floor(hour / hours) + 3) / hours;
    const share = hour === 0 ? FIRST_SHARE : LATE_SHARE;
    const [failures, events] = [Math.round(baseline.bad * share), Math.ceil(baseline.all * share)];
    const watch = new RateWatch({ baseline: { failures, events }, minimumEffect: effect });
    return new Test({ fromMs, untilMs, weight }, watch);
  }

  copy(): Test {
    const copy = new Test(this, new RateWatch(this.#watch));
    copy.#bad = this.#bad;
    copy.#all = this.#all;
    copy.#fed = this.#fed;
    copy.exposure = this.exposure;
    copy.evidence = this.evidence;
    return copy;
  }

  get observed(): Count {
    return { bad: this.#bad, all: this.#all };
  }

  add({ bad, all }: Group, factor: number): void {
    this.#bad += bad;
    this.#all += all;
    this.exposure += all * factor;
    // Whole events only; what is left over counts with the next ones.
    const successes = Math.max(0, Math.round(this.exposure) - this.#fed - bad);
    this.#fed += successes + bad;
    this.evidence = this.#watch.addBatch(bad, successes);
  }
}
