/**
 * How many sessions an agent had, for shares of tasks that fail and answers that people correct: telemetry reports those that went
 * wrong, and not those that went well. A session counts once in each hour that it lives through, at its last minute of
 * that hour, where a task usually ends; so a session of a day is not one task, and minutes add up to hours.
 */
import type { FailingEvent, Window } from '../facts/index.ts';
import type { Row, Store } from '../store/index.ts';
import { KeptHours } from './kept-hours.ts';
import { floorTo, HOUR_MS, wholeUnits } from './units.ts';

/** Telemetry reports of these only what went wrong. */
export function isOfSession(type: FailingEvent): boolean {
  return type === 'task_failure' || type === 'user_correction';
}

/** Sessions by the bin. */
export type SessionBins = ReadonlyMap<number, number>;

export class AgentSessions {
  readonly #minutes: KeptHours;
  readonly #hours: KeptHours;
  /** Of each hour of minutes that was read: a diagnosis adds up a day of them. */
  readonly #sums = new WeakMap<readonly Row[], ReadonlyMap<string, number>>();

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
    const hours = await this.#minutes.hours({ fromMs, toMs });
    return byAgent(hours, { fromMs, toMs });
  }

  /** How many in all, of every agent; the window is of whole minutes. */
  async countsIn({ fromMs, toMs }: Window): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>();
    for (const rows of await this.#minutes.hours({ fromMs, toMs })) {
      const hourMs = rows.length === 0 ? fromMs : floorTo(HOUR_MS, rows[0]!['at_ms'] as number);
      const isWhole = hourMs >= fromMs && hourMs + HOUR_MS <= toMs;
      const sums = isWhole ? this.#sumsOf(rows) : sumsIn(rows, { fromMs, toMs });
      for (const [agent, sessions] of sums) counts.set(agent, (counts.get(agent) ?? 0) + sessions);
    }
    return counts;
  }

  /** Of every agent, by the hour; the window is of whole hours. */
  async byHour(window: Window): Promise<ReadonlyMap<string, SessionBins>> {
    return byAgent(await this.#hours.hours(window), wholeUnits(HOUR_MS, window));
  }

  #sumsOf(rows: readonly Row[]): ReadonlyMap<string, number> {
    let sums = this.#sums.get(rows);
    if (sums === undefined) {
      sums = sumsIn(rows, { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY });
      this.#sums.set(rows, sums);
    }
    return sums;
  }
}

function sumsIn(rows: readonly Row[], { fromMs, toMs }: Window): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { agent, at_ms: at, sessions } of rows) {
    if ((at as number) < fromMs || (at as number) >= toMs) continue;
    sums.set(agent as string, (sums.get(agent as string) ?? 0) + (sessions as number));
  }
  return sums;
}

function byAgent(hours: readonly (readonly Row[])[], { fromMs, toMs }: Window) {
  const agents = new Map<string, Map<number, number>>();
  for (const rows of hours) {
    for (const { agent, at_ms: at, sessions } of rows) {
      if ((at as number) < fromMs || (at as number) >= toMs) continue;
      let own = agents.get(agent as string);
      if (own === undefined) {
        own = new Map();
        agents.set(agent as string, own);
      }
      own.set(at as number, sessions as number);
    }
  }
  return agents;
}
