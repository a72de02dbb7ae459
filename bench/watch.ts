/**
 * One look at everything: 500 series with two weeks before a deployment and two weeks since, as a process that looks every
 * hour has them: what was worked out of earlier hours is kept, and each look that is measured has an hour that none before had.
 * And ten times as many.
 */
import { type Random, seededRandom } from '../src/base/index.ts';
import type { CallHours, SessionHours } from '../src/facts/index.ts';
import { lookWide } from '../src/monitor/index.ts';
import type { Measurement } from '../tools/measure.ts';

const HOUR_MS = 3_600_000;
const HOURS = 336;
const START_MS = Date.UTC(2026, 2, 16);
const SERIES = 500;
const ROUNDS = 5;
const CHANGE = {
  proposalId: 'p_1',
  startedAtMs: START_MS,
  footing: { agents: ['a0'], tools: ['t0'], after: ['t1'] },
};
const SETTINGS = {
  alpha: 0.05,
  errorRate: 0.25,
  otherMetrics: 0.1,
  duration: 24 * HOUR_MS,
  probation: HOURS * HOUR_MS,
} as Parameters<typeof lookWide>[2]['settings'];

export const measurement: Measurement = {
  what: 'one look of the watch at 500 series of two weeks, and at ten times as many',
  aims: { look_500_series_ms: '<=200', growth_10x_series: '<=12' },
  async *run({ seed, scale }) {
    const random = seededRandom(seed);
    const size = Math.max(20, Math.round(SERIES * scale));
    const one = await lookMs(fleet(random, size));
    yield {
      metric: 'look_500_series_ms',
      value: one,
      measured: one,
      unit: 'ms',
      note: `${size} series`,
    };
    const ten = await lookMs(fleet(random, 10 * size));
    yield { metric: 'growth_10x_series', value: ten / one, measured: ten, floor: one, unit: 'ms' };
  },
};

function fleet(random: Random, size: number): CallHours[] {
  return Array.from({ length: size }, (_, at) => ({
    agent: `a${Math.floor(at / 10)}`,
    tool: `t${at % 10}`,
    hours: Array.from({ length: 2 * HOURS }, (__, hour) => {
      const calls = Math.round(20 + 40 * random.next());
      const failed = Math.round(calls * 0.04 * random.next() * 2);
      const latencySumMs = calls * 900;
      return {
        atMs: START_MS + (hour - HOURS) * HOUR_MS,
        calls,
        failed,
        timed: calls,
        latencySumMs,
        timedWell: calls - failed,
        latencyWellMs: latencySumMs,
        tokens: 0,
        costUsd: 0,
      };
    }),
  }));
}

/** Each agent has a session for every three calls of its first tool. */
function sessionsOf(calls: readonly CallHours[]): SessionHours[] {
  return calls
    .filter(({ tool }) => tool === 't0')
    .map(({ agent, hours }) => ({
      agent,
      hours: hours.map(({ atMs, calls: made, failed }) => ({
        atMs,
        sessions: Math.ceil(made / 3),
        failed: Math.ceil(failed / 3),
        corrected: 0,
      })),
    }));
}

/** The fastest of several, an hour apart: on a shared machine a slow one measures its neighbours. */
async function lookMs(calls: readonly CallHours[]): Promise<number> {
  const sessions = sessionsOf(calls);
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const toMs = START_MS + (HOURS - ROUNDS + 1 + round) * HOUR_MS;
    const [callsNow, sessionsNow] = [upTo(calls, toMs), upTo(sessions, toMs)];
    const startMs = performance.now();
    await lookWide(CHANGE, [], {
      callHours: async () => callsNow,
      sessionHours: async () => sessionsNow,
      recentCalls: async () => new Map(),
      nowMs: toMs + 6 * 60_000,
      settings: SETTINGS,
    });
    best = Math.min(best, performance.now() - startMs);
  }
  return best;
}

function upTo<T extends { readonly hours: readonly { readonly atMs: number }[] }>(
  all: readonly T[],
  toMs: number,
): T[] {
  return all.map((one) => ({ ...one, hours: one.hours.filter(({ atMs }) => atMs < toMs) }));
}
