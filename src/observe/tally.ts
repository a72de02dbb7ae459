/**
 * The sums of one batch: per minute, hour and day of a series, per hour, series and latency bucket, and who was active
 * in which minute. They are added to the stored sums without reading them.
 */
import type { Value, Write } from '../store/index.ts';
import { type Activity, type EventFacts, isTimed, type Spent } from './event-facts.ts';
import { bucketOf } from './latency-buckets.ts';
import type { Series } from './series.ts';
import { floorTo, HOUR_MS, MINUTE_MS, UNITS_MS } from './units.ts';

/** What was counted of a series in one minute, hour or day. */
interface Cell {
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

type BySeries = Map<Series, Cell>;
/** By minute, hour or day, then by series: the order in which they are stored. */
type Cells = Map<number, BySeries>;

/** Events by bucket. */
type Buckets = Map<number, number>;
/** By hour and series. */
type Latencies = Map<number, Map<Series, Buckets>>;

/** What a minute and its hour have: nearly every event is of the minute of the one before. */
interface Minute {
  readonly minuteMs: number;
  readonly cells: BySeries;
  readonly latencies: Map<Series, Buckets>;
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
  readonly #minutes: Cells = new Map();
  readonly #latencies: Latencies = new Map();
  /** By session: each is active in few minutes of a batch. */
  readonly #activity = new Map<string, Active[]>();
  #last: Minute | undefined;

  count(series: Series, atMs: number, { measure, spent }: Counted): void {
    const { cells, latencies } = this.#minute(atMs);
    const cell = entryOf(cells, series, newCell);
    cell.events += 1;
    if (atMs < cell.firstAtMs) cell.firstAtMs = atMs;
    if (atMs > cell.lastAtMs) cell.lastAtMs = atMs;
    if (spent !== undefined) cell.spent = addSpent(cell.spent, spent);
    if (measure === null) return;
    cell.measured += 1;
    cell.sum += Math.max(-MEASURE_MAX, Math.min(MEASURE_MAX, measure));
    if (measure < cell.min) cell.min = measure;
    if (measure > cell.max) cell.max = measure;
    if (isTimed(series.dimensions.type)) addLatency(latencies, series, measure);
  }

  note(session: string, atMs: number, activity: Activity, agent: string): void {
    if (activity === 'none') return;
    const one = this.#active(session, this.#minute(atMs).minuteMs, agent);
    if (activity === 'failed') one.failed = 1;
    if (activity === 'corrected') one.corrected = 1;
  }

  writes(): Write[] {
    const rollups: Value[] = [];
    const spent: Value[] = [];
    let units = this.#minutes;
    for (const unitMs of UNITS_MS) {
      units = inUnits(units, unitMs);
      for (const [atMs, cells] of ascending(units)) {
        for (const [{ number }, cell] of cells) {
          pushRollup(rollups, [unitMs, atMs, number], cell);
          if (cell.spent !== undefined) pushSpent(spent, [unitMs, atMs, number], cell.spent);
        }
      }
    }
    const latencies: Value[] = [];
    for (const [hourMs, all] of this.#latencies)
      for (const [{ number }, buckets] of all)
        for (const [bucket, events] of buckets) latencies.push(hourMs, number, bucket, events);
    return [
      { upsertRows: 'observe_rollups', key: UNIT_KEY, merge: ROLLUP, values: rollups },
      { upsertRows: 'observe_spent', key: UNIT_KEY, merge: SPENT, values: spent },
      {
        upsertRows: 'observe_latencies',
        key: ['hour_ms', 'series', 'bucket'],
        merge: { events: 'add' },
        values: latencies,
      },
      this.#writeActivity(),
    ];
  }

  /** What another batch recorded stays. In one order: two sources may report one session, and must not deadlock. */
  #writeActivity(): Write {
    const rows = [...this.#activity].flatMap(([session, all]) =>
      all.map((one) => ({ ...one, session })),
    );
    rows.sort(
      (a, b) =>
        a.minuteMs - b.minuteMs || compare(a.agent, b.agent) || compare(a.session, b.session),
    );
    const values: Value[] = [];
    for (const { minuteMs, agent, session, failed, corrected } of rows)
      values.push(minuteMs, agent, session, failed, corrected);
    const key = ['minute_ms', 'agent', 'session'];
    const merge = { failed: 'most', corrected: 'most' } as const;
    return { upsertRows: 'observe_activity', key, merge, values };
  }

