/**
 * What was worked out of the hours of one place, kept from look to look: a look an hour later has one hour more, and only that
 * one is worked out. Hours are compared by what they say, so that telemetry that comes late, or is taken away, is seen: then
 * everything is worked out again, with the same answer (`measures.test.ts` compares them).
 */
import type { CallHour, CallHours, SessionHours } from '../facts/index.ts';
import { Kept, printOf } from './kept.ts';
import type { HourCount } from './norm.ts';

/** Of a deployment: the hours that count before it, and those since. The hour of the deployment had both versions. */
export interface Sides {
  readonly fromMs: number;
  readonly beforeMs: number;
  readonly sinceMs: number;
}

/** What is kept of one place: the same object while hours are only added. Its arrays are never changed. */
export interface Track {
  readonly before: readonly CallHour[];
  since: readonly CallHour[];
  readonly failures: { readonly before: readonly HourCount[]; since: readonly HourCount[] };
}

const TRACKS = new Kept<Track>();

/** Hours are ascending. */
export function trackOf({ agent, tool, hours }: CallHours, sides: Sides): Track {
  const key = `${sides.sinceMs} ${agent} ${tool}`;
  const known = TRACKS.get(key);
  const [from, to, at] = [sides.fromMs, sides.beforeMs, sides.sinceMs].map((ms) =>
    indexAt(hours, ms),
  ) as [number, number, number];
  if (
    known !== undefined &&
    known.before.length === to - from &&
    isStretchOf(hours, from, known.before, isSameHour) &&
    isStretchOf(hours, at, known.since, isSameHour)
  ) {
    const added = hours.slice(at + known.since.length);
    if (added.length === 0) return known;
    known.since = known.since.concat(added);
    known.failures.since = known.failures.since.concat(added.map(failuresIn));
    return known;
  }
  const [before, since] = [hours.slice(from, to), hours.slice(at)];
  const failures = {
    before: beforeOf(key, before.map(failuresIn)),
    since: since.map(failuresIn),
  };
  return TRACKS.set(key, { before, since, failures });
}

function failuresIn({ atMs, failed, calls }: CallHour): HourCount {
  return { atMs, bad: failed, all: calls };
}

/** The same array for the same counts: what is normal for it is worked out once (`normal`). */
const BEFORE = new Kept<{ readonly print: number; readonly hours: readonly HourCount[] }>();

export function beforeOf(key: string, hours: readonly HourCount[]): readonly HourCount[] {
  const print = printOf(hours, ({ bad, all }) => bad * 65_536 + all);
  const known = BEFORE.get(key);
  return known?.print === print ? known.hours : BEFORE.set(key, { print, hours }).hours;
}

type SessionHour = SessionHours['hours'][number];

/** Sessions of an agent by the hour. The same object as long as what it said of hours that were looked at is the same. */
export interface Asked {
  hours: readonly SessionHour[];
  readonly at: Map<number, number>;
  /** Hours up to here were asked for. */
  untilMs: number;
}

const ASKED = new Kept<Asked>();

/** `lastMs`: the newest hour of any call. */
export function askedOf({ agent, hours }: SessionHours, sides: Sides, lastMs: number): Asked {
  const key = `${sides.sinceMs} ${agent}`;
  const known = ASKED.get(key);
  const from = indexAt(hours, sides.fromMs);
  if (known !== undefined && isStretchOf(hours, from, known.hours, isSameSessions)) {
    const added = hours.slice(from + known.hours.length);
    if (added.every(({ atMs }) => atMs > known.untilMs)) {
      for (const { atMs, sessions } of added) known.at.set(atMs, sessions);
      if (added.length > 0) known.hours = known.hours.concat(added);
      known.untilMs = Math.max(known.untilMs, lastMs);
      return known;
    }
  }
  const own = hours.slice(from);
  const at = new Map(own.map(({ atMs, sessions }) => [atMs, sessions]));
  return ASKED.set(key, { hours: own, at, untilMs: lastMs });
}

/** Hours in which anybody was heard. The same object as long as nothing is known anew of hours that were looked at. */
export interface Heard {
  atMs: readonly number[];
  /** Whether more than one place was. */
  isMany: readonly boolean[];
}

const HEARD = new Kept<Heard>();
const HOUR_MS = 3_600_000;

export function heardIn(calls: readonly CallHours[], { fromMs, sinceMs }: Sides): Heard {
  const firstHour = Math.ceil(fromMs / HOUR_MS);
  const lastHour = Math.floor(lastHourMs(calls) / HOUR_MS);
  const times = new Int32Array(Math.max(0, lastHour - firstHour + 1));
  for (const { hours } of calls)
    for (let at = indexAt(hours, fromMs); at < hours.length; at++)
      times[hours[at]!.atMs / HOUR_MS - firstHour]! += 1;
  const [atMs, isMany]: [number[], boolean[]] = [[], []];
  for (const [at, count] of times.entries()) {
    if (count === 0) continue;
    atMs.push((firstHour + at) * HOUR_MS);
    isMany.push(count > 1);
  }
  const known = HEARD.get(`${sinceMs}`);
  if (
    known !== undefined &&
    isStretchOf(atMs, 0, known.atMs, Object.is) &&
    isStretchOf(isMany, 0, known.isMany, Object.is) &&
    (atMs[known.atMs.length] ?? sinceMs) >= sinceMs
  ) {
    Object.assign(known, { atMs, isMany });
    return known;
  }
  return HEARD.set(`${sinceMs}`, { atMs, isMany });
}

export function lastHourMs(calls: readonly CallHours[]): number {
  return calls.reduce((last, { hours }) => Math.max(last, hours.at(-1)?.atMs ?? 0), 0);
}

/** The first hour that is not before this time. */
export function indexAt(
  hours: readonly ({ readonly atMs: number } | number)[],
  ms: number,
): number {
  let [low, high] = [0, hours.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const hour = hours[middle]!;
    if ((typeof hour === 'number' ? hour : hour.atMs) < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isStretchOf<T>(
  whole: readonly T[],
  from: number,
  part: readonly T[],
  isSame: (one: T, other: T) => boolean,
): boolean {
  if (from + part.length > whole.length) return false;
  for (let at = 0; at < part.length; at++) if (!isSame(part[at]!, whole[from + at]!)) return false;
  return true;
}

function isSameHour(one: CallHour, other: CallHour): boolean {
  return (
    one === other ||
    (one.atMs === other.atMs &&
      one.calls === other.calls &&
      one.failed === other.failed &&
      one.timed === other.timed &&
      one.latencySumMs === other.latencySumMs &&
      one.timedWell === other.timedWell &&
      one.latencyWellMs === other.latencyWellMs &&
      one.tokens === other.tokens &&
      one.costUsd === other.costUsd)
  );
}

function isSameSessions(one: SessionHour, other: SessionHour): boolean {
  return one === other || (one.atMs === other.atMs && one.sessions === other.sessions);
}
