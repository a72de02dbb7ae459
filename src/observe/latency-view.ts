/** Latencies of series in a window of whole hours, added up as asked for. */
import type { LatencyView, Window } from '../facts/index.ts';
import type { Store } from '../store/index.ts';
import { uptoMs } from './latency-buckets.ts';
import { HOUR_MS, wholeUnits } from './units.ts';

interface OfSeries {
  readonly buckets: Map<number, number>;
  minMs: number;
  maxMs: number;
}

export class Latencies {
  readonly #series: ReadonlyMap<number, OfSeries>;

  private constructor(series: ReadonlyMap<number, OfSeries>) {
    this.#series = series;
  }

  /** Those of everything but metrics, which have no duration. */
  static async read(store: Store, window: Window): Promise<Latencies> {
    const { fromMs, toMs } = wholeUnits(HOUR_MS, window);
    const series = new Map<number, OfSeries>();
    const counts = await store.all(
      `SELECT series, bucket, CAST(SUM(events) AS BIGINT) AS events FROM observe_latencies
       WHERE hour_ms >= ? AND hour_ms < ? GROUP BY series, bucket`,
      [fromMs, toMs],
    );
    for (const row of counts) {
      const one = entry(series, row['series'] as number);
      one.buckets.set(row['bucket'] as number, row['events'] as number);
    }
    const edges = await store.all(
      `SELECT r.series, MIN(r.measure_min) AS least, MAX(r.measure_max) AS most
       FROM observe_rollups r JOIN observe_series s ON s.id = r.series
       WHERE r.unit_ms = ${HOUR_MS} AND r.at_ms >= ? AND r.at_ms < ? AND s.type <> 'metric'
         AND r.measured > 0
       GROUP BY r.series`,
      [fromMs, toMs],
    );
    for (const row of edges) {
      const one = entry(series, row['series'] as number);
      one.minMs = row['least'] as number;
      one.maxMs = row['most'] as number;
    }
    return new Latencies(series);
  }

  /** Null if none of them has a latency. */
  of(numbers: Iterable<number>): LatencyView | null {
    const buckets = new Map<number, number>();
    let [count, minMs, maxMs] = [0, Number.POSITIVE_INFINITY, 0];
    for (const number of numbers) {
      const one = this.#series.get(number);
      if (one === undefined) continue;
      minMs = Math.min(minMs, one.minMs);
      maxMs = Math.max(maxMs, one.maxMs);
      for (const [bucket, events] of one.buckets) {
        buckets.set(bucket, (buckets.get(bucket) ?? 0) + events);
        count += events;
      }
    }
    if (count === 0) return null;
    const ascending = [...buckets].sort(([a], [b]) => a - b);
    return {
      count,
      minMs,
      maxMs,
      buckets: ascending.map(([bucket, events]) => ({ uptoMs: uptoMs(bucket), count: events })),
    };
  }
}

function entry(all: Map<number, OfSeries>, series: number): OfSeries {
  let one = all.get(series);
  if (one === undefined) {
    one = { buckets: new Map(), minMs: Number.POSITIVE_INFINITY, maxMs: 0 };
    all.set(series, one);
  }
  return one;
}
