/**
 * Everything that is watched of a fleet, as series of "bad of all" by the hour, so that one kind of test does for all of
 * it. A pure function of counts.
 *
 * | measure | of | bad |
 * |---|---|---|
 * | failures | an agent's calls of a tool | those that failed |
 * | tasks, corrections | an agent's sessions | those with a failed task, with a corrected answer |
 * | tasks by name | the agent's sessions | failures of this task |
 * | latency, cost, tokens | hours of an agent's calls of a tool | those whose mean is beyond nine of ten hours before |
 * | more_calls, fewer_calls | the same | those with more (fewer) calls for each session than nine of ten before |
 * | silence | hours in which it usually was called | those without a call, while others are heard |
 *
 * Hours, and not calls, are counted where a distribution is asked about: two weeks of latencies are thirty times as many
 * rows as their sums, and what moves all calls shows in every hour. What the change is expected to do to its own
 * place is taken off first (`expectation.ts`).
 */
import type { CallHour, CallHours, SessionHours, TaskHours } from '../facts/index.ts';
import { type Before, type Expectation, type Factors, factorsOf } from './expectation.ts';
import { hourMark, type Level, type Rule, ruleOf, SLOTS, slotOf } from './hour-levels.ts';
import type { HourCount } from './norm.ts';
import {
  type Asked,
  askedOf,
  beforeOf,
  type Heard,
  heardIn,
  indexAt,
  lastHourMs,
  type Sides,
  type Track,
  trackOf,
} from './place-track.ts';
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
  /** Where it is about one kind of the agent's tasks. */
  readonly task?: string | undefined;
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
  const places = fleet.calls.map((calls, at): Tracked => {
    return { calls, ring: rings[at]!, track: trackOf(calls, sides) };
  });
  const failures = places.map(({ calls: { agent, tool }, ring, track }): Series => {
    return { agent, tool, measure: 'failures', ring, ...track.failures };
  });
  return [
    ...failures,
    ...ofSessions(fleet, rings, change),
    ...ofHours(fleet, places, { change, allowed }),
    ...silences(fleet, places, sides),
  ];
}

/** A place, and what is kept of it. */
interface Tracked {
  readonly calls: CallHours;
  readonly ring: Ring;
  readonly track: Track;
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
  return fleet.sessions.flatMap(({ agent, hours, tasks = [] }) => {
    const ring = nearest.get(agent) ?? 3;
    const series = (
      measure: 'tasks' | 'corrections',
      counted: readonly HourCount[],
      task?: string,
    ): Series => {
      const { before, since } = split(counted, sides);
      const isSettled = ({ atMs }: HourCount) => ring > 1 || atMs >= settledMs;
      const key = `${sides.sinceMs} ${agent} ${measure} ${task ?? ''}`;
      const kept = beforeOf(key, before);
      return { agent, tool: '', measure, task, ring, before: kept, since: since.filter(isSettled) };
    };
    const sessions = (bad: 'failed' | 'corrected') =>
      hours.map((hour) => ({ atMs: hour.atMs, bad: hour[bad], all: hour.sessions }));
    return [
      series('tasks', sessions('failed')),
      series('corrections', sessions('corrected')),
      ...tasks.map((task) => series('tasks', failuresOf(task, hours), task.name)),
    ];
  });
}

