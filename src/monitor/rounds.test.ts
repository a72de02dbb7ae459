/** A look that begins from the look before says what one says that begins from nothing. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RateBin } from '../facts/index.ts';
import { answerTo, type Question } from './answer.ts';
import { judge, type Limits } from './judge.ts';
import { Rounds } from './rounds.ts';
import type { Baseline, SeriesName, SeriesObserved } from './types.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2026, 2, 3, 10);
const LIMITS: Limits & { readonly hold: number } = {
  ...{ alpha: 0.05, errorRate: 0.25, otherMetrics: 0.1, duration: 24 * HOUR, hold: HOUR },
  ...{ fast: HOUR, fastInterval: MINUTE, interval: 5 * MINUTE },
};
const NAMES: readonly SeriesName[] = [
  { metric: 'error_rate', agent: null },
  { metric: 'error_rate', agent: 'search' },
  { metric: 'task_failure_rate', agent: 'search' },
];
/** Of less than a day: in the hours that it does not reach, what is usual follows from the traffic. */
const BASELINE: Baseline = {
  startedAtMs: START,
  series: NAMES.map((name) => ({
    ...name,
    hours: Array.from({ length: 9 }, (_, at) => ({ bad: 4 + at, all: 180 + 20 * at, begun: 40 })),
  })),
};

type Minutes = readonly { readonly bad: number; readonly all: number }[];

const seen = (drawn: readonly Minutes[], length: number): SeriesObserved[] =>
  NAMES.map((name, at) => ({
    ...name,
    tool: undefined,
    bins: drawn[at]!.slice(0, length).map(
      ({ bad, all }, minute): RateBin => ({
        ...{ atMs: START + (minute + 1) * MINUTE, bad, all, begun: 1 + (minute % 2) },
      }),
    ),
  }));
const without = (observed: readonly SeriesObserved[], fromMs: number, toMs: number) =>
  observed.map((one) => ({
    ...one,
    bins: one.bins.filter(({ atMs }) => atMs < fromMs || atMs >= toMs),
  }));

const minutes = fc.array(
  fc.nat(2).map((bad) => ({ bad, all: 4 })),
  { minLength: 150, maxLength: 150 },
);
let keys = 0;

test('with more minutes, with minutes that came late, and without stretches that differ from look to look', () => {
  const look = fc.record({
    more: fc.integer({ min: 0, max: 20 }),
    late: fc.option(fc.nat(140), { freq: 3 }),
    left: fc.array(fc.tuple(fc.constantFrom(10, 40, 90), fc.constantFrom(5, 15)), { maxLength: 3 }),
  });
  fc.assert(
    fc.property(
      fc.tuple(minutes, minutes, minutes),
      fc.array(look, { minLength: 3, maxLength: 8 }),
      (drawn, looks) => {
        const counts = drawn.map((some) => [...some]);
        const key = `${keys++}`;
        let length = 60;
        for (const { more, late, left } of looks) {
          length += more;
          if (late !== null) counts[late % 3]![late] = { bad: 4, all: 5 };
          let observed = seen(counts, length);
          const rounds = new Rounds({ baseline: BASELINE, observed, limits: LIMITS }, key);
          expect(rounds.judged).toEqual(judge(BASELINE, observed, LIMITS));
          for (const [from, minutesLeft] of left) {
            const stretch = { fromMs: START + from * MINUTE, toMs: 0 };
            stretch.toMs = stretch.fromMs + minutesLeft * MINUTE;
            rounds.leaveOut(stretch);
            observed = without(observed, stretch.fromMs, stretch.toMs);
            expect(rounds.observed).toEqual(observed);
            expect(rounds.judged).toEqual(judge(BASELINE, observed, LIMITS));
          }
        }
      },
    ),
    { numRuns: 40 },
  );
});

/** Every few hours an outage that everybody has: it is left out, and the next one is found. */
function outages(length: number, late: readonly number[]): Minutes[] {
  const isIll = (minute: number) => minute % 200 > 120 && minute % 200 < 150;
  const fleet = Array.from({ length }, (_, minute) => ({
    bad: isIll(minute) || late.includes(minute) ? 9 : minute % 50 === 0 ? 1 : 0,
    all: 12,
  }));
  const own = fleet.map(({ bad }) => ({ bad: Math.floor(bad / 2), all: 6 }));
  return [fleet, own, own.map(() => ({ bad: 0, all: 3 }))];
}

test('outages are left out as they would be if nobody had looked before', () => {
  const before = ['search', 'clerk'].map((agent) => ({
    ...{ agent, tool: 'post' },
    hours: Array.from({ length: 9 }, () => ({ bad: 4, all: 120 })),
  }));
  const key = `${keys++}`;
  const said = new Set<string>();
  for (let length = 100; length < 700; length += 7) {
    const late = length < 400 ? [] : Array.from({ length: 9 }, (_, at) => 150 + at);
    const observed = seen(outages(length, late), length);
    // Late telemetry of tools alone: it was the agent that was changed, after all.
    const calledBy = (agent: string, observed: readonly SeriesObserved[]) =>
      observed[1]!.bins.map((bin) =>
        length < 640 || agent === 'search' ? bin : { ...bin, bad: 0 },
      );
    const question: Question = {
      ...{ baseline: BASELINE, observed, limits: LIMITS },
      watch: { proposalId: 'p_1', startedAtMs: START },
      others: [],
      // At a tool that the change is not about: it is waited out as often as it comes.
      calls: {
        ...{ changed: 'search', before },
        since: before.map(({ agent, tool }) => ({ agent, tool, bins: calledBy(agent, observed) })),
      },
      nowMs: START + (length + 1) * MINUTE,
    };
    const answer = answerTo(question, new Rounds(question, key));
    expect(answer).toEqual(answerTo(question));
    said.add(answer.say);
    const left = observed[0]!.bins.length - answer.observed[0]!.bins.length;
    if (left > 60) said.add('several left out');
  }
  expect(said).toContain('held');
  expect(said).toContain('worse');
  expect(said).toContain('several left out');
});
