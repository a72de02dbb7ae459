/**
 * The sums of one batch: per minute and series, per hour, series and latency bucket, and who was active
 * in which minute. Then the rows that stand there are read and written anew with both together: the
 * batch's expectation makes sure that nobody wrote in between.
 */
import type { Row, Store, Write } from '../store/index.ts';
import type { EventFacts } from './event-facts.ts';
import { readByKeys } from './key-reads.ts';
import { bucketOf } from './latency-buckets.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;

export function floorTo(unitMs: number, atMs: number): number {
  return Math.floor(atMs / unitMs) * unitMs;
}

interface Rollup {
  readonly minuteMs: number;
  readonly series: number;
  events: number;
  firstAtMs: number;
  lastAtMs: number;
  latencies: number;
  /** Infinite while `latencies` is 0; never written then. */
  minMs: number;
  maxMs: number;
  sumMs: number;
}

interface Latencies {
  readonly hourMs: number;
  readonly series: number;
  readonly bucket: number;
  events: number;
}

interface Activity {
  readonly minuteMs: number;
  readonly agent: string;
  readonly session: string;
  failed: boolean;
  corrected: boolean;
}

const ROLLUPS = {
  name: 'observe_rollups',
  keys: ['minute_ms', 'series'],
  columns:
    't.minute_ms, t.series, t.events, t.first_at_ms, t.last_at_ms, t.latencies, t.latency_min_ms, t.latency_max_ms, t.latency_sum_ms',
};
const LATENCIES = {
  name: 'observe_latencies',
  keys: ['hour_ms', 'series', 'bucket'],
  columns: 't.hour_ms, t.series, t.bucket, t.events',
};

export class Tally {
  readonly #rollups = new Map<string, Rollup>();
  readonly #latencies = new Map<string, Latencies>();
  readonly #activity = new Map<string, Activity>();

  count(series: number, atMs: number, latencyMs: number | null): void {
    const rollup = this.#rollup(floorTo(MINUTE_MS, atMs), series);
    rollup.events += 1;
    rollup.firstAtMs = Math.min(rollup.firstAtMs, atMs);
    rollup.lastAtMs = Math.max(rollup.lastAtMs, atMs);
    if (latencyMs === null) return;
    rollup.latencies += 1;
    rollup.minMs = Math.min(rollup.minMs, latencyMs);
    rollup.maxMs = Math.max(rollup.maxMs, latencyMs);
    rollup.sumMs += latencyMs;
    this.#latency(floorTo(HOUR_MS, atMs), series, bucketOf(latencyMs)).events += 1;
  }

  note(session: string, atMs: number, { activity, dimensions: { agent } }: EventFacts): void {
    if (activity === 'none') return;
    const minuteMs = floorTo(MINUTE_MS, atMs);
    const key = `${minuteMs}\n${agent}\n${session}`;
    let one = this.#activity.get(key);
    if (one === undefined) {
      one = { minuteMs, agent, session, failed: false, corrected: false };
      this.#activity.set(key, one);
    }
    if (activity === 'failed') one.failed = true;
    if (activity === 'corrected') one.corrected = true;
  }

  async writes(store: Store): Promise<Write[]> {
    await this.#addStored(store);
    return [
      ...Array.from(this.#rollups.values(), writeRollup),
      ...Array.from(this.#latencies.values(), writeLatencies),
      ...Array.from(this.#activity.values(), writeActivity),
    ];
  }

  async #addStored(store: Store): Promise<void> {
    const rollups = [...this.#rollups.values()];
    const keys = rollups.map(({ minuteMs, series }) => [minuteMs, series]);
    for (const row of await readByKeys(store, ROLLUPS, keys)) {
      addRow(this.#rollup(row['minute_ms'] as number, row['series'] as number), row);
    }
    const latencies = [...this.#latencies.values()];
    const buckets = latencies.map(({ hourMs, series, bucket }) => [hourMs, series, bucket]);
    for (const row of await readByKeys(store, LATENCIES, buckets)) {
      const { hour_ms, series, bucket, events } = row as Record<string, number>;
      this.#latency(hour_ms!, series!, bucket!).events += events!;
    }
  }

  #rollup(minuteMs: number, series: number): Rollup {
    const key = `${minuteMs} ${series}`;
    let rollup = this.#rollups.get(key);
    if (rollup === undefined) {
      rollup = {
        minuteMs,
        series,
        events: 0,
        firstAtMs: Number.POSITIVE_INFINITY,
        lastAtMs: 0,
        latencies: 0,
        minMs: Number.POSITIVE_INFINITY,
        maxMs: 0,
        sumMs: 0,
      };
      this.#rollups.set(key, rollup);
    }
    return rollup;
  }

  #latency(hourMs: number, series: number, bucket: number): Latencies {
    const key = `${hourMs} ${series} ${bucket}`;
    let one = this.#latencies.get(key);
    if (one === undefined) {
      one = { hourMs, series, bucket, events: 0 };
      this.#latencies.set(key, one);
    }
    return one;
  }
}

function addRow(rollup: Rollup, row: Row): void {
  rollup.events += row['events'] as number;
  rollup.firstAtMs = Math.min(rollup.firstAtMs, row['first_at_ms'] as number);
  rollup.lastAtMs = Math.max(rollup.lastAtMs, row['last_at_ms'] as number);
  const latencies = row['latencies'] as number;
  if (latencies === 0) return;
  rollup.latencies += latencies;
  rollup.minMs = Math.min(rollup.minMs, row['latency_min_ms'] as number);
  rollup.maxMs = Math.max(rollup.maxMs, row['latency_max_ms'] as number);
  rollup.sumMs += row['latency_sum_ms'] as number;
}

function writeRollup(one: Rollup): Write {
  const timed = one.latencies > 0;
  return {
    upsert: 'observe_rollups',
    key: { minute_ms: one.minuteMs, series: one.series },
    row: {
      events: one.events,
      first_at_ms: one.firstAtMs,
      last_at_ms: one.lastAtMs,
      latencies: one.latencies,
      latency_min_ms: timed ? one.minMs : null,
      latency_max_ms: timed ? one.maxMs : null,
      latency_sum_ms: timed ? one.sumMs : null,
    },
  };
}

function writeLatencies({ hourMs, series, bucket, events }: Latencies): Write {
  return { upsert: 'observe_latencies', key: { hour_ms: hourMs, series, bucket }, row: { events } };
}

/** What another batch already noted stays; only what became true is written over it. */
function writeActivity({ minuteMs, agent, session, failed, corrected }: Activity): Write {
  const key = { minute_ms: minuteMs, agent, session };
  if (!failed && !corrected) return { insert: 'observe_activity', row: key, onConflict: 'ignore' };
  return {
    upsert: 'observe_activity',
    key,
    row: { ...(failed ? { failed: 1 } : {}), ...(corrected ? { corrected: 1 } : {}) },
  };
}
