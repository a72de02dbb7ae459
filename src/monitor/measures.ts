/**
 * Everything that is watched of a fleet, as series of "bad of all" by the hour, so that one kind of test does for all of
 * it. A pure function of counts.
 *
 * | measure | of | bad |
 * |---|---|---|
 * | failures | an agent's calls of a tool | those that failed |
 * | tasks, corrections | an agent's sessions | those with a failed task, with a corrected answer |
 * | latency, cost, tokens | hours of an agent's calls of a tool | those whose mean is beyond nine of ten hours before |
 * | more_calls, fewer_calls | the same | those with more (fewer) calls for each session than nine of ten before |
 * | silence | hours in which it usually was called | those without a call, while others are heard |
 *
 * Hours, and not calls, are counted where a distribution is asked about: two weeks of latencies are thirty times as many
 * rows as their sums, and what moves all calls shows in every hour. What the change is expected to do to its own
 * place is taken off first (`expectation.ts`).
 */
import type { CallHour, CallHours, SessionHours } from '../facts/index.ts';
import { type Expectation, factorsOf } from './expectation.ts';
import { hourMark, type Level, type Rule, ruleOf, SLOTS, slotOf } from './hour-levels.ts';
import { Kept, printOf } from './kept.ts';
import type { HourCount } from './norm.ts';
import { type Footing, type Place, type Ring, ringsOf } from './rings.ts';
import { sum } from './season.ts';

export type Measure =
  | 'failures'
  | 'tasks'
  | 'corrections'
  | 'latency'
  | 'cost'
  | 'tokens'
  | 'more_calls'
  | 'fewer_calls'
  | 'silence';

/** One series: a measure of an agent's calls of a tool, or of its sessions (no tool), as bad of all. */
export interface Series extends Place {
  readonly measure: Measure;
  readonly ring: Ring;
  readonly before: readonly HourCount[];
  /** Whole hours since the deployment. */
  readonly since: readonly HourCount[];
}

export interface Fleet {
  readonly calls: readonly CallHours[];
  readonly sessions: readonly SessionHours[];
}

export interface Change {
  readonly startedAtMs: number;
  readonly footing: Footing;
  readonly expected?: Expectation | undefined;
}

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
/** Two weeks have each hour of the week twice. */
export const BASELINE_MS = 14 * DAY_HOURS * HOUR_MS;
/** The mean of fewer calls, or sessions, says nothing of an hour. */
const CALLS_MIN = 5;
const SESSIONS_MIN = 3;
/** Called so often in an hour, it is heard of. */
const USUAL_MIN = 1;

/** All that can be compared, failures first, in the order of the places. */
export function seriesOf(fleet: Fleet, change: Change, allowed: number): Series[] {
  const rings = ringsOf(fleet.calls, change.footing);
  const sides = sidesOf(change);
  const failures = fleet.calls.map(({ agent, tool, hours }, at): Series => {
    const { before, since } = split(hours, sides);
    return {
      agent,
      tool,
      measure: 'failures',
      ring: rings[at]!,
      before: beforeOf(`${sides.sinceMs} ${agent} ${tool}`, before.map(failuresIn)),
      since: since.map(failuresIn),
    };
  });
  return [
    ...failures,
    ...ofSessions(fleet, rings, change),
    ...ofHours(fleet, rings, { change, allowed }),
    ...silences(fleet, rings, change),
  ];
}

function failuresIn({ atMs, failed, calls }: CallHour): HourCount {
  return { atMs, bad: failed, all: calls };
}

/** The same array for the same counts: what is normal for it is worked out once (`normal`). */
const BEFORE = new Kept<readonly HourCount[]>();

function beforeOf(key: string, hours: readonly HourCount[]): readonly HourCount[] {
  return BEFORE.of(
    key,
    printOf(hours, ({ bad, all }) => bad * 65_536 + all),
    () => hours,
  );
}

interface Sides {
  readonly fromMs: number;
  readonly beforeMs: number;
  readonly sinceMs: number;
}

/** The hour of the deployment had both versions. */
function sidesOf({ startedAtMs }: Change): Sides {
  return {
    fromMs: startedAtMs - BASELINE_MS,
    beforeMs: startedAtMs - HOUR_MS + 1,
    sinceMs: startedAtMs,
  };
}

