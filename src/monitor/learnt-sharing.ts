/**
 * What a change shares with a place that no file, provider or outage of the past has tied to it, learnt from calls that overlap
 * (`overlap.ts`), of the last day or since the harm began. Asked only where harm was found out of its reach: the budget of
 * false alarms was divided before, and stays as it was.
 */
import type { CallHours, RecentCall } from '../facts/index.ts';
import { binomialSf } from '../stats/index.ts';
import type { LateFinding } from './late-harm.ts';
import type { Measure } from './measures.ts';
import { chanceOfOverlap } from './overlap.ts';
import type { Footing } from './rings.ts';
import type { AtTarget } from './trace-back.ts';
import type { MonitorPorts } from './types.ts';

/** What is tied to a change by this alone must be as rare by chance as what moves with it (`moves-together.ts`). */
const CHANCE = 0.001;

const HOUR_MS = 3_600_000;
/** Has every hour, busy and quiet. */
const DAY_MS = 24 * HOUR_MS;

export interface Learning extends Pick<MonitorPorts, 'recentCalls' | 'nowMs'> {
  readonly calls: readonly CallHours[];
}

/** The same change, or the same with one more tool that shares something with it, and what holds that. */
export async function withLearntSharing(
  change: AtTarget,
  finding: LateFinding,
  learning: Learning,
): Promise<AtTarget> {
  const { footing } = change;
  const { tool } = finding.series;
  const { sharing = [], holding = [] } = footing;
  const holders = holdersOf(change, learning.calls);
  const isKnown = [...(footing.tools ?? holders), ...footing.after, ...sharing].includes(tool);
  if (isKnown || !(await holdsPlacesOf(finding, change, learning))) return change;
  const more = {
    sharing: [...sharing, tool].sort(),
    holding: [...new Set([...holding, ...holders])].sort(),
  };
  return { ...change, footing: { ...footing, ...more } };
}

/** Whether a place suffers in the moments in which calls of what was changed are in flight, beyond chance: that of one of several places. */
export async function holdsPlacesOf(
  { series: { tool, measure }, onsetMs }: LateFinding,
  change: AtTarget,
  { recentCalls, nowMs, calls }: Learning,
  places = 1,
): Promise<boolean> {
  const { footing, startedAtMs } = change;
  const { agents } = surelyAt(footing);
  const holders = holdersOf(change, calls);
  const isOfCalls = tool !== '' && (measure === 'failures' || measure === 'latency');
  if (holders.length === 0 || !isOfCalls) return false;
  // What they share was there before the harm and the change; its busy hours may have come only the day before.
  const fromMs = Math.min(Math.max(onsetMs, startedAtMs), nowMs - DAY_MS);
  const window = { fromMs, toMs: nowMs };
  const asked = [...new Set([tool, ...holders])].map((name) => ({
    tool: name,
    calls: callsIn(calls, name, window),
  }));
  const found = await recentCalls(window, asked);
  const isOwn = ({ agent }: RecentCall) => agents === null || agents.includes(agent);
  const isHolder = (call: RecentCall) => holders.includes(call.tool) && isOwn(call);
  const suffering = (found.get(tool) ?? []).filter((call) => !isHolder(call));
  const chance = chanceOfOverlap({
    suffering: sufferedIn(suffering, measure),
    // All together: those that are held for long are most of what is in flight, whichever they are.
    holding: holders.flatMap((name) => found.get(name) ?? []).filter(isOwn),
    untilMs: nowMs,
  });
  return chance < CHANCE / places;
}

/**
 * Whose calls are in flight because of the change. A value that nothing ties to anybody is at work where it answers a failure,
 * whoever else may read it: that place may be the one that takes the places of all others.
 */
function surelyAt({ agents, tools, answers }: Footing): Pick<Footing, 'agents' | 'tools'> {
  if (answers === undefined) return { agents, tools };
  return { agents: [answers.agent], tools: [answers.tool] };
}

/** What its agents call, of what it is at, and what follows; nothing where that is everything, and no place is known that it answers. */
function holdersOf(change: AtTarget, calls: readonly CallHours[]): string[] {
  const { after } = change.footing;
  const { agents, tools } = surelyAt(change.footing);
  return [
    ...new Set([...(tools ?? toolsOf(agents, calls)), ...after, ...nowFollowing(change, calls)]),
  ];
}

/**
 * Tools that its agents call more often since the change, for each call of what it is at: what hardly ever got there before it
 * is not known to be called after it, and may hold more than all the rest.
 */
function nowFollowing({ footing, startedAtMs }: AtTarget, calls: readonly CallHours[]): string[] {
  const { agents, tools } = surelyAt(footing);
  if (agents === null || tools === null) return [];
  const own = calls.filter(({ agent }) => agents.includes(agent));
  const counted = (names: readonly string[]) => {
    const some = own.filter(({ tool }) => names.includes(tool)).flatMap(({ hours }) => hours);
    const before = some.filter(({ atMs }) => atMs + HOUR_MS <= startedAtMs);
    const since = some.filter(({ atMs }) => atMs >= startedAtMs);
    return { before: callsOf(before), since: callsOf(since) };
  };
  const from = counted(tools);
  if (from.before === 0) return [];
  const usual = from.since / (from.before + from.since);
  return toolsOf(agents, own).filter((tool) => {
    if (tools.includes(tool)) return false;
    const { before, since } = counted([tool]);
    return binomialSf(since - 1, before + since, usual) < CHANCE;
  });
}

const callsOf = (hours: CallHours['hours']) => hours.reduce((sum, hour) => sum + hour.calls, 0);

function toolsOf(agents: readonly string[] | null, calls: readonly CallHours[]): string[] {
  if (agents === null) return [];
  const own = calls.filter(({ agent, tool }) => tool !== '' && agents.includes(agent));
  return [...new Set(own.map(({ tool }) => tool))];
}

function callsIn(
  calls: readonly CallHours[],
  tool: string,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): number {
  let count = 0;
  for (const one of calls)
    if (one.tool === tool)
      for (const hour of one.hours)
        if (hour.atMs >= fromMs && hour.atMs < toMs) count += hour.calls;
  return count;
}

/** A failure; or, of a call that succeeded, how long it took, in logarithms. */
function sufferedIn(calls: readonly RecentCall[], measure: Measure) {
  if (measure === 'failures')
    return calls.map((call) => ({ call, suffered: call.failedWith === null ? 0 : 1 }));
  return calls
    .filter(({ failedWith }) => failedWith === null)
    .map((call) => ({ call, suffered: Math.log1p(call.endMs - call.startMs) }));
}
