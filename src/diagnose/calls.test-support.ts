/** Calls one by one, as telemetry tells them, in a world whose limit is known. */
import type { RecentCall } from '../facts/index.ts';

export const CALLS_FROM_MS = Date.UTC(2026, 0, 2, 12);

/** The same numbers in every run (a linear congruential generator is enough here). */
export function drawer(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Traffic {
  readonly calls: number;
  readonly perMinute: number;
  readonly latencyMs: number;
  readonly code: string;
  readonly agents?: readonly string[];
}

/** Calls that come by chance to a tool that takes only so many at once. */
export function callsWithSlots(traffic: Traffic, capacity: number): RecentCall[] {
  let ends: number[] = [];
  return callsOf(traffic, (nowMs, endMs) => {
    ends = ends.filter((ms) => ms > nowMs);
    if (ends.length >= capacity) return false;
    ends.push(endMs);
    return true;
  });
}

/** The same to a tool that takes only so many a minute, one at once. */
export function callsWithQuota(traffic: Traffic, perMinute: number): RecentCall[] {
  let [tokens, lastMs] = [1, CALLS_FROM_MS];
  return callsOf(traffic, (nowMs) => {
    tokens = Math.min(1, tokens + ((nowMs - lastMs) / 60_000) * perMinute);
    lastMs = nowMs;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  });
}

function callsOf(
  { calls, perMinute, latencyMs, code, agents = ['researcher'] }: Traffic,
  admit: (nowMs: number, endMs: number) => boolean,
): RecentCall[] {
  const draw = drawer(7);
  let nowMs = CALLS_FROM_MS;
  return Array.from({ length: calls }, () => {
    nowMs += Math.round((-Math.log(1 - draw()) * 60_000) / perMinute);
    const agent = agents[Math.floor(draw() * agents.length)]!;
    const endMs = nowMs + Math.round(latencyMs * (0.5 + draw()));
    const isAdmitted = admit(nowMs, endMs);
    return {
      agent,
      tool: 'web_search',
      startMs: nowMs,
      endMs: isAdmitted ? endMs : nowMs + 2,
      failedWith: isAdmitted ? null : code,
    };
  });
}

/** Calls with sizes: each fails if its answer would be longer than `cut`, or its input is longer than `refused`. */
export function callsWithSizes(limits: { cut?: number; refused?: number }): RecentCall[] {
  const draw = drawer(11);
  return Array.from({ length: 600 }, (_, at) => {
    const normal = () => draw() + draw() + draw() + draw() - 2;
    const [input, output] = [1500 * Math.exp(normal()), 400 * Math.exp(normal())].map(Math.round);
    const isCut = output! > (limits.cut ?? Infinity);
    const isRefused = input! > (limits.refused ?? Infinity);
    return {
      agent: 'researcher',
      tool: 'web_search',
      startMs: CALLS_FROM_MS + at * 60_000,
      endMs: CALLS_FROM_MS + at * 60_000 + 900,
      failedWith: isCut || isRefused ? 'length' : null,
      inputTokens: input!,
      ...(isRefused ? {} : { outputTokens: Math.min(output!, limits.cut ?? Infinity) }),
    };
  });
}
