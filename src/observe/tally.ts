/**
 * The sums of one batch: per minute and series, per hour, series and latency bucket, and who was active in which
 * minute. They are added to what stands there, without reading it.
 */
import type { Write } from '../store/index.ts';
import type { EventFacts } from './event-facts.ts';
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
  /** Infinite while `latencies` is 0; not written then. */
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

  writes(): Write[] {
    return [
      ...Array.from(this.#rollups.values(), writeRollup),
      ...Array.from(this.#latencies.values(), writeLatencies),
      // In one order, whoever writes: two sources may tell of one session, and neither must wait for the other.
      ...[...this.#activity]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, one]) => writeActivity(one)),
    ];
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

function writeRollup(one: Rollup): Write {
  const timed = {
    latency_min_ms: { least: one.minMs },
    latency_max_ms: { most: one.maxMs },
    latency_sum_ms: { add: one.sumMs },
  };
  return {
    upsert: 'observe_rollups',
    key: { minute_ms: one.minuteMs, series: one.series },
    row: {
      events: { add: one.events },
      first_at_ms: { least: one.firstAtMs },
      last_at_ms: { most: one.lastAtMs },
      latencies: { add: one.latencies },
      ...(one.latencies > 0 ? timed : {}),
    },
  };
}

function writeLatencies({ hourMs, series, bucket, events }: Latencies): Write {
  return {
    upsert: 'observe_latencies',
    key: { hour_ms: hourMs, series, bucket },
    row: { events: { add: events } },
  };
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