function split<T extends { readonly atMs: number }>(
  hours: readonly T[],
  { fromMs, beforeMs, sinceMs }: Sides,
): { before: T[]; since: T[] } {
  const [before, since]: [T[], T[]] = [[], []];
  for (const hour of hours) {
    if (hour.atMs >= sinceMs) since.push(hour);
    else if (hour.atMs >= fromMs && hour.atMs < beforeMs) before.push(hour);
  }
  return { before, since };
}

/** As near to the change as the nearest of the agent's calls. */
function ringsOfAgents(calls: readonly CallHours[], rings: readonly Ring[]) {
  const nearest = new Map<string, Ring>();
  calls.forEach(({ agent }, at) => {
    const known = nearest.get(agent) ?? 3;
    nearest.set(agent, rings[at]! < known ? rings[at]! : known);
  });
  return nearest;
}

function ofSessions(fleet: Fleet, rings: readonly Ring[], change: Change): Series[] {
  const nearest = ringsOfAgents(fleet.calls, rings);
  const sides = sidesOf(change);
  const settledMs = change.expected?.settling?.untilMs ?? 0;
  return fleet.sessions.flatMap(({ agent, hours }) => {
    const ring = nearest.get(agent) ?? 3;
    const series = (measure: 'tasks' | 'corrections', bad: 'failed' | 'corrected'): Series => {
      const counted = hours.map((hour) => ({
        atMs: hour.atMs,
        bad: hour[bad],
        all: hour.sessions,
      }));
      const { before, since } = split(counted, sides);
      const isSettled = ({ atMs }: HourCount) =>
        measure !== 'tasks' || ring > 1 || atMs >= settledMs;
      const key = `${sides.sinceMs} ${agent} ${measure}`;
      const kept = beforeOf(key, before);
      return { agent, tool: '', measure, ring, before: kept, since: since.filter(isSettled) };
    };
    return [series('tasks', 'failed'), series('corrections', 'corrected')];
  });
}

/** What an hour of calls is measured by, and which side of it is bad. */
interface Meter {
  readonly measure: Measure;
  readonly side: 'high' | 'low';
  levelOf(hour: CallHour, sessions: number): number | undefined;
}

const perSession = ({ calls }: CallHour, sessions: number) =>
  sessions < SESSIONS_MIN ? undefined : calls / sessions;

const METERS: readonly Meter[] = [
  {
    measure: 'latency',
    side: 'high',
    levelOf: ({ timedWell, latencyWellMs }) =>
      timedWell < CALLS_MIN ? undefined : latencyWellMs / timedWell,
  },
  {
    measure: 'cost',
    side: 'high',
    levelOf: ({ calls, costUsd }) => (calls < CALLS_MIN ? undefined : costUsd / calls),
  },
  {
    measure: 'tokens',
    side: 'high',
    levelOf: ({ calls, tokens }) => (calls < CALLS_MIN ? undefined : tokens / calls),
  },
  { measure: 'more_calls', side: 'high', levelOf: perSession },
  { measure: 'fewer_calls', side: 'low', levelOf: perSession },
];

type Metered = Meter & { readonly rule: Rule };
/** Of each place, those that can be compared. */
const METERED = new Kept<readonly Metered[]>();

function ofHours(
  { calls, sessions }: Fleet,
  rings: readonly Ring[],
  { change, allowed }: { readonly change: Change; readonly allowed: number },
): Series[] {
  const sides = sidesOf(change);
  const asked = new Map(sessions.map(({ agent, hours }) => [agent, sessionsBy(hours)]));
  const failing = failingBefore(calls, rings, sides);
  return calls.flatMap((place, at) => {
    const { agent, tool } = place;
    const ring = rings[at]!;
    const factors = factorsOf(change.expected, ring, failing);
    const times: Partial<Record<Measure, number>> = {
      latency: factors.latency,
      more_calls: factors.moreCalls,
      fewer_calls: factors.fewerCalls,
    };
    const { before, since } = split(place.hours, sides);
    const ofAgent = asked.get(agent);
    const sessionsAt = (atMs: number) => ofAgent?.get(atMs) ?? 0;
    const key = `${sides.sinceMs} ${agent} ${tool} ${allowed}`;
    const print = printOf(before, (hour) => printOfHour(hour) + sessionsAt(hour.atMs));
    const metered = METERED.of(key, print, () => meteredOf(before, sessionsAt, allowed));
    return metered.map(({ measure, rule, levelOf }): Series => {
      const marks: HourCount[] = [];
      for (const hour of since) {
        const value = levelOf(hour, sessionsAt(hour.atMs));
        if (value !== undefined) marks.push(rule.mark(hour.atMs, value / (times[measure] ?? 1)));
      }
      return { agent, tool, measure, ring, before: rule.before, since: marks };
    });
  });
}

