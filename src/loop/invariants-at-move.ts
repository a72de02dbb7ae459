/**
 * V1 to V4 right before a branch is moved, judged from the proven record alone by the auditor's own check
 * (`health/`), which shares no code with the gate that let the change come this far. What it finds stops the deployment.
 */
import type { Entry } from '../facts/index.ts';
import { checkInvariants } from '../health/index.ts';
import type { Dossier } from '../proposal/index.ts';

const STOPPING: readonly string[] = ['V1', 'V2', 'V3', 'V4'];

/** One sentence for each that is broken. */
export function brokenBeforeMove(
  { proposal, content }: Dossier,
  entries: readonly Entry[],
): readonly string[] {
  const broken = checkInvariants({
    entries,
    content: (digest) => (digest === proposal.digest ? content : undefined),
    // The others are judged over the whole ledger: `hone doctor`.
    pattern: () => undefined,
    eventExists: () => true,
    overheadShare: null,
    rollbackMs: Number.POSITIVE_INFINITY,
  });
  return broken
    .filter(({ invariant }) => STOPPING.includes(invariant))
    .map(({ invariant, text }) => `${invariant}: ${text}`);
}
