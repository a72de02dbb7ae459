/**
 * The sums of one batch: per minute, hour and day of a series, per hour, series and latency bucket, and who was active
 * in which minute. They are added to the stored sums without reading them.
 */
import type { Merging, Value, Write } from '../store/index.ts';
import { type Activity, type EventFacts, isTimed, type Spent } from './event-facts.ts';
import { bucketOf } from './latency-buckets.ts';
import type { Series } from './series.ts';
import { floorTo, HOUR_MS, MINUTE_MS, UNITS_MS } from './units.ts';

/** What was counted of a series in one minute, hour or day. */
interface Cell {
  readonly atMs: number;
  events: number;
  firstAtMs: number;
  lastAtMs: number;
  /** Events that have a measure; what follows says nothing where this is zero. */
  measured: number;
  sum: number;
  min: number;
  max: number;
  spent: Spent | undefined;
}

interface OfSeries {
  readonly minutes: Map<number, Cell>;
  /** By hour, then by bucket. */
  readonly latencies: Map<number, Map<number, number>>;
}

interface Active {
  readonly minuteMs: number;
  readonly agent: string;
  failed: 0 | 1;
  corrected: 0 | 1;
}

type Counted = Pick<EventFacts, 'measure' | 'spent'>;

/** A sum of values beyond it would overflow, which PostgreSQL refuses. */
const MEASURE_MAX = 1e290;

export class Tally {
  readonly #series = new Map<Series, OfSeries>();
  /** By session: each is active in few minutes of a batch. */
  readonly #activity = new Map<string, Active[]>();

  count(series: Series, atMs: number, { measure, spent }: Counted): void {
    const own = this.#of(series);
    const cell = cellAt(own.minutes, floorTo(MINUTE_MS, atMs));
    cell.events += 1;
    if (atMs < cell.firstAtMs) cell.firstAtMs = atMs;
    if (atMs > cell.lastAtMs) cell.lastAtMs = atMs;
    if (spent !== undefined) cell.spent = addSpent(cell.spent, spent);
    if (measure === null) return;
    cell.measured += 1;
    cell.sum += Math.max(-MEASURE_MAX, Math.min(MEASURE_MAX, measure));
    if (measure < cell.min) cell.min = measure;
    if (measure > cell.max) cell.max = measure;
    if (isTimed(series.dimensions.type)) addLatency(own.latencies, atMs, measure);
  }

  note(session: string, atMs: number, activity: Activity, agent: string): void {
    if (activity === 'none') return;
    const one = this.#active(session, floorTo(MINUTE_MS, atMs), agent);
    if (activity === 'failed') one.failed = 1;
    if (activity === 'corrected') one.corrected = 1;
  }

  writes(): Write[] {
    const rollups: Value[] = [];
    const spent: Value[] = [];
    const latencies: Value[] = [];
    for (const [{ number }, own] of this.#series) {
      for (const unitMs of UNITS_MS) {
        for (const cell of inUnits(own.minutes, unitMs)) {
          pushRollup(rollups, unitMs, number, cell);
          if (cell.spent !== undefined) pushSpent(spent, unitMs, number, cell);
        }
      }
      for (const [hourMs, buckets] of own.latencies)
        for (const [bucket, events] of buckets) latencies.push(hourMs, number, bucket, events);
    }
    return [
      upsert('observe_rollups', UNIT_KEY, ROLLUP, rollups),
      upsert('observe_spent', UNIT_KEY, SPENT, spent),
      upsert('observe_latencies', ['hour_ms', 'series', 'bucket'], { events: 'add' }, latencies),
      this.#writeActivity(),
    ];
  }

  /** What another batch recorded stays. In one order: two sources may report one session, and must not deadlock. */
  #writeActivity(): Write {
    const values: Value[] = [];
    for (const session of [...this.#activity.keys()].sort()) {
      const all = this.#activity.get(session)!;
      all.sort((a, b) => a.minuteMs - b.minuteMs || (a.agent < b.agent ? -1 : 1));
      for (const { minuteMs, agent, failed, corrected } of all)
        values.push(minuteMs, agent, session, failed, corrected);
    }
    const merge = { failed: 'most', corrected: 'most' } as const;
    return upsert('observe_activity', ['minute_ms', 'agent', 'session'], merge, values);
  }

