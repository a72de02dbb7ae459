import { expect, test } from 'vitest';
import type { FailureGroup, PlaceBin } from '../facts/index.ts';
import { rootCauseOf } from './causes.ts';
import {
  COMMIT,
  group,
  latencies,
  RESEARCHER,
  settingsOf,
  WINDOW,
} from './failures.test-support.ts';
import { mergeAlike } from './identity.ts';
import type { Evidence } from './types.ts';

const HOUR_MS = 3_600_000;

/** Two days, hour by hour: how many of 100 calls fail in it. */
const history = (bad: (hour: number) => number): PlaceBin[] =>
  Array.from({ length: 48 }, (_, hour) => ({
    ...{ atMs: WINDOW.toMs - (48 - hour) * HOUR_MS, bad: bad(hour), all: 100 },
    ...{ timed: 0, timedMs: 0, toolCalls: 100, othersCalls: 0, othersFailed: 0 },
  }));

const EVEN = history(() => 10);

function causeOf(
  groups: readonly Partial<FailureGroup>[],
  files: Readonly<Record<string, string>> = { 'agents/researcher.yaml': RESEARCHER },
) {
  const all = mergeAlike(groups.map((one) => group(one)));
  const evidence: Evidence = {
    ...{ window: WINDOW, all, commit: COMMIT, commits: [], failureShare: 0.02 },
    settings: Object.entries(files).flatMap(([file, text]) => settingsOf(file, text)),
  };
  const failure = all.find(({ agent }) => agent === (groups[0]!.agent ?? 'researcher'))!;
  return rootCauseOf(failure, evidence);
}

test('a time limit that nothing comes near is hardly to blame, and says why', () => {
  const met = causeOf([{ history: EVEN }]);
  expect(met).toMatchObject({ layer: 'settings' });
  expect(met.confidence).toBeGreaterThan(0.8);
  const apart = causeOf([{ history: EVEN, succeededLatency: latencies([20, 2000], [40, 1908]) }]);
  expect(apart.confidence).toBeLessThan(0.3);
  expect(apart.considered[0]!.against.join(' ')).toContain('of another kind');
});

test('a copy of a file makes a cause no less likely: one of both is read', () => {
  const own = { 'agents/researcher.yaml': RESEARCHER };
  const alone = causeOf([{ history: EVEN }], own);
  const twice = causeOf([{ history: EVEN }], { ...own, 'backup/researcher.yaml': RESEARCHER });
  expect(twice.confidence).toBe(alone.confidence);
  expect(twice).toMatchObject({
    subject: { file: 'agents/researcher.yaml' },
    alternatives: [{ file: 'backup/researcher.yaml' }],
  });
});

test('few successes near a limit speak for it, and few far from it say nothing', () => {
  const tailOf = (...durations: [number, number][]) =>
    causeOf([
      { history: EVEN, failures: 112, calls: 130, succeededLatency: latencies(...durations) },
    ]).weighed.find(({ by }) => by === 'setting-limit')!.clues.tail;
  expect(tailOf([700, 18])).toBe('reaches');
  expect(tailOf([20, 14], [700, 4])).toBeUndefined();
  expect(tailOf([20, 18])).toBeUndefined();
});

test('what is cut off does not just hang where it comes with one task of several', () => {
  const gap = { history: EVEN, succeededLatency: latencies([20, 2000], [40, 1908]) };
  const tailOf = (...tasks: [number, number][]) =>
    causeOf([
      {
        ...gap,
        tasks: tasks.map(([failures, calls], at) => ({ task: `t${at}`, failures, calls })),
      },
    ]).weighed.find(({ by }) => by === 'setting-limit')!.clues.tail;
  const { failures, calls } = group(gap);
  expect(tailOf([failures - 1, calls / 4], [1, (3 * calls) / 4])).toBe('of a task');
  // In all tasks alike, the only task, and too few calls of the others.
  expect(tailOf([failures / 2, calls / 2], [failures / 2, calls / 2])).toBe('gap');
  expect(tailOf([failures, calls])).toBe('gap');
  expect(tailOf([failures, calls - 20], [0, 20])).toBe('gap');
  // Others are cut off there as well.
  const tasks = [
    { task: 'a', failures, calls: calls / 2 },
    { task: 'b', failures: 0, calls: calls / 2 },
  ];
  const { weighed } = causeOf([
    { ...gap, tasks },
    { ...gap, agent: 'writer' },
  ]);
  expect(weighed.find(({ by }) => by === 'setting-limit')!.clues.tail).toBe('gap');
});

