/**
 * What a change shares with a place that no file, provider or outage of the past has tied to it, learnt since the change from calls
 * that overlap (`overlap.ts`). Asked only where harm was found out of its reach: the budget of false alarms was
 * divided before, and stays as it was.
 */
import type { CallHours, RecentCall } from '../facts/index.ts';
import type { LateFinding } from './late-harm.ts';
import type { Measure } from './measures.ts';
import { chanceOfOverlap } from './overlap.ts';
import type { AtTarget } from './trace-back.ts';
import type { MonitorPorts } from './types.ts';

/** What is tied to a change by this alone must be as rare by chance as what moves with it (`moves-together.ts`). */
const CHANCE = 0.001;

export interface Learning extends Pick<MonitorPorts, 'recentCalls' | 'nowMs'> {
  readonly calls: readonly CallHours[];
}

/** The same change, or the same with one more tool that shares something with it. */
export async function withLearntSharing(
  change: AtTarget,
  { series: { tool, measure }, onsetMs }: LateFinding,
  { recentCalls, nowMs, calls }: Learning,
): Promise<AtTarget> {
  const { footing, startedAtMs } = change;
  const { agents, tools, after, sharing = [] } = footing;
  const isKnown = [...(tools ?? []), ...after, ...sharing].includes(tool);
  const isOfCalls = tool !== '' && (measure === 'failures' || measure === 'latency');
  if (tools === null || isKnown || !isOfCalls) return change;
  const window = { fromMs: Math.max(onsetMs, startedAtMs), toMs: nowMs };
  const asked = [tool, ...tools].map((name) => ({
    tool: name,
    calls: callsIn(calls, name, window),
  }));
  const found = await recentCalls(window, asked);
  const isHolding = ({ agent }: RecentCall) => agents === null || agents.includes(agent);
  const chance = chanceOfOverlap({
    suffering: sufferedIn(found.get(tool) ?? [], measure),
    holding: tools.flatMap((name) => found.get(name) ?? []).filter(isHolding),
    untilMs: nowMs,
  });
  if (chance >= CHANCE) return change;
  return { ...change, footing: { ...footing, sharing: [...sharing, tool].sort() } };
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
