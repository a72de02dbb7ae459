/**
 * At which tools harm is. At tools that the change is not about, for agents that were not changed as well, it is somebody
 * else's trouble, however the agent's own counts look, and so is what agents that were not changed have away from the tool of the change;
 * at the tool of the change, for its agent alone, it is its own; at none of them, it is no harm. A pure function of counts by agent and tool.
 */

import type { RateBin, Window } from '../facts/index.ts';
import {
  added,
  type Counted,
  chanceOf,
  excessOf,
  type Measured,
  measuredByDay,
  within,
} from './comparison.ts';
import type { Place } from './rings.ts';
import { isSameCounts, sum } from './season.ts';
import type { Count, ToolCalls, ToolHours } from './types.ts';

/** What was called before the deployment and since. */
export interface CallsByTool {
  /** The tool that the change is about. */
  readonly changed: string | undefined;
  /** Hours that end with the deployment. */
  readonly before: readonly ToolHours[];
  readonly since: readonly ToolCalls[];
}

const HOUR_MS = 3_600_000;
/** Of the harm, what must be in one place. */
const MOST = 0.8;
/** Probabilities by chance below which others have it too, and above which they do not seem to. */
const WORSE = 0.01;
const LEANING = 0.1;

/** `elsewhere`: at other tools, for others too. `changed`: at the tool of the change, for its agent alone. `nowhere`: each place is as usual. */
export type Where = 'elsewhere' | 'changed' | 'nowhere' | 'unclear';

export interface About {
  readonly agent: string;
  readonly startedAtMs: number;
  readonly window: Window;
  readonly allowed: number;
}

interface Known {
  readonly since: readonly ToolCalls[];
  readonly where: Where;
}

/** More than the outages and findings of one watch. What was asked for longest ago goes first. */
const KNOWN_MAX = 1000;
/**
 * By what was called before. Several findings of one look are about the same window, and every look finds them again after each
 * outage that is left out. What was called in the window is compared: telemetry may come late.
 */
const KNOWN = new WeakMap<readonly ToolHours[], Map<string, Known>>();

export function whereIsHarm(calls: CallsByTool, about: About): Where {
  const { agent, startedAtMs, window, allowed } = about;
  const known = KNOWN.get(calls.before) ?? new Map<string, Known>();
  KNOWN.set(calls.before, known);
  const asked = [startedAtMs, window.fromMs, window.toMs, allowed, agent, calls.changed ?? null];
  const key = JSON.stringify(asked);
  const within = inWindow(calls, about);
  const before = known.get(key);
  const isSame = before !== undefined && isSameCalls(before.since, within.since);
  const where = isSame ? before.where : whereIn(within, about);
  known.delete(key);
  known.set(key, { since: within.since, where });
  if (known.size > KNOWN_MAX) known.delete(known.keys().next().value!);
  return where;
}

function isSameCalls(one: readonly ToolCalls[], other: readonly ToolCalls[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ agent, tool, bins }, at) => {
      const also = other[at]!;
      const isTimed = also.bins.every(({ atMs }, hour) => atMs === bins[hour]?.atMs);
      const isPlace = agent === also.agent && tool === also.tool;
      return isPlace && isTimed && isSameCounts(bins, also.bins);
    })
  );
}

/** Since the deployment what was called in the window alone, by the hours since then: what is expected differs by these. */
function inWindow({ changed, before, since }: CallsByTool, about: About): CallsByTool {
  const { window, startedAtMs } = about;
  const called = since
    .map((one) => ({ ...one, bins: byHour(within(one.bins, window), startedAtMs) }))
    .filter(({ bins }) => bins.length > 0);
  return { changed, before, since: called };
}

function byHour(minutes: readonly RateBin[], startedAtMs: number): RateBin[] {
  const hours: { atMs: number; bad: number; all: number }[] = [];
  for (const { atMs, bad, all } of minutes) {
    const hourMs = startedAtMs + Math.floor((atMs - startedAtMs) / HOUR_MS) * HOUR_MS;
    const last = hours.at(-1);
    if (last?.atMs === hourMs) {
      last.bad += bad;
      last.all += all;
    } else hours.push({ atMs: hourMs, bad, all });
  }
  return hours;
}

function whereIn(calls: CallsByTool, { agent, startedAtMs, allowed }: About): Where {
  const excess = (of: Measured) => excessOf(of) * of.all;
  const countsOf = (isWanted: (one: Place) => boolean): Measured =>
    added(measuredByDay(countedOf(calls, isWanted), startedAtMs));
  const counts = (tool: string, isOwn: (name: string) => boolean): Measured =>
    countsOf((one) => one.tool === tool && isOwn(one.agent));
  const tools = [...new Set(calls.since.map(({ tool }) => tool))];
  let [all, others, changed] = [0, 0, 0];
  for (const tool of tools) {
    const everybody = counts(tool, () => true);
    // What chance explains is nobody's harm, and over many tools it would add up.
    if (tool !== calls.changed && chanceOf(everybody, 0) >= LEANING) continue;
    const here = Math.max(0, excess(everybody));
    all += here;
    const chance = chanceOf(
      counts(tool, (name) => name !== agent),
      allowed,
    );
    if (tool !== calls.changed && chance < WORSE) others += here;
    if (tool === calls.changed && chance >= LEANING) changed += here;
  }
  if (all > 0 && others >= MOST * all) return 'elsewhere';
  if (isOfOtherAgents(calls, agent, countsOf)) return 'elsewhere';
  if (isNowhere(calls, { startedAtMs, allowed })) return 'nowhere';
  if (all <= 0) return 'unclear';
  return changed >= MOST * all ? 'changed' : 'unclear';
}