test('what is cut off does not just hang where others who wait longer get it', () => {
  const gap = { history: EVEN, succeededLatency: latencies([20, 2000], [40, 1908]) };
  const tailOf = (...groups: readonly Partial<FailureGroup>[]) =>
    causeOf(groups).weighed.find(({ by }) => by === 'setting-limit')!.clues.tail;
  const own = group(gap);
  expect(tailOf(gap)).toBe('gap');
  // Another agent waits longer, and as many of its calls end beyond the limit as are cut off here.
  const slow = Math.ceil((100 * own.failures) / own.calls);
  const patient = (late: number) => ({
    ...{ agent: 'auditor', errorCode: 'locked', failures: 1, calls: 101, failedLatency: null },
    succeededLatency: latencies([20, 100 - late], [8000, late]),
  });
  expect(tailOf(gap, patient(slow))).toBe('reaches');
  expect(tailOf(gap, patient(0))).toBe('gap');
  const patienceOf = (...groups: readonly Partial<FailureGroup>[]) =>
    causeOf(groups).weighed.find(({ by }) => by === 'setting-limit')!.clues.patience;
  expect(patienceOf(gap, patient(slow))).toBe('limit get it');
  expect(patienceOf(gap, patient(0))).toBeUndefined();
  // One who waits ten times as long, and is cut off there as often.
  const hung = { ...gap, agent: 'auditor', failedLatency: latencies([8000, 18]) };
  expect(patienceOf(gap, hung)).toBe('limit hang too');
});

test('what is cut off does not just hang where others at the tool are well, or where it is much', () => {
  const gap = { history: EVEN, succeededLatency: latencies([20, 2000], [40, 1908]) };
  const tailOf = (...groups: readonly Partial<FailureGroup>[]) =>
    causeOf(groups).weighed.find(({ by }) => by === 'setting-limit')!.clues.tail;
  const beside = (othersCalls: number, othersFailed: number) => ({
    ...gap,
    history: EVEN.map((bin) => ({ ...bin, othersCalls, othersFailed })),
  });
  expect(tailOf(beside(20, 0))).toBe('of an agent');
  // Ten of a hundred fail here: of 48 calls, none by chance; of 960, nearly as many.
  expect(tailOf(beside(1, 0))).toBe('gap');
  expect(tailOf(beside(20, 1))).toBe('gap');
  // Others are cut off at the very same limit.
  expect(tailOf(beside(20, 0), { ...gap, agent: 'writer' })).toBe('gap');
  expect(tailOf({ ...gap, failures: 1000, calls: 4320 })).toBe('many');
  // As large a share of few calls, and one that calls that hang may have.
  expect(tailOf({ ...gap, failures: 23, calls: 100 })).toBe('gap');
  expect(tailOf({ ...gap, failures: 720, calls: 4320 })).toBe('gap');
});

test('tries of one call that fail together are no bursts', () => {
  const pairs = { history: history((hour) => (hour % 2 === 0 ? 12 : 4)) };
  const chains = [{ failed: 4, count: 100 }];
  const whenOf = (more: Partial<FailureGroup>) => causeOf([more]).weighed[0]!.clues.when;
  expect(whenOf(pairs)).toBe('files uneven');
  const tries = { fromMs: WINDOW.fromMs, bins: [], chains };
  expect(whenOf({ ...pairs, tries })).toBe('files even');
});

test('what comes in bursts while the place stays as it is speaks against it', () => {
  const even = causeOf([{ history: EVEN }]);
  const bursts = causeOf([{ history: history((hour) => (hour % 3 === 0 ? 28 : 1)) }]);
  expect(bursts.weighed[0]!.clues.when).toBe('files in bursts');
  expect(bursts.confidence).toBeLessThan(even.confidence);
});

test('what is not known gives no clue', () => {
  const bare = { failedLatency: null, succeededLatency: null };
  expect(causeOf([bare]).weighed[0]!.clues).toEqual({
    ...{ how: 'setting-limit strong', strength: 'strong', words: 'files timeout' },
  });
});

test('a service is one cause, in whichever layer it is seen', () => {
  const quiet = { failedLatency: null, succeededLatency: null };
  const { weighed } = causeOf(
    [quiet, { ...quiet, agent: 'writer' }, { ...quiet, tool: 'fetch' }],
    {},
  );
  expect(weighed.filter(({ subject }) => subject.kind === 'service')).toHaveLength(1);
});

test('that several agents fail says nothing of the tool where all of them have the blamed value', () => {
  const both = [{ history: EVEN }, { history: EVEN, agent: 'writer' }];
  const own = causeOf(both);
  const shared = causeOf(both, { 'tools/web_search.yaml': 'timeout_ms: 800\n' });
  expect(shared).toMatchObject({ layer: 'settings', subject: { kind: 'setting' } });
  // As sure at least as where only one of them has it: what is stated is rounded.
  const alone = own.weighed.find(({ layer }) => layer === 'settings')!.likelihood;
  expect(shared.confidence).toBeGreaterThan(alone - 0.001);
});

test('what was thought of and what was not add up to one', () => {
  const { considered } = causeOf([{ history: EVEN }, { history: EVEN, agent: 'writer' }]);
  const sum = considered.reduce((total, { confidence }) => total + confidence, 0);
  expect(sum).toBeCloseTo(1, 2);
  expect(considered.at(-1)!.confidence).toBeGreaterThanOrEqual(0.05);
});
