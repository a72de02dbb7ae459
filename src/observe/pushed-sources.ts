/** The sources of telemetry that is sent. No configured source can have such a name: it has a colon. */
import type { Store } from '../store/index.ts';
import { ANONYMOUS_SOURCE } from './anonymous.ts';
import { coveringSql, coveringValues, HOUR_MS } from './units.ts';

export const TOKEN_SOURCE = 'otlp:token';

export function isPushed(source: string): boolean {
  return source === ANONYMOUS_SOURCE || source === TOKEN_SOURCE;
}

const COVERED = coveringSql('series, events');

/** Events of the last hour by their own time, of all who send. */
export async function pushedLastHour(store: Store): Promise<number> {
  const nowMs = await store.nowMs();
  const [row] = await store.all(
    `SELECT CAST(SUM(c.events) AS BIGINT) AS events
     FROM (${COVERED}) AS c JOIN observe_series s ON s.id = c.series
     WHERE s.type <> 'aside' AND s.source IN (?, ?)`,
    [...coveringValues({ fromMs: nowMs - HOUR_MS, toMs: nowMs }), ANONYMOUS_SOURCE, TOKEN_SOURCE],
  );
  return (row?.['events'] as number | null | undefined) ?? 0;
}
