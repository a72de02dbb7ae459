/**
 * At which tools harm is. At tools that the change is not about, for agents that were not changed as well, it is somebody
 * else's trouble, however the agent's own counts look, and so is what agents that were not changed have away from the tool of the change;
 * at the tool of the change, for its agent alone, it is its own. A pure function of counts by agent and tool.
 */

import type { RateBin, Window } from '../facts/index.ts';
import { added, type Counted, chanceOf, excessOf, type Measured, measured } from './comparison.ts';
import type { Place } from './rings.ts';
import type { Count, ToolCalls, ToolHours } from './types.ts';

/** What was called before the deployment and since. */
export interface CallsByTool {
  /** The tool that the change is about. */
  readonly changed: string | undefined;
  /** Hours that end with the deployment. */
  readonly before: readonly ToolHours[];
  readonly since: readonly ToolCalls[];
}

/** Of the harm, what must be in one place. */
const MOST = 0.8;
/** Probabilities by chance below which others have it too, and above which they do not seem to. */
const WORSE = 0.01;
const LEANING = 0.1;

/** `elsewhere`: at other tools, for others too. `changed`: at the tool of the change, for its agent alone. */
export type Where = 'elsewhere' | 'changed' | 'unclear';

export function whereIsHarm(
  calls: CallsByTool,
  { agent, startedAtMs }: { readonly agent: string; readonly startedAtMs: number },
  { window, allowed }: { readonly window: Window; readonly allowed: number },
): Where {
  const excess = (of: Measured) => excessOf(of) * of.all;
  const countsOf = (isWanted: (one: Place) => boolean): Measured =>
    added(measured(countedIn(calls, isWanted, window), startedAtMs));
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
  if (all <= 0) return 'unclear';
  return changed >= MOST * all ? 'changed' : 'unclear';
}

/**
 * Whether most of the harm is that of agents that were not changed, away from the tool of the change. By tool it does not show where
 * an agent calls another tool than before, by a wrong name say: of that tool nothing is known, or that it always failed.
 */
function isOfOtherAgents(
  calls: CallsByTool,
  agent: string,
  countsOf: (isWanted: (one: Place) => boolean) => Measured,
): boolean {
  const excess = (of: Measured) => Math.max(0, excessOf(of) * of.all);
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

/** What was counted before, and since then in the window alone. */
function countedIn(
  { before, since }: CallsByTool,
  isWanted: (one: Place) => boolean,
  window: Window,
): Counted {
  const series = since.filter(isWanted);
  return {
    hours: addedHours(before.filter(isWanted).map(({ hours }) => hours)),
    bins: joined(
      series.map(({ bins }) =>
        bins.filter(({ atMs }) => atMs >= window.fromMs && atMs < window.toMs),
      ),
    ),
  };
}

function addedHours(all: readonly (readonly Count[])[]): Count[] {
  const length = Math.max(0, ...all.map((hours) => hours.length));
  const sums = Array.from({ length }, () => ({ bad: 0, all: 0 }));
  for (const hours of all)
    hours.forEach((hour, at) => {
      const sum = sums[length - hours.length + at]!;
      sum.bad += hour.bad;
      sum.all += hour.all;
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
