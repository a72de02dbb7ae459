import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CountedFailure, FailureGroup } from '../facts/index.ts';
import { memoryRepository } from '../git/index.ts';
import { commitFiles } from '../git/test-repositories.ts';
import type { Outcome } from '../stats/index.ts';
import {
  examples,
  group,
  LIMITS,
  NO_SHIFTS,
  overTheDay,
  RESEARCHER,
  WINDOW,
} from './failures.test-support.ts';
import { type DiagnosePorts, diagnose } from './index.ts';

/** As telemetry gives it, and how often its examples were read. */
function counted(groups: readonly FailureGroup[]) {
  const read: string[] = [];
  const failures = groups.map((one): CountedFailure => {
    const { examples: some, sessions: _, failedLatency: __, succeededLatency: ___, ...count } = one;
    return {
      ...count,
      examples: async () => {
        read.push(one.template);
        return some;
      },
    };
  });
  return { failures, read };
}

const words = fc.constantFrom('timed out', '<*>', 'too many requests', 'no such page <*>', '');
const groups = fc.array(
  fc.record({
    template: words,
    agent: fc.constantFrom('researcher', 'coder'),
    tool: fc.constantFrom('web_search', 'read', ''),
    errorCode: fc.constantFrom('TIMEOUT', 'error', 'E_404', ''),
    failures: fc.integer({ min: 0, max: 60 }),
    calls: fc.integer({ min: 0, max: 500 }),
    examples: words.map((message) => examples(message, overTheDay(3))),
  }),
  { maxLength: 8 },
);

function portsOf(now: readonly FailureGroup[], more: Partial<DiagnosePorts> = {}) {
  const { failures, read } = counted(now);
  const ports: DiagnosePorts = {
    telemetry: {
      failures: async () => ({ groups: now, folded: { groups: 0, failures: 0 } }),
      failureCounts: async () => failures,
      ...NO_SHIFTS,
    },
    known: async () => [],
    ignored: async () => new Map(),
    merged: async () => new Map(),
    fixed: async () => new Map(),
    outcomes: async () => [],
    repository: memoryRepository(),
    branch: 'main',
    head: () => Promise.reject(new Error('not needed')),
    commitsSince: async () => [],
    agentFiles: [],
    limits: LIMITS,
    ...more,
  };
  return { ports, read };
}

/** With the files of a target. */
async function onTarget(now: readonly FailureGroup[], more: Partial<DiagnosePorts> = {}) {
  const repository = memoryRepository();
  const head = await commitFiles(repository, undefined, { 'agents/researcher.yaml': RESEARCHER });
  return portsOf(now, { repository, head: async () => head, ...more }).ports;
}

test('the counts name the very patterns that causes are looked for, known ones by their old id', async () => {
  await fc.assert(
    fc.asyncProperty(groups, groups, async (before, now) => {
      const first = await diagnose(WINDOW, 'causes', await onTarget(before.map(group)));
      const known = async () => first.patterns;
      const ports = await onTarget(now.map(group), { known });
      const { ids, patterns } = await diagnose(WINDOW, 'causes', ports);
      const counts = await diagnose(WINDOW, 'counts', ports);
      expect([...counts.ids].sort()).toEqual([...ids].sort());
      expect(patterns.map(({ id }) => id)).toEqual(ids);
    }),
  );
});

test('of more failures than a cycle looks at, both depths choose the same', async () => {
  const many = Array.from({ length: 130 }, (_, at) =>
    group({ agent: `agent-${at % 7}`, tool: `tool-${at}`, failures: 100 + at, sessions: 130 - at }),
  );
  const ports = await onTarget(many);
  const { ids, patterns } = await diagnose(WINDOW, 'causes', ports);
  expect(ids).toHaveLength(100);
  expect([...(await diagnose(WINDOW, 'counts', ports)).ids].sort()).toEqual([...ids].sort());
  const scores = patterns.map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
});

test('for counts, examples and known patterns are read only where code and template tell nothing', async () => {
  const told = [group(), group({ errorCode: 'E1', template: 'deadline exceeded' })];
  const first = portsOf(told, { known: () => Promise.reject(new Error('not needed')) });
  expect((await diagnose(WINDOW, 'counts', first.ports)).ids).toHaveLength(2);
  expect(first.read).toEqual([]);
  const second = portsOf([...told, group({ errorCode: '', template: '<*>' })]);
  await diagnose(WINDOW, 'counts', second.ports);
  expect(second.read).toEqual(['<*>']);
});

test('the causes come from the files of the target at its head', async () => {
  const ports = await onTarget([group()], { agentFiles: ['agents/*.yaml', 'none/*'] });
  const { patterns, summary, notes } = await diagnose(WINDOW, 'causes', ports);
  const subject = { kind: 'setting', path: ['tools', 'web_search', 'timeout_ms'], unit: 'ms' };
  expect(patterns).toMatchObject([{ subject: { ...subject, commit: await ports.head() } }]);
  expect(summary).toBe('found 1 recurring failure');
  expect(notes).toEqual(['1 of 2 globs of target.agentFiles matches 0 files at main: none/*.']);
});