  #active(session: string, minuteMs: number, agent: string): Active {
    let all = this.#activity.get(session);
    if (all === undefined) {
      all = [];
      this.#activity.set(session, all);
    }
    // The newest first: most events are of the minute of the one before.
    for (let at = all.length - 1; at >= 0; at--) {
      const known = all[at]!;
      if (known.minuteMs === minuteMs && known.agent === agent) return known;
    }
    const one: Active = { minuteMs, agent, failed: 0, corrected: 0 };
    all.push(one);
    return one;
  }

  #of(series: Series): OfSeries {
    let own = this.#series.get(series);
    if (own === undefined) {
      own = { minutes: new Map(), latencies: new Map() };
      this.#series.set(series, own);
    }
    return own;
  }
}

function cellAt(cells: Map<number, Cell>, atMs: number): Cell {
  let cell = cells.get(atMs);
  if (cell === undefined) {
    cell = {
      atMs,
      events: 0,
      firstAtMs: Number.POSITIVE_INFINITY,
      lastAtMs: 0,
      measured: 0,
      sum: 0,
      min: Number.POSITIVE_INFINITY,
      max: Number.NEGATIVE_INFINITY,
      spent: undefined,
    };
    cells.set(atMs, cell);
  }
  return cell;
}

function addSpent(there: Spent | undefined, more: Spent): Spent {
  const sum = { ...there };
  for (const field in more) {
    const known = field as keyof Spent;
    sum[known] = (sum[known] ?? 0) + more[known]!;
  }
  return sum;
}

function addLatency(latencies: OfSeries['latencies'], atMs: number, ms: number): void {
  const hourMs = floorTo(HOUR_MS, atMs);
  let buckets = latencies.get(hourMs);
  if (buckets === undefined) {
    buckets = new Map();
    latencies.set(hourMs, buckets);
  }
  const bucket = bucketOf(ms);
  buckets.set(bucket, (buckets.get(bucket) ?? 0) + 1);
}

function inUnits(minutes: ReadonlyMap<number, Cell>, unitMs: number): Iterable<Cell> {
  if (unitMs === MINUTE_MS) return minutes.values();
  const cells = new Map<number, Cell>();
  for (const one of minutes.values()) {
    const cell = cellAt(cells, floorTo(unitMs, one.atMs));
    cell.events += one.events;
    cell.firstAtMs = Math.min(cell.firstAtMs, one.firstAtMs);
    cell.lastAtMs = Math.max(cell.lastAtMs, one.lastAtMs);
    if (one.spent !== undefined) cell.spent = addSpent(cell.spent, one.spent);
    cell.measured += one.measured;
    cell.sum += one.sum;
    cell.min = Math.min(cell.min, one.min);
    cell.max = Math.max(cell.max, one.max);
  }
  return cells.values();
}

const UNIT_KEY = ['unit_ms', 'at_ms', 'series'];
const ROLLUP = {
  events: 'add',
  first_at_ms: 'least',
  last_at_ms: 'most',
  measured: 'add',
  measure_sum: 'add',
  measure_min: 'least',
  measure_max: 'most',
} as const;
const SPENT = {
  retries: 'add',
  input_tokens: 'add',
  output_tokens: 'add',
  input_bytes: 'add',
  output_bytes: 'add',
  cost_usd: 'add',
} as const;

function pushRollup(values: Value[], unitMs: number, series: number, cell: Cell): void {
  const { atMs, events, firstAtMs, lastAtMs, measured, sum, min, max } = cell;
  values.push(unitMs, atMs, series, events, firstAtMs, lastAtMs, measured);
  if (measured === 0) values.push(null, null, null);
  else values.push(sum, min, max);
}

function pushSpent(values: Value[], unitMs: number, series: number, cell: Cell): void {
  const { retries, inputTokens, outputTokens, inputBytes, outputBytes, costUsd } = cell.spent!;
  const sums = [retries, inputTokens, outputTokens, inputBytes, outputBytes, costUsd];
  values.push(unitMs, cell.atMs, series);
  for (const sum of sums) values.push(sum ?? null);
}

function upsert(
  table: string,
  key: readonly string[],
  merge: Readonly<Record<string, Merging>>,
  values: readonly Value[],
): Write {
  return { upsertRows: table, key, merge, values };
}
