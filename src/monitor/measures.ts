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
import { hourMark, type Level, type Rule, ruleOf } from './hour-levels.ts';
import { Kept, printOf } from './kept.ts';
import { type HourCount, isWeekend } from './norm.ts';
import { type Footing, type Place, type Ring, ringsOf } from './rings.ts';
import { sum } from './season.ts';

export const WATCHED = [
  'failures',
  'tasks',
  'corrections',
  'latency',
  'cost',
  'tokens',
  'more_calls',
  'fewer_calls',
  'silence',
] as const;
export type Measure = (typeof WATCHED)[number];

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

const RULES = new Kept<Rule | undefined>();

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

/** What an hour of calls is measured by. */
const MEANS: Readonly<
  Record<'latency' | 'cost' | 'tokens', (hour: CallHour) => number | undefined>
> = {
  latency: ({ timedWell, latencyWellMs }) =>
    timedWell < CALLS_MIN ? undefined : latencyWellMs / timedWell,
  cost: ({ calls, costUsd }) => (calls < CALLS_MIN ? undefined : costUsd / calls),
  tokens: ({ calls, tokens }) => (calls < CALLS_MIN ? undefined : tokens / calls),
};

function ofHours(
  { calls, sessions }: Fleet,
  rings: readonly Ring[],
  { change, allowed }: { readonly change: Change; readonly allowed: number },
): Series[] {
  const sides = sidesOf(change);
  const asked = new Map(
    sessions.map(({ agent, hours }) => [
      agent,
      new Map(hours.map((one) => [one.atMs, one.sessions])),
    ]),
  );
  const changed = sum(
    calls
      .filter((_, at) => rings[at] === 0)
      .flatMap(({ hours }) => split(hours, sides).before)
      .map(({ failed, calls: all }) => ({ bad: failed, all })),
  );
  const failing = changed.bad / Math.max(1, changed.all);
  return calls.flatMap((place, at) => {
    const { agent, tool } = place;
    const ring = rings[at]!;
    const factors = factorsOf(change.expected, ring, failing);
    const seen = split(place.hours, sides);
    const made: Series[] = [];
    const add = (
      measure: Measure,
      of: (hour: CallHour) => number | undefined,
      { side, times }: { readonly side: 'high' | 'low'; readonly times: number },
    ) => {
      const before = levelsOf(seen.before, of, 1);
      const print = printOf(before, ({ value }) => value * 1e6);
      const key = `${sides.sinceMs} ${agent} ${tool} ${measure} ${allowed}`;
      const rule = RULES.of(key, print, () => ruleOf(before, { side, allowed }));
      if (rule === undefined) return;
      const since = levelsOf(seen.since, of, times).map(rule.mark);
      made.push({ agent, tool, measure, ring, before: rule.before, since });
    };
    add('latency', MEANS.latency, { side: 'high', times: factors.latency });
    add('cost', MEANS.cost, { side: 'high', times: 1 });
    add('tokens', MEANS.tokens, { side: 'high', times: 1 });
    const own = asked.get(agent);
    const perSession = ({ atMs, calls: made }: CallHour) => {
      const sessionsThen = own?.get(atMs) ?? 0;
      return sessionsThen < SESSIONS_MIN ? undefined : made / sessionsThen;
    };
    add('more_calls', perSession, { side: 'high', times: factors.moreCalls });
    add('fewer_calls', perSession, { side: 'low', times: factors.fewerCalls });
    return made;
  });
}

function levelsOf(
  hours: readonly CallHour[],
  of: (hour: CallHour) => number | undefined,
  times: number,
): Level[] {
  const levels: Level[] = [];
  for (const hour of hours) {
    const value = of(hour);
    if (value !== undefined) levels.push({ atMs: hour.atMs, value: value / times });
  }
  return levels;
}

/** Without a call in an hour in which others were heard: without that, telemetry is what is silent. */
function silences({ calls }: Fleet, rings: readonly Ring[], change: Change): Series[] {
  const sides = sidesOf(change);
  const heard = new Map<number, number>();
  for (const { hours } of calls)
    for (const { atMs } of hours) heard.set(atMs, (heard.get(atMs) ?? 0) + 1);
  const hoursHeard = [...heard.keys()].sort((a, b) => a - b);
  const isNew = ({ hours }: CallHours) => hours[0]!.atMs >= sides.sinceMs;
  const newTools = new Set(calls.filter(isNew).map(({ tool }) => tool));
  return calls.flatMap((place, at): Series[] => {
    const { agent, tool, hours } = place;
    // A new caller of the same tool may be the same agent under another name.
    if (hours.length === 0 || isNew(place) || newTools.has(tool)) return [];
    const own = new Set(hours.map(({ atMs }) => atMs));
    const usual = usualCalls(hours, hoursHeard, sides);
    const counted = hoursHeard
      // Once only it is heard of, nobody else is.
      .filter((atMs) => atMs >= hours[0]!.atMs && (!own.has(atMs) || heard.get(atMs)! > 1))
      .filter((atMs) => usual(atMs) >= USUAL_MIN)
      .map((atMs) => hourMark(atMs, !own.has(atMs)));
    const { before, since } = split(counted, sides);
    const kept = beforeOf(`${sides.sinceMs} ${agent} ${tool} silence`, before);
    return [{ agent, tool, measure: 'silence', ring: rings[at]!, before: kept, since }];
  });
}

/** Calls of this hour of the day, on days of its kind, before the deployment. */
function usualCalls(
  hours: readonly CallHour[],
  heard: readonly number[],
  { fromMs, beforeMs }: Sides,
): (atMs: number) => number {
  const slots = Array.from({ length: 2 * DAY_HOURS }, () => ({ calls: 0, times: 0 }));
  const slotOf = (atMs: number) =>
    slots[(Math.floor(atMs / HOUR_MS) % DAY_HOURS) + (isWeekend(atMs) ? DAY_HOURS : 0)]!;
  const isIn = (atMs: number) => atMs >= Math.max(fromMs, hours[0]!.atMs) && atMs < beforeMs;
  for (const atMs of heard) if (isIn(atMs)) slotOf(atMs).times += 1;
  for (const { atMs, calls } of hours) if (isIn(atMs)) slotOf(atMs).calls += calls;
  return (atMs) => {
    const { calls, times } = slotOf(atMs);
    return times === 0 ? 0 : calls / times;
  };
}