/**
 * Whether no place has more failures than are usual there, nor have all of them together: where a share of all calls rose, it is because
 * more of them go to where they fail anyway. What was never called before is expected to fail as all calls do.
 */
function isNowhere(
  { before, since }: CallsByTool,
  { startedAtMs, allowed }: Pick<About, 'startedAtMs' | 'allowed'>,
): boolean {
  const usual = sum(before.flatMap(({ hours }) => hours));
  if (since.length === 0 || usual.all === 0) return false;
  const rate = usual.bad / usual.all;
  const places = since.map(({ agent, tool, bins }): Measured => {
    const hours = before.find((one) => one.agent === agent && one.tool === tool)?.hours ?? [];
    if (sum(hours).all > 0) return added(measuredByDay({ hours, bins }, startedAtMs));
    const { bad, all } = sum(bins);
    return { bad, all, expectedBad: all * rate };
  });
  return (
    chanceOf(added(places), allowed) >= LEANING &&
    // As many are asked.
    places.every((one) => chanceOf(one, allowed) >= LEANING / places.length)
  );
}

/** The tools that the change is not about, and that are shown to be ill for agents that were not changed. */
export function illElsewhere(calls: CallsByTool, about: About): string[] {
  const { agent, startedAtMs, allowed } = about;
  const { since, before, changed } = inWindow(calls, about);
  return [...new Set(since.map(({ tool }) => tool))].filter((tool) => {
    const isTheirs = (one: Place) => one.tool === tool && one.agent !== agent;
    const theirs = added(
      measuredByDay(countedOf({ changed, before, since }, isTheirs), startedAtMs),
    );
    return tool !== changed && chanceOf(theirs, allowed) < WORSE;
  });
}

/**
 * Whether most of the harm is that of agents that were not changed, away from the tool of the change, each of them shown to be
 * worse or all of them together: where some share what is ill, each alone may have too few calls to show it. By tool it does not show where
 * an agent calls another tool than before, by a wrong name say: of that tool nothing is known, or that it always failed.
 */
function isOfOtherAgents(
  calls: CallsByTool,
  agent: string,
  countsOf: (isWanted: (one: Place) => boolean) => Measured,
): boolean {
  const excess = (of: Measured) => Math.max(0, excessOf(of) * of.all);
  const isTheirs = (one: Place) => one.agent !== agent && one.tool !== calls.changed;
  const theirs = countsOf(isTheirs);
  const rest = excess(countsOf((one) => !isTheirs(one)));
  if (chanceOf(theirs, 0) < WORSE && excess(theirs) >= MOST * (excess(theirs) + rest)) return true;
  let [all, others] = [0, 0];
  for (const name of new Set(calls.since.map((one) => one.agent))) {
    const everywhere = countsOf((one) => one.agent === name);
    if (name !== agent && chanceOf(everywhere, 0) >= LEANING) continue;
    all += excess(everywhere);
    const away = countsOf((one) => one.agent === name && one.tool !== calls.changed);
    if (name !== agent && chanceOf(away, 0) < WORSE) others += excess(away);
  }
  return others > 0 && others >= MOST * all;
}

function countedOf({ before, since }: CallsByTool, isWanted: (one: Place) => boolean): Counted {
  return {
    hours: addedHours(before.filter(isWanted).map(({ hours }) => hours)),
    bins: joined(since.filter(isWanted).map(({ bins }) => bins)),
  };
}

function addedHours(all: readonly (readonly Count[])[]): Count[] {
  const length = Math.max(0, ...all.map((hours) => hours.length));
  const sums = Array.from({ length }, () => ({ bad: 0, all: 0 }));
  for (const hours of all)
    hours.forEach((hour, at) => {
      const total = sums[length - hours.length + at]!;
      total.bad += hour.bad;
      total.all += hour.all;
    });
  return sums;
}

function joined(series: readonly (readonly RateBin[])[]): RateBin[] {
  const minutes = new Map<number, { bad: number; all: number }>();
  for (const bins of series) {
    for (const { atMs, bad, all } of bins) {
      const one = minutes.get(atMs) ?? { bad: 0, all: 0 };
      minutes.set(atMs, { bad: one.bad + bad, all: one.all + all });
    }
  }
  return [...minutes].map(([atMs, one]) => ({ atMs, ...one })).sort((a, b) => a.atMs - b.atMs);
}
