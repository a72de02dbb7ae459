/** A tool that refuses what is too much for it, after a change that made its calls shorter. */
import { expect, test } from 'vitest';
import { storePerTest } from '../../test/timed-store.ts';
import type { CallHour, RecentCall, Window } from '../facts/index.ts';
import type { Harm } from './cause.ts';
import { type About, isRefusedAnyway } from './refused-anyway.ts';
import { deployed, HOUR, MINUTE } from './watches.test-support.ts';

const START = 48 * HOUR;
const FOUND = START + 11 * HOUR + 10 * MINUTE;
const PLACE = { agent: 'etcher', tool: 'bench' };

const hourOf = (atMs: number, calls: number, tookMs: number): CallHour => ({
  ...{ atMs, calls, failed: 0, timed: calls, timedWell: 0, latencySumMs: calls * tookMs },
  ...{ latencyWellMs: 0, tokens: 0, costUsd: 0 },
});

interface World {
  /** Calls of an hour since the change; 40 before it. */
  readonly calls?: number;
  /** What a call takes since the change, on average; 20 s before it. */
  readonly tookMs?: number;
  /** Sessions of an hour; one call in each before the change. */
  readonly sessions?: number;
  /** What the failed ones took. */
  readonly failedMs?: number;
  readonly cameBefore?: boolean;
}

function isRefused({
  calls = 120,
  tookMs = 8000,
  sessions = calls,
  failedMs = 20,
  cameBefore = false,
}: World) {
  const harm = {
    cause: 'own',
    beganAtMs: FOUND - 10 * MINUTE,
    found: {
      metric: 'error_rate',
      agent: 'etcher',
      finding: {
        fromMs: FOUND - 10 * MINUTE,
        foundAtMs: FOUND,
        observed: { bad: 12, all: 40 },
        expectedBad: 1,
        allowed: 0.25,
      },
    },
  } as unknown as Harm;
  const isIll = (atMs: number) => atMs >= FOUND - 10 * MINUTE && atMs < FOUND;
  const bins = Array.from({ length: 12 * 60 }, (_, at) => START + at * MINUTE).map((atMs) => ({
    atMs,
    all: calls / 60 + (isIll(atMs) ? 1.2 : 0),
    bad: isIll(atMs) ? 1.2 : 0,
  }));
  const hours = Array.from({ length: 58 }, (_, at) =>
    at < 48 ? hourOf(at * HOUR, 40, 20_000) : hourOf(at * HOUR, calls, tookMs),
  );
  const begun = hours.map(({ atMs }) => ({
    atMs,
    sessions: atMs < START ? 40 : sessions,
    failed: 0,
    corrected: 0,
  }));
  const recent = Array.from({ length: 60 }, (_, at): RecentCall => {
    const isBad = at >= 48;
    const endMs = isBad ? FOUND - 5 * MINUTE : FOUND - at * MINUTE;
    return {
      ...PLACE,
      startMs: endMs - (isBad ? failedMs : 3500),
      endMs,
      failedWith: isBad ? 'busy' : null,
    };
  });
  const about: About = {
    agent: 'etcher',
    startedAtMs: START,
    calls: {
      changed: 'bench',
      before: [{ ...PLACE, hours: Array.from({ length: 24 }, () => ({ bad: 0, all: 40 })) }],
      since: [{ ...PLACE, bins }],
    },
    cameBefore,
  };
  return isRefusedAnyway(harm, about, {
    callHours: async () => [{ ...PLACE, hours }],
    sessionHours: async () => [{ agent: 'etcher', hours: begun }],
    recentCalls: async () => new Map([['bench', recent]]),
  });
}

test('more work than before, refused by a tool whose calls got shorter, is not the change’s doing', async () => {
  expect(await isRefused({})).toBe(true);
});

test('as much work as before says so only where it came and went before', async () => {
  expect(await isRefused({ calls: 42 })).toBe(false);
  expect(await isRefused({ calls: 42, cameBefore: true })).toBe(true);
});

test('calls that hold the tool as long as before, or are made more often, may be it', async () => {
  expect(await isRefused({ tookMs: 20_000 })).toBe(false);
  expect(await isRefused({ sessions: 60 })).toBe(false);
});

test('what fails after a wait is cut off, and not refused', async () => {
  expect(await isRefused({ failedMs: 30_000 })).toBe(false);
});

const open = storePerTest('memory');

/** What a watch says ten minutes after the tool began to refuse calls, five hours after the deployment. */
async function saidByWatch(tookMs: number): Promise<string> {
  const watched = await deployed(open());
  const { deployedAtMs } = watched;
  const illMs = deployedAtMs + 5 * HOUR;
  [watched.agent, watched.tool] = ['etcher', 'bench'];
  const own = (atMs: number) => {
    if (atMs < deployedAtMs) return { bad: 0, all: 1 };
    return atMs < illMs ? { bad: 0, all: 3 } : { bad: 2, all: 5 };
  };
  watched.minute = (atMs, metric, agent) => {
    const { bad, all } = own(atMs);
    return { bad: metric === 'error_rate' ? bad : 0, all: agent === undefined ? all + 9 : all };
  };
  watched.calls = async ({ fromMs, toMs }: Window) => {
    const times = Array.from({ length: (toMs - fromMs) / MINUTE }, (_, at) => fromMs + at * MINUTE);
    return [{ ...PLACE, bins: times.map((atMs) => ({ atMs, ...own(atMs) })) }];
  };
  const hours = async ({ fromMs, toMs }: Window) => {
    const made: CallHour[] = [];
    for (let atMs = Math.ceil(fromMs / HOUR) * HOUR; atMs < toMs; atMs += HOUR)
      made.push(atMs < deployedAtMs ? hourOf(atMs, 60, 20_000) : hourOf(atMs, 180, tookMs));
    return made;
  };
  watched.hours = async (window) => [{ ...PLACE, hours: await hours(window) }];
  watched.sessions = async (window) => {
    const begun = (await hours(window)).map(({ atMs, calls }) => ({ atMs, sessions: calls }));
    return [{ agent: 'etcher', hours: begun.map((one) => ({ ...one, failed: 0, corrected: 0 })) }];
  };
  const call = (endMs: number, failedWith: string | null): RecentCall => {
    return { ...PLACE, startMs: endMs - (failedWith === null ? 3500 : 20), endMs, failedWith };
  };
  const minutes = Array.from({ length: 10 }, (_, at) => illMs + at * MINUTE);
  watched.recent = new Map([
    ['bench', minutes.flatMap((ms) => [call(ms, 'busy'), call(ms, 'busy'), call(ms, null)])],
  ]);
  await watched.take(await watched.look());
  open().clock.advance(illMs + 10 * MINUTE - open().clock.nowMs());
  return (await watched.look()).did!;
}

test('a watch waits for it, and takes back what holds the tool as long as before', async () => {
  expect(await saidByWatch(8000)).toContain('This change is not judged until that passes');
  expect(await saidByWatch(20_000)).toContain('It will be taken back');
});
