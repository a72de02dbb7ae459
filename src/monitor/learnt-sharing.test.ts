/** What a change shares with a place, asked of the calls of the last day. */
import { expect, test } from 'vitest';
import type { RecentCall } from '../facts/index.ts';
import type { LateFinding } from './late-harm.ts';
import { holdsPlacesOf, type Learning } from './learnt-sharing.ts';
import { hoursOfCalls, poolCalls } from './shared-pool.test-support.ts';

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

function holdsIn(seed: number, places: number | undefined): Promise<boolean> {
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
  return holdsPlacesOf(FINDING, CHANGE, { recentCalls, nowMs: NOW, calls });
}

test('what is shared shows three hours after a change, by what the day before it said', async () => {
  for (const seed of [1, 2, 3]) expect(await holdsIn(seed, 9)).toBe(true);
});

test('a tool with places of its own that fails since the change shares nothing', async () => {
  for (const seed of [1, 2, 3]) expect(await holdsIn(seed, undefined)).toBe(false);
});
