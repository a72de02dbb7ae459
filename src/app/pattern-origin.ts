/** In failing sessions of a pattern, the step and the agent where it began: what most of them agree on (DIAG-5). */
import type { ShownPattern } from '../contracts/pattern.ts';
import type { Pattern } from '../facts/index.ts';
import { placeOfEvent, type StoredEvent, type Telemetry } from '../observe/index.ts';
import { wrongStepOf } from './wrong-step.ts';

/** Each is looked for in an hour of events. */
const SESSIONS_MAX = 10;
const EVENTS_MAX = 200;
const HOUR_MS = 3_600_000;

type Origin = NonNullable<ShownPattern['origin']>;

/** Null where no session tells it, as for what no session is known of. */
export async function originOf(
  { evidence }: Pick<Pattern, 'evidence'>,
  telemetry: Pick<Telemetry, 'event' | 'sessionEvents'>,
): Promise<Origin | null> {
  const sessions = await failingSessions(evidence, telemetry);
  const begun: Omit<Origin, 'sessions' | 'of'>[] = [];
  for (const [session, atMs] of sessions) {
    const window = { fromMs: atMs - HOUR_MS, toMs: atMs + 1 };
    const found = await telemetry.sessionEvents(window, [session], EVENTS_MAX);
    // Their places in the session stand for their ids: only one of them is named.
    const events = (found.get(session)?.events ?? []).map(
      (event, at) => ({ id: String(at), atMs: event.atMs, source: '', event }) as StoredEvent,
    );
    const wrong = wrongStepOf(events);
    if (wrong === null) continue;
    const { agent, tool } = placeOfEvent(events[Number(wrong.event)]!.event);
    begun.push({ agent, step: tool, reason: wrong.reason });
  }
  const counted = Map.groupBy(begun, ({ agent, step }) => JSON.stringify([agent, step]));
  const [most] = [...counted.values()].sort((a, b) => b.length - a.length);
  return most === undefined ? null : { ...most[0]!, sessions: most.length, of: sessions.size };
}

/** The newest failure of each, the newest sessions first. */
async function failingSessions(
  evidence: readonly string[],
  telemetry: Pick<Telemetry, 'event'>,
): Promise<ReadonlyMap<string, number>> {
  const sessions = new Map<string, number>();
  for (const id of evidence.toReversed()) {
    if (sessions.size >= SESSIONS_MAX) break;
    const stored = await telemetry.event(id);
    if (stored === undefined || stored.event.session === '') continue;
    const { session } = stored.event;
    sessions.set(session, Math.max(stored.atMs, sessions.get(session) ?? 0));
  }
  return sessions;
}
