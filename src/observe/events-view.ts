/**
 * Single events by filter, and all events of a trace or session. Raw events are found by time, so both read hour by
 * hour, in pages and up to a limit: what was not looked at is said.
 */
import type { EventKind, Window } from '../facts/index.ts';
import type { Store } from '../store/index.ts';
import { factsOf } from './event-facts.ts';
import { eventsOfHour, hoursIn } from './event-hours.ts';
import { type StoredEvent, storedEvent } from './telemetry-view.ts';
import type { CleanEvent } from './types.ts';
import { HOUR_MS } from './units.ts';

const PAGE = 1000;
const SCANNED_MAX = 200_000;
const TRACE_EVENTS_MAX = 5000;

export interface EventFilter {
  readonly window: Window;
  readonly kind?: EventKind | undefined;
  readonly agent?: string | undefined;
  readonly tool?: string | undefined;
  readonly source?: string | undefined;
  /** Its beginning is enough. */
  readonly session?: string | undefined;
  readonly failed?: boolean | undefined;
  /** Only of these, as `failures` names them. */
  readonly series?: readonly number[] | undefined;
  /** In any text of the event, whatever its case. */
  readonly text?: string | undefined;
  readonly limit: number;
}

export interface FoundEvents {
  /** The newest that fit, ascending. */
  readonly events: readonly StoredEvent[];
  /** There may be more that are older. */
  readonly more: boolean;
}

/** Where it happened, as the counts see it. */
export function placeOfEvent(event: CleanEvent): { readonly agent: string; readonly tool: string } {
  const { agent, tool } = factsOf(event);
  return { agent, tool };
}

/** What failed, as the counts see it. */
export function isFailed(event: CleanEvent): boolean {
  return factsOf(event).ok === 0;
}

export async function findEvents(store: Store, filter: EventFilter): Promise<FoundEvents> {
  if (filter.series?.length === 0) return { events: [], more: false };
  const found: StoredEvent[] = [];
  const { window, limit } = filter;
  let scanned = 0;
  for (const hourMs of (await hoursIn(store, window)).toReversed()) {
    for await (const page of pagesOfHour(store, hourMs, { filter, order: 'DESC' })) {
      for (const one of page) if (isWanted(one.event, filter)) found.push(one);
      scanned += page.length;
      if (found.length > limit || scanned >= SCANNED_MAX)
        return { events: found.slice(0, limit).reverse(), more: true };
    }
  }
  return { events: found.reverse(), more: false };
}

interface OfHour {
  readonly filter: Omit<EventFilter, 'limit'>;
  readonly order: 'ASC' | 'DESC';
}

/** The events of one hour in order of time, in pages. */
async function* pagesOfHour(
  store: Store,
  hourMs: number,
  { filter, order }: OfHour,
): AsyncGenerator<StoredEvent[]> {
  const { sql, values } = conditions(filter);
  let past = { sql: '', values: [] as number[] };
  for (;;) {
    const rows = await eventsOfHour(store, hourMs, {
      window: filter.window,
      columns: COLUMNS,
      rest: `${past.sql} ${sql} ORDER BY e.at_ms ${order}, e.id ${order} LIMIT ${PAGE}`,
      values: [...past.values, ...values],
    });
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(storedEvent);
    if (rows.length < PAGE) return;
    const [atMs, sign] = [last['at_ms'] as number, order === 'ASC' ? '>' : '<'];
    past = {
      sql: `AND (e.at_ms ${sign} ? OR (e.at_ms = ? AND e.id ${sign} ?))`,
      values: [atMs, atMs, last['id'] as number],
    };
  }
}

const COLUMNS = 'e.id, e.at_ms, e.source, e.sanitiser, e.body';

/** By the series of an event where that says it: its type, agent, tool and outcome. */
function conditions({ kind, agent, tool, source, failed, series: of }: Omit<EventFilter, 'limit'>) {
  const ofSeries = Object.entries({ type: kind, agent, tool }).flatMap(([column, value]) =>
    value === undefined ? [] : [{ sql: `${column} = ?`, value }],
  );
  const where = [...ofSeries.map((one) => one.sql), ...(failed === true ? ['ok = 0'] : [])];
  const series =
    where.length === 0
      ? ''
      : `AND e.series IN (SELECT id FROM observe_series WHERE ${where.join(' AND ')})`;
  const among = of === undefined ? '' : `AND e.series IN (${of.map(() => '?').join(', ')})`;
  return {
    sql: `${series} ${among} ${source === undefined ? '' : 'AND e.source = ?'}`,
    values: [
      ...ofSeries.map((one) => one.value),
      ...(of ?? []),
      ...(source === undefined ? [] : [source]),
    ],
  };
}

