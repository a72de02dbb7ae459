/**
 * Events by time without an index of every one of them. Ids grow as events come, and events come nearly in order. So
 * it is enough to keep which blocks of ids have events of an hour: one row for some thousand events, and never more
 * than one for each. An index by time took 1 µs of each event, a tenth of all the work.
 */
import type { Window } from '../facts/index.ts';
import type { Row, Store } from '../store/index.ts';
import { floorTo, HOUR_MS } from './units.ts';

const BLOCK = 4096;

export function blockOf(id: number): number {
  return Math.floor(id / BLOCK);
}

/** The events of an hour that are in a window: `e`. */
const OF_HOUR = `FROM observe_event_hours h
  JOIN observe_events e ON e.id >= h.block * ${BLOCK} AND e.id < (h.block + 1) * ${BLOCK}
  WHERE h.hour_ms = ? AND e.at_ms >= ? AND e.at_ms < ?`;

/** Hours that have events in the window, ascending. */
export async function hoursIn(store: Store, { fromMs, toMs }: Window): Promise<number[]> {
  const rows = await store.all(
    `SELECT DISTINCT hour_ms FROM observe_event_hours WHERE hour_ms >= ? AND hour_ms < ? ORDER BY hour_ms`,
    [floorTo(HOUR_MS, fromMs), toMs],
  );
  return rows.map((row) => row['hour_ms'] as number);
}

/** `columns` of the events of one hour that are in the window; `rest` continues the query. */
export function eventsOfHour(
  store: Store,
  hourMs: number,
  { window, columns, rest, values }: OfHour,
): Promise<Row[]> {
  const from = Math.max(hourMs, window.fromMs);
  const to = Math.min(hourMs + HOUR_MS, window.toMs);
  return store.all(`SELECT ${columns} ${OF_HOUR} ${rest}`, [hourMs, from, to, ...values]);
}

interface OfHour {
  readonly window: Window;
  readonly columns: string;
  readonly rest: string;
  readonly values: readonly (string | number)[];
}
