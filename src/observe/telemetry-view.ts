/** What other rooms ask about telemetry. Everything it gives was sanitised. */
import type {
  BreakdownBy,
  BreakdownRow,
  CallHours,
  CountedFailure,
  EventKind,
  Failures,
  MetricHours,
  RateBin,
  RateMetric,
  RecentCall,
  SessionHours,
  Unit,
  UnitHours,
  Window,
} from '../facts/index.ts';
import type { Row, Store } from '../store/index.ts';
import { AgentSessions } from './agent-sessions.ts';
import { ANONYMOUS_SOURCE } from './anonymous.ts';
import { Calls, type ToolCalls } from './calls-view.ts';
import { eventsOfHour } from './event-hours.ts';
import { failureCounts, failureGroups } from './failures-view.ts';
import { type RateScope, Rates } from './rates.ts';
import { type AskedCalls, RecentCalls } from './recent-calls.ts';
import {
  newestSessions,
  type RecordedSessions,
  recordedSessions,
  type SessionsAsked,
} from './recorded-sessions.ts';
import { OTHER } from './series.ts';
import { type SessionEvents, sessionEvents } from './session-events.ts';
import { SessionCounts } from './session-hours.ts';
import { TemplateBook } from './template-book.ts';
import type { CleanEvent } from './types.ts';
import { coveringSql, coveringValues, HOUR_MS } from './units.ts';
import {
  readBreakdown,
  readMetrics,
  readUnitHours,
  readUnits,
  type UnitScope,
} from './units-view.ts';

export interface StoredEvent {
  readonly id: string;
  readonly atMs: number;
  readonly source: string;
  /** The version of the rules that it was sanitised by. */
  readonly sanitiser: number;
  readonly event: CleanEvent;
}

export interface Totals {
  readonly events: number;
  /** Lines set aside that were seen in the window. */
  readonly aside: number;
  /** Null when the window is empty. */
  readonly firstAtMs: number | null;
  readonly lastAtMs: number | null;
}

/** What a series of counts is about. */
interface Place {
  readonly event: EventKind;
  readonly agent: string;
  readonly tool: string;
}

const COVERED = coveringSql('series, events, first_at_ms, last_at_ms');

const ID = /^(?:event:)?([1-9]\d{0,15})$/;

export class Telemetry {
  readonly #store: Store;
  readonly #book: TemplateBook;
  readonly #rates: Rates;
  readonly #calls: Calls;
  readonly #sessions: SessionCounts;
  readonly #ofAgents: AgentSessions;
  readonly #recentCalls: RecentCalls;

  constructor(store: Store) {
    this.#store = store;
    this.#book = new TemplateBook(store);
    this.#rates = new Rates(store);
    this.#calls = new Calls(store);
    this.#sessions = new SessionCounts(store);
    this.#ofAgents = new AgentSessions(store);
    this.#recentCalls = new RecentCalls(store);
  }

