import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RateBin } from '../facts/index.ts';
import { Evidence } from './evidence.ts';
import type { Group } from './groups.ts';
import { type Baseline, judge, type Limits } from './index.ts';
import { Replay, type Step, treesForgotten } from './replayed.ts';
import { Rounds } from './rounds.ts';
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
const foundIn = (evidence: Evidence, groups: () => readonly Group[]) =>
  evidence.value() < 20
    ? undefined
    : ({ foundAtMs: groups().at(-1)!.atMs, evidence: evidence.value() } as Finding);

function anew(steps: readonly Step[]): Finding | undefined {
  const evidence = new Evidence(ABOUT);
  const groups: Group[] = [];
  for (const { group, factor } of steps) {
    groups.push(group);
    evidence.add(group, factor);
    const found = foundIn(evidence, () => groups);
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
        const rounds = new Rounds({ baseline, observed: [first, second], limits: LIMITS });
        const fromMs = START + (from + 1) * MINUTE;
        rounds.leaveOut({ fromMs, toMs: fromMs + length * MINUTE });
        const left = [...bins.slice(0, from), ...bins.slice(from + length)];
        const without = [first, second].map((one) => ({ ...one, bins: left }));
        expect(rounds.judged).toEqual(judge(baseline, without, LIMITS));
      },
    ),
    { numRuns: 60 },
  );
});

test('what is forgotten, because there is too much, is let go and worked out again', () => {
  const steps = Array.from({ length: 15_000 }, (_, at) => ({
    group: { atMs: START + at, lengthMs: 1, bad: at % 9 === 0 ? 1 : 0, all: 1 },
    factor: 1,
  }));
  const never = () => undefined;
  const last = steps.at(-1)!.group.atMs;
  const about = (times: number) => ({ about: ABOUT, evidenceNeeded: 20, times });
  const first = new Replay(about(1), never);
  first.on(steps);
  expect(first.isKept).toBe(true);
  const before = treesForgotten();
  for (let times = 2; times < 9; times++) new Replay(about(times), never).on(steps);
  expect(treesForgotten()).toBeGreaterThan(before);
  expect(first.isKept).toBe(false);
  const held = first.copy();
  held.release();
  // The one still knows its last group; the other holds none.
  expect([first.backTo(last + 5), held.backTo(last + 5)]).toEqual([last, last + 5]);
  const seen: number[] = [];
  const again = new Replay(about(1), (evidence) => void seen.push(evidence.value()));
  again.on(steps.slice(0, 20));
  expect(seen).toHaveLength(20);
});
