/**
 * Telemetry from nobody known: whoever reaches the receiver can send it, without a token. It is counted like any other,
 * under a source of its own, so that whoever judges a change can leave it out: made-up successes must not hide real
 * failures, and made-up failures of others must not pass for an outage.
 */

/** No configured source can have this name: it has a colon. */
export const ANONYMOUS_SOURCE = 'otlp:anonymous';

/** No session begins so: the room makes spaces of line breaks in names (`clean-event.ts`). */
const MARK = '\n';

/** A session under which activity is counted: those of nobody known are told apart from all others. */
export function activeSession(source: string, session: string): string {
  return source === ANONYMOUS_SOURCE ? `${MARK}${session}` : session;
}

/** A pattern of SQL's LIKE for them. */
export const ANONYMOUS_SESSIONS = `${MARK}%`;
