/** Events counted by one dimension: how many, how many failed, how long they took, what they spent. */
import { isoTime } from '../base/index.ts';
import type { EventsCount, EventsCountInput } from '../contracts/event.ts';
import type { BreakdownRow } from '../facts/index.ts';
import { quantile, Telemetry } from '../observe/index.ts';
import { type AppContext, withLoop } from './context.ts';
import { windowOf } from './instant.ts';
import { isRefusal, type Refusal } from './refusal.ts';

const DAY_MS = 86_400_000;

export function countEvents(
  context: AppContext,
  { by, since, until }: EventsCountInput,
): Promise<EventsCount | Refusal> {
  return withLoop(context, {}, async (_, { ports }): Promise<EventsCount | Refusal> => {
    const nowMs = await ports.telemetry.nowMs();
    const window = windowOf({ since, until }, nowMs, nowMs - DAY_MS);
    if (isRefusal(window)) return window;
    const rows = await new Telemetry(ports.telemetry).breakdown(window, by);
    return {
      by,
      from: isoTime(window.fromMs),
      to: isoTime(window.toMs),
      rows: rows.map(rowJson).sort((a, b) => b.events - a.events || (a.name < b.name ? -1 : 1)),
    };
  });
}

function rowJson(row: BreakdownRow): EventsCount['rows'][number] {
  const { name, events, failed, judged, latency } = row;
  const at = (share: number) => (latency === null ? null : Math.round(quantile(latency, share)));
  const { retries, inputTokens, outputTokens, costUsd } = row;
  const spent = { retries, inputTokens, outputTokens, costUsd };
  return { name, events, failed, judged, p50Ms: at(0.5), p95Ms: at(0.95), ...spent };
}
