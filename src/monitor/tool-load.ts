/**
 * How much a tool has to do, and whether failures follow from that. Offered load is arrivals times what a call takes in
 * good times: calls in flight mislead, because a tool that hangs raises them by itself. A pure function of counts by hour.
 *
 * Harm by load: it is there while the offered load is outside the range seen before. An outage: the load is inside, and
 * failures at that load are new. But for the change the load would be smaller by its footprint: what failures there are
 * at that load says whether the harm needs the change.
 */
import type { CallHour, CallHours, SessionHours } from '../facts/index.ts';
import { chiSquareQuantile, wilsonInterval } from '../stats/index.ts';
import { offeredCalls } from './offered-calls.ts';
import type { Count } from './types.ts';

const HOUR_MS = 3_600_000;
/** Beyond what was seen, by more than counting noise. */
const OUTSIDE = 1.05;
/** Hours with about this load are alike. */
const ALIKE = 1.25;
/** Below this, nothing is said of a load. */
const CALLS_MIN = 50;

export interface LoadView {
  /** Of the excess failures, the share in hours whose offered load was never seen before. */
  readonly outside: number;
  /** What the change did to the load of this tool, after over before; 1 where that is not known. */
  readonly footprint: number;
  /** Of the excess, the share that would not be there without the change; null where no such load was ever seen. */
  readonly butFor: { readonly low: number; readonly high: number } | null;
  /** How often before it was ill for a while at a load that it mostly bears, and that was not why. */
  readonly spells: number;
  /** How likely it then is by chance that it was ill whenever that load was met: 1 for no evidence. */
  readonly byChance: number;
}

export interface LoadQuestion {
  /** Of every agent, before and since. */
  readonly calls: readonly CallHours[];
  readonly sessions: readonly SessionHours[];
  readonly tool: string;
  /** Tools that share its places: what they hold is missing there. */
  readonly sharing?: readonly string[] | undefined;
  /** Its calls suffer while those of the change are in flight: then what these take now is what is missing, also where they got slower. */
  readonly overlaps?: boolean | undefined;
  /** Whose calls of the tool fail. */
  readonly agent: string;
  /** The agents whose calls the change altered. */
  readonly changed: (agent: string) => boolean;
  /**
   * The tools whose calls the change altered; more of them succeed, and more calls follow at others. Null: any of its
   * agents' tools, so that what follows is counted by their sessions, at the tools that are called after.
   */
  readonly origins: readonly string[] | null;
  readonly after?: readonly string[] | undefined;
  /** Whether the change is about how often calls are tried again: then its own further tries are its load. */
  readonly isOfTries?: boolean | undefined;
  readonly startedAtMs: number;
  /** From when on harm is there. */
  readonly onsetMs: number;
  /** The share of them that fails in good times. */
  readonly usual: number;
}

/** An hour of the tool's load, with the calls of the one that is asked about. */
interface LoadHour extends Count {
  readonly atMs: number;
  readonly load: number;
}

export function loadOf(question: LoadQuestion): LoadView | undefined {
  const { calls, tool, sharing = [], agent: victim, startedAtMs, onsetMs, usual } = question;
  const { changed, isOfTries = false, overlaps = false } = question;
  const ofTool = calls.filter((one) => one.tool === tool || sharing.includes(one.tool));
  const isBefore = ({ atMs }: { atMs: number }) => atMs + HOUR_MS <= startedAtMs;
  const takes = ofTool.map(({ agent, tool: name, hours }) => {
    const before = tookOf(hours.filter(isBefore));
    // What a call takes with the change, and without the harm where there was such a time.
    const since = hours.filter((hour) => !isBefore(hour));
    const well = since.filter(({ atMs }) => atMs < onsetMs);
    const offered = isOfTries && changed(agent) ? callsOf : offeredBy(agent, hours, question);
    return { agent, tool: name, hours, offered, before, since: tookOf(well) ?? tookOf(since) };
  });
  if (takes.every(({ before }) => before === undefined)) return undefined;
  const loads = new Map<number, LoadHour>();
  for (const { agent, tool: name, hours, offered, before, since } of takes) {
    const isVictim = agent === victim && name === tool;
    const isHolder = overlaps && name !== tool && changed(agent);
    for (const hour of hours) {
      const usually = (isBefore(hour) ? before : since) ?? before ?? since ?? 0;
      const took = isHolder ? Math.max(usually, tookWellIn(hour)) : usually;
      const sum = loads.get(hour.atMs) ?? { atMs: hour.atMs, load: 0, bad: 0, all: 0 };
      loads.set(hour.atMs, {
        atMs: hour.atMs,
        load: sum.load + (offered(hour) * took) / HOUR_MS,
        bad: sum.bad + (isVictim ? hour.failed : 0),
        all: sum.all + (isVictim ? hour.calls : 0),
      });
    }
  }
  const hours = [...loads.values()];
  const seen = hours.filter(({ atMs }) => atMs + HOUR_MS <= startedAtMs);
  const harmed = hours.filter((hour) => hour.atMs >= onsetMs && hour.bad > usual * hour.all);
  if (seen.length === 0 || harmed.length === 0) return undefined;
  const most = Math.max(...seen.map(({ load }) => load)) * OUTSIDE;
  const excess = (some: readonly LoadHour[]) =>
    some.reduce((total, { bad, all }) => total + bad - usual * all, 0);
  const footprint = footprintOf(takes, question);
  // What a change adds that is less than hours differ anyway did not do it where such a load did not. Where it adds more, only
  // at the same time of day: others may use the same places by day.
  const isNew = !wasWellAt(hours, { harmed, onsetMs, usual, isSameTime: footprint >= ALIKE });
  return {
    outside: isNew ? excess(harmed.filter(({ load }) => load > most)) / excess(harmed) : 0,
    footprint,
    butFor: footprint > 1 ? butForOf({ hours, harmed, usual, onsetMs, footprint }) : null,
    // Who suffers while others' calls are in flight does so at any load.
    ...(overlaps ? NEVER : spellsIn(hours, { harmed, usual, onsetMs, most })),
  };
}

