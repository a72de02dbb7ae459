/**
 * How much of a session a minute is. Failed tasks are counted by the minute, of the sessions that are active in it: where a change
 * makes sessions shorter, each minute has more of their ends, and the same failures look like more. A pure function.
 */
import { indexAt } from './place-track.ts';
import type { Count } from './types.ts';

/** So many sessions as before are added to what was seen since: the first few say little. */
const PRIOR_SESSIONS = 20;

/** Since a deployment, in the order of time. */
type Minute = Count & { readonly atMs: number };

/**
 * What was seen counts up to marks, each an eighth of the time since the deployment after the one before: it is at most an
 * eighth old, and between two marks every look weighs the past alike, so that it need not be gone through again.
 */
const MARK = 1.125;

/** How many times as many failures a minute of a session has now, at as many in each session; 1 where they are not shorter. */
export function timesShorter(
  before: readonly Count[],
  minutes: readonly Minute[],
  startedAtMs: number,
): number {
  const then = lengthsOf(before);
  if (then.begun === 0) return 1;
  const untilMs = countedUntilMs(minutes, startedAtMs);
  const now = lengthsOf(minutes.slice(0, indexAt(minutes, untilMs + 1)));
  if (now.begun === 0) return 1;
  const usual = then.minutes / then.begun;
  const length = (now.minutes + PRIOR_SESSIONS * usual) / (now.begun + PRIOR_SESSIONS);
  return Math.max(1, usual / length);
}

/** The last of the minutes that count, or later. */
export function countedUntilMs(minutes: readonly Minute[], startedAtMs: number): number {
  return startedAtMs + lastMark((minutes.at(-1)?.atMs ?? startedAtMs) - startedAtMs);
}

function lastMark(sinceMs: number): number {
  return sinceMs < 1 ? 0 : MARK ** Math.floor(Math.log(sinceMs) / Math.log(MARK));
}

/** Of the counts that say how many began. */
function lengthsOf(counts: readonly Count[]) {
  let [minutes, sessions] = [0, 0];
  for (const { all, begun } of counts) {
    if (begun === undefined) continue;
    minutes += all;
    sessions += begun;
  }
  return { minutes, begun: sessions };
}
