/** Whose harm it is, over simulated fleets: the agent of the change (`search`) and all the others. */
import { describe, expect, test } from 'vitest';
import { type Random, seededRandom } from '../base/index.ts';
import type { RateBin, RateMetric } from '../facts/index.ts';
import { type Answer, answerTo, type OtherWatch } from './answer.ts';
import { hoursOf } from './groups.ts';
import type { Baseline, SeriesBaseline, SeriesObserved } from './index.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 2, 3, 10, 17);

const LIMITS = {
  alpha: 0.05,
  errorRate: 0.25,
  otherMetrics: 0.1,
  duration: DAY,
  fast: HOUR,
  fastInterval: MINUTE,
  interval: 5 * MINUTE,
  hold: HOUR,
};

/** The rate at a time since the deployment, in hours. */
type Rate = (hour: number) => number;

interface Fleet {
  /** Tasks of `search` that fail; those of the others stay as they are. */
  readonly tasks?: Rate;
  readonly search: Rate;
  readonly others: Rate;
  readonly perMinute?: number;
  readonly othersPerMinute?: number;
}

function bins(
  random: Random,
  rate: Rate,
  { fromMs, toMs, perMinute }: { fromMs: number; toMs: number; perMinute: number },
): RateBin[] {
  const made: RateBin[] = [];
  for (let atMs = fromMs; atMs < toMs; atMs += MINUTE) {
    const all = Math.floor(perMinute) + (random.next() < perMinute % 1 ? 1 : 0);
    let bad = 0;
    for (let event = 0; event < all; event++)
      if (random.next() < rate((atMs - START) / HOUR)) bad++;
    made.push({ atMs, bad, all });
  }
  return made;
}

const both = (one: readonly RateBin[], other: readonly RateBin[]) =>
  one.map(({ atMs, bad, all }, at) => ({
    atMs,
    bad: bad + other[at]!.bad,
    all: all + other[at]!.all,
  }));

class Simulated {
  readonly #baseline: Baseline;
  readonly #observed: readonly SeriesObserved[];

  constructor(seed: number, fleet: Fleet) {
    const { search, others, tasks, perMinute = 6, othersPerMinute = 6 } = fleet;
    const random = seededRandom(seed);
    const window = { fromMs: START - DAY, toMs: START };
    const series: SeriesBaseline[] = [];
    const observed: SeriesObserved[] = [];
    const add = (metric: RateMetric, own: Rate, rest: Rate) => {
      const make = (fromMs: number, toMs: number) => {
        const made = bins(random, own, { fromMs, toMs, perMinute });
        const theirs = bins(random, rest, { fromMs, toMs, perMinute: othersPerMinute });
        return { search: made, all: both(made, theirs) };
      };
      const [before, since] = [make(window.fromMs, START), make(START + MINUTE, START + 3 * DAY)];
      series.push({ metric, agent: null, hours: hoursOf(before.all, window) });
      series.push({ metric, agent: 'search', hours: hoursOf(before.search, window) });
      observed.push({ metric, agent: null, bins: since.all });
      observed.push({ metric, agent: 'search', bins: since.search });
    };
    add('error_rate', search, others);
    if (tasks !== undefined) add('task_failure_rate', tasks, steady);
    this.#baseline = { startedAtMs: START, series };
    this.#observed = observed;
  }

  /** What is answered at one hour, with these other changes about. */
  at(hour: number, others: readonly OtherWatch[] = []): Answer {
    const nowMs = START + hour * HOUR;
    const observed = this.#observed.map((series) => ({
      ...series,
      bins: series.bins.filter(({ atMs }) => atMs < nowMs),
    }));
    const watch = { proposalId: 'p_1', startedAtMs: START };
    return answerTo({ baseline: this.#baseline, observed, watch, others, limits: LIMITS, nowMs });
  }

  /** The first answer of this kind, looked for at these times, and the hour. */
  first(say: Answer['say'], others: readonly OtherWatch[] = [], times = looks(8)) {
    for (const hour of times) {
      const answer = this.at(hour, others);
      if (answer.say === say) return { answer, hour };
    }
    return undefined;
  }
}

/** Every five minutes of the hours in which something happens, then every four hours. */
function looks(until: number, again?: number): number[] {
  const times = [0.5, 1, 2];
  for (let hour = 4.9; hour < 9.7; hour += 1 / 12) times.push(hour);
  for (let hour = 10; hour <= until; hour += 4) times.push(hour);
  for (let hour = again ?? 0; again !== undefined && hour < again + 1; hour += 1 / 12)
    times.push(hour);
  return times;
}

