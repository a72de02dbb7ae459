/** Work that a session repeats without getting on: the same tool called again and again until something ends it. Pure. */
import type { Event } from '../facts/index.ts';

/** Twice may be a second look; three times in a row nothing new was learnt. */
const TIMES_MIN = 3;

export interface Repeated {
  readonly tool: string;
  /** Calls in a row, the first included. */
  readonly times: number;
  /** Which call of the session begins the row, from 0. */
  readonly fromCall: number;
  /** Of all calls of the session. */
  readonly calls: number;
  /** Whether the arguments were the same each time; null where telemetry does not say. */
  readonly isSameCall: boolean | null;
}

/** The longest row of one session that succeeds call by call; undefined where nothing is repeated. */
export function repeatedIn(events: readonly Event[]): Repeated | undefined {
  const calls = events.filter((event) => event.kind === 'tool_call');
  let best: Repeated | undefined;
  let from = 0;
  for (let at = 1; at <= calls.length; at++) {
    const isMore = at < calls.length && calls[at]!.tool === calls[from]!.tool;
    if (isMore) continue;
    const row = calls.slice(from, at);
    // Calls that fail and are tried again are another matter.
    const isWell = row.filter(({ success }) => success).length * 2 > row.length;
    if (isWell && row.length >= TIMES_MIN && row.length > (best?.times ?? 0)) {
      const given = new Set(row.map((call) => call.arguments));
      const isSameCall = given.has(undefined) ? null : given.size === 1;
      best = {
        tool: row[0]!.tool,
        times: row.length,
        fromCall: from,
        calls: calls.length,
        isSameCall,
      };
    }
    from = at;
  }
  return best;
}
