import { describe, expect, it } from 'vitest';
import type { CallHours, Signs } from '../facts/index.ts';
import { expectationOf, predictedTimes } from './expectation.ts';
import { judge } from './judge.ts';
import type { Baseline, SeriesName, SeriesObserved } from './types.ts';
import { DAY, HOUR, MINUTE } from './watches.test-support.ts';

const START_MS = 20 * DAY;
const FEWER: Signs = {
  failures: 'less',
  latency: 'less',
  calls: 'less',
  tries: { before: 9, after: 2 },
};

/** Well for two days, then on its knees for `illHours`: a call is given up after `limitMs` and tried again. */
function storm({ illHours = 5, limitMs = 120_000, failing = 0.9, speed = 1 } = {}): CallHours[] {
  const hours = Array.from({ length: 48 }, (_, at) => {
    const isIll = at >= 48 - illHours;
    const calls = (isIll ? 650 : 100) * speed;
    const failed = Math.round(isIll ? calls * failing : 0);
    const latencyWellMs = ((calls - failed) * (isIll ? 60_000 : 24_000)) / speed;
    return {
      atMs: START_MS - (48 - at) * HOUR,
      calls,
      failed,
      timed: calls,
      latencySumMs: latencyWellMs + (failed * limitMs) / speed,
      timedWell: calls - failed,
      latencyWellMs,
      tokens: 0,
      costUsd: 0,
    };
  });
  return [{ agent: 'a', tool: 't', hours }];
}

const place = { agent: 'a', tool: 't' };
const settlingOf = (calls: readonly CallHours[], signs = FEWER, longestMs = 6 * HOUR) =>
  expectationOf(signs, { place, calls, startedAtMs: START_MS, longestMs }).settling;

describe('what a change is expected to do', () => {
  it('says for fewer tries how many more tasks are lost, and until when', () => {
    const { untilMs, tasks } = settlingOf(storm())!;
    // Nine tries of two minutes go on for 18; then a few rounds of two tries.
    expect(untilMs - START_MS).toBeGreaterThan(20 * MINUTE);
    expect(untilMs - START_MS).toBeLessThan(60 * MINUTE);
    expect(tasks).toBeGreaterThan(4);
    expect(tasks).toBeLessThan(12);
  });

  it('is ten times shorter in a world ten times faster', () => {
    const slow = settlingOf(storm())!.untilMs - START_MS;
    const fast = settlingOf(storm({ speed: 10 }))!.untilMs - START_MS;
    expect(fast / slow).toBeCloseTo(0.1, 2);
  });

  it('waits no longer than it may, however long calls take', () => {
    expect(settlingOf(storm({ limitMs: HOUR }))!.untilMs).toBe(START_MS + 6 * HOUR);
  });

  it('excuses nothing where tries are added, nothing was measured, or a limit is moved', () => {
    expect(settlingOf(storm(), { ...FEWER, tries: { before: 2, after: 9 } })).toBeUndefined();
    expect(settlingOf([])).toBeUndefined();
    expect(settlingOf(storm({ failing: 0 }))).toBeUndefined();
    const { tries: _, ...longer } = FEWER;
    expect(settlingOf(storm(), longer)).toBeUndefined();
  });
});

const SHORTER: Signs = { failures: 'less', latency: 'less', latencyTimes: 0.25, calls: 'same' };

describe('a shorter wait', () => {
  const settling = (more: { longestCallMs?: number; longestMs?: number }) =>
    expectationOf(SHORTER, {
      ...{ place, calls: [], startedAtMs: START_MS, longestMs: 6 * HOUR },
      ...more,
    }).settling;

  it('gives up what was begun before and what is begun now, until the first is over', () => {
    const expected = { untilMs: START_MS + 7.5 * MINUTE, tasks: 2, calls: 2 };
    expect(settling({ longestCallMs: 6 * MINUTE })).toEqual(expected);
    expect(settling({ longestCallMs: 60 * HOUR })?.untilMs).toBe(START_MS + 6 * HOUR);
    expect(settling({})).toBeUndefined();
  });

  it('is a beginning for its own calls and tasks, and for nobody else who shares the tool', () => {
    const hours = [{ bad: 60, all: 600 }];
    const own = { metric: 'error_rate', agent: 'a' } as const;
    const others = { ...own, agent: 'b', tool: 't' };
    const series = [own, { ...own, tool: 't' }, others].map((name) => ({ ...name, hours }));
    const expected = { signs: SHORTER, settling: settling({ longestCallMs: 6 * MINUTE }) };
    const times = (name: SeriesName, atMs = START_MS + MINUTE) =>
      predictedTimes({ expected, series }, name)(atMs);
    expect([times(own), times({ ...own, tool: 't' }), times(others)]).toEqual([2, 2, 1]);
    expect(times(own, START_MS + 8 * MINUTE)).toBe(1);
    expect(times({ metric: 'correction_rate', agent: 'a' })).toBe(2);
  });
});

const LIMITS = {
  alpha: 0.05,
  errorRate: 0.25,
  otherMetrics: 0.1,
  duration: DAY,
  fast: HOUR,
  fastInterval: MINUTE,
  interval: 5 * MINUTE,
};

/** A tenth of the sessions fails before; since then `share` of them. */
function judged(share: (minute: number) => number, expected: Baseline['expected']) {
  const name = { metric: 'task_failure_rate', agent: 'a' } as const;
  const hours = Array.from({ length: 24 }, () => ({ bad: 60, all: 600 }));
  const bins = Array.from({ length: 180 }, (_, minute) => ({
    atMs: START_MS + (minute + 1) * MINUTE,
    bad: Math.round(10 * share(minute)),
    all: 10,
  }));
  const baseline: Baseline = { startedAtMs: START_MS, series: [{ ...name, hours }], expected };
  const observed: SeriesObserved[] = [{ ...name, bins }];
  const finding = judge(baseline, observed, LIMITS).worst?.finding;
  return finding === undefined ? undefined : (finding.foundAtMs - START_MS) / MINUTE;
}

describe('a watch judges by what was expected', () => {
  const signs = FEWER;
  const expected = { signs, settling: { untilMs: START_MS + 45 * MINUTE, tasks: 6 } };

  it('takes tasks that fail as predicted, until the tool has recovered, for no harm', () => {
    const recovers = (minute: number) => (minute < 40 ? 0.5 : 0.1);
    expect(judged(recovers, undefined)).toBeLessThan(20);
    expect(judged(recovers, expected)).toBeUndefined();
  });

  it('finds harm beyond what was predicted', () => {
    expect(judged(() => 1, expected)).toBeLessThan(45);
  });

  it('finds harm that outlives the settling', () => {
    const found = judged(() => 0.5, expected)!;
    expect(found).toBeGreaterThan(45);
    expect(found).toBeLessThan(80);
  });
});