const steady: Rate = () => 0.04;
const between =
  (from: number, to: number, rate: number): Rate =>
  (hour) =>
    hour >= from && hour < to ? rate : 0.04;
const worseSeen = (found: ReturnType<Simulated['first']>) => {
  if (found?.answer.say !== 'worse') return undefined;
  const { harm, blame } = found.answer;
  return { cause: harm.cause, blame, hour: found.hour };
};
const newer = (hour: number, more: Partial<OtherWatch> = {}): OtherWatch => ({
  proposalId: 'p_2',
  startedAtMs: START + hour * HOUR,
  isWatched: true,
  isAtTarget: true,
  calledBackAtMs: null,
  ...more,
});
const SEEDS = Array.from({ length: 6 }, (_, at) => at + 1);

describe('harm to the agent that was changed', () => {
  test('is the change’s own when the others are as they were, and answered for at once', () => {
    const answers = SEEDS.map((seed) =>
      worseSeen(
        new Simulated(seed, { search: between(5, 99, 0.3), others: steady }).first('worse'),
      ),
    );
    for (const one of answers) expect(one?.hour).toBeLessThan(5.5);
    expect(answers.filter((one) => one?.blame === 'own').length).toBeGreaterThanOrEqual(5);
  });

  test('whether or not another change came later', () => {
    const simulated = new Simulated(3, { search: between(5, 99, 0.3), others: steady });
    expect(worseSeen(simulated.first('worse', [newer(4.9)]))).toMatchObject({ blame: 'own' });
  });

  test('of an agent that is alone in the fleet is its own', () => {
    const alone = { search: between(5, 99, 0.3), others: steady, othersPerMinute: 0 };
    expect(worseSeen(new Simulated(1, alone).first('worse'))).toMatchObject({ blame: 'own' });
  });

  test('that others have a little of is taken back at once, in doubt', () => {
    const some = { search: between(5, 99, 0.8), others: between(5, 99, 0.2), othersPerMinute: 20 };
    const seen = worseSeen(new Simulated(2, some).first('worse'));
    expect(seen).toMatchObject({ cause: 'unclear', blame: 'doubt' });
    expect(seen!.hour).toBeLessThan(5.5);
  });

  test('that begins when the others have been worse for long is not theirs', () => {
    const fleet = { search: between(9.1, 99, 0.4), others: between(8.5, 99, 0.4) };
    const seen = worseSeen(new Simulated(4, fleet).first('worse', [newer(1)]));
    expect(seen).toMatchObject({ cause: 'unclear', blame: 'doubt' });
    expect(seen!.hour).toBeGreaterThan(9.1);
    expect(seen!.hour).toBeLessThan(9.5);
  });

  test('and to all right after the deployment is taken back at once, in doubt', () => {
    for (const seed of SEEDS) {
      const all = between(0, 99, 0.4);
      const seen = worseSeen(new Simulated(seed, { search: all, others: all }).first('worse'));
      expect(seen).toMatchObject({ blame: 'doubt' });
      expect(seen!.hour).toBeLessThan(1);
    }
  });
});