/** For each session of the agent: how many calls a task makes may follow from the change itself. */
function failuresOf({ hours }: TaskHours, sessions: SessionHours['hours']): HourCount[] {
  const failedAt = new Map(hours.map(({ atMs, failed }) => [atMs, failed]));
  return sessions.map(({ atMs, sessions: all }) => {
    return { atMs, bad: Math.min(all, failedAt.get(atMs) ?? 0), all };
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

/** What is kept of a place's meters, with what it rests on. */
interface Meters {
  readonly asked: Asked;
  readonly allowed: number;
  readonly factors: Factors;
  readonly metered: readonly Metered[];
  /** Since the deployment, by meter; so many of the hours are in it. */
  since: readonly (readonly HourCount[])[];
  hours: number;
}

const METERS_OF = new WeakMap<Track, Meters>();
const NOBODY: Asked = { hours: [], at: new Map(), untilMs: 0 };

function ofHours(
  { calls, sessions }: Fleet,
  places: readonly Tracked[],
  { change, allowed }: { readonly change: Change; readonly allowed: number },
): Series[] {
  const sides = sidesOf(change);
  const lastMs = lastHourMs(calls);
  const asked = new Map(sessions.map((one) => [one.agent, askedOf(one, sides, lastMs)]));
  const before = changedBefore(places);
  return places.flatMap(({ calls: { agent, tool }, ring, track }) => {
    const factors = factorsOf(change.expected, ring, before);
    const meters = metersOf(track, { asked: asked.get(agent) ?? NOBODY, allowed, factors });
    return meters.metered.map(({ measure, rule }, at): Series => {
      const since = meters.since[at]!;
      return { agent, tool, measure, ring, before: rule.before, since };
    });
  });
}

/** Of hours that were not marked before, the marks are added. */
function metersOf(track: Track, on: Pick<Meters, 'asked' | 'allowed' | 'factors'>): Meters {
  let meters = METERS_OF.get(track);
  const { asked, allowed, factors } = on;
  const sessionsAt = (atMs: number) => asked.at.get(atMs) ?? 0;
  if (
    meters?.asked !== asked ||
    meters.allowed !== allowed ||
    !isSameFactors(meters.factors, factors)
  ) {
    const metered = meteredOf(track.before, sessionsAt, allowed);
    meters = { ...on, metered, since: metered.map(() => []), hours: 0 };
    METERS_OF.set(track, meters);
  }
  const added = track.since.slice(meters.hours);
  if (added.length === 0) return meters;
  const times: Partial<Record<Measure, number>> = {
    latency: factors.latency,
    cost: factors.size,
    tokens: factors.size,
    more_calls: factors.moreCalls,
    fewer_calls: factors.fewerCalls,
  };
  const { metered, since } = meters;
  meters.since = metered.map(({ measure, rule, levelOf }, at) => {
    const marks = added.flatMap((hour) => {
      const value = levelOf(hour, sessionsAt(hour.atMs));
      return value === undefined ? [] : rule.mark(hour.atMs, value / (times[measure] ?? 1));
    });
    return since[at]!.concat(marks);
  });
  meters.hours = track.since.length;
  return meters;
}

function isSameFactors(one: Factors, other: Factors): boolean {
  return (
    one.latency === other.latency &&
    one.size === other.size &&
    one.moreCalls === other.moreCalls &&
    one.fewerCalls === other.fewerCalls
  );
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

/** At what was changed: how calls fared before. */
function changedBefore(places: readonly Tracked[]): Before {
  const changed = places.filter(({ ring }) => ring === 0);
  const { bad, all } = sum(changed.flatMap(({ track }) => track.failures.before));
  let [well, wellMs, failed, failedMs] = [0, 0, 0, 0];
  for (const hour of changed.flatMap(({ track }) => track.before)) {
    well += hour.timedWell;
    wellMs += hour.latencyWellMs;
    failed += hour.timed - hour.timedWell;
    failedMs += hour.latencySumMs - hour.latencyWellMs;
  }
  return {
    failing: bad / Math.max(1, all),
    wellMs: well === 0 ? undefined : wellMs / well,
    failedMs: failed === 0 ? undefined : failedMs / failed,
  };
}

/** What is kept of a place's silences, with what it rests on. */
interface Silence {
  readonly heard: Heard;
  readonly firstMs: number;
  /** Calls of each hour of the day, on days of its kind. */
  readonly usual: Float64Array;
  readonly before: readonly HourCount[];
  /** So many of the hours that were heard are in it, and so many of the place's own. */
  since: readonly HourCount[];
  hours: number;
  own: number;
}

const SILENCES = new WeakMap<Track, Silence>();

/** Without a call in an hour in which others were heard: without that, telemetry is what is silent. */
function silences({ calls }: Fleet, places: readonly Tracked[], sides: Sides): Series[] {
  const heard = heardIn(calls, sides);
  const isNew = ({ hours }: CallHours) => hours.length > 0 && hours[0]!.atMs >= sides.sinceMs;
  const newTools = new Set(calls.filter(isNew).map(({ tool }) => tool));
  return places.flatMap(({ calls: place, ring, track }): Series[] => {
    const { agent, tool, hours } = place;
    // A new caller of the same tool may be the same agent under another name.
    if (hours.length === 0 || isNew(place) || newTools.has(tool)) return [];
    const { before, since } = silenceOf(place, { track, heard, sides });
    return [{ agent, tool, measure: 'silence', ring, before, since }];
  });
}

interface Listened {
  readonly track: Track;
  readonly heard: Heard;
  readonly sides: Sides;
}

function silenceOf(place: CallHours, { track, heard, sides }: Listened): Silence {
  const { hours } = place;
  const firstMs = Math.max(sides.fromMs, hours[0]!.atMs);
  let silence = SILENCES.get(track);
  // An hour of its own that came late was silent when it was looked at.
  const untilMs = silence === undefined ? 0 : (silence.heard.atMs[silence.hours - 1] ?? 0);
  const isLate = (track.since[silence?.own ?? 0]?.atMs ?? Infinity) <= untilMs;
  if (silence?.heard !== heard || silence.firstMs !== firstMs || isLate) {
    silence = silenceBefore(place, { heard, sides, firstMs });
    SILENCES.set(track, silence);
  }
  if (silence.hours === heard.atMs.length) return silence;
  const { usual } = silence;
  const marks: HourCount[] = [];
  let next = indexAt(hours, heard.atMs[silence.hours]!);
  for (let at = silence.hours; at < heard.atMs.length; at++) {
    const atMs = heard.atMs[at]!;
    const isHeard = hours[next]?.atMs === atMs;
    if (isHeard) next += 1;
    if (usual[slotOf(atMs)]! < USUAL_MIN) continue;
    // Where it is the only one that is heard, nobody else is.
    if (!isHeard || heard.isMany[at]!) marks.push(hourMark(atMs, !isHeard));
  }
  silence.since = silence.since.concat(marks);
  silence.hours = heard.atMs.length;
  silence.own = track.since.length;
  return silence;
}

/**
 * Of an hour before the deployment, the calls of the other days are what is usual: with its own calls among them, hours that
 * were heard would be chosen, and any that come after would be more silent.
 */
function silenceBefore(
  { agent, tool, hours }: CallHours,
  {
    heard,
    sides: { beforeMs, sinceMs },
    firstMs,
  }: Omit<Listened, 'track'> & { readonly firstMs: number },
): Silence {
  const [made, times] = [new Float64Array(SLOTS), new Float64Array(SLOTS)];
  const [from, to] = [indexAt(heard.atMs, firstMs), indexAt(heard.atMs, beforeMs)];
  for (let at = from; at < to; at++) times[slotOf(heard.atMs[at]!)]! += 1;
  const own = hours.slice(indexAt(hours, firstMs), indexAt(hours, beforeMs));
  for (const { atMs, calls } of own) made[slotOf(atMs)]! += calls;
  const before: HourCount[] = [];
  let next = 0;
  for (let at = from; at < to; at++) {
    const atMs = heard.atMs[at]!;
    const slot = slotOf(atMs);
    const isHeard = own[next]?.atMs === atMs;
    const calls = isHeard ? own[next]!.calls : 0;
    if (isHeard) next += 1;
    if ((made[slot]! - calls) / Math.max(1, times[slot]! - 1) < USUAL_MIN) continue;
    if (!isHeard || heard.isMany[at]!) before.push(hourMark(atMs, !isHeard));
  }
  return {
    heard,
    firstMs,
    usual: made.map((calls, slot) => calls / Math.max(1, times[slot]!)),
    before: beforeOf(`${sinceMs} ${agent} ${tool} silence`, before),
    since: [],
    hours: indexAt(heard.atMs, sinceMs),
    own: 0,
  };
}