function isWanted(event: CleanEvent, { session, text }: EventFilter): boolean {
  if (session !== undefined && !event.session.startsWith(session)) return false;
  return text === undefined || holdsText(event, text.toLowerCase());
}

function holdsText(event: CleanEvent, text: string): boolean {
  return Object.values(event).some((value: unknown) => {
    if (typeof value === 'string') return value.toLowerCase().includes(text);
    return Array.isArray(value) && value.some((one) => String(one).toLowerCase().includes(text));
  });
}

export interface TraceEvents {
  /** Ascending; of more than 5 000 the first. */
  readonly events: readonly StoredEvent[];
  readonly more: boolean;
  /** Traces and sessions that begin with what was asked for, where it is not the name of one; else empty. */
  readonly ambiguous: readonly string[];
}

/** Of the trace or session with this id, or with the only one that begins with it. */
export async function traceEvents(store: Store, id: string, window: Window): Promise<TraceEvents> {
  const all: StoredEvent[] = [];
  for (const hourMs of await hoursIn(store, window)) {
    const rows = await eventsOfHour(store, hourMs, {
      window,
      columns: COLUMNS,
      rest: `AND (e.session LIKE ? ESCAPE '\\' OR e.body LIKE ? ESCAPE '\\')
             ORDER BY e.at_ms, e.id LIMIT ${TRACE_EVENTS_MAX}`,
      values: [`${likeText(id)}%`, `%${likeText(`"traceId":${JSON.stringify(id).slice(0, -1)}`)}%`],
    });
    all.push(...rows.map(storedEvent));
    if (all.length > 2 * TRACE_EVENTS_MAX) break;
  }
  const names = new Set(
    all.flatMap(({ event }) =>
      [event.traceId, event.session].filter((name) => name?.startsWith(id) === true),
    ),
  ) as ReadonlySet<string>;
  // A trace's events may have a session whose name begins alike: the trace is what was meant.
  const exact = names.has(id) ? id : names.size === 1 ? [...names][0]! : undefined;
  if (exact === undefined) return { events: [], more: false, ambiguous: [...names].slice(0, 10) };
  const events = all.filter(({ event }) => event.traceId === exact || event.session === exact);
  const more = events.length > TRACE_EVENTS_MAX || all.length > 2 * TRACE_EVENTS_MAX;
  return { events: events.slice(0, TRACE_EVENTS_MAX), more, ambiguous: [] };
}

const likeText = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** The first that failed in the same session, up to an hour before: where the trouble of that event began. */
export async function firstFailure(
  store: Store,
  { session, atMs }: { readonly session: string; readonly atMs: number },
): Promise<StoredEvent | undefined> {
  const window = { fromMs: atMs - HOUR_MS, toMs: atMs + 1 };
  for (const hourMs of await hoursIn(store, window)) {
    const [row] = await eventsOfHour(store, hourMs, {
      window,
      columns: COLUMNS,
      rest: `AND e.session = ? AND e.series IN (SELECT id FROM observe_series WHERE ok = 0)
             ORDER BY e.at_ms, e.id LIMIT 1`,
      values: [session],
    });
    if (row !== undefined) return storedEvent(row);
  }
  return undefined;
}

/** Those that fit, newest first, in pages. */
export async function* eventsBackwards(
  store: Store,
  filter: Omit<EventFilter, 'limit'>,
): AsyncGenerator<readonly StoredEvent[]> {
  for (const hourMs of (await hoursIn(store, filter.window)).toReversed())
    yield* pagesOfHour(store, hourMs, { filter, order: 'DESC' });
}

/** All events of a window, oldest first, in pages. */
export async function* eventPages(
  store: Store,
  window: Window,
): AsyncGenerator<readonly StoredEvent[]> {
  for (const hourMs of await hoursIn(store, window))
    yield* pagesOfHour(store, hourMs, { filter: { window }, order: 'ASC' });
}
