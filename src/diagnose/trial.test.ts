import { expect, test } from 'vitest';
import type { FailureGroup } from '../facts/index.ts';
import { rootCauseOf } from './causes.ts';
import {
  COMMIT,
  group,
  HOUR_MS,
  LIMITS,
  latencies,
  RESEARCHER,
  STEADY,
  settingsOf,
  WINDOW,
} from './failures.test-support.ts';
import { findPatterns } from './find-patterns.ts';
import { trialOf } from './trial.ts';
import type { Failure } from './types.ts';

/** So many an hour for two days, of twenty calls. */
const hourly = (bad: number) =>
  Array.from({ length: 48 }, (_, hour) => ({
    ...{ atMs: WINDOW.toMs - (48 - hour) * HOUR_MS, bad, all: 20 },
    ...{ timed: 18, timedMs: 540, toolCalls: 20, othersCalls: 0, othersFailed: 0 },
  }));
/** One call in ten is cut off at the limit, and no success comes near it. */
const GAP: Partial<FailureGroup> = {
  ...{ failures: 48, calls: 480, history: hourly(2) },
  failedLatency: latencies([805, 48]),
  succeededLatency: latencies([20, 200], [40, 232]),
};

function found(
  changes: Partial<FailureGroup> = {},
  others: readonly Partial<FailureGroup>[] = [],
  text = RESEARCHER,
) {
  const { patterns } = findPatterns({
    window: WINDOW,
    groups: [group({ ...GAP, ...changes }), ...others.map(group)],
    settings: settingsOf('agents/researcher.yaml', text),
    commit: COMMIT,
    commits: [],
    limits: LIMITS,
    known: [],
  });
  const own = patterns.find(
    ({ agent, errorCode }) => agent === 'researcher' && errorCode === 'TIMEOUT',
  );
  expect(own).toBeDefined();
  return own!;
}

test('what comes in bursts is a tool that is slow for a while', () => {
  const even = hourly(2);
  const bursts = even.map((bin, hour) => ({ ...bin, bad: hour % 6 === 0 ? 12 : 0 }));
  expect(found({ history: bursts }).trial).toBeUndefined();
  expect(found({ history: even }).trial).toBeDefined();
});

test('where only whether they hang is in doubt, a trial is worth it', () => {
  const { trial, confidence } = found();
  expect(trial).toMatchObject({ timesMax: 4 });
  expect(trial!.cutOffMs).toBeLessThanOrEqual(800);
  expect(trial!.cutOffMs).toBeGreaterThan(760);
  expect(trial!.ifLong).toBeGreaterThan(0.6);
  expect(confidence).toBeLessThan(0.6);
});

test('calls that come near the limit are long: nothing has to be tried', () => {
  const near = latencies([20, 200], [700, 232]);
  expect(found({ succeededLatency: near }).trial).toBeUndefined();
});

test('whoever waits longer and hangs as well has tried it', () => {
  const asked = (all: readonly Failure[]) => ({
    ...{ window: WINDOW, all, settings: settingsOf('agents/researcher.yaml', RESEARCHER) },
    ...{ commit: COMMIT, commits: [], failureShare: 0.02 },
  });
  const own: Failure = { ...group(GAP), id: 'pat_1', kind: 'timeout' };
  const hung = { ...own, agent: 'auditor', failedLatency: latencies([8000, 48]) };
  const cause = rootCauseOf(own, asked([own]));
  expect(trialOf(own, cause, STEADY, asked([own]))).toBeDefined();
  expect(trialOf(own, cause, STEADY, asked([own, hung]))).toBeUndefined();
  expect(trialOf(own, cause, { ...STEADY, wait: 'It may pass.' }, asked([own]))).toBeUndefined();
  expect(trialOf(own, cause, { ...STEADY, trigger: 'load' }, asked([own]))).toBeUndefined();
  const young = { ...own, history: GAP.history!.slice(-23) };
  expect(trialOf(young, cause, STEADY, asked([young]))).toBeUndefined();
});

test('where calls are refused there is no place to spare', () => {
  const refused = { agent: 'auditor', errorCode: 'busy', failedLatency: latencies([2, 400]) };
  expect(found({}, [refused]).trial).toBeUndefined();
  const kind = { agent: 'auditor', errorCode: '429', failedLatency: null };
  expect(found({}, [kind]).trial).toBeUndefined();
});

test('what hung calls would hold bounds the step, however fast the world is', () => {
  const slow = (times: number) =>
    found(
      {
        failedLatency: latencies([805 * times, 48]),
        succeededLatency: latencies([20 * times, 200], [40 * times, 232]),
      },
      [],
      RESEARCHER.replaceAll('800', String(800 * times)),
    ).trial?.timesMax;
  // Two an hour hold a third of a place at ten minutes.
  expect(slow(700)).toBe(4);
  expect(slow(900)).toBeGreaterThan(3);
  expect(slow(900)).toBeLessThan(4);
  expect(slow(2000)).toBeGreaterThan(2);
  expect(slow(2500)).toBeUndefined();
});

test('a value of several tools is not tried', () => {
  const text =
    'name: researcher\ndefaults:\n  timeout_ms: 800\ntools:\n  web_search: {}\n  fetch: {}\n';
  expect(found({}, [], text).trial).toBeUndefined();
});
