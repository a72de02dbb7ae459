/** Calls of all agents and tools together, by the hour. In few rows, for whoever only asks how the fleet does. */
import type { Window } from '../facts/index.ts';
import type { Store } from '../store/index.ts';
import { ANONYMOUS_SOURCE } from './anonymous.ts';
import { HOUR_MS, wholeUnits } from './units.ts';

export interface FleetHour {
  readonly atMs: number;
  readonly calls: number;
  readonly failed: number;
  /** Calls that ended well and said how long they took, and their time together. */
  readonly timedWell: number;
  readonly latencyWellMs: number;
}

/** Whole hours, edges moved outwards. Where known senders sent anything, what nobody known sent is left out. */
export async function fleetHours(store: Store, window: Window): Promise<FleetHour[]> {
  const { fromMs, toMs } = wholeUnits(HOUR_MS, window);
  const rows = await store.all(
    `SELECT r.at_ms, CASE WHEN s.source = ? THEN 0 ELSE 1 END AS known,
       CAST(SUM(r.events) AS BIGINT) AS calls,
       CAST(SUM(CASE WHEN s.ok = 0 THEN r.events ELSE 0 END) AS BIGINT) AS failed,
       CAST(SUM(CASE WHEN s.ok = 1 THEN r.measured ELSE 0 END) AS BIGINT) AS timed_well,
       SUM(CASE WHEN s.ok = 1 THEN r.measure_sum END) AS latency_well
     FROM observe_rollups r JOIN observe_series s ON s.id = r.series
     WHERE r.unit_ms = ${HOUR_MS} AND r.at_ms >= ? AND r.at_ms < ? AND s.type = 'tool_call'
     GROUP BY r.at_ms, 2 ORDER BY r.at_ms`,
    [ANONYMOUS_SOURCE, fromMs, toMs],
  );
  const known = rows.filter((row) => row['known'] === 1);
  return (known.length > 0 ? known : rows).map((row) => ({
    atMs: row['at_ms'] as number,
    calls: row['calls'] as number,
    failed: row['failed'] as number,
    timedWell: row['timed_well'] as number,
    latencyWellMs: Number(row['latency_well'] ?? 0),
  }));
}
