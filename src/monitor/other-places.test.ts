/** What a watch says of trouble at places that its change is not about, by counts of every place. */
import { expect, test } from 'vitest';
import type { RateBin, RateMetric } from '../facts/index.ts';
import { answerTo } from './answer.ts';
import type { Baseline, Count, SeriesObserved } from './types.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2026, 2, 3, 10);
const LIMITS = {
  ...{ alpha: 0.05, errorRate: 0.25, otherMetrics: 0.1, duration: 24 * HOUR, hold: HOUR },
  ...{ fast: HOUR, fastInterval: MINUTE, interval: 5 * MINUTE },
};

interface Told {
  readonly agent: string;
  readonly tool: string;
  /** Of an hour of the day before. */
  readonly before: Count;
  /** Of the minutes since the deployment. */
  minute(at: number): Count;
}

/** The change is about `search`, which `planner` calls. */
function said(
  places: readonly Told[],
  hours: number,
  metrics: readonly RateMetric[] = ['error_rate'],
) {
  const sums = (of: readonly Count[]) => ({
    bad: of.reduce((total, { bad }) => total + bad, 0),
    all: of.reduce((total, { all }) => total + all, 0),
  });
  const day = (some: readonly Told[]) =>
    Array.from({ length: 24 }, () => sums(some.map(({ before }) => before)));
  const minutes = (some: readonly Told[]): RateBin[] =>
    Array.from({ length: hours * 60 }, (_, at) => ({
      atMs: START + at * MINUTE,
      ...sums(some.map((one) => one.minute(at))),
    }));
  const own = places.filter(({ agent }) => agent === 'planner');
  const baseline: Baseline = {
    startedAtMs: START,
    series: metrics.flatMap((metric) => [
      { metric, agent: null, hours: day(places) },
      { metric, agent: 'planner', hours: day(own) },
    ]),
  };
  const observed = metrics.flatMap((metric): SeriesObserved[] => [
    { metric, agent: null, bins: minutes(places) },
    { metric, agent: 'planner', bins: minutes(own) },
  ]);
  const named = places.map(({ agent, tool }) => ({ agent, tool }));
  const calls = {
    changed: 'search',
    before: places.map((one, at) => ({ ...named[at]!, hours: day([one]) })),
    since: places.map((one, at) => ({ ...named[at]!, bins: minutes([one]) })),
  };
  const watch = { proposalId: 'p_1', startedAtMs: START };
  const nowMs = START + hours * HOUR;
  return answerTo({ baseline, observed, calls, watch, others: [], limits: LIMITS, nowMs });
}

const well: Told = {
  ...{ agent: 'planner', tool: 'search', before: { bad: 3, all: 60 } },
  minute: (at) => ({ bad: at % 20 === 0 ? 1 : 0, all: 1 }),
};

test('what comes and goes for others for days is not the change’s doing at the sixtieth time', () => {
  const post: Told = {
    ...{ agent: 'clerk', tool: 'post', before: { bad: 1, all: 60 } },
    minute: (at) => ({ bad: at > 300 && at % 60 < 25 ? 1 : 0, all: 1 }),
  };
  expect(said([well, post], 6).say).not.toBe('worse');
  expect(said([well, post], 75).say).toBe('fine');
  // Tasks fail at no place, so that none leaves them.
  expect(said([well, post], 75, ['task_failure_rate']).say).toBe('held');
  // What the change does itself is found all the same.
  const hurt = { ...well, minute: (at: number) => ({ bad: at > 4000 ? 1 : 0, all: 1 }) };
  expect(said([hurt, post], 68)).toMatchObject({ say: 'worse', blame: 'own' });
});

test('more calls of what fails anyway are no harm, and nor is what more of them bring', () => {
  const always = (perMinute: number): Told => ({
    ...{ agent: 'clerk', tool: 'post', before: { bad: 5, all: 10 } },
    minute: (at) =>
      at < 60
        ? { bad: at % 12 === 0 ? 1 : 0, all: at % 6 === 0 ? 1 : 0 }
        : { bad: perMinute / 2, all: perMinute },
  });
  expect(said([well, always(2)], 4).say).toBe('fine');
  // And nor are the tasks that fail because of them.
  const both = ['error_rate', 'task_failure_rate'] as const;
  expect(said([well, always(2)], 4, both).say).toBe('fine');
  expect(said([well, always(2)], 4, ['task_failure_rate']).say).toBe('worse');
  // Where they fail more than they did, it is.
  const usual = always(2).minute;
  const worse = {
    ...always(2),
    minute: (at: number) => (at < 60 ? usual(at) : { bad: 2, all: 2 }),
  };
  expect(said([well, worse], 4)).toMatchObject({ say: 'held', harm: { cause: 'elsewhere' } });
  // That of the changed agent is asked by its own calls.
  expect(said([well, { ...always(20), agent: 'planner' }], 4)).toMatchObject({ say: 'worse' });
});