function printOfHour({ calls, timedWell, latencyWellMs, tokens, costUsd }: CallHour): number {
  return calls * 7919 + timedWell * 104_729 + latencyWellMs * 3 + tokens * 11 + costUsd * 1e6;
}

function sessionsBy(hours: SessionHours['hours']): ReadonlyMap<number, number> {
  return new Map(hours.map(({ atMs, sessions }) => [atMs, sessions]));
}

function meteredOf(
  before: readonly CallHour[],
  sessionsAt: (atMs: number) => number,
  allowed: number,
): Metered[] {
  return METERS.flatMap((meter) => {
    const levels = before.flatMap((hour): Level[] => {
      const value = meter.levelOf(hour, sessionsAt(hour.atMs));
      return value === undefined ? [] : [{ atMs: hour.atMs, value }];
    });
    const rule = ruleOf(levels, { side: meter.side, allowed });
    return rule === undefined ? [] : [{ ...meter, rule }];
  });
}

/** At what was changed: the share of calls that failed before. */
function failingBefore(calls: readonly CallHours[], rings: readonly Ring[], sides: Sides): number {
  const changed = calls.filter((_, at) => rings[at] === 0);
  const { bad, all } = sum(
    changed.flatMap(({ hours }) => split(hours, sides).before.map(failuresIn)),
  );
  return bad / Math.max(1, all);
}

/** Without a call in an hour in which others were heard: without that, telemetry is what is silent. */
function silences({ calls }: Fleet, rings: readonly Ring[], change: Change): Series[] {
  const sides = sidesOf(change);
  const heard = new Map<number, number>();
  for (const { hours } of calls)
    for (const { atMs } of hours) heard.set(atMs, (heard.get(atMs) ?? 0) + 1);
  const hoursHeard = [...heard.keys()].sort((a, b) => a - b);
  const heardTimes = hoursHeard.map((atMs) => heard.get(atMs)!);
  const isNew = ({ hours }: CallHours) => hours.length > 0 && hours[0]!.atMs >= sides.sinceMs;
  const newTools = new Set(calls.filter(isNew).map(({ tool }) => tool));
  return calls.flatMap((place, at): Series[] => {
    const { agent, tool, hours } = place;
    // A new caller of the same tool may be the same agent under another name.
    if (hours.length === 0 || isNew(place) || newTools.has(tool)) return [];
    const usualAt = usualCalls(hours, hoursHeard, sides);
    const counted: HourCount[] = [];
    let next = 0;
    for (const [index, atMs] of hoursHeard.entries()) {
      const isHeard = hours[next]?.atMs === atMs;
      if (isHeard) next += 1;
      const calls = isHeard ? hours[next - 1]!.calls : 0;
      if (next === 0 || usualAt(atMs, calls) < USUAL_MIN) continue;
      // Where it is the only one that is heard, nobody else is.
      if (!isHeard || heardTimes[index]! > 1) counted.push(hourMark(atMs, !isHeard));
    }
    const { before, since } = split(counted, sides);
    const kept = beforeOf(`${sides.sinceMs} ${agent} ${tool} silence`, before);
    return [{ agent, tool, measure: 'silence', ring: rings[at]!, before: kept, since }];
  });
}

/**
 * Calls of each hour of the day, on days of its kind, before the deployment. Of an hour before, those of the other days: with
 * its own calls among them, hours that were heard would be chosen, and any that come after would be more silent.
 */
function usualCalls(
  hours: readonly CallHour[],
  heard: readonly number[],
  { fromMs, beforeMs }: Sides,
): (atMs: number, calls: number) => number {
  const [made, times] = [new Float64Array(SLOTS), new Float64Array(SLOTS)];
  const firstMs = Math.max(fromMs, hours[0]!.atMs);
  for (const atMs of heard) if (atMs >= firstMs && atMs < beforeMs) times[slotOf(atMs)]! += 1;
  for (const { atMs, calls } of hours)
    if (atMs >= firstMs && atMs < beforeMs) made[slotOf(atMs)]! += calls;
  return (atMs, calls) => {
    const slot = slotOf(atMs);
    const isOwn = atMs >= firstMs && atMs < beforeMs;
    return (made[slot]! - (isOwn ? calls : 0)) / Math.max(1, times[slot]! - (isOwn ? 1 : 0));
  };
}
