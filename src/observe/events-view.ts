/**
 * Single events by filter, and all events of a trace or session. Raw events are indexed by time, so both read a
 * stretch of time, newest first, in pages and up to a limit: what was not looked at is said.
 */
import type { EventKind, Window } from '../facts/index.ts';
import type { Row, Store, Value } from '../store/index.ts';
import { factsOf } from './event-facts.ts';
import type { StoredEvent } from './telemetry-view.ts';
import type { CleanEvent } from './types.ts';

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

/** What failed, as the counts see it. */
export function isFailed(event: CleanEvent): boolean {
  return factsOf(event).dimensions.ok === 0;
}

export async function findEvents(store: Store, filter: EventFilter): Promise<FoundEvents> {
  const found: StoredEvent[] = [];
  let scanned = 0;
  let before: { atMs: number; id: number } | undefined;
  while (found.length <= filter.limit && scanned < SCANNED_MAX) {
    const rows = await eventPage(store, filter, before);
    for (const row of rows) {
      const one = storedEvent(row);
      if (isWanted(one.event, filter)) found.push(one);
      if (found.length > filter.limit) break;
    }
    scanned += rows.length;
    const last = rows.at(-1);
    if (rows.length < PAGE || last === undefined) {
      const more = found.length > filter.limit;
      return { events: found.slice(0, filter.limit).reverse(), more };
    }
    before = { atMs: last['at_ms'] as number, id: last['id'] as number };
  }
  return { events: found.slice(0, filter.limit).reverse(), more: true };
}

function eventPage(
  store: Store,
  { window, kind, agent, tool, source, failed }: EventFilter,
  before: { readonly atMs: number; readonly id: number } | undefined,
): Promise<readonly Row[]> {
  const where = ['e.at_ms >= ?', 'e.at_ms < ?'];
  const values: Value[] = [window.fromMs, window.toMs];
  const add = (condition: string, ...more: Value[]) => {
    where.push(condition);
    values.push(...more);
  };
  if (before !== undefined)
    add('(e.at_ms < ? OR (e.at_ms = ? AND e.id < ?))', before.atMs, before.atMs, before.id);
  if (kind !== undefined) add('s.type = ?', kind);
  if (agent !== undefined) add('s.agent = ?', agent);
  if (tool !== undefined) add('s.tool = ?', tool);
  if (source !== undefined) add('e.source = ?', source);
  if (failed === true) add('s.ok = 0');
  return store.all(
    `SELECT e.id, e.at_ms, e.source, e.body
     FROM observe_events e JOIN observe_series s ON s.id = e.series
     WHERE ${where.join(' AND ')} ORDER BY e.at_ms DESC, e.id DESC LIMIT ${PAGE}`,
    values,
  );
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
  const rows = await store.all(
    `SELECT id, at_ms, source, body FROM observe_events
     WHERE at_ms >= ? AND at_ms < ? AND (session LIKE ? ESCAPE '\\' OR body LIKE ? ESCAPE '\\')
     ORDER BY at_ms, id LIMIT ${2 * TRACE_EVENTS_MAX}`,
    [
      window.fromMs,
      window.toMs,
      `${likeText(id)}%`,
      `%${likeText(`"traceId":${JSON.stringify(id).slice(0, -1)}`)}%`,
    ],
  );
  const all = rows.map(storedEvent);
  const names = new Set(
    all.flatMap(({ event }) =>
      [event.traceId, event.session].filter((name) => name?.startsWith(id) === true),
    ),
  ) as ReadonlySet<string>;
  // A trace's events may have a session whose name begins alike: the trace is what was meant.
  const exact = names.has(id) ? id : names.size === 1 ? [...names][0]! : undefined;
  if (exact === undefined) return { events: [], more: false, ambiguous: [...names].slice(0, 10) };
  const events = all.filter(({ event }) => event.traceId === exact || event.session === exact);
  const more = events.length > TRACE_EVENTS_MAX || rows.length >= 2 * TRACE_EVENTS_MAX;
  return { events: events.slice(0, TRACE_EVENTS_MAX), more, ambiguous: [] };
}

const likeText = (text: string) => text.replace(/[\\%_]/g, '\\$&');

export interface TraceSummary {
  /** The trace's id, or its session's where events name no trace. */
  readonly id: string;
  readonly isTrace: boolean;
  readonly session: string;
  readonly events: number;
  readonly failed: number;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
  readonly agents: readonly string[];
}

/** The newest traces of a window, newest first; of very many events only the newest are looked at. */
export async function findTraces(
  store: Store,
  filter: Omit<EventFilter, 'text' | 'kind' | 'failed'> & { readonly onlyFailed: boolean },
): Promise<{ readonly traces: readonly TraceSummary[]; readonly more: boolean }> {
  const { limit, onlyFailed, ...rest } = filter;
  const { events, more } = await findEvents(store, { ...rest, limit: TRACE_SCAN_MAX });
  const traces = [...Map.groupBy(events, ({ event }) => event.traceId ?? event.session)]
    .map(([id, of]) => summaryOf(id, of))
    .filter(({ failed }) => !onlyFailed || failed > 0)
    .sort((a, b) => b.lastAtMs - a.lastAtMs || (a.id < b.id ? -1 : 1));
  return { traces: traces.slice(0, limit), more: more || traces.length > limit };
}

/** Parsed and held at once. */
const TRACE_SCAN_MAX = 20_000;

function summaryOf(id: string, of: readonly StoredEvent[]): TraceSummary {
  const agents = of.flatMap(({ event }) => ('agent' in event ? (event.agent ?? []) : []));
  return {
    id,
    isTrace: of[0]!.event.traceId === id,
    session: of[0]!.event.session,
    events: of.length,
    failed: of.filter(({ event }) => isFailed(event)).length,
    firstAtMs: of[0]!.atMs,
    lastAtMs: of.at(-1)!.atMs,
    agents: [...new Set(agents)].sort(),
  };
}

/** The first that failed in the same session, up to an hour before: where the trouble of that event began. */
export async function firstFailure(
  store: Store,
  { session, atMs }: { readonly session: string; readonly atMs: number },
): Promise<StoredEvent | undefined> {
  const [row] = await store.all(
    `SELECT e.id, e.at_ms, e.source, e.body
     FROM observe_events e JOIN observe_series s ON s.id = e.series
     WHERE e.at_ms >= ? AND e.at_ms <= ? AND e.session = ? AND s.ok = 0
     ORDER BY e.at_ms, e.id LIMIT 1`,
    [atMs - HOUR_MS, atMs, session],
  );
  return row === undefined ? undefined : storedEvent(row);
}

const HOUR_MS = 3_600_000;

function storedEvent(row: Row): StoredEvent {
  return {
    id: String(row['id']),
    atMs: row['at_ms'] as number,
    source: row['source'] as string,
    event: JSON.parse(row['body'] as string) as CleanEvent,
  };
}

/** All events of a window, oldest first, in pages. */
export async function* eventPages(
  store: Store,
  { fromMs, toMs }: Window,
): AsyncGenerator<readonly StoredEvent[]> {
  let after = { atMs: fromMs, id: -1 };
  for (;;) {
    const rows = await store.all(
      `SELECT id, at_ms, source, body FROM observe_events
       WHERE at_ms < ? AND (at_ms > ? OR (at_ms = ? AND id > ?))
       ORDER BY at_ms, id LIMIT ${PAGE}`,
      [toMs, after.atMs, after.atMs, after.id],
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(storedEvent);
    after = { atMs: last['at_ms'] as number, id: last['id'] as number };
  }
}
