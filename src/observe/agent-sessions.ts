/**
 * How many sessions an agent had, for shares of tasks that fail and answers that people correct: telemetry reports those that went
 * wrong, and not those that went well. A session counts once in each hour that it lives through, at its last minute of
 * that hour, where a task usually ends; so a session of a day is not one task, and minutes add up to hours.
 */
import type { FailingEvent, Window } from '../facts/index.ts';
import type { Row, Store } from '../store/index.ts';
import { KeptHours } from './kept-hours.ts';
import { HOUR_MS } from './units.ts';

/** Telemetry reports of these only what went wrong. */
export function isOfSession(type: FailingEvent): boolean {
  return type === 'task_failure' || type === 'user_correction';
}

/** Sessions by the bin. */
export type SessionBins = ReadonlyMap<number, number>;

export class AgentSessions {
  readonly #minutes: KeptHours;
  readonly #hours: KeptHours;

  constructor(store: Store) {
    this.#minutes = new KeptHours(store, ({ fromMs, toMs }) =>
      store.all(
        `SELECT agent, at_ms, COUNT(*) AS sessions FROM
           (SELECT agent, session, MAX(minute_ms) AS at_ms FROM observe_activity
            WHERE minute_ms >= ? AND minute_ms < ? GROUP BY agent, session, minute_ms / ${HOUR_MS}) AS last
         GROUP BY agent, at_ms ORDER BY agent, at_ms`,
        [fromMs, toMs],
      ),
    );
    this.#hours = new KeptHours(store, ({ fromMs, toMs }) =>
      store.all(
        `SELECT agent, minute_ms / ${HOUR_MS} * ${HOUR_MS} AS at_ms, COUNT(DISTINCT session) AS sessions
         FROM observe_activity WHERE minute_ms >= ? AND minute_ms < ?
         GROUP BY agent, 2 ORDER BY agent, 2`,
        [fromMs, toMs],
      ),
    );
  }

  /** Of every agent, by the minute; the window is of whole minutes. */
  async byMinute({ fromMs, toMs }: Window): Promise<ReadonlyMap<string, SessionBins>> {
    const rows = await this.#minutes.rows({ fromMs, toMs });
    const isIn = (atMs: number) => atMs >= fromMs && atMs < toMs;
    return byAgent(rows.filter((row) => isIn(row['at_ms'] as number)));
  }

  /** Of every agent, by the hour; the window is of whole hours. */
  async byHour(window: Window): Promise<ReadonlyMap<string, SessionBins>> {
    return byAgent(await this.#hours.rows(window));
  }
}

function byAgent(rows: readonly Row[]): Map<string, SessionBins> {
  const agents = Map.groupBy(rows, (row) => row['agent'] as string);
  return new Map(
    Array.from(agents, ([agent, own]) => [
      agent,
      new Map(own.map((row) => [row['at_ms'] as number, row['sessions'] as number])),
    ]),
  );
}
