/**
 * Somebody else's trouble that comes again, or stays: the tools that have it leave the series of the whole fleet, in the baseline and
 * since, as far as agents call them that were not changed. Else each lull would end it, what follows would be judged anew, and in
 * the end one look would take it for the doing of the change.
 */
import type { RateBin } from '../facts/index.ts';
import { agentOf, type Compared, type Harm, isOfAllCalls } from './cause.ts';
import { allowedIncrease } from './comparison.ts';
import { illElsewhere } from './harmed-tools.ts';
import type { Limits } from './judge.ts';
import type { Count, ToolCalls, ToolHours } from './types.ts';

interface Asked extends Compared {
  /** Tools that left before. */
  readonly left?: readonly string[];
  readonly limits: Limits;
}

/** The same question without them; undefined where no other tool is shown to have it. */
export function withoutIll<T extends Asked>(harm: Harm, question: T): T | undefined {
  const { baseline, observed, calls, limits, left = [] } = question;
  const agent = agentOf(baseline);
  if (agent === null || calls === undefined) return undefined;
  const ill = illElsewhere(calls, {
    agent,
    startedAtMs: baseline.startedAtMs,
    window: { fromMs: harm.beganAtMs, toMs: harm.found.finding.foundAtMs },
    allowed: allowedIncrease('error_rate', limits),
  }).filter((tool) => !left.includes(tool));
  if (ill.length === 0) return undefined;
  const isIll = (one: ToolCalls | ToolHours) => one.agent !== agent && ill.includes(one.tool);
  const before = calls.before.filter(isIll);
  const since = Map.groupBy(
    calls.since.filter(isIll).flatMap(({ bins }) => bins),
    ({ atMs }) => atMs,
  );
  const series = baseline.series.map((one) => {
    if (!isOfAllCalls(one)) return one;
    // Both end with the deployment.
    const hours = one.hours.map((hour, at) => {
      const here = at - one.hours.length;
      return less(
        hour,
        before.map((place) => place.hours.at(here)),
      );
    });
    return { ...one, hours };
  });
  const rest = observed.map((one) => {
    if (!isOfAllCalls(one)) return one;
    const bins = one.bins.map((bin): RateBin => ({ ...bin, ...less(bin, since.get(bin.atMs)) }));
    return { ...one, bins: bins.filter(({ all }) => all > 0) };
  });
  const without = { baseline: { ...baseline, series }, observed: rest, left: [...left, ...ill] };
  return { ...question, ...without };
}

function less(from: Count, taken: readonly (Count | undefined)[] = []): Count {
  let { bad, all } = from;
  for (const one of taken) {
    bad -= one?.bad ?? 0;
    all -= one?.all ?? 0;
  }
  const left = Math.max(0, all);
  return { bad: Math.min(left, Math.max(0, bad)), all: left };
}