const NEVER = { spells: 0, byChance: 1 };
/** As ill by itself means so much of the harm's rate. */
const AS_ILL = 1 / 4;

/**
 * Rows of hours before the harm, each surely ill and not much less than in the harm, at a load that it mostly bears. A place that is ill by
 * itself for such a share of the time is so by chance in each of the rows of hours that are harmed.
 */
function spellsIn(
  hours: readonly LoadHour[],
  { harmed, usual, onsetMs, most }: Pick<ButFor, 'harmed' | 'usual' | 'onsetMs'> & { most: number },
): Pick<LoadView, 'spells' | 'byChance'> {
  const ill = usual + AS_ILL * (harmIn(harmed).rate - usual);
  const isIll = ({ bad, all }: LoadHour) =>
    bad >= ill * all && wilsonInterval({ failures: bad, events: all }).low > usual;
  const called = hours.filter(({ all }) => all > 0).sort((a, b) => a.atMs - b.atMs);
  const before = called.filter(({ atMs }) => atMs < onsetMs);
  const isBorne = ({ load }: LoadHour) => {
    const there = before.filter((hour) => hour.load >= load);
    const of = (some: readonly LoadHour[]) => countedIn(some).events;
    return of(there.filter((hour) => !isIll(hour))) > of(there.filter(isIll));
  };
  const spells = rowsIn(before, (hour) => isIll(hour) && isBorne(hour));
  if (spells === 0) return NEVER;
  const rows = rowsIn(called, (hour) => hour.load > most && harmed.includes(hour));
  return { spells, byChance: (before.filter(isIll).length / before.length) ** rows };
}

/** How many times such hours begin. */
function rowsIn(hours: readonly LoadHour[], isIt: (hour: LoadHour) => boolean): number {
  const row = hours.map(isIt);
  return row.filter((is, at) => is && row[at - 1] !== true).length;
}

const callsOf = ({ calls }: CallHour) => calls;

/** Refused ones hold nothing. */
const tookWellIn = ({ timedWell, latencyWellMs }: CallHour) =>
  timedWell === 0 ? 0 : latencyWellMs / timedWell;

function offeredBy(
  agent: string,
  hours: readonly CallHour[],
  { sessions, startedAtMs, onsetMs }: LoadQuestion,
) {
  const own = sessions.find((one) => one.agent === agent);
  return offeredCalls({ hours, sessions: own, startedAtMs, onsetMs });
}

/** Whether it was well at a load like that of the harm before the harm began, also since the deployment. */
function wasWellAt(
  hours: readonly LoadHour[],
  {
    harmed,
    onsetMs,
    usual,
    isSameTime,
  }: Pick<ButFor, 'harmed' | 'onsetMs' | 'usual'> & { readonly isSameTime: boolean },
): boolean {
  const { rate, load } = harmIn(harmed);
  const times = new Set(harmed.map(({ atMs }) => timeOfDay(atMs)));
  const there = countedIn(
    hours.filter(
      (hour) =>
        hour.atMs < onsetMs &&
        hour.load * noiseOf(hour) >= load &&
        (!isSameTime || times.has(timeOfDay(hour.atMs))),
    ),
  );
  return there.events > 0 && wilsonInterval(there).high < (rate + usual) / 2;
}

/** By how much an hour's load differs from that of the same work by chance alone: two deviations of its count. */
const noiseOf = ({ all }: LoadHour) =>
  Math.min(ALIKE, Math.max(OUTSIDE, 1 + 2 / Math.sqrt(Math.max(1, all))));

const timeOfDay = (atMs: number) => Math.floor(atMs / HOUR_MS) % 24;

