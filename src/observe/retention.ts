/**
 * How long telemetry is kept. Raw events and the sessions of a minute go first, counts later; an event that a proposal
 * names as evidence stays as long as the proposal. A delete names its rows by key, so they are read first, and each
 * commit is small: nobody waits for it. Stopped anywhere, the next run goes on.
 */
import type { Store, Write } from '../store/index.ts';
import { eventsOfHour, hoursIn } from './event-hours.ts';
import { DAY_MS, floorTo, HOUR_MS, MINUTE_MS, UNITS_MS } from './units.ts';

export interface KeptFor {
  readonly eventsMs: number;
  readonly countsMs: number;
}

export interface RetentionInput {
  readonly nowMs: number;
  readonly keep: KeptFor;
  /** Events that stay whatever their age, as `event:<id>`. */
  readonly named: ReadonlySet<string>;
}

/** What is older than it is kept, by kind. */
export interface Outdated {
  readonly events: number;
  /** Events that are old enough to go and stay because a proposal names them. */
  readonly named: number;
  /** Minutes in which somebody was active. */
  readonly activeMinutes: number;
  /** Rows of counts, of minutes, hours and days together. */
  readonly counts: number;
}

const PAGE = 1000;
/** Counts by unit, time and series. */
const COUNTED = ['observe_rollups', 'observe_spent'] as const;

/** What a run would delete now. */
export async function outdated(store: Store, input: RetentionInput): Promise<Outdated> {
  const { eventsBefore, countsBefore } = edges(input);
  const number = async (sql: string, values: readonly number[]) =>
    Number((await store.all(sql, values))[0]!['n']);
  const named = await namedBefore(store, input.named, eventsBefore);
  let events = 0;
  const window = { fromMs: 0, toMs: eventsBefore };
  for (const hourMs of await hoursIn(store, window)) {
    const [row] = await eventsOfHour(store, hourMs, {
      ...{ window, columns: 'COUNT(*) AS n', rest: '', values: [] },
    });
    events += Number(row!['n']);
  }
  const activeMinutes = await number(
    'SELECT COUNT(DISTINCT minute_ms) AS n FROM observe_activity WHERE minute_ms < ?',
    [eventsBefore],
  );
  let counts = await number('SELECT COUNT(*) AS n FROM observe_latencies WHERE hour_ms < ?', [
    countsBefore,
  ]);
  for (const table of COUNTED)
    for (const unitMs of UNITS_MS)
      counts += await number(`SELECT COUNT(*) AS n FROM ${table} WHERE unit_ms = ? AND at_ms < ?`, [
        unitMs,
        countsBefore,
      ]);
  return { events: events - named, named, activeMinutes, counts };
}

/** Deletes what is outdated, until nothing is or the signal aborts; says how many rows of each kind went. */
export async function deleteOutdated(
  store: Store,
  input: RetentionInput,
  signal: AbortSignal,
): Promise<Omit<Outdated, 'named'>> {
  const { eventsBefore, countsBefore } = edges(input);
  const events = await deleteEvents(store, { before: eventsBefore, named: input.named }, signal);
  const activeMinutes = await deleteUnits(
    store,
    { table: 'observe_activity', column: 'minute_ms', fixed: {}, before: eventsBefore },
    signal,
  );
  let counts = await deleteUnits(
    store,
    { table: 'observe_latencies', column: 'hour_ms', fixed: {}, before: countsBefore },
    signal,
  );
  for (const table of COUNTED)
    for (const unitMs of UNITS_MS) {
      const fixed = { unit_ms: unitMs };
      const units = { table, column: 'at_ms', fixed, before: countsBefore };
      counts += await deleteUnits(store, units, signal);
    }
  return { events, activeMinutes, counts };
}

/** Counts go by whole days, so that minutes, hours and days tell of the same time. */
function edges({ nowMs, keep }: RetentionInput) {
  return {
    eventsBefore: floorTo(MINUTE_MS, nowMs - keep.eventsMs),
    countsBefore: floorTo(DAY_MS, nowMs - keep.countsMs),
  };
}

async function namedBefore(
  store: Store,
  named: ReadonlySet<string>,
  before: number,
): Promise<number> {
  let found = 0;
  for (const id of named) {
    const rows = await store.all('SELECT id FROM observe_events WHERE id = ? AND at_ms < ?', [
      numberOf(id),
      before,
    ]);
    found += rows.length;
  }
  return found;
}

function numberOf(name: string): number {
  return Number(name.slice('event:'.length));
}

/** Hour by hour, the oldest first. An hour of which nothing is left is forgotten with its last event. */
export async function deleteEvents(
  store: Store,
  { before, named }: { before: number; named: ReadonlySet<string> },
  signal: AbortSignal,
): Promise<number> {
  let deleted = 0;
  const window = { fromMs: 0, toMs: before };
  for (const hourMs of await hoursIn(store, window)) {
    let [after, kept, isOver] = [-1, 0, false];
    while (!isOver) {
      if (signal.aborted) return deleted;
      const rows = await eventsOfHour(store, hourMs, {
        ...{ window, columns: 'e.id', rest: `AND e.id > ? ORDER BY e.id LIMIT ${PAGE}` },
        values: [after],
      });
      const ids = rows.map((row) => row['id'] as number);
      const going = ids.filter((id) => !named.has(`event:${id}`));
      after = ids.at(-1) ?? after;
      kept += ids.length - going.length;
      isOver = ids.length < PAGE;
      const isEmptied = isOver && kept === 0 && hourMs + HOUR_MS <= before;
      const forget: Write = { delete: 'observe_event_hours', where: { hour_ms: hourMs } };
      await store.commit({
        writes: [
          ...going.map((id): Write => ({ delete: 'observe_events', where: { id } })),
          ...(isEmptied ? [forget] : []),
        ],
      });
      deleted += going.length;
    }
  }
  return deleted;
}

interface Units {
  readonly table: string;
  /** Its leading key column behind the fixed ones. */
  readonly column: string;
  readonly fixed: Readonly<Record<string, number>>;
  readonly before: number;
}

/** All rows of one minute, hour or day together. Gives the number of rows, or of units where they hold sessions. */
async function deleteUnits(
  store: Store,
  { table, column, fixed, before }: Units,
  signal: AbortSignal,
): Promise<number> {
  const conditions = [...Object.keys(fixed).map((name) => `${name} = ?`), `${column} < ?`];
  const values = [...Object.values(fixed), before];
  let deleted = 0;
  while (!signal.aborted) {
    const rows = await store.all(
      `SELECT ${column} AS at_ms, COUNT(*) AS n FROM ${table}
       WHERE ${conditions.join(' AND ')} GROUP BY ${column} ORDER BY ${column} LIMIT 50`,
      values,
    );
    if (rows.length === 0) break;
    await store.commit({
      writes: rows.map(
        (row): Write => ({ delete: table, where: { ...fixed, [column]: row['at_ms']! } }),
      ),
    });
    deleted +=
      table === 'observe_activity'
        ? rows.length
        : rows.reduce((sum, row) => sum + Number(row['n']), 0);
  }
  return deleted;
}
