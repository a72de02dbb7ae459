/**
 * How much a tool has to do, and whether failures follow from that. Offered load is arrivals times what a call takes in
 * good times: calls in flight mislead, because a tool that hangs raises them by itself. A pure function of counts by hour.
 *
 * Harm by load: it is there while the offered load is outside the range seen before. An outage: the load is inside, and
 * failures at that load are new. But for the change the load would be smaller by its footprint: what failures there are
 * at that load says whether the harm needs the change.
 */
import type { CallHour, CallHours } from '../facts/index.ts';
import { wilsonInterval } from '../stats/index.ts';
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
}

export interface LoadQuestion {
  /** Of every agent, before and since. */
  readonly calls: readonly CallHours[];
  readonly tool: string;
  /** Tools that share its places: what they hold is missing there. */
  readonly sharing?: readonly string[] | undefined;
  /** Whose calls of the tool fail. */
  readonly agent: string;
  /** The agents whose calls the change altered. */
  readonly changed: (agent: string) => boolean;
  /** The tools whose calls the change altered; more of them succeed, and more calls follow at others. */
  readonly origins: readonly string[] | null;
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
  const ofTool = calls.filter((one) => one.tool === tool || sharing.includes(one.tool));
  const isBefore = ({ atMs }: { atMs: number }) => atMs + HOUR_MS <= startedAtMs;
  const takes = ofTool.map(({ agent, tool: name, hours }) => {
    const before = tookOf(hours.filter(isBefore));
    // What a call takes with the change, and without the harm where there was such a time.
    const since = hours.filter((hour) => !isBefore(hour));
    const well = since.filter(({ atMs }) => atMs < onsetMs);
    return { agent, tool: name, hours, before, since: tookOf(well) ?? tookOf(since) };
  });
  if (takes.every(({ before }) => before === undefined)) return undefined;
  const loads = new Map<number, LoadHour>();
  for (const { agent, tool: name, hours, before, since } of takes) {
    const isVictim = agent === victim && name === tool;
    for (const hour of hours) {
      const took = (isBefore(hour) ? before : since) ?? before ?? since ?? 0;
      const sum = loads.get(hour.atMs) ?? { atMs: hour.atMs, load: 0, bad: 0, all: 0 };
      loads.set(hour.atMs, {
        atMs: hour.atMs,
        load: sum.load + (hour.calls * took) / HOUR_MS,
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
  // What a change adds that is less than hours differ anyway did not do it where such a load did not.
  const isNew = footprint >= ALIKE || !wasWellAt(hours, { harmed, onsetMs, usual });
  return {
    outside: isNew ? excess(harmed.filter(({ load }) => load > most)) / excess(harmed) : 0,
    footprint,
    butFor: footprint > 1 ? butForOf({ hours, harmed, usual, onsetMs, footprint }) : null,
  };
}

/** Whether it was well at a load like that of the harm before the harm began, also since the deployment. */
function wasWellAt(
  hours: readonly LoadHour[],
  { harmed, onsetMs, usual }: Pick<ButFor, 'harmed' | 'onsetMs' | 'usual'>,
): boolean {
  const { rate, load } = harmIn(harmed);
  const there = countedIn(
    hours.filter((hour) => hour.atMs < onsetMs && hour.load * OUTSIDE >= load),
  );
  return there.events >= CALLS_MIN && wilsonInterval(there).high < (rate + usual) / 2;
}

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
    const load = calls * (before ?? 0);
    all += load;
    if (!changed(agent) || before === undefined || since === undefined) continue;
    own += load;
    after += calls * since * callsThatFollow(agent, { ...question, tool });
  }
  return all === 0 ? 1 : (all - own + after) / all;
}

/** Calls of the tool for each call of a changed one, after over before; 1 at a changed tool itself. */
function callsThatFollow(
  agent: string,
  { calls, tool, origins, startedAtMs, onsetMs }: LoadQuestion,
): number {
  if (origins === null || origins.includes(tool)) return 1;
  const count = (isIt: (tool: string) => boolean, isIn: (atMs: number) => boolean) =>
    calls
      .filter((one) => one.agent === agent && isIt(one.tool))
      .flatMap(({ hours }) => hours)
      .filter(({ atMs }) => isIn(atMs))
      .reduce((total, hour) => total + hour.calls, 0);
  const ratio = (isIn: (atMs: number) => boolean) => {
    const [there, origin] = [
      count((one) => one === tool, isIn),
      count((one) => origins.includes(one), isIn),
    ];
    return there < CALLS_MIN || origin < CALLS_MIN ? undefined : there / origin;
  };
  const before = ratio((atMs) => atMs + HOUR_MS <= startedAtMs);
  const since =
    ratio((atMs) => atMs >= startedAtMs && atMs < onsetMs) ?? ratio((atMs) => atMs >= startedAtMs);
  return before === undefined || since === undefined ? 1 : since / before;
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