  #minute(atMs: number): Minute {
    const minuteMs = floorTo(MINUTE_MS, atMs);
    if (this.#last?.minuteMs === minuteMs) return this.#last;
    const cells = entryOf(this.#minutes, minuteMs, newMap<Series, Cell>);
    const hourMs = floorTo(HOUR_MS, atMs);
    const latencies = entryOf(this.#latencies, hourMs, newMap<Series, Buckets>);
    this.#last = { minuteMs, cells, latencies };
    return this.#last;
  }

  #active(session: string, minuteMs: number, agent: string): Active {
    const all = entryOf(this.#activity, session, newList);
    // The newest first: most events are of the minute of the one before.
    for (let at = all.length - 1; at >= 0; at--) {
      const known = all[at]!;
      if (known.minuteMs === minuteMs && known.agent === agent) return known;
    }
    const one: Active = { minuteMs, agent, failed: 0, corrected: 0 };
    all.push(one);
    return one;
  }
}

const newMap = <K, V>() => new Map<K, V>();
const newList = (): Active[] => [];

function entryOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let there = map.get(key);
  if (there === undefined) {
    there = make();
    map.set(key, there);
  }
  return there;
}

function addLatency(all: Map<Series, Buckets>, series: Series, ms: number): void {
  const buckets = entryOf(all, series, newMap<number, number>);
  const bucket = bucketOf(ms);
  buckets.set(bucket, (buckets.get(bucket) ?? 0) + 1);
}

function newCell(): Cell {
  return {
    events: 0,
    firstAtMs: Number.POSITIVE_INFINITY,
    lastAtMs: 0,
    measured: 0,
    sum: 0,
    min: Number.POSITIVE_INFINITY,
    max: Number.NEGATIVE_INFINITY,
    spent: undefined,
  };
}

/** To the sum that is there; else to one of its own. */
function addSpent(there: Spent | undefined, more: Spent): Spent {
  if (there === undefined) return { ...more };
  const sum = there;
  for (const field in more) {
    const known = field as keyof Spent;
    sum[known] = (sum[known] ?? 0) + more[known]!;
  }
  return sum;
}

/** Of smaller units. Each of them is part of one of these. */
function inUnits(smaller: Cells, unitMs: number): Cells {
  if (unitMs === MINUTE_MS) return smaller;
  const units: Cells = new Map();
  for (const [atMs, cells] of smaller) {
    const unit = entryOf(units, floorTo(unitMs, atMs), newMap<Series, Cell>);
    for (const [series, one] of cells) addCell(entryOf(unit, series, newCell), one);
  }
  return units;
}

function addCell(cell: Cell, more: Cell): void {
  cell.events += more.events;
  cell.firstAtMs = Math.min(cell.firstAtMs, more.firstAtMs);
  cell.lastAtMs = Math.max(cell.lastAtMs, more.lastAtMs);
  if (more.spent !== undefined) cell.spent = addSpent(cell.spent, more.spent);
  cell.measured += more.measured;
  cell.sum += more.sum;
  cell.min = Math.min(cell.min, more.min);
  cell.max = Math.max(cell.max, more.max);
}

function ascending(cells: Cells): [number, BySeries][] {
  return [...cells].sort(([a], [b]) => a - b);
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
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

type UnitKey = readonly [unitMs: number, atMs: number, series: number];

function pushRollup(values: Value[], [unitMs, atMs, series]: UnitKey, cell: Cell): void {
  const { events, firstAtMs, lastAtMs, measured, sum, min, max } = cell;
  values.push(unitMs, atMs, series, events, firstAtMs, lastAtMs, measured);
  if (measured === 0) values.push(null, null, null);
  else values.push(sum, min, max);
}

function pushSpent(values: Value[], [unitMs, atMs, series]: UnitKey, spent: Spent): void {
  const { retries, inputTokens, outputTokens, inputBytes, outputBytes, costUsd } = spent;
  values.push(unitMs, atMs, series, retries ?? null, inputTokens ?? null, outputTokens ?? null);
  values.push(inputBytes ?? null, outputBytes ?? null, costUsd ?? null);
}
