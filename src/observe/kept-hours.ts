/**
 * What was read of each hour, kept under the number of events that were counted in that hour. Counts only grow, so an
 * hour with the same number is the same hour, and is not read again: whoever asks for the same weeks every hour reads one
 * hour. How much is kept is bounded by rows, because an hour of minutes has sixty times as many as an hour; the hours
 * that were asked for longest ago go first.
 */
import type { Window } from '../facts/index.ts';
import type { Row, Store } from '../store/index.ts';
import { floorTo, HOUR_MS, wholeUnits } from './units.ts';

/**
 * Some tens of megabytes: a month by the hour of 140 agents and tools, or half a day of their minutes. What does not fit is read
 * again each time.
 */
const ROWS_MAX = 100_000;

interface Hour {
  /** How many events, of all kinds, it had when it was read. */
  readonly events: number;
  readonly rows: readonly Row[];
}

export class KeptHours {
  readonly #store: Counting;
  /** Rows of a window of whole hours, each with its `at_ms`. */
  readonly #read: (window: Window) => Promise<readonly Row[]>;
  readonly #rowsMax: number;
  /** Those that were asked for last come last. */
  #kept: ReadonlyMap<number, Hour> = new Map();
  #underWay: Promise<unknown> = Promise.resolve();

  constructor(
    store: Counting,
    read: (window: Window) => Promise<readonly Row[]>,
    rowsMax: number = ROWS_MAX,
  ) {
    this.#store = store;
    this.#read = read;
    this.#rowsMax = rowsMax;
  }

  /** The rows of every hour that the window touches, hours ascending. */
  async rows(window: Window): Promise<Row[]> {
    return (await this.hours(window)).flat();
  }

  /** The same, each hour by itself: the same array as long as the hour is the same. One read at a time. */
  hours(window: Window): Promise<(readonly Row[])[]> {
    const asked = this.#underWay.then(() => this.#refreshed(wholeUnits(HOUR_MS, window)));
    this.#underWay = asked.catch(() => {});
    return asked;
  }

  async #refreshed({ fromMs, toMs }: Window): Promise<(readonly Row[])[]> {
    // Counted before the rows are read: what comes in between is read again next time.
    const events = await eventsByHour(this.#store, { fromMs, toMs });
    const asked = new Map<number, Hour>();
    const changed: number[] = [];
    for (const [hour, count] of [...events].sort(([a], [b]) => a - b)) {
      const known = this.#kept.get(hour);
      asked.set(hour, known?.events === count ? known : { events: count, rows: [] });
      if (known?.events !== count) changed.push(hour);
    }
    for (const window of runsOf(changed)) {
      const rows = Map.groupBy(await this.#read(window), (row) =>
        floorTo(HOUR_MS, row['at_ms'] as number),
      );
      for (let hour = window.fromMs; hour < window.toMs; hour += HOUR_MS)
        asked.set(hour, { events: events.get(hour)!, rows: rows.get(hour) ?? [] });
    }
    const others = [...this.#kept].filter(([hour]) => hour < fromMs || hour >= toMs);
    this.#kept = newest([...others, ...asked], this.#rowsMax);
    return Array.from(asked.values(), ({ rows }) => rows);
  }
}

type Counting = Pick<Store, 'all' | 'revision'>;

interface Counted extends Window {
  readonly events: ReadonlyMap<number, number>;
}

/** More than are watched and diagnosed at a time. */
const WINDOWS_MAX = 32;

/** What was counted of the content that a store has now: everybody who keeps hours asks first, and nearly all for the same. */
const COUNTED = new WeakMap<Counting, { readonly revision: string; readonly windows: Counted[] }>();

/** How many events, of all kinds, each hour of the window has; hours without any are left out. */
export async function eventsByHour(
  store: Counting,
  { fromMs, toMs }: Window,
): Promise<ReadonlyMap<number, number>> {
  // Asked for before anything is counted: what is kept is never older than its revision.
  const revision = await store.revision?.();
  if (revision === undefined) return countedEvents(store, { fromMs, toMs });
  const before = COUNTED.get(store);
  const known = before?.revision === revision ? before : { revision, windows: [] };
  COUNTED.set(store, known);
  const wider = known.windows.find((one) => one.fromMs <= fromMs && one.toMs >= toMs);
  if (wider !== undefined)
    return new Map([...wider.events].filter(([hour]) => hour >= fromMs && hour < toMs));
  const events = await countedEvents(store, { fromMs, toMs });
  known.windows.push({ fromMs, toMs, events });
  if (known.windows.length > WINDOWS_MAX) known.windows.shift();
  return events;
}

async function countedEvents(
  store: Counting,
  { fromMs, toMs }: Window,
): Promise<ReadonlyMap<number, number>> {
  const rows = await store.all(
    `SELECT at_ms, CAST(SUM(events) AS BIGINT) AS events FROM observe_rollups
     WHERE unit_ms = ${HOUR_MS} AND at_ms >= ? AND at_ms < ? GROUP BY at_ms`,
    [fromMs, toMs],
  );
  return new Map(rows.map((row) => [row['at_ms'] as number, row['events'] as number]));
}

/** Hours right after each other, ascending, as windows. */
function runsOf(hours: readonly number[]): Window[] {
  const runs: { fromMs: number; toMs: number }[] = [];
  for (const hour of hours) {
    const last = runs.at(-1);
    if (last?.toMs === hour) last.toMs = hour + HOUR_MS;
    else runs.push({ fromMs: hour, toMs: hour + HOUR_MS });
  }
  return runs;
}

/** From the end, as many as fit. */
function newest(hours: readonly (readonly [number, Hour])[], rowsMax: number): Map<number, Hour> {
  let left = rowsMax;
  const from = hours.findLastIndex(([, { rows }]) => {
    left -= rows.length;
    return left < 0;
  });
  return new Map(hours.slice(from + 1));
}
