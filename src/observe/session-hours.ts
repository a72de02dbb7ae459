/** Sessions of every agent by the hour, for whoever watches changes. */
import type { SessionHours, TaskHours, Window } from '../facts/index.ts';
import type { Row, Store } from '../store/index.ts';
import { ANONYMOUS_SESSIONS, ANONYMOUS_SOURCE } from './anonymous.ts';
import { KeptHours } from './kept-hours.ts';
import { OTHER } from './series.ts';
import { HOUR_MS } from './units.ts';

export class SessionCounts {
  readonly #hours: KeptHours;
  readonly #tasks: KeptHours;

  constructor(store: Store) {
    this.#tasks = new KeptHours(store, ({ fromMs, toMs }) =>
      store.all(
        `SELECT s.agent, s.task, r.at_ms, CASE WHEN s.source = ? THEN 0 ELSE 1 END AS known,
           CAST(SUM(r.events) AS BIGINT) AS failed
         FROM observe_rollups r JOIN observe_series s ON s.id = r.series
         WHERE r.unit_ms = ${HOUR_MS} AND r.at_ms >= ? AND r.at_ms < ?
           AND s.type = 'task_failure' AND s.agent <> '' AND s.agent <> '${OTHER}'
           AND s.task <> '' AND s.task <> '${OTHER}'
         GROUP BY s.agent, s.task, 4, r.at_ms ORDER BY s.agent, s.task, r.at_ms`,
        [ANONYMOUS_SOURCE, fromMs, toMs],
      ),
    );
    this.#hours = new KeptHours(store, ({ fromMs, toMs }) =>
      store.all(
        `SELECT agent, minute_ms / ${HOUR_MS} * ${HOUR_MS} AS at_ms,
           CASE WHEN session LIKE ? THEN 0 ELSE 1 END AS known,
           COUNT(DISTINCT session) AS sessions,
           COUNT(DISTINCT CASE WHEN failed = 1 THEN session END) AS failed,
           COUNT(DISTINCT CASE WHEN corrected = 1 THEN session END) AS corrected
         FROM observe_activity
         WHERE minute_ms >= ? AND minute_ms < ? AND agent <> '' AND agent <> '${OTHER}'
         GROUP BY agent, 2, 3 ORDER BY agent, 2`,
        [ANONYMOUS_SESSIONS, fromMs, toMs],
      ),
    );
  }

  /**
   * Whole hours, edges moved outwards. Where known senders sent anything, what nobody known sent is left out: strangers
   * must be able neither to hide harm nor to make a past.
   */
  async byHour(window: Window): Promise<SessionHours[]> {
    const agents = byAgent(await this.#hours.rows(window));
    const tasks = byAgent(await this.#tasks.rows(window));
    return Array.from(agents, ([agent, own]) => ({
      agent,
      tasks: namedTasks(tasks.get(agent) ?? []),
      hours: own.map((row) => ({
        atMs: row['at_ms'] as number,
        sessions: row['sessions'] as number,
        failed: row['failed'] as number,
        corrected: row['corrected'] as number,
      })),
    }));
  }
}

/** Of known senders, where there are any. */
function byAgent(rows: readonly Row[]): ReadonlyMap<string, Row[]> {
  const known = rows.filter((row) => row['known'] === 1);
  return Map.groupBy(known.length > 0 ? known : rows, (row) => row['agent'] as string);
}

/** A single one says what the sessions say. */
function namedTasks(rows: readonly Row[]): TaskHours[] | undefined {
  const tasks = Map.groupBy(rows, (row) => row['task'] as string);
  if (tasks.size < 2) return undefined;
  return Array.from(tasks, ([name, own]) => ({
    name,
    hours: own.map((row) => ({
      atMs: row['at_ms'] as number,
      failed: row['failed'] as number,
    })),
  }));
}
