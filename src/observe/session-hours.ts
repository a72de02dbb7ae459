/** Sessions of every agent by the hour, for whoever watches changes. */
import type { SessionHours, Window } from '../facts/index.ts';
import type { Store } from '../store/index.ts';
import { ANONYMOUS_SESSIONS } from './anonymous.ts';
import { KeptHours } from './kept-hours.ts';
import { OTHER } from './series.ts';
import { HOUR_MS } from './units.ts';

export class SessionCounts {
  readonly #hours: KeptHours;

  constructor(store: Store) {
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
    const rows = await this.#hours.rows(window);
    const known = rows.filter((row) => row['known'] === 1);
    const agents = Map.groupBy(known.length > 0 ? known : rows, (row) => row['agent'] as string);
    return Array.from(agents, ([agent, own]) => ({
      agent,
      hours: own.map((row) => ({
        atMs: row['at_ms'] as number,
        sessions: row['sessions'] as number,
        failed: row['failed'] as number,
        corrected: row['corrected'] as number,
      })),
    }));
  }
}
