/** Changes that are at the target, with what each is at: who harm may come from. */
import type { Store } from '../store/index.ts';
import { readBaseline } from './baseline.ts';
import { agentOf } from './cause.ts';
import type { Footing } from './rings.ts';
import type { Baseline, Fate } from './types.ts';
import { otherWatches } from './watch-store.ts';
import type { AtTarget } from './wide-look.ts';

/** How long a change may be the cause of what begins now. */
const SUSPECT_MS = 14 * 86_400_000;

/** Deployed in the last two weeks and not called back, the newest first; without `except`. */
export async function changesAtTarget(
  nowMs: number,
  { store, fateOf }: { readonly store: Store; fateOf(proposalId: string): Promise<Fate> },
  except = '',
): Promise<AtTarget[]> {
  const found: AtTarget[] = [];
  const about = { proposalId: except, sinceMs: nowMs - SUSPECT_MS };
  for (const { proposalId, startedAtMs, baselineDigest } of await otherWatches(store, about)) {
    const { isAtTarget, calledBackAtMs } = await fateOf(proposalId);
    if (!isAtTarget || calledBackAtMs !== null) continue;
    // Another change that cannot be read must not delay what this one needs.
    const baseline = await readBaseline(store, baselineDigest).catch(() => undefined);
    if (baseline === undefined) continue;
    const { expected } = baseline;
    found.push({ proposalId, startedAtMs, footing: footingIn(baseline), expected });
  }
  return found;
}

/** A baseline of an earlier version does not say it: then it is the agent and the tool that it counted. */
export function footingIn(baseline: Baseline): Footing {
  const agent = agentOf(baseline);
  const tool = baseline.series.find((one) => one.tool !== undefined)?.tool;
  return (
    baseline.footing ?? {
      agents: agent === null ? null : [agent],
      tools: tool === undefined ? null : [tool],
      after: [],
    }
  );
}
