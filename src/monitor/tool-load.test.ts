import { expect, test } from 'vitest';
import type { CallHour } from '../facts/index.ts';
import { loadOf } from './tool-load.ts';

const HOUR_MS = 3_600_000;
const DEPLOYED_MS = 10 * HOUR_MS;

/** One hour of calls that take a second before the deployment and 1.2 seconds since. */
function hour(at: number, calls: number, failed: number): CallHour {
  const latencySumMs = calls * (at * HOUR_MS < DEPLOYED_MS ? 1000 : 1200);
  const well = { timedWell: calls - failed, latencyWellMs: latencySumMs };
  return {
    ...{ atMs: at * HOUR_MS, calls, failed, timed: calls, latencySumMs, ...well },
    ...{ tokens: 0, costUsd: 0 },
  };
}

const ask = (hours: readonly CallHour[], onsetHour: number) =>
  loadOf({
    calls: [{ agent: 'victim', tool: 'maps', hours }],
    ...{ tool: 'maps', agent: 'victim', changed: () => true, origins: ['maps'] },
    ...{ startedAtMs: DEPLOYED_MS, onsetMs: onsetHour * HOUR_MS, usual: 0.01 },
  })!;

const night = Array.from({ length: 10 }, (_, at) => hour(at, 100, 1));

test('a load at which it was well since the deployment is not why it fails', () => {
  const day = Array.from({ length: 10 }, (_, at) => hour(10 + at, 300, 3));
  const broken = Array.from({ length: 4 }, (_, at) => hour(20 + at, 300, 300));
  expect(ask([...night, ...day, ...broken], 20).outside).toBe(0);
});

test('one that it was never well at is, and without the change it would be smaller', () => {
  const well = Array.from({ length: 4 }, (_, at) => hour(10 + at, 100, 1));
  const full = Array.from({ length: 6 }, (_, at) => hour(14 + at, 300, 150));
  const { outside, footprint } = ask([...night, ...well, ...full], 14);
  expect(outside).toBe(1);
  expect(footprint).toBeCloseTo(1.2, 5);
});
