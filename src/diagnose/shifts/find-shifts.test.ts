import { expect, test } from 'vitest';
import { seededRandom } from '../../base/index.ts';
import type { MetricHours, UnitHours, Window } from '../../facts/index.ts';
import { patternSchema } from '../../facts/schemas.ts';
import { gaussian } from '../../stats/noise.test-support.ts';
import { HOUR_MS } from './find-shift.ts';
import { findShifts, type ShiftPorts } from './find-shifts.ts';

const START_MS = Date.UTC(2026, 0, 1);
const HOURS = 200;
const SHIFT_AT = 160;
const WINDOW: Window = {
  fromMs: START_MS + (HOURS - 24) * HOUR_MS,
  toMs: START_MS + HOURS * HOUR_MS,
};

const random = seededRandom(5);
const hours = <T>(of: (at: number, noise: number) => T) =>
  Array.from({ length: HOURS }, (_, at) => ({
    atMs: START_MS + at * HOUR_MS,
    ...of(at, gaussian(random)),
  }));
const level = (at: number, before: number, after: number) => (at < SHIFT_AT ? before : after);

function metric(name: string, before: number, after: number, more: Partial<MetricHours> = {}) {
  const of = (at: number, noise: number) => {
    const sum = 10 * (level(at, before, after) + noise);
    return { values: 10, sum, min: 0, max: 0 };
  };
  return { agent: 'shop', name, isSum: false, hours: hours(of), ...more };
}

function calls(
  latencyMs: readonly [number, number],
  costUsd: readonly [number, number],
): UnitHours {
  const of = (at: number, noise: number) => ({
    events: 20,
    timed: 10,
    latencySumMs: 10 * level(at, ...latencyMs) * Math.exp(noise / 10),
    tokens: 0,
    costUsd: 20 * level(at, ...costUsd) * Math.exp(noise / 10),
  });
  return { event: 'tool_call', agent: 'researcher', tool: 'web_search', hours: hours(of) };
}

function ports(metrics: readonly MetricHours[], units: readonly UnitHours[] = []): ShiftPorts {
  return {
    metrics: async () => metrics,
    unitHours: async () => units,
    examples: async ({ event }, hourMs) => [
      { id: String(hourMs / HOUR_MS), event: event === 'metric' ? { unit: 'MB' } : {} },
    ],
  };
}

test('DIAG-3 a metric that shifted is told as a pattern: "changed", its levels, since when, and its events', async () => {
  const { told, notes } = await findShifts(
    WINDOW,
    ports([metric('queue', 10, 40), metric('idle', 5, 5)]),
  );
  expect(notes).toEqual([]);
  const [pattern] = told;
  expect(told).toHaveLength(1);
  expect(patternSchema.parse(pattern)).toEqual(pattern);
  expect(pattern).toMatchObject({
    title: expect.stringMatching(
      /^queue of shop changed from (9\.\d+|10|10\.\d+) MB to (39|40)\.?\d* MB since 2026-01-07 16:00 UTC$/,
    ),
    kind: 'shift',
    event: 'metric',
    occurrences: HOURS - SHIFT_AT,
    calls: HOURS,
    firstAtMs: START_MS + SHIFT_AT * HOUR_MS,
    layer: 'environment',
    subject: { kind: 'unknown' },
    shift: { measure: 'value', unit: 'MB' },
  });
  const old = START_MS / HOUR_MS + SHIFT_AT - 1;
  expect(pattern!.evidence).toEqual([`event:${old}`, `event:${old + HOURS - SHIFT_AT}`]);
});

test('what adds up is told by the hour, and an hour that is not over says nothing', async () => {
  const sent = metric('sent', 10, 40, { isSum: true });
  const { told } = await findShifts(WINDOW, ports([sent]));
  expect(told[0]!.title).toMatch(/^sent of shop changed from \d+ MB to \d+ MB an hour since/);
  const asked: Window[] = [];
  const recording: ShiftPorts = {
    ...ports([]),
    metrics: async (window) => {
      asked.push(window);
      return [];
    },
  };
  await findShifts({ ...WINDOW, toMs: WINDOW.toMs + 20 * 60_000 }, recording);
  expect(asked).toMatchObject([{ toMs: WINDOW.toMs }]);
});

test('latency and cost of a call rise or fall, and keep their pattern when they move on', async () => {
  const { told } = await findShifts(WINDOW, ports([], [calls([800, 2400], [0.02, 0.01])]));
  expect(told.map(({ title }) => title.replace(/[\d.]+/g, '#')).sort()).toEqual([
    'cost per call of web_search of researcher fell from $# to $# since #-#-# #:# UTC',
    'latency of web_search of researcher rose from # ms to # s since #-#-# #:# UTC',
  ]);
  const again = await findShifts(WINDOW, ports([], [calls([800, 4000], [0.02, 0.02])]));
  expect(told.map(({ id }) => id)).toContain(again.told[0]!.id);
});

test('among many series of noise one that shifted is told, and hardly another', async () => {
  const noise = Array.from({ length: 120 }, (_, at) => metric(`m${at}`, 10, 10));
  expect((await findShifts(WINDOW, ports(noise))).told).toEqual([]);
  const { told } = await findShifts(WINDOW, ports([...noise, metric('queue', 10, 12)]));
  expect(told.map(({ tool }) => tool)).toEqual(['queue']);
});

test('a measure that did not come in the window is not looked at, and too many say so', async () => {
  const gone = metric('gone', 10, 40);
  const stale = { ...gone, hours: gone.hours.slice(0, HOURS - 24) };
  expect((await findShifts(WINDOW, ports([stale]))).told).toEqual([]);
  const many = Array.from({ length: 301 }, (_, at) => ({
    ...metric(`m${at}`, 1, 1),
    hours: gone.hours.slice(-1),
  }));
  expect((await findShifts(WINDOW, ports(many))).notes).toEqual([
    "300 of 301 measures were looked at for shifts, each agent's longest first.",
  ]);
});

test('DIAG-3 a metric that drifts, a little every hour, is told as that, and once', async () => {
  const of = (at: number, noise: number) => ({
    ...{ values: 10, sum: 10 * (50 + 0.2 * at + 4 * noise), min: 0, max: 0 },
  });
  const drifting = { agent: 'shop', name: 'heap', isSum: false, hours: hours(of) };
  const { told } = await findShifts(WINDOW, ports([drifting, metric('idle', 5, 5)]));
  expect(told).toHaveLength(1);
  expect(patternSchema.parse(told[0])).toEqual(told[0]);
  expect(told[0]!.title).toMatch(
    /^heap of shop drifts from (49|5\d)(\.\d)? MB to (8|9)\d(\.\d)? MB since 2026-01-01 00:00 UTC$/,
  );
  expect(told[0]!.reasons[0]).toContain('Day by day it is a little more, or less');
  expect(told[0]!.evidence).toHaveLength(2);
});
