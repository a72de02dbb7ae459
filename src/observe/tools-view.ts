/** Tools, corrections and days of a window, from the counts: what people are shown beside the failures. */
import type { LatencyView, Window } from '../facts/index.ts';
import type { Store } from '../store/index.ts';
import { Latencies } from './latency-view.ts';
import { coveringSql, coveringValues, DAY_MS, wholeUnits } from './units.ts';

export interface ToolCount {
  readonly agent: string;
  readonly tool: string;
  readonly calls: number;
  readonly failed: number;
  /** Null where no call says how long it took. */
  readonly latency: LatencyView | null;
}

export interface CorrectionCount {
  readonly agent: string;
  /** `retry`, `rephrase` or `abandon`. */
  readonly correction: string;
  readonly count: number;
}

const COVERED = coveringSql('series, events');

/** Most calls first. */
export async function toolCounts(store: Store, window: Window): Promise<ToolCount[]> {
  const rows = await store.all(
    `SELECT s.id, s.agent, s.tool, s.ok, CAST(SUM(c.events) AS BIGINT) AS events
     FROM (${COVERED}) AS c JOIN observe_series s ON s.id = c.series
     WHERE s.type = 'tool_call' GROUP BY s.id, s.agent, s.tool, s.ok ORDER BY s.id`,
    coveringValues(window),
  );
  const latencies = await Latencies.read(store, window);
  const places = Map.groupBy(rows, (row) => `${row['agent']}\n${row['tool']}`);
  const counts = [...places.values()].map((of) => ({
    agent: of[0]!['agent'] as string,
    tool: of[0]!['tool'] as string,
    calls: sum(of.map((row) => row['events'] as number)),
    failed: sum(of.filter((row) => row['ok'] === 0).map((row) => row['events'] as number)),
    latency: latencies.of(of.map((row) => row['id'] as number)),
  }));
  return counts.sort((a, b) => b.calls - a.calls);
}

/** Where people corrected an answer, most first. Those that a source is unsure of are counted too. */
export async function correctionCounts(store: Store, window: Window): Promise<CorrectionCount[]> {
  const rows = await store.all(
    `SELECT s.agent, s.error_code, CAST(SUM(c.events) AS BIGINT) AS events
     FROM (${COVERED}) AS c JOIN observe_series s ON s.id = c.series
     WHERE s.type = 'user_correction' GROUP BY s.agent, s.error_code
     ORDER BY 3 DESC, s.agent, s.error_code`,
    coveringValues(window),
  );
  return rows.map((row) => ({
    agent: row['agent'] as string,
    correction: row['error_code'] as string,
    count: row['events'] as number,
  }));
}

export interface DayCount {
  /** Midnight UTC. */
  readonly dayMs: number;
  readonly failures: number;
}

/** Failures of one agent's tool by day, ascending, without empty days. */
export async function failuresByDay(
  store: Store,
  window: Window,
  place: { readonly agent: string; readonly tool: string; readonly errorCode: string },
): Promise<DayCount[]> {
  const { fromMs, toMs } = wholeUnits(DAY_MS, window);
  const rows = await store.all(
    `SELECT r.at_ms, CAST(SUM(r.events) AS BIGINT) AS events
     FROM observe_rollups r JOIN observe_series s ON s.id = r.series
     WHERE r.unit_ms = ${DAY_MS} AND r.at_ms >= ? AND r.at_ms < ? AND s.ok = 0
       AND s.agent = ? AND s.tool = ? AND s.error_code = ?
     GROUP BY r.at_ms ORDER BY r.at_ms`,
    [fromMs, toMs, place.agent, place.tool, place.errorCode],
  );
  return rows.map((row) => ({ dayMs: row['at_ms'] as number, failures: row['events'] as number }));
}

/** Events of each source in a window. */
export async function eventsBySource(
  store: Store,
  window: Window,
): Promise<ReadonlyMap<string, number>> {
  const rows = await store.all(
    `SELECT s.source, CAST(SUM(c.events) AS BIGINT) AS events
     FROM (${COVERED}) AS c JOIN observe_series s ON s.id = c.series
     WHERE s.type <> 'aside' GROUP BY s.source`,
    coveringValues(window),
  );
  return new Map(rows.map((row) => [row['source'] as string, row['events'] as number]));
}

/** The latency below which this share of the calls stayed. */
export function quantile({ count, buckets }: LatencyView, share: number): number {
  let left = share * count;
  for (const { uptoMs, count: events } of buckets) {
    left -= events;
    if (left <= 0) return uptoMs;
  }
  return buckets.at(-1)!.uptoMs;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