test('DIAG-8 nothing failed, or nothing to act on: it says so', async () => {
  const rare = [group({ failures: 12, calls: 8640 })];
  const nothing = { ids: [], patterns: [], weighed: [], told: [], notes: [] };
  expect(await diagnose(WINDOW, 'causes', await onTarget([]))).toEqual({
    ...{ ...nothing, passedOver: [], summary: 'nothing failed' },
  });
  expect(await diagnose(WINDOW, 'causes', await onTarget(rare))).toMatchObject({
    ...{ ...nothing, summary: 'nothing to act on among 1 kind of failures' },
  });
});

test('failures beyond what is looked at are told', async () => {
  const telemetry = {
    failures: async () => ({ groups: [], folded: { groups: 2, failures: 1 } }),
    failureCounts: async () => [],
    ...NO_SHIFTS,
  };
  const { notes } = await diagnose(WINDOW, 'causes', await onTarget([], { telemetry }));
  expect(notes[0]).toContain(
    '2 more kinds of failure (1 failure) occurred than one cycle examines.',
  );
});

test('single calls are read where a failure was worst, not where it was not met', async () => {
  const HOUR = 3_600_000;
  const bin = { bad: 0, all: 10, timed: 5, timedMs: 50 };
  const others = { toolCalls: 10, othersCalls: 0, othersFailed: 0 };
  const history = (bad: (hour: number) => number) =>
    Array.from({ length: 24 }, (_, hour) => ({
      ...{ ...bin, ...others, atMs: WINDOW.fromMs + hour * HOUR, bad: bad(hour) },
    }));
  const refused = { errorCode: 'busy', template: 'no place', tool: 'render' };
  const until = async (bad: (hour: number) => number) => {
    const asked: unknown[] = [];
    const ports = await onTarget([group({ ...refused, history: history(bad) })]);
    const recentCalls: typeof ports.telemetry.recentCalls = async (_, tools) => {
      asked.push(...tools);
      return new Map();
    };
    await diagnose(WINDOW, 'causes', { ...ports, telemetry: { ...ports.telemetry, recentCalls } });
    return asked;
  };
  const atNoon = await until((hour) => (hour === 11 || hour === 12 ? 9 : 1));
  expect(atNoon).toMatchObject([{ tool: 'render', untilMs: WINDOW.fromMs + 13 * HOUR }]);
  expect(await until(() => 5)).toMatchObject([{ untilMs: undefined }]);
});

test('calls are asked for where a failure is rare in each of its wordings and not in all', async () => {
  const asked = async (codes: readonly string[]) => {
    const tools: unknown[] = [];
    const groups = codes.map((errorCode, at) =>
      group({ tool: 'render', errorCode, template: `wording ${at}`, failures: 15, calls: 1000 }),
    );
    const ports = await onTarget(groups);
    const recentCalls: typeof ports.telemetry.recentCalls = async (_, some) => {
      tools.push(...some);
      return new Map();
    };
    await diagnose(WINDOW, 'causes', { ...ports, telemetry: { ...ports.telemetry, recentCalls } });
    return tools;
  };
  expect(await asked(['cut', 'cut'])).toMatchObject([{ tool: 'render' }]);
  expect(await asked(['cut'])).toEqual([]);
  expect(await asked(['cut', 'busy'])).toEqual([]);
});

describe('outcomes of the installation itself', () => {
  const timeouts = [group()];
  const stated = async (outcomes: readonly Outcome[]) => {
    const more = { agentFiles: ['agents/*.yaml'], outcomes: async () => outcomes };
    const ports = await onTarget(timeouts, more);
    const { patterns } = await diagnose(WINDOW, 'causes', ports);
    return patterns[0]!;
  };
  const times = (count: number, isTrue: boolean): Outcome[] =>
    Array.from({ length: count }, () => ({ stated: 0.9, isTrue }));

  test('where stated causes turn out wrong more often than stated, the same evidence is stated less surely', async () => {
    const shipped = await stated([]);
    const wrong = await stated([...times(12, true), ...times(28, false)]);
    expect(shipped.byClues).toBeUndefined();
    expect(wrong.byClues).toBe(shipped.confidence);
    // It was 90 % sure and right in 30 %.
    expect(wrong.confidence).toBeLessThan(shipped.confidence - 0.3);
    const right = await stated(times(40, true));
    expect(right.confidence).toBeGreaterThanOrEqual(shipped.confidence);
  });

  test('a few outcomes change little', async () => {
    const { confidence } = await stated([]);
    expect(Math.abs((await stated(times(1, false))).confidence - confidence)).toBeLessThan(0.08);
    expect(Math.abs((await stated(times(2, true))).confidence - confidence)).toBeLessThan(0.08);
  });
});
