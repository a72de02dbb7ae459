import { expect, test } from 'vitest';
import type { CallHours } from '../facts/index.ts';
import type { LateFinding } from './late-harm.ts';
import { wasSlower } from './slower-before.ts';

const HOUR = 3_600_000;
/** A day is known before the change. */
const START = 25 * HOUR;

interface Tool {
  /** How many times as long its calls take, by the hour. */
  times(hour: number): number;
  readonly calls?: (hour: number) => number;
  /** What a call takes that fails. */
  readonly failedMs?: number;
  readonly speed?: number;
}

/** It fails from two hours after the change on: six of twenty calls. */
function place({ times, calls = () => 20, failedMs = 21_000, speed = 1 }: Tool): CallHours {
  const hours = Array.from({ length: 36 }, (_, at) => {
    const made = calls(at) * speed;
    const failed = (at >= 27 ? 6 : 0) * speed;
    const noise = 1 + 0.1 * Math.sin(7 * at);
    const latencyWellMs = ((made - failed) * 6000 * times(at) * noise) / speed;
    return {
      atMs: at * HOUR,
      calls: made,
      failed,
      timed: made,
      latencySumMs: latencyWellMs + (failed * failedMs) / speed,
      timedWell: made - failed,
      latencyWellMs,
      tokens: 0,
      costUsd: 0,
    };
  });
  return { agent: 'clerk', tool: 'score', hours };
}

const rampFrom = (from: number) => (hour: number) => 1 + Math.min(1, Math.max(0, hour - from) / 8);
const asked = (tool: Tool, series: Partial<LateFinding['series']> = {}, bad = 54) =>
  wasSlower(
    {
      series: { agent: 'clerk', tool: 'score', measure: 'failures', ...series },
      onsetMs: 27 * HOUR,
      observed: { bad, all: 180 },
    } as LateFinding,
    { startedAtMs: START, calls: [place(tool)] },
  );

test('what takes too long since the tool got slower, before the change, is not its doing', () => {
  expect(asked({ times: rampFrom(19) })).toBe(true);
  expect(asked({ times: rampFrom(19), speed: 10 })).toBe(true);
  // With the change, or for a while that is over.
  expect(asked({ times: rampFrom(25) })).toBe(false);
  expect(asked({ times: (hour) => (hour >= 19 && hour < 25 ? 2 : 1) })).toBe(false);
});

test('refusals follow from no slowness, and slowness from more to do says nothing', () => {
  expect(asked({ times: rampFrom(19), failedMs: 20 })).toBe(false);
  expect(asked({ times: rampFrom(19), calls: (hour) => (hour >= 21 ? 40 : 20) })).toBe(false);
});

test('sessions fail by it where their calls do', () => {
  expect(asked({ times: rampFrom(19) }, { tool: '', measure: 'tasks' })).toBe(true);
  expect(asked({ times: rampFrom(19) }, { tool: '', measure: 'tasks' }, 200)).toBe(false);
  expect(asked({ times: rampFrom(19) }, { tool: '', measure: 'corrections' })).toBe(false);
  expect(asked({ times: rampFrom(19) }, { agent: 'auditor' })).toBe(false);
});
