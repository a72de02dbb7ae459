/**
 * How often an agent would call a tool in an hour of harm, without the further tries that the harm itself asks for: an outage
 * that makes everybody try again is not more work for the tool than it ever had. From sessions, which are begun whether or
 * not calls fail; where telemetry tells of none, every call counts. Pure.
 */
import type { CallHour, SessionHours } from '../facts/index.ts';

/** Below this, nothing is said of how many calls a session makes. */
const CALLS_MIN = 50;

export interface Offering {
  /** Of one agent at one tool. */
  readonly hours: readonly CallHour[];
  /** Of the same agent. */
  readonly sessions: SessionHours | undefined;
  readonly startedAtMs: number;
  /** From when on harm is there. */
  readonly onsetMs: number;
}

export function offeredCalls(offering: Offering): (hour: CallHour) => number {
  const { sessions, startedAtMs, onsetMs } = offering;
  const begun = new Map(sessions?.hours.map((hour) => [hour.atMs, hour.sessions]));
  // As it is since the change, if there was a time without the harm.
  const perSession =
    callsPerSession(offering, begun, (atMs) => atMs >= startedAtMs && atMs < onsetMs) ??
    callsPerSession(offering, begun, (atMs) => atMs < Math.min(startedAtMs, onsetMs));
  if (perSession === undefined) return ({ calls }) => calls;
  return ({ atMs, calls }) =>
    atMs < onsetMs ? calls : Math.min(calls, perSession * (begun.get(atMs) ?? Infinity));
}

function callsPerSession(
  { hours }: Offering,
  begun: ReadonlyMap<number, number>,
  isIn: (atMs: number) => boolean,
): number | undefined {
  let [calls, sessions] = [0, 0];
  for (const hour of hours) if (isIn(hour.atMs)) calls += hour.calls;
  for (const [atMs, count] of begun) if (isIn(atMs)) sessions += count;
  return calls < CALLS_MIN || sessions === 0 ? undefined : calls / sessions;
}
