/**
 * Whether calls are refused that would be refused without the change, too: by a tool whose calls the change made lighter, so that
 * without it there would be more of that (ADR 209). All of this must be so:
 *
 * - something else explains it. In the hour up to the finding the tool did more calls than in these hours of the day before (what
 *   failed is left out of both, because it may have been tried again); or as much of it came and went before (`usual-spells.ts`);
 * - since the change each of its agent's calls holds the tool for less, and a session makes no more of them;
 * - what fails beyond what was expected failed before a success is usually done: a wait that ends too soon, which the change may have
 *   brought, takes longer than that, or fails most calls.
 */
import type { CallHour, CallHours, RecentCall, SessionHours, Window } from '../facts/index.ts';
import { poissonSf } from '../stats/index.ts';
import type { Harm } from './cause.ts';
import { chanceOf, within } from './comparison.ts';
import type { CallsByTool } from './harmed-tools.ts';
import { sum } from './season.ts';
import type { MonitorPorts } from './types.ts';

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
/** Two weeks say what a call takes. */
const RECORD_MS = 14 * DAY_HOURS * HOUR_MS;
/** Chance below which so many are more than before. */
const BEYOND = 0.01;
/** As in `tool-load.ts` and `tie-back.ts`. */
const OUTSIDE = 1.05;
const MORE_CALLS = 1.1;
/** Below this, nothing is said of what a call takes. */
const CALLS_MIN = 50;

export interface About {
  readonly agent: string | null;
  readonly startedAtMs: number;
  readonly calls: CallsByTool;
  /** It came and went as badly before the deployment. */
  readonly cameBefore: boolean;
}

/** As many watches as rounds are kept of (`rounds.ts`); those that were looked at last come last. */
const KNOWN_MAX = 16;
const KNOWN = new Map<string, Harm[]>();

/** What earlier looks of a watch found to be refused anyway. Forgetting changes nothing but the time. */
export function knownRefused(key: string): Harm[] {
  const known = KNOWN.get(key) ?? [];
  KNOWN.delete(key);
  KNOWN.set(key, known);
  if (KNOWN.size > KNOWN_MAX) KNOWN.delete(KNOWN.keys().next().value!);
  return known;
}

type Ports = Pick<MonitorPorts, 'callHours' | 'sessionHours' | 'recentCalls'>;

export async function isRefusedAnyway(
  { found, cause, beganAtMs }: Harm,
  about: About,
  ports: Ports,
): Promise<boolean> {
  const { agent, startedAtMs, calls, cameBefore } = about;
  const { metric, finding } = found;
  const tool = calls.changed;
  const isAsked = metric === 'error_rate' || metric === 'task_failure_rate';
  if (agent === null || tool === undefined || !isAsked) return false;
  if (cause !== 'own' && cause !== 'unclear') return false;
  const { fromMs, foundAtMs: toMs } = finding;
  const hour = { fromMs: toMs - HOUR_MS, toMs };
  const isMore = hour.fromMs >= startedAtMs && isMoreThanBefore(hour, about);
  if (!isMore && !cameBefore) return false;

  const record = { fromMs: startedAtMs - RECORD_MS, toMs: hourOf(beganAtMs) };
  const recorded = await ports.callHours(record);
  const own = recorded.find((one) => one.agent === agent && one.tool === tool);
  const sessions = (await ports.sessionHours(record)).find((one) => one.agent === agent);
  if (!isLighter(own, sessions, startedAtMs)) return false;

  const window = { fromMs: Math.min(fromMs, hour.fromMs), toMs };
  const ofTool = calls.since.filter((one) => one.tool === tool);
  const called = sum(ofTool.flatMap(({ bins }) => within(bins, window))).all;
  const recent = (await ports.recentCalls(window, [{ tool, calls: called }])).get(tool) ?? [];
  const atOnce = failedAtOnce(recent.filter((call) => call.agent === agent));
  const refused = atOnce.filter(({ endMs }) => endMs >= fromMs).length;
  const ofFound = calls.since.filter((one) => found.agent === null || one.agent === found.agent);
  const failed = sum(ofFound.flatMap(({ bins }) => within(bins, { fromMs, toMs }))).bad;
  // Tasks fail in proportion to their calls.
  const rest = finding.observed.bad * Math.max(0, 1 - refused / Math.max(1, failed));
  const { observed, expectedBad, allowed } = finding;
  return chanceOf({ ...observed, bad: Math.round(rest), expectedBad }, allowed) >= BEYOND;
}

const hourOf = (ms: number) => Math.floor(ms / HOUR_MS) * HOUR_MS;

/** Than in the hours of the day before that it is compared with; where nothing was counted in these, than in any hour. */
function isMoreThanBefore(hour: Window, { startedAtMs, calls }: About): boolean {
  const ofTool = (one: { readonly tool: string }) => one.tool === calls.changed;
  const now = sum(calls.since.filter(ofTool).flatMap(({ bins }) => within(bins, hour)));
  const slotOf = (hours: number) => ((hours % DAY_HOURS) + DAY_HOURS) % DAY_HOURS;
  const times = new Set(
    [hour.fromMs, hour.toMs - 1].map((ms) => slotOf(Math.floor((ms - startedAtMs) / HOUR_MS))),
  );
  const done = new Map<number, number>();
  for (const { hours } of calls.before.filter(ofTool))
    hours.forEach(({ bad, all }, at) => {
      const since = at - hours.length;
      done.set(since, (done.get(since) ?? 0) + all - bad);
    });
  const called = [...done].filter(([, count]) => count > 0);
  const alike = called.filter(([since]) => times.has(slotOf(since)));
  const most = Math.max(0, ...(alike.length > 0 ? alike : called).map(([, count]) => count));
  return most > 0 && poissonSf(now.all - now.bad - 1, most * OUTSIDE) < BEYOND;
}

/** Each call takes less than before, and a session makes as many. */
function isLighter(
  own: CallHours | undefined,
  sessions: SessionHours | undefined,
  startedAtMs: number,
): boolean {
  if (own === undefined || sessions === undefined) return false;
  const [before, since] = [true, false].map((isBefore) => {
    const isIn = ({ atMs }: { readonly atMs: number }) =>
      isBefore ? atMs + HOUR_MS <= startedAtMs : atMs >= startedAtMs;
    const add = (of: (hour: CallHour) => number) =>
      own.hours.filter(isIn).reduce((total, hour) => total + of(hour), 0);
    const timed = add((hour) => hour.timed);
    const begun = sessions.hours.filter(isIn).reduce((total, hour) => total + hour.sessions, 0);
    return {
      timed,
      took: add((hour) => hour.latencySumMs) / timed,
      perSession: add((hour) => hour.calls) / begun,
    };
  }) as [Lightness, Lightness];
  if (before.timed < CALLS_MIN || since.timed < CALLS_MIN) return false;
  return since.took < before.took && since.perSession <= before.perSession * MORE_CALLS;
}

interface Lightness {
  readonly timed: number;
  readonly took: number;
  readonly perSession: number;
}

/** Those that failed sooner than half of the successes were done. */
function failedAtOnce(calls: readonly RecentCall[]): RecentCall[] {
  const tookOf = ({ startMs, endMs }: RecentCall) => endMs - startMs;
  const well = calls.filter(({ failedWith }) => failedWith === null).map(tookOf);
  if (well.length === 0) return [];
  const median = well.sort((a, b) => a - b)[Math.floor(well.length / 2)]!;
  return calls.filter((call) => call.failedWith !== null && tookOf(call) < median);
}
