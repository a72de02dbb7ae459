/** The events of several sessions at once, hour by hour: a replay asks for hundreds of sessions together. */
import type { Window } from '../facts/index.ts';
import type { Store } from '../store/index.ts';
import { eventsOfHour, hoursIn } from './event-hours.ts';
import type { CleanEvent } from './types.ts';

/** Engines bound the values of one query. */
const SESSIONS_AT_ONCE = 500;

export interface SessionEvents {
  /** Ascending; the first `limit` of them. */
  readonly events: readonly CleanEvent[];
  readonly more: boolean;
}

/** Of sessions without events in the window nothing is said. */
export async function sessionEvents(
  store: Store,
  sessions: readonly string[],
  { window, limit }: { readonly window: Window; readonly limit: number },
): Promise<ReadonlyMap<string, SessionEvents>> {
  const found = new Map<string, { events: CleanEvent[]; more: boolean }>();
  for (const hourMs of await hoursIn(store, window)) {
    for (let at = 0; at < sessions.length; at += SESSIONS_AT_ONCE) {
      const some = sessions.slice(at, at + SESSIONS_AT_ONCE);
      const rows = await eventsOfHour(store, hourMs, {
        window,
        columns: 'e.session, e.body',
        rest: `AND e.session IN (${some.map(() => '?').join(', ')}) ORDER BY e.at_ms, e.id`,
        values: some,
      });
      for (const row of rows) {
        const session = row['session'] as string;
        const one = found.get(session) ?? { events: [], more: false };
        found.set(session, one);
        if (one.events.length >= limit) one.more = true;
        else one.events.push(JSON.parse(row['body'] as string) as CleanEvent);
      }
    }
  }
  return found;
}
