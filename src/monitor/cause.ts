/**
 * Which change did the harm: whether the agents that the change does not touch got worse in the same series.
 * A pure function of counts.
 *
 * | cause | the agent of the change | the others | what it means |
 * |---|---|---|---|
 * | `own` | worse | shown to be unaffected | this change: taken back, and failed for good |
 * | `shared` | worse | in the same way and at the same time, not right after the deployment | it looks like an outage |
 * | `unclear` | worse | anything else, or too few to tell | taken back, in doubt |
 * | `fleet` | not worse, or unknown | worse | the newest change, if any |
 * | `elsewhere` | whatever | worse at tools that the change is not about, at which most of the harm is; or most of it is theirs, away from the tool of the change | somebody else's trouble |
 * | `mix` | whatever | none of them worse, place by place, while more calls of the whole fleet fail | more calls of those that fail anyway |
 * | `sharer` | not worse at the tool that was changed | an agent that shares this tool is worse at it | this change: taken back |
 */
import type { RateBin, Window } from '../facts/index.ts';
import {
  added,
  allowedIncrease,
  type Counted,
  chanceOf,
  chanceOfSoFew,
  countedOf,
  excessOf,
  type Measured,
  measured,
  observedIn,
  othersOf,
  within,
} from './comparison.ts';
import { type CallsByTool, whereIsHarm } from './harmed-tools.ts';
import type { Limits } from './judge.ts';
import { sum } from './season.ts';
import type { Baseline, Found, SeriesObserved } from './types.ts';

export type Cause = 'own' | 'unclear' | 'shared' | 'fleet' | 'sharer' | 'elsewhere' | 'mix';

export interface Harm {
  readonly found: Found;
  readonly cause: Cause;
  /** Where it most likely began. */
  readonly beganAtMs: number;
  /** Before that, only the change's own harm is reported, and harm right after the deployment. */
  readonly settledAtMs: number;
}

/** Two beginnings this close together count as one. */
export const SAME_TIME_MS = 15 * 60_000;

/** Severe harm is found within a minute or two; after this time it shows whether others have it too. */
export const SETTLE_MS = 10 * 60_000;

/** How far back from its detection the beginning of the harm is searched. */
const BEFORE_MS = 60 * 60_000;

/** The share of one side's harm that the other must have. */
const SAME_WAY_SHARE = 1 / 3;

/** Probabilities by chance below which it counts as true, as possible, and as untrue. */
const WORSE = 0.01;
const LEANING = 0.1;
const AGENT_LEANING = 0.25;
const EXCLUDED = 0.1;

export interface Compared {
  readonly baseline: Baseline;
  readonly observed: readonly SeriesObserved[];
  /** Undefined where it is not known what the change is about. */
  readonly calls?: CallsByTool | undefined;
}

type Bins = readonly (RateBin & Measured)[];

export function harmOf(
  found: Found,
  { baseline, observed, calls }: Compared,
  { limits, nowMs }: { limits: Limits; nowMs: number },
): Harm {
  const { metric, finding } = found;
  const { startedAtMs } = baseline;
  const fromMs = Math.min(finding.fromMs, finding.firstBadAtMs) - BEFORE_MS;
  // Nothing before or after it is asked for: it began before it was found.
  const near = { fromMs, toMs: finding.foundAtMs + SETTLE_MS };
  const compared = { baseline, calls, observed: observedIn(observed, near) };
  const binsOf = (counted: Counted | undefined): Bins =>
    counted === undefined ? [] : measured(counted, startedAtMs);
  const where = binsOf(countedOf(compared, metric, found.agent, found.tool));
  const beganAtMs = beginningOf(where, { fromMs, toMs: finding.foundAtMs });
  const agent = agentOf(compared.baseline);
  const isAtOnce = beganAtMs - startedAtMs <= SAME_TIME_MS;
  const settledAtMs = isAtOnce || agent === null ? beganAtMs : beganAtMs + SETTLE_MS;
  const toMs = Math.max(finding.foundAtMs, Math.min(nowMs, settledAtMs));
  const harm = (cause: Cause): Harm => ({ found, cause, beganAtMs, settledAtMs });

  const place =
    agent === null || compared.calls === undefined
      ? 'unclear'
      : whereIsHarm(compared.calls, {
          agent,
          startedAtMs,
          window: { fromMs: beganAtMs, toMs },
          allowed: allowedIncrease('error_rate', limits),
        });
  if (place === 'elsewhere') return harm('elsewhere');
  if (place === 'nowhere' && isOfAllCalls(found)) return harm('mix');
  if (agent !== null && found.tool !== undefined && found.agent !== agent) {
    // A sharer: if the changed agent meets the same at the same tool, the tool is ill for everybody.
    const own = binsOf(countedOf(compared, metric, agent, found.tool));
    const ownNow = added(within(own, { fromMs: beganAtMs, toMs }));
    const allowed = allowedIncrease(metric, limits);
    if (chanceOf(ownNow, allowed) >= WORSE) return harm('sharer');
    return harm(isAtOnce ? 'unclear' : 'shared');
  }
  const others = agent === null ? undefined : othersOf(compared, metric, agent);
  if (agent === null || others === undefined) return harm('fleet');
  const ownBins = binsOf(countedOf(compared, metric, agent));
  const othersBins = binsOf(others);
  const allowed = allowedIncrease(metric, limits);
  const [ownNow, othersNow] = [ownBins, othersBins].map((bins) =>
    added(within(bins, { fromMs: beganAtMs, toMs })),
  ) as [Measured, Measured];
  const isInAgent = found.agent !== null;
  if (!isInAgent && chanceOf(ownNow, allowed) >= AGENT_LEANING) return harm('fleet');
  const chance = chanceOf(othersNow, allowed);
  const isNotTheirs = chanceOfSoFew(othersNow, excessOf(ownNow)) < EXCLUDED;
  if (sum(others.hours).all === 0 || (chance >= LEANING && isNotTheirs)) return harm('own');
  if (isInAgent && place === 'changed') return harm('own');
  const isShared =
    chance < WORSE &&
    !isAtOnce &&
    isSameWay(excessOf(ownNow), excessOf(othersNow), isInAgent) &&
    Math.abs(beginningOf(othersBins, { fromMs, toMs }) - beganAtMs) <= SAME_TIME_MS;
  if (isShared) return harm('shared');
  return harm(isInAgent ? 'unclear' : 'fleet');
}

/** The one series that calls of every place make up. */
export function isOfAllCalls({ metric, agent }: Pick<Found, 'metric' | 'agent'>): boolean {
  return metric === 'error_rate' && agent === null;
}

/** The others have enough of the agent's harm; and if it was found in the whole fleet, the agent of theirs. */
function isSameWay(own: number, others: number, isInAgent: boolean): boolean {
  return others >= SAME_WAY_SHARE * own && (isInAgent || own >= SAME_WAY_SHARE * others);
}

/** The agent that the change is about, if one is known. */
export function agentOf({ series }: Baseline): string | null {
  return series.find(({ agent }) => agent !== null)?.agent ?? null;
}

/** The minute from which on, to the end of the window, a higher rate explains the counts best. */
function beginningOf(bins: Bins, window: Window): number {
  let [bad, expectedBad] = [0, 0];
  let [best, beganAtMs] = [0, window.toMs];
  for (const bin of within(bins, window).toReversed()) {
    bad += bin.bad;
    expectedBad += bin.expectedBad;
    if (bad <= expectedBad) continue;
    const score = bad * Math.log(bad / expectedBad) - (bad - expectedBad);
    if (score >= best) [best, beganAtMs] = [score, bin.atMs];
  }
  return beganAtMs;
}
