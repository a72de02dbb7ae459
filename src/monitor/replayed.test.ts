import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RateBin } from '../facts/index.ts';
import { Evidence } from './evidence.ts';
import type { Group } from './groups.ts';
import { type Baseline, judge, type Limits } from './index.ts';
import type { Readings } from './judge.ts';
import { Replay, type Step } from './replayed.ts';
import type { Finding, SeriesObserved } from './types.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2026, 2, 3, 10);
const ABOUT = {
  baseline: { bad: 30, all: 1000 },
  startedAtMs: START,
  plannedMs: 24 * HOUR,
  effect: 0.25,
};

/** Evidence of 20 is a finding; the rest of it does not matter here. */
const foundIn = (evidence: Evidence, groups: readonly Group[]) =>
  evidence.value() < 20
    ? undefined
    : ({ foundAtMs: groups.at(-1)!.atMs, evidence: evidence.value() } as Finding);

function anew(steps: readonly Step[]): Finding | undefined {
  const evidence = new Evidence(ABOUT);
  const groups: Group[] = [];
  for (const { group, factor } of steps) {
    groups.push(group);
    evidence.add(group, factor);
    const found = foundIn(evidence, groups);
    if (found !== undefined) return found;
  }
  return undefined;
}

const counts = fc.array(fc.record({ bad: fc.nat(3), all: fc.integer({ min: 3, max: 30 }) }), {
  minLength: 20,
  maxLength: 80,
});
const stepsOf = (some: readonly { readonly bad: number; readonly all: number }[]): Step[] =>
  some.map(({ bad, all }, at) => ({
    group: { atMs: START + at * 10 * MINUTE, lengthMs: 10 * MINUTE, bad, all },
    factor: 1,
  }));

test('a replay that grows, and one that differs from some time on, find what a fresh one finds', () => {
  fc.assert(
    fc.property(counts, counts, fc.nat(79), (some, others, at) => {
      const steps = stepsOf(some);
      const about = { about: ABOUT, evidenceNeeded: 20, times: 1 };
      for (const length of [at, at + 1, steps.length]) {
        const part = steps.slice(0, length);
        expect(new Replay(about, foundIn).on(part)).toEqual(anew(part));
      }
      const replay = new Replay(about, foundIn);
      replay.on(steps);
      const fork = stepsOf([...some.slice(0, at), ...others]);
      const fromMs = replay.backTo(fork[at]?.group.atMs ?? START);
      expect(replay.on(fork.filter(({ group }) => group.atMs >= fromMs))).toEqual(anew(fork));
    }),
    { numRuns: 60 },
  );
});

const LIMITS: Limits = {
  ...{ alpha: 0.05, errorRate: 0.25, otherMetrics: 0.1, duration: 24 * HOUR },
  ...{ fast: HOUR, fastInterval: MINUTE, interval: 5 * MINUTE },
};

test('without a stretch a series is judged as if it had never been read with it', () => {
  const hours = Array.from({ length: 24 }, () => ({ bad: 6, all: 200 }));
  const baseline: Baseline = {
    startedAtMs: START,
    series: [
      { metric: 'error_rate', agent: null, hours },
      { metric: 'task_failure_rate', agent: 'search', hours },
    ],
  };
  const minute = fc.record({ bad: fc.nat(2), all: fc.integer({ min: 2, max: 6 }) });
  fc.assert(
    fc.property(
      fc.array(minute, { minLength: 60, maxLength: 200 }),
      fc.nat(150),
      fc.nat(60),
      (drawn, from, length) => {
        const bins: RateBin[] = drawn.map((one, at) => ({
          ...one,
          atMs: START + (at + 1) * MINUTE,
          begun: 1,
        }));
        const [first, second] = baseline.series.map(
          ({ metric, agent }): SeriesObserved => ({ metric, agent, tool: undefined, bins }),
        ) as [SeriesObserved, SeriesObserved];
        const known: Readings = new Map();
        judge(baseline, [first, second], LIMITS, known);
        const left = [...bins.slice(0, from), ...bins.slice(from + length)];
        const without = [first, { ...second, bins: left }];
        expect(judge(baseline, without, LIMITS, known)).toEqual(judge(baseline, without, LIMITS));
      },
    ),
    { numRuns: 60 },
  );
});
