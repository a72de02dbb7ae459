/**
 * Tries after failures, which telemetry rarely numbers: a failed call of a session at a tool is a try of the failed call
 * before it if that ended at most a minute earlier, not counting how long the try itself took. Of the raw events only
 * the newest failed ones are read, in an index, so that the work does not grow with the traffic.
 */
import type { TriesView, Window } from '../facts/index.ts';
import type { Store } from '../store/index.ts';
import { MINUTE_MS } from './units.ts';

/** Backoff is rarely longer than a minute; a person who asks again mostly takes longer. */
const PAUSE_MS = 60_000;
/** Enough for any rate, and read in a tenth of a second. */
const EVENTS_MAX = 20_000;
const LENGTHS_MAX = 50;

export interface AskedTries {
  readonly tool: string;
  readonly window: Window;
  /** The longest that a failed call of the tool took. */
  readonly longestMs: number;
  /** Failed calls of the tool in the window. */
  readonly failures: number;
}

/** By agent; bins are of everybody. Empty where nothing failed. */
export async function readTries(
  store: Store,
  asked: AskedTries,
): Promise<ReadonlyMap<string, TriesView>> {
  const { tool, window, longestMs } = asked;
  const fromMs = await newestFrom(store, asked);
  const gapMs = PAUSE_MS + Math.ceil(Math.min(longestMs, 60 * MINUTE_MS));
  const values = [gapMs, fromMs, window.toMs, tool];
  const bins = await store.all(
    `WITH ${FAILED}
     SELECT at_ms / ${MINUTE_MS} AS minute, CAST(SUM(is_first) AS BIGINT) AS firsts,
       CAST(COUNT(*) AS BIGINT) AS failed
     FROM failed GROUP BY 1 ORDER BY 1`,
    values,
  );
  const lengths = await store.all(
    `WITH ${FAILED},
     chains AS (SELECT agent, session, SUM(is_first) OVER
                  (PARTITION BY agent, session ORDER BY at_ms, id) AS chain FROM failed),
     lengths AS (SELECT agent, session, chain, COUNT(*) AS tries FROM chains
                 GROUP BY agent, session, chain)
     SELECT agent, CAST(tries AS BIGINT) AS tries, CAST(COUNT(*) AS BIGINT) AS chains FROM lengths
     GROUP BY agent, tries ORDER BY agent, tries`,
    values,
  );
  const counted = bins.map((row) => {
    const first = row['firsts'] as number;
    return {
      atMs: (row['minute'] as number) * MINUTE_MS,
      first,
      again: (row['failed'] as number) - first,
    };
  });
  const agents = Map.groupBy(lengths, (row) => row['agent'] as string);
  return new Map(
    [...agents].map(([agent, rows]) => [
      agent,
      {
        fromMs,
        bins: counted,
        chains: rows.slice(0, LENGTHS_MAX).map((row) => ({
          failed: row['tries'] as number,
          count: row['chains'] as number,
        })),
      },
    ]),
  );
}

const FAILED = `failed AS (
  SELECT s.agent AS agent, e.session AS session, e.at_ms AS at_ms, e.id AS id,
    CASE WHEN e.at_ms - LAG(e.at_ms) OVER (PARTITION BY s.agent, e.session ORDER BY e.at_ms, e.id) <= ?
      THEN 0 ELSE 1 END AS is_first
  FROM observe_events e JOIN observe_series s ON s.id = e.series
  WHERE e.failed = 1 AND e.at_ms >= ? AND e.at_ms < ?
    AND e.series IN (SELECT id FROM observe_series WHERE type = 'tool_call' AND tool = ? AND ok = 0))`;

/** From when on there are at most so many; from the beginning where there are fewer altogether. */
async function newestFrom(store: Store, { tool, window, failures }: AskedTries): Promise<number> {
  if (failures <= EVENTS_MAX) return window.fromMs;
  const rows = await store.all(
    `SELECT r.at_ms, CAST(SUM(r.events) AS BIGINT) AS failed
     FROM observe_rollups r JOIN observe_series s ON s.id = r.series
     WHERE r.unit_ms = ${MINUTE_MS} AND r.at_ms >= ? AND r.at_ms < ? AND s.type = 'tool_call'
       AND s.tool = ? AND s.ok = 0
     GROUP BY r.at_ms ORDER BY r.at_ms DESC`,
    [window.fromMs, window.toMs, tool],
  );
  let seen = 0;
  for (const row of rows) {
    seen += row['failed'] as number;
    if (seen > EVENTS_MAX) return (row['at_ms'] as number) + MINUTE_MS;
  }
  return window.fromMs;
}
