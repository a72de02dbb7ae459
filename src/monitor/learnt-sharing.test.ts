/** What a change shares with a place, asked of the calls of the last day. */
import { expect, test } from 'vitest';
import type { RecentCall } from '../facts/index.ts';
import type { LateFinding } from './late-harm.ts';
import { holdsPlacesOf, type Learning, withLearntSharing } from './learnt-sharing.ts';
import { hoursOfCalls, poolCalls } from './shared-pool.test-support.ts';
import type { AtTarget } from './trace-back.ts';

const HOUR = 3_600_000;
const START = 30 * HOUR;
const NOW = 33 * HOUR;
const CHANGE = {
  proposalId: 'p_1',
  startedAtMs: START,
  footing: { agents: ['printer'], tools: ['press'], after: [] },
};
const FINDING = {
  series: { agent: 'clerk', tool: 'stamp', measure: 'failures' },
  onsetMs: START,
} as unknown as LateFinding;

function learningOf(seed: number, places: number | undefined): Learning {
  const isBusy = (atMs: number) => Math.floor(atMs / HOUR) % 24 >= 6;
  const limitMs = (atMs: number) => (isBusy(atMs) ? 600_000 : 20_000);
  const failing = (atMs: number) => (atMs < START ? 0.005 : 0.3);
  const world = { seed, startMs: 0, hours: 33, limitMs };
  const { press, stamp } = poolCalls(
    places === undefined ? { ...world, failing } : { ...world, places },
  );
  const recentCalls: Learning['recentCalls'] = async ({ fromMs, toMs }) => {
    const isIn = ({ endMs }: RecentCall) => endMs >= fromMs && endMs < toMs;
    return new Map([
      ['press', press.filter(isIn)],
      ['stamp', stamp.filter(isIn)],
    ]);
  };
  const calls = [hoursOfCalls(press), hoursOfCalls(stamp)];
  return { recentCalls, nowMs: NOW, calls };
}

function holdsIn(seed: number, places: number | undefined, change: AtTarget = CHANGE) {
  return holdsPlacesOf(FINDING, change, learningOf(seed, places));
}

test('what is shared shows three hours after a change, by what the day before it said', async () => {
  for (const seed of [1, 2, 3]) expect(await holdsIn(seed, 9)).toBe(true);
});

test('a tool with places of its own that fails since the change shares nothing', async () => {
  for (const seed of [1, 2, 3]) expect(await holdsIn(seed, undefined)).toBe(false);
});

test('a value that nothing ties to anybody is asked by the calls of the place that it answers', async () => {
  const everything = { agents: null, tools: null, after: [] };
  const answers = { agent: 'printer', tool: 'press' };
  const change = { ...CHANGE, footing: { ...everything, answers } };
  for (const seed of [1, 2, 3]) {
    expect(await holdsIn(seed, 9, change)).toBe(true);
    expect(await holdsIn(seed, undefined, change)).toBe(false);
    // Without such a place every call of everybody would hold the places, those that suffer with them.
    expect(await holdsIn(seed, 9, { ...CHANGE, footing: everything })).toBe(false);
  }
  const learnt = await withLearntSharing(change, FINDING, learningOf(1, 9));
  const found = { sharing: ['stamp'], holding: ['press'] };
  expect(learnt.footing).toEqual({ ...change.footing, ...found });
});

test('whoever calls the tool of the place that is answered is reached by it, and nothing is learnt', async () => {
  const answers = { agent: 'typist', tool: 'stamp' };
  const footing = { agents: null, tools: null, after: [], answers };
  const change = { ...CHANGE, footing };
  expect(await withLearntSharing(change, FINDING, learningOf(1, 9))).toBe(change);
});
