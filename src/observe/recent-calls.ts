/**
 * The newest calls of some tools, one by one: what they met at the same time, and how large they were, is in no count. Of
 * each tool only so many are read, however much traffic there is, so that a look costs the same in any fleet.
 */
import type { RecentCall, Window } from '../facts/index.ts';
import type { Store } from '../store/index.ts';
import { eventsOfHour, hoursIn } from './event-hours.ts';
import type { CleanEvent } from './types.ts';
import { HOUR_MS } from './units.ts';

/** Enough for a limit to show; read in a tenth of a second. */
const CALLS_MAX = 3000;

/** A tool, and about how many calls of it the window has. */
export interface AskedCalls {
  readonly tool: string;
  readonly calls: number;
  /** The newest before this time, where those at the window's end show less. */
  readonly untilMs?: number | undefined;
}

/** By tool, in the order in which they began. */
export async function readRecentCalls(
  store: Store,
  asked: readonly AskedCalls[],
  window: Window,
): Promise<ReadonlyMap<string, readonly RecentCall[]>> {
  const found = new Map<string, readonly RecentCall[]>();
  const hours = (await hoursIn(store, window)).reverse();
  const spanMs = window.toMs - window.fromMs;
  for (const { tool, calls, untilMs = window.toMs } of asked) {
    // So far back there are about as many as are wanted; traffic that gathers elsewhere gives fewer, which is enough.
    const backMs = Math.ceil((spanMs * CALLS_MAX) / Math.max(1, calls));
    const toMs = Math.min(window.toMs, untilMs);
    const within = { fromMs: Math.max(window.fromMs, toMs - backMs), toMs };
    found.set(tool, await callsOf(store, tool, { within, hours }));
  }
  return found;
}

async function callsOf(
  store: Store,
  tool: string,
  { within, hours }: { within: Window; hours: readonly number[] },
): Promise<RecentCall[]> {
  const found: RecentCall[] = [];
  for (const hourMs of hours) {
    if (hourMs >= within.toMs) continue;
    if (found.length >= CALLS_MAX || hourMs < within.fromMs - HOUR_MS) break;
    const rows = await eventsOfHour(store, hourMs, {
      window: within,
      columns: 'e.at_ms, e.body',
      rest: `AND e.series IN (SELECT id FROM observe_series WHERE type = 'tool_call' AND tool = ?)
             ORDER BY e.at_ms DESC, e.id DESC LIMIT ?`,
      values: [tool, CALLS_MAX - found.length],
    });
    for (const row of rows)
      found.push(
        ...callOf(JSON.parse(row['body'] as string) as CleanEvent, row['at_ms'] as number),
      );
  }
  return found.sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
}

function callOf(event: CleanEvent, endMs: number): RecentCall[] {
  if (event.kind !== 'tool_call') return [];
  const { agent, tool, success, latencyMs = 0, errorCode = '' } = event;
  const { inputTokens, outputTokens, argumentNames, parameterNames } = event;
  return [
    {
      agent,
      tool,
      startMs: endMs - latencyMs,
      endMs,
      failedWith: success ? null : errorCode,
      ...(inputTokens === undefined ? {} : { inputTokens }),
      ...(outputTokens === undefined ? {} : { outputTokens }),
      ...(argumentNames === undefined ? {} : { argumentNames }),
      ...(parameterNames === undefined ? {} : { parameterNames }),
    },
  ];
}
