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
    sessions: [],
    ...{ tool: 'maps', agent: 'victim', changed: () => true, origins: ['maps'] },
    ...{ startedAtMs: DEPLOYED_MS, onsetMs: onsetHour * HOUR_MS, usual: 0.01 },
  })!;

const night = Array.from({ length: 10 }, (_, at) => hour(at, 100, 1));

test('a load at which it was well since the deployment is not why it fails', () => {
  const day = Array.from({ length: 10 }, (_, at) => hour(10 + at, 300, 3));
  const broken = Array.from({ length: 4 }, (_, at) => hour(20 + at, 300, 300));
  expect(ask([...night, ...day, ...broken], 20).outside).toBe(0);
});

test('few calls at such a load say so too, where they could hardly all have gone well by chance', () => {
  const calm = Array.from({ length: 10 }, (_, at) => hour(at, 10, 0));
  const day = (calls: number) => Array.from({ length: 1 }, (_, at) => hour(10 + at, calls, 0));
  const broken = Array.from({ length: 2 }, (_, at) => hour(34 + at, 18, 14));
  expect(ask([...calm, ...day(18), ...broken], 34).outside).toBe(0);
  expect(ask([...calm, ...day(2), ...broken], 34).outside).toBe(1);
});

test('one that it was never well at is, and without the change it would be smaller', () => {
  const well = Array.from({ length: 4 }, (_, at) => hour(10 + at, 100, 1));
  const full = Array.from({ length: 6 }, (_, at) => hour(14 + at, 300, 150));
  const { outside, footprint } = ask([...night, ...well, ...full], 14);
  expect(outside).toBe(1);
  expect(footprint).toBeCloseTo(1.2, 5);
});

test('times at which it was ill at a load that it bore otherwise are counted', () => {
  const well = (from: number, until: number) =>
    Array.from({ length: until - from }, (_, at) => hour(from + at, 100, 1));
  const spell = (from: number, calls: number) =>
    Array.from({ length: 2 }, (_, at) => hour(from + at, calls, calls / 2));
  const full = Array.from({ length: 4 }, (_, at) => hour(20 + at, 300, 150));
  const before = (...spells: CallHour[]) =>
    ask(
      [
        ...night,
        ...well(10, 20).map((one) => spells.find(({ atMs }) => atMs === one.atMs) ?? one),
      ].concat(full),
      20,
    );
  expect(before()).toMatchObject({ spells: 0, byChance: 1 });
  const { spells, byChance } = before(...spell(12, 100), ...spell(16, 80));
  expect(spells).toBe(2);
  // For four of twenty hours, and the load is met once.
  expect(byChance).toBeCloseTo(4 / 20, 5);
  // At a load that it hardly ever bore, and one that is hardly as ill.
  expect(before(...spell(12, 108)).spells).toBe(0);
  expect(before(hour(12, 100, 4)).spells).toBe(0);
});

test('a tool that was hardly called before the change let its tasks get there', () => {
  const etched = (at: number, calls: number): CallHour => ({
    ...hour(at, calls, 0),
    latencySumMs: calls * 60_000,
  });
  const cut = Array.from({ length: 30 }, (_, at) => hour(at, 100, at < 20 ? 1 : 30));
  const etch = Array.from({ length: 30 }, (_, at) => etched(at, at < 10 ? 1 : 20));
  const sessions = Array.from({ length: 30 }, (_, at) => ({
    ...{ atMs: at * HOUR_MS, sessions: 50, failed: 0, corrected: 0 },
  }));
  const footprintOf = (after: readonly string[]) =>
    loadOf({
      calls: [
        { agent: 'victim', tool: 'cut', hours: cut },
        { agent: 'layout', tool: 'etch', hours: etch },
      ],
      sessions: [{ agent: 'layout', hours: sessions }],
      ...{ tool: 'cut', sharing: ['etch'], agent: 'victim', origins: null, after },
      ...{ changed: (agent: string) => agent === 'layout', usual: 0.01 },
      ...{ startedAtMs: DEPLOYED_MS, onsetMs: 20 * HOUR_MS },
    })!.footprint;
  // 10 calls in 500 sessions may have been 18 by chance; since then it is 200 in 500.
  expect(footprintOf(['etch'])).toBeGreaterThan(4);
  expect(footprintOf(['etch'])).toBeLessThan(20);
  expect(footprintOf([])).toBeCloseTo(1, 5);
});

test('tries that an outage adds are no load, and a load of the same hour yesterday did no harm', () => {
  // A change since ten that lets half as many calls again get there; from five on the next day all fail, and are tried twice.
  const calls = (at: number) => (at < 10 ? 100 : 150);
  const isDown = (at: number) => at >= 41;
  const made = Array.from({ length: 44 }, (_, at) =>
    hour(at, isDown(at) ? 2 * calls(at) : calls(at), isDown(at) ? 2 * calls(at) : 1),
  );
  const begun = Array.from({ length: 44 }, (_, at) => ({
    ...{ atMs: at * HOUR_MS, sessions: calls(at), failed: 0, corrected: 0 },
  }));
  const outside = (more: Partial<Parameters<typeof loadOf>[0]>) =>
    loadOf({
      calls: [{ agent: 'victim', tool: 'maps', hours: made }],
      sessions: [{ agent: 'victim', hours: begun }],
      ...{ tool: 'maps', agent: 'victim', changed: () => true, origins: ['maps'], usual: 0.01 },
      ...{ startedAtMs: DEPLOYED_MS, onsetMs: 41 * HOUR_MS },
      ...more,
    })!.outside;
  expect(outside({})).toBe(0);
  // Of a change that is about tries, they are what it added.
  expect(outside({ isOfTries: true })).toBe(1);
  expect(outside({ sessions: [] })).toBe(1);
});

test('calls of the change that got slower hold more, where others suffer while they are in flight', () => {
  // As many calls as ever, which the change let get there; from hour thirty on each takes six times as long.
  const taking = (at: number) => (at >= 30 ? 360_000 : 60_000);
  const etch = Array.from({ length: 40 }, (_, at) => {
    const calls = at < 10 ? 2 : 20;
    // Those that are refused hold nothing.
    const well = at >= 30 ? 10 : calls;
    const took = { latencySumMs: well * taking(at), latencyWellMs: well * taking(at) };
    return { ...hour(at, calls, calls - well), ...took };
  });
  const cut = Array.from({ length: 40 }, (_, at) => hour(at, 100, at < 30 ? 1 : 30));
  const outside = (overlaps: boolean, changed = 'layout') =>
    loadOf({
      calls: [
        { agent: 'victim', tool: 'cut', hours: cut },
        { agent: 'layout', tool: 'etch', hours: etch },
      ],
      sessions: [],
      ...{
        tool: 'cut',
        sharing: ['etch'],
        overlaps,
        agent: 'victim',
        origins: null,
        after: ['etch'],
      },
      ...{ changed: (agent: string) => agent === changed, usual: 0.01 },
      ...{ startedAtMs: DEPLOYED_MS, onsetMs: 30 * HOUR_MS },
    })!.outside;
  expect(outside(true)).toBe(1);
  // Else a tool that hangs for everybody would look like work.
  expect(outside(false)).toBe(0);
  expect(outside(true, 'nobody')).toBe(0);
});