/** What one call takes, on average; undefined where too few say it. */
function tookOf(hours: readonly CallHour[]): number | undefined {
  let [timed, total] = [0, 0];
  for (const hour of hours) {
    timed += hour.timed;
    total += hour.latencySumMs;
  }
  return timed < CALLS_MIN ? undefined : total / timed;
}

interface Took {
  readonly agent: string;
  readonly tool: string;
  readonly hours: readonly CallHour[];
  /** How often it would be called in an hour of harm without the harm. */
  readonly offered: (hour: CallHour) => number;
  readonly before: number | undefined;
  readonly since: number | undefined;
}

/** By how much longer calls of the changed agents hold the tool, in proportion to their part of its load. */
function footprintOf(takes: readonly Took[], question: LoadQuestion): number {
  const { changed, startedAtMs } = question;
  let [all, own, after] = [0, 0, 0];
  for (const { agent, tool, hours, before, since } of takes) {
    const calls = hours
      .filter(({ atMs }) => atMs + HOUR_MS <= startedAtMs)
      .reduce((total, hour) => total + hour.calls, 0);
    // What was hardly called before took as long as it does since.
    const load = calls * (before ?? since ?? 0);
    all += load;
    if (!changed(agent) || since === undefined) continue;
    own += load;
    after += calls * since * callsThatFollow(agent, { ...question, tool });
  }
  return all === 0 ? 1 : (all - own + after) / all;
}

/** Calls of the tool for each call of a changed one, or each session, after over before; 1 at a changed tool itself. */
function callsThatFollow(agent: string, question: LoadQuestion): number {
  const { tool, origins, after, startedAtMs, onsetMs } = question;
  if (origins === null ? after?.includes(tool) !== true : origins.includes(tool)) return 1;
  const count = (isIn: (atMs: number) => boolean) => followedIn(agent, question, isIn);
  const before = count((atMs) => atMs + HOUR_MS <= startedAtMs);
  const well = count((atMs) => atMs >= startedAtMs && atMs < onsetMs);
  const since = isKnown(well) ? well : count((atMs) => atMs >= startedAtMs);
  if (before.from < CALLS_MIN || !isKnown(since)) return 1;
  const ratio = (there: number) => since.there / since.from / (there / before.from);
  if (before.there >= CALLS_MIN) return ratio(before.there);
  // What was hardly called before may by chance have been called so often.
  return Math.max(1, ratio(chiSquareQuantile(0.975, 2 * before.there + 2) / 2));
}

interface Followed {
  readonly there: number;
  readonly from: number;
}

const isKnown = ({ there, from }: Followed) => there >= CALLS_MIN && from >= CALLS_MIN;

function followedIn(
  agent: string,
  { calls, sessions, tool, origins }: LoadQuestion,
  isIn: (atMs: number) => boolean,
): Followed {
  const callsOf = (isIt: (tool: string) => boolean) =>
    calls
      .filter((one) => one.agent === agent && isIt(one.tool))
      .flatMap(({ hours }) => hours)
      .reduce((total, hour) => total + (isIn(hour.atMs) ? hour.calls : 0), 0);
  const begun = sessions
    .filter((one) => one.agent === agent)
    .flatMap(({ hours }) => hours)
    .reduce((total, hour) => total + (isIn(hour.atMs) ? hour.sessions : 0), 0);
  const from = origins === null ? begun : callsOf((one) => origins.includes(one));
  return { there: callsOf((one) => one === tool), from };
}

interface ButFor {
  readonly hours: readonly LoadHour[];
  readonly harmed: readonly LoadHour[];
  readonly usual: number;
  readonly onsetMs: number;
  readonly footprint: number;
}

function butForOf({ hours, harmed, usual, onsetMs, footprint }: ButFor): LoadView['butFor'] {
  const { rate, load, all } = harmIn(harmed);
  const without = load / footprint;
  const there = countedIn(
    hours.filter(
      (hour) => hour.atMs < onsetMs && hour.load >= without / ALIKE && hour.load <= without * ALIKE,
    ),
  );
  if (there.events < CALLS_MIN || all === 0) return null;
  const { low, high } = wilsonInterval(there);
  const share = (then: number) =>
    rate <= usual ? 0 : Math.min(1, Math.max(0, (rate - then) / (rate - usual)));
  return { low: share(high), high: share(low) };
}

/** The share of calls that fails in these hours, and the load that they meet on average. */
function harmIn(harmed: readonly LoadHour[]) {
  const { failures, events: all } = countedIn(harmed);
  const load = harmed.reduce((total, hour) => total + hour.load * hour.all, 0) / Math.max(1, all);
  return { rate: failures / Math.max(1, all), load, all };
}

function countedIn(hours: readonly LoadHour[]) {
  return {
    failures: hours.reduce((total, hour) => total + hour.bad, 0),
    events: hours.reduce((total, hour) => total + hour.all, 0),
  };
}
