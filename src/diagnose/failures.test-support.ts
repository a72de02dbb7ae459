/** Failures for this room's tests. */
import type { FailureExample, FailureGroup, LatencyView, WhyNow, Window } from '../facts/index.ts';
import type { Setting } from './index.ts';
import { settingsOf as read } from './settings-of.ts';

export const HOUR_MS = 3_600_000;
export const WINDOW: Window = {
  fromMs: Date.UTC(2026, 0, 2),
  toMs: Date.UTC(2026, 0, 3),
};
export const LIMITS = { minOccurrences: 3, failureShare: 0.02 };
/** Telemetry without a measure. */
export const NO_SHIFTS = {
  metrics: async () => [],
  unitHours: async () => [],
  examples: async () => [],
  recentCalls: async () => new Map(),
  sessionEvents: async () => new Map(),
};
export const COMMIT = 'c'.repeat(40);

export function examples(message: string, times: readonly number[]): FailureExample[] {
  return times.map((atMs, at) => ({
    id: `e${at}`,
    atMs,
    session: `s${at}`,
    message,
    latencyMs: null,
  }));
}

/** Evenly over the window. */
export function overTheDay(number: number): number[] {
  const step = (WINDOW.toMs - WINDOW.fromMs) / number;
  return Array.from({ length: number }, (_, at) => WINDOW.fromMs + Math.floor((at + 0.5) * step));
}

export function latencies(...values: readonly (readonly [number, number])[]): LatencyView {
  return {
    count: values.reduce((sum, [, count]) => sum + count, 0),
    minMs: values[0]![0] * 0.995,
    maxMs: values.at(-1)![0],
    buckets: values.map(([uptoMs, count]) => ({ uptoMs, count })),
  };
}

/** A search that times out in one of ten calls, all day long. */
export function group(changes: Partial<FailureGroup> = {}): FailureGroup {
  const times = overTheDay(20);
  return {
    template: 'web_search timed out after <*> ms',
    agent: 'researcher',
    tool: 'web_search',
    errorCode: 'TIMEOUT',
    sources: ['fleet'],
    failures: 412,
    calls: 4320,
    sessions: 400,
    firstAtMs: times[0]!,
    lastAtMs: times.at(-1)!,
    examples: examples('web_search timed out after 800 ms', times),
    failedLatency: latencies([805, 400], [840, 12]),
    succeededLatency: latencies([200, 1000], [400, 2000], [700, 908]),
    history: [],
    ...changes,
  };
}

/** The values of a file as `readSettings` gives them. */
export function settingsOf(file: string, text: string): readonly Setting[] {
  const found = read(file, text);
  if ('refused' in found) throw new Error(found.refused);
  return found.settings;
}

export const RESEARCHER = `name: researcher
tools:
  web_search:
    timeout_ms: 800 # too tight
    retries: 2
  fetch:
    timeout_ms: 800
`;

/** As old as the record. */
export const STEADY: WhyNow = {
  trigger: 'none',
  since: null,
  endedAtMs: null,
  during: 0.1,
  otherwise: 0.1,
  wait: null,
};
