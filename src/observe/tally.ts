/**
 * The sums of one batch: per minute, hour and day of a series, per hour, series and latency bucket, and who was active
 * in which minute. They are added to the stored sums without reading them.
 */
import type { Write } from '../store/index.ts';
import type { EventFacts } from './event-facts.ts';
import { bucketOf } from './latency-buckets.ts';
import { floorTo, HOUR_MS, MINUTE_MS, UNITS_MS } from './units.ts';

interface Rollup {
  readonly atMs: number;
  readonly series: number;
  events: number;
  firstAtMs: number;
  lastAtMs: number;
  /** Infinite while there is no latency. */
  minMs: number;
  maxMs: number;
}

type Rollups = Map<string, Rollup>;

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
  readonly #minutes: Rollups = new Map();
  readonly #latencies = new Map<string, Latencies>();
  readonly #activity = new Map<string, Activity>();

  count(series: number, atMs: number, latencyMs: number | null): void {
    const timed = latencyMs !== null;
    addTo(this.#minutes, {
      atMs: floorTo(MINUTE_MS, atMs),
      series,
      events: 1,
      firstAtMs: atMs,
      lastAtMs: atMs,
      minMs: timed ? latencyMs : Number.POSITIVE_INFINITY,
      maxMs: timed ? latencyMs : 0,
    });
    if (timed) this.#latency(floorTo(HOUR_MS, atMs), series, bucketOf(latencyMs)).events += 1;
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
      ...UNITS_MS.flatMap((unitMs) => this.#rollups(unitMs)),
      ...Array.from(this.#latencies.values(), writeLatencies),
      // Always in the same order: two sources may report one session, and must not deadlock.
      ...[...this.#activity]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, one]) => writeActivity(one)),
    ];
  }

  #rollups(unitMs: number): Write[] {
    const rollups: Rollups = new Map();
    for (const one of this.#minutes.values())
      addTo(rollups, { ...one, atMs: floorTo(unitMs, one.atMs) });
    return Array.from(rollups.values(), (one) => writeRollup(unitMs, one));
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

function addTo(rollups: Rollups, more: Rollup): void {
  const key = `${more.atMs} ${more.series}`;
  const there = rollups.get(key);
  if (there === undefined) {
    rollups.set(key, more);
    return;
  }
  there.events += more.events;
  there.firstAtMs = Math.min(there.firstAtMs, more.firstAtMs);
  there.lastAtMs = Math.max(there.lastAtMs, more.lastAtMs);
  there.minMs = Math.min(there.minMs, more.minMs);
  there.maxMs = Math.max(there.maxMs, more.maxMs);
}

/** Only hours keep the smallest and the largest latency. */
function writeRollup(unitMs: number, { atMs, series, events, ...one }: Rollup): Write {
  const isTimed = unitMs === HOUR_MS && Number.isFinite(one.minMs);
  const timed = { latency_min_ms: { least: one.minMs }, latency_max_ms: { most: one.maxMs } };
  return {
    upsert: 'observe_rollups',
    key: { unit_ms: unitMs, at_ms: atMs, series },
    row: {
      events: { add: events },
      first_at_ms: { least: one.firstAtMs },
      last_at_ms: { most: one.lastAtMs },
      ...(isTimed ? timed : {}),
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

/** What another batch recorded stays; only values that became true overwrite it. */
function writeActivity({ minuteMs, agent, session, failed, corrected }: Activity): Write {
  const key = { minute_ms: minuteMs, agent, session };
  if (!failed && !corrected) return { insert: 'observe_activity', row: key, onConflict: 'ignore' };
  return {
    upsert: 'observe_activity',
    key,
    row: { ...(failed ? { failed: 1 } : {}), ...(corrected ? { corrected: 1 } : {}) },
  };
}
