/**
 * Whether a place fails by what takes too long, and took longer before a change already: a tool that gets slower meets one limit
 * after the other, and the change came on the way. A pure function of counts by hour.
 *
 * What takes longer because more is asked says nothing: that a change adds to it is why it fails now.
 */
import type { CallHour, CallHours } from '../facts/index.ts';
import { studentSf } from '../stats/index.ts';
import type { LateFinding } from './late-harm.ts';

const HOUR_MS = 3_600_000;
/** Hours that show how the tool was when the change came: the last in which it was called. */
const RECENT_HOURS = 3;
/** Fewer do not say how hours differ. */
const EARLIER_HOURS_MIN = 8;
/** The mean of fewer calls says nothing of an hour. */
const CALLS_MIN = 5;
/** So many times as long is slower, as in diagnoses (ADR 185). */
const SLOWER = Math.SQRT2;
const CHANCE = 0.01;
/** Within this, loads and durations are alike (`tool-load.ts`): what was beyond it had begun, and with as much more to do it may be because of that. */
const ALIKE = 1.25;

interface Asked {
  readonly startedAtMs: number;
  readonly calls: readonly CallHours[];
}

/** Of sessions: whether as many calls failed so as half of the sessions that did. */
export function wasSlower({ series, onsetMs, observed }: LateFinding, asked: Asked): boolean {
  const { agent, tool, measure } = series;
  if (measure !== 'failures' && measure !== 'tasks') return false;
  const slow = asked.calls.filter(
    (one) =>
      one.agent === agent &&
      (tool === '' || one.tool === tool) &&
      isSlowSinceBefore(one, onsetMs, asked),
  );
  const failed = slow
    .flatMap(({ hours }) => hours)
    .reduce((sum, hour) => sum + (hour.atMs >= onsetMs ? hour.failed : 0), 0);
  return slow.length > 0 && 2 * failed >= observed.bad;
}

function isSlowSinceBefore(
  { tool, hours }: CallHours,
  onsetMs: number,
  { startedAtMs, calls }: Asked,
): boolean {
  const before = hours.filter(
    ({ atMs, timedWell }) => atMs + HOUR_MS <= startedAtMs && timedWell >= CALLS_MIN,
  );
  const [earlier, recent] = [before.slice(0, -RECENT_HOURS), before.slice(-RECENT_HOURS)];
  if (earlier.length < EARLIER_HOURS_MIN) return false;
  const since = tookIn(hours.filter(({ atMs }) => atMs >= onsetMs));
  const usualMs = tookIn(earlier).wellMs;
  const isSlow = since.wellMs >= SLOWER * usualMs && since.failedMs >= since.wellMs;
  if (!isSlow || tookIn(recent).wellMs < ALIKE * usualMs) return false;
  const made = (some: readonly CallHour[]) => callsAt(calls, tool, some) / some.length;
  return chanceOfSlower(earlier, recent) < CHANCE && made(recent) <= ALIKE * made(earlier);
}

function tookIn(hours: readonly CallHour[]) {
  let [well, wellMs, failed, failedMs] = [0, 0, 0, 0];
  for (const { timed, timedWell, latencySumMs, latencyWellMs } of hours) {
    well += timedWell;
    wellMs += latencyWellMs;
    failed += timed - timedWell;
    failedMs += latencySumMs - latencyWellMs;
  }
  return { wellMs: wellMs / well, failedMs: failedMs / failed };
}

/** Student's t of the hours' means, in logarithms. */
function chanceOfSlower(earlier: readonly CallHour[], recent: readonly CallHour[]): number {
  const logsOf = (hours: readonly CallHour[]) =>
    hours.map(({ latencyWellMs, timedWell }) => Math.log(latencyWellMs / timedWell));
  const [one, other] = [logsOf(earlier), logsOf(recent)];
  const mean = (logs: readonly number[]) => logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const square = (logs: readonly number[]) =>
    logs.reduce((sum, log) => sum + (log - mean(logs)) ** 2, 0);
  const df = one.length + other.length - 2;
  const variance = (square(one) + square(other)) / df;
  const width = Math.sqrt(variance * (1 / one.length + 1 / other.length));
  return width === 0 ? 0 : studentSf((mean(other) - mean(one)) / width, df);
}

/** Whoever calls it. */
function callsAt(calls: readonly CallHours[], tool: string, at: readonly CallHour[]): number {
  const times = new Set(at.map(({ atMs }) => atMs));
  return calls
    .filter((one) => one.tool === tool)
    .flatMap(({ hours }) => hours)
    .reduce((sum, hour) => sum + (times.has(hour.atMs) ? hour.calls : 0), 0);
}