  /**
   * Failed calls, tasks, spans, tests and error lines, grouped by similarity and place, most failures first, at most 200 groups with a
   * share for each source and agent. The window is of whole minutes, for latencies of whole hours; edges are
   * moved outwards.
   */
  failures(window: Window): Promise<Failures> {
    return failureGroups(this.#store, this.#book, {
      ...{ window, aboveShare: 0 },
      sessions: this.#ofAgents,
    });
  }

  /**
   * The same by their counts, and only those that are more than `aboveShare` of the calls at their place: one
   * query, which a trigger can ask every few minutes.
   */
  failureCounts(window: Window, aboveShare: number): Promise<CountedFailure[]> {
    return failureCounts(this.#store, this.#book, {
      ...{ window, aboveShare },
      sessions: this.#ofAgents,
    });
  }

  /**
   * Per minute, ascending, without empty minutes; whole minutes, edges moved outwards.
   *
   * - `error_rate`: failed tool calls of all tool calls.
   * - `task_failure_rate`: sessions that had a task fail in the minute, of all sessions that did anything
   *   in it. Not all telemetry reports successful tasks, and every failed task belongs to a session: so `bad`
   *   is never above `all`, and more traffic alone does not raise the share. `begun` says how many of them the hour
   *   had not seen before: sessions that get shorter have fewer minutes, and not fewer failures.
   * - `correction_rate`: sessions in which a person corrected or disliked an answer in the minute, of the
   *   same sessions. As a share of reactions alone it would be 1 wherever people only complain.
   */
  rates(metric: RateMetric, window: Window, scope: RateScope): Promise<RateBin[]> {
    return this.#rates.read(metric, window, scope);
  }

  /**
   * What was counted of each kind of event, agent, tool and task, by minute and outcome. Whole minutes, edges moved
   * outwards. Metrics have no outcome: see `metrics`.
   */
  units(window: Window, scope: UnitScope = {}): Promise<Unit[]> {
    return readUnits(this.#store, window, scope);
  }

  /** Calls and steps by the hour, of all tasks and outcomes; edges are moved outwards to whole hours. */
  unitHours(window: Window): Promise<UnitHours[]> {
    return readUnitHours(this.#store, window);
  }

  /** Values of metrics by the hour; edges are moved outwards to whole hours. */
  metrics(window: Window): Promise<MetricHours[]> {
    return readMetrics(this.#store, window);
  }

  /** Counts, failures, latencies and what was spent, by one dimension; latencies are of whole hours. */
  breakdown(window: Window, by: BreakdownBy): Promise<BreakdownRow[]> {
    return readBreakdown(this.#store, this.#book, { window, by });
  }

  /** Sessions that called the tool, or any tool where none is named; the newest `limit` of them, oldest first. */
  async sessions(
    window: Window,
    place: { readonly agent: string; readonly tool: string },
    limit: number,
  ): Promise<string[]> {
    const newest = await newestSessions(this.#store, window, { ...place, limit });
    return newest.map(([session]) => session);
  }

  /** Such sessions for a replay, with those that failed among them. */
  recordedSessions(window: Window, asked: SessionsAsked): Promise<RecordedSessions> {
    return recordedSessions(this.#store, window, asked);
  }

  /** The newest calls of each tool, at most 3 000 of it, in the order in which they began. */
  recentCalls(
    window: Window,
    asked: readonly AskedCalls[],
  ): Promise<ReadonlyMap<string, readonly RecentCall[]>> {
    return this.#recentCalls.read(asked, window);
  }

  /** Raw events behind the counts of a place in one hour, the first `limit`; none if they are no longer kept. */
  async examples(place: Place, hourMs: number, limit: number): Promise<StoredEvent[]> {
    const rows = await eventsOfHour(this.#store, hourMs, {
      window: { fromMs: hourMs, toMs: hourMs + HOUR_MS },
      columns: 'e.id, e.at_ms, e.source, e.sanitiser, e.body',
      rest: `AND e.series IN (SELECT id FROM observe_series WHERE type = ? AND agent = ? AND tool = ?)
             ORDER BY e.at_ms, e.id LIMIT ?`,
      values: [place.event, place.agent, place.tool, limit],
    });
    return rows.map(storedEvent);
  }

  /** Who calls the tool, the most calls first. */
  async callersOf(tool: string, window: Window): Promise<string[]> {
    const rows = await this.#store.all(
      `SELECT s.agent, CAST(SUM(r.events) AS BIGINT) AS calls
       FROM (${COVERED}) AS r JOIN observe_series s ON s.id = r.series
       WHERE s.type = 'tool_call' AND s.tool = ?
       GROUP BY s.agent ORDER BY 2 DESC, s.agent`,
      [...coveringValues(window), tool],
    );
    return rows.map((row) => row['agent'] as string);
  }

  /** Which providers serve which tools, as calls of known senders say. */
  async servedTools(): Promise<{ tool: string; provider: string }[]> {
    const rows = await this.#store.all(
      `SELECT DISTINCT tool, provider FROM observe_series
       WHERE type = 'tool_call' AND tool NOT IN ('', '${OTHER}') AND provider NOT IN ('', '${OTHER}')
         AND source <> ?
       ORDER BY tool, provider`,
      [ANONYMOUS_SOURCE],
    );
    return rows.map((row) => ({
      tool: row['tool'] as string,
      provider: row['provider'] as string,
    }));
  }

  /** Calls of every agent and tool by the minute, without what nobody known sent. */
  callsByTool(window: Window): Promise<ToolCalls[]> {
    return this.#calls.byTool(window);
  }

  /** The same by the hour, with what calls took; of known senders, where there are any. */
  callHours(window: Window): Promise<CallHours[]> {
    return this.#calls.byHour(window);
  }

  /** Sessions of every agent by the hour; of known senders, where there are any. */
  sessionHours(window: Window): Promise<SessionHours[]> {
    return this.#sessions.byHour(window);
  }

  /** The events of these sessions, of each the first `limit`. */
  sessionEvents(
    window: Window,
    sessions: readonly string[],
    limit: number,
  ): Promise<ReadonlyMap<string, SessionEvents>> {
    return sessionEvents(this.#store, sessions, { window, limit });
  }

  /** The event behind `event:<id>`, or behind the bare id. */
  async event(id: string): Promise<StoredEvent | undefined> {
    const number = ID.exec(id)?.[1];
    if (number === undefined) return undefined;
    const [row] = await this.#store.all(
      'SELECT id, at_ms, source, sanitiser, body FROM observe_events WHERE id = ?',
      [Number(number)],
    );
    return row === undefined ? undefined : storedEvent(row);
  }

  /** The time of the newest event of all sources; null if there never was one. */
  async newestEventMs(): Promise<number | null> {
    const [row] = await this.#store.all('SELECT MAX(last_event_ms) AS newest FROM observe_sources');
    return (row?.['newest'] as number | null | undefined) ?? null;
  }

  /** Whole minutes, edges moved outwards. `known`: without what nobody known sent. */
  async totals(window: Window, scope: { readonly known?: boolean } = {}): Promise<Totals> {
    const isKnown = scope.known === true;
    const [row] = await this.#store.all(
      `SELECT
         CAST(SUM(CASE WHEN s.type = 'aside' THEN 0 ELSE r.events END) AS BIGINT) AS events,
         CAST(SUM(CASE WHEN s.type = 'aside' THEN r.events ELSE 0 END) AS BIGINT) AS aside,
         MIN(CASE WHEN s.type = 'aside' THEN NULL ELSE r.first_at_ms END) AS first_at_ms,
         MAX(CASE WHEN s.type = 'aside' THEN NULL ELSE r.last_at_ms END) AS last_at_ms
       FROM (${COVERED}) AS r JOIN observe_series s ON s.id = r.series
       ${isKnown ? 'WHERE s.source <> ?' : ''}`,
      [...coveringValues(window), ...(isKnown ? [ANONYMOUS_SOURCE] : [])],
    );
    return {
      events: (row?.['events'] as number | null) ?? 0,
      aside: (row?.['aside'] as number | null) ?? 0,
      firstAtMs: row?.['first_at_ms'] as number | null,
      lastAtMs: row?.['last_at_ms'] as number | null,
    };
  }
}

export function storedEvent(row: Row): StoredEvent {
  return {
    id: String(row['id']),
    atMs: row['at_ms'] as number,
    source: row['source'] as string,
    sanitiser: row['sanitiser'] as number,
    event: JSON.parse(row['body'] as string) as CleanEvent,
  };
}