describe('an outage, by its looks', () => {
  const outage = (from: number, to: number, rate = 0.4): Fleet => ({
    search: between(from, to, rate),
    others: between(from, to, rate),
  });

  test('is waited out, and what comes after it is judged without it', () => {
    for (const seed of SEEDS) {
      const simulated = new Simulated(seed, outage(5, 5.7));
      expect(simulated.first('held')?.hour).toBeLessThan(5.5);
      expect(worseSeen(simulated.first('worse', [], looks(48)))).toBeUndefined();
      const end = simulated.at(48);
      expect(end.say).toBe('fine');
      // About three hours of 48 are gone, no more.
      const { observed } = end.judged.readings[0]!;
      expect(observed.all).toBeGreaterThan(12 * 60 * 44);
    }
  });

  test('and what begins in the agent with it is waited out with it; what goes on is its own', () => {
    const through = { ...outage(5, 5.6), tasks: between(5, 5.6, 0.2) };
    const seen = new Simulated(2, through);
    expect(seen.first('held')?.hour).toBeLessThan(5.5);
    expect(worseSeen(seen.first('worse', [], looks(24)))).toBeUndefined();
    const on = new Simulated(2, { ...outage(5, 5.6), tasks: between(5, 99, 0.2) });
    const worse = worseSeen(on.first('worse'));
    expect(worse).toMatchObject({ blame: 'own' });
    expect(worse!.hour).toBeGreaterThan(5.6);
    expect(worse!.hour).toBeLessThan(6.5);
  });

  test('that passed while nobody looked is no harm of the change', () => {
    expect(new Simulated(1, outage(5, 8)).at(20).say).toBe('fine');
  });

  test('that does not pass takes the newest change back after the hold, in doubt', () => {
    for (const seed of SEEDS) {
      const seen = worseSeen(new Simulated(seed, outage(5, 99)).first('worse'));
      expect(seen).toMatchObject({ cause: 'shared', blame: 'doubt' });
      expect(seen!.hour).toBeGreaterThanOrEqual(5.7);
      expect(seen!.hour).toBeLessThan(6.5);
    }
  });

  test('that the others got over and the agent did not was none, or not all of it', () => {
    for (const seed of SEEDS) {
      const fleet = { search: between(5, 99, 0.4), others: between(5, 5.3, 0.4) };
      const seen = worseSeen(new Simulated(seed, fleet).first('worse'));
      expect(seen).toBeDefined();
      expect(seen!.hour).toBeLessThan(7);
    }
  });

  test('that comes back is answered for: a change may starve everybody once a day', () => {
    const twice: Rate = (hour) =>
      (hour >= 5 && hour < 5.7) || (hour >= 29 && hour < 29.7) ? 0.4 : 0.04;
    const seen = worseSeen(
      new Simulated(7, { search: twice, others: twice }).first('worse', [], looks(28, 29)),
    );
    expect(seen).toMatchObject({ blame: 'doubt' });
    expect(seen!.hour).toBeGreaterThan(29);
    expect(seen!.hour).toBeLessThan(29.5);
  });
});

describe('with several changes watched, harm has only one possible cause at a time', () => {
  const all = between(5, 99, 0.4);
  const harm: Fleet = { search: all, others: all };
  /** Somebody else’s agent alone. */
  const elsewhere: Fleet = { search: steady, others: between(5, 99, 0.4) };

  test('harm that is not in the agent is the newest change’s, in doubt', () => {
    for (const seed of SEEDS) {
      const seen = worseSeen(new Simulated(seed, elsewhere).first('worse'));
      expect(seen).toMatchObject({ cause: 'fleet', blame: 'doubt' });
      expect(seen!.hour).toBeLessThan(5.5);
    }
  });

  test('an older one waits for the newest, and for what comes of taking it back', () => {
    const simulated = new Simulated(5, elsewhere);
    expect(simulated.at(5.5, [newer(3)])).toMatchObject({ say: 'held' });
    // Called back at once: the older one sees for an hour whether it gets better.
    const called = newer(3, { calledBackAtMs: START + 5.3 * HOUR });
    expect(simulated.at(6.2, [called])).toMatchObject({ say: 'held' });
    expect(simulated.at(6.4, [called])).toMatchObject({ say: 'worse', blame: 'doubt' });
  });

  test('an outage takes back one change in an hour, the newest first', () => {
    const simulated = new Simulated(6, harm);
    const first = (others: OtherWatch[]) => worseSeen(simulated.first('worse', others))!.hour;
    expect(first([])).toBeLessThan(6.5);
    const older = first([newer(3)]);
    expect(older).toBeGreaterThan(6.6);
    expect(older).toBeLessThan(7.5);
    const afterCall = first([newer(3, { calledBackAtMs: START + 6.2 * HOUR })]);
    expect(afterCall).toBeGreaterThan(7.1);
    expect(afterCall).toBeLessThan(7.4);
  });

  test('what came after the harm began, or is no longer watched, is no suspect', () => {
    const simulated = new Simulated(8, elsewhere);
    for (const other of [newer(6), newer(3, { isWatched: false }), newer(-3)])
      expect(worseSeen(simulated.first('worse', [other]))!.hour).toBeLessThan(5.5);
  });

  test('when taking the newest one back helped, the older one stays', () => {
    const passing: Fleet = { search: steady, others: between(5, 5.6, 0.4) };
    const called = newer(3, { calledBackAtMs: START + 5.5 * HOUR, isWatched: false });
    const simulated = new Simulated(9, passing);
    expect(worseSeen(simulated.first('worse', [called], looks(24)))).toBeUndefined();
    expect(simulated.at(24, [called]).say).toBe('fine');
  });
});
