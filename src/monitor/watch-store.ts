/** The room's rows: read, and as writes together with the entries that they can be folded from. */
import { type Artifact, artifactWrite } from '../artifact/index.ts';
import { type EntryDraft, SYSTEM } from '../facts/index.ts';
import { recordedText } from '../sanitise/index.ts';
import type { Store, Write } from '../store/index.ts';
import type { Watch } from './types.ts';

export const WATCHES = 'monitor_watches';

export interface Recorded {
  readonly writes: readonly Write[];
  readonly entries: readonly EntryDraft[];
}

export async function readWatch(store: Store, proposalId: string): Promise<Watch | undefined> {
  const [row] = await store.all(
    `SELECT proposal_id, started_at_ms, fast_until_ms, until_ms, baseline_digest FROM ${WATCHES}
     WHERE proposal_id = ?`,
    [proposalId],
  );
  return (
    row && {
      proposalId: row['proposal_id'] as string,
      startedAtMs: row['started_at_ms'] as number,
      fastUntilMs: row['fast_until_ms'] as number,
      untilMs: row['until_ms'] as number,
      baselineDigest: row['baseline_digest'] as string,
    }
  );
}

/** Of other changes, those that began since then, the newest first. */
export async function otherWatches(
  store: Store,
  { proposalId, sinceMs }: { proposalId: string; sinceMs: number },
): Promise<Pick<Watch, 'proposalId' | 'startedAtMs' | 'baselineDigest'>[]> {
  const rows = await store.all(
    `SELECT proposal_id, started_at_ms, baseline_digest FROM ${WATCHES}
     WHERE proposal_id <> ? AND started_at_ms >= ? ORDER BY started_at_ms DESC, proposal_id LIMIT 100`,
    [proposalId, sinceMs],
  );
  return rows.map((row) => ({
    proposalId: row['proposal_id'] as string,
    startedAtMs: row['started_at_ms'] as number,
    baselineDigest: row['baseline_digest'] as string,
  }));
}

export function recordStarted(watch: Watch, baseline: Artifact, atMs: number): Recorded {
  const { proposalId, startedAtMs, fastUntilMs, untilMs } = watch;
  return {
    writes: [artifactWrite(baseline, atMs), startedWrite(watch)],
    entries: [
      {
        type: 'monitor.started',
        actor: SYSTEM,
        subject: `proposal:${proposalId}`,
        data: { startedAtMs, fastUntilMs, untilMs, baselineDigest: baseline.digest },
        artifacts: [baseline.digest],
        atMs,
      },
    ],
  };
}

export function startedWrite(watch: Watch): Write {
  return {
    // A watch that was dated wrongly is started again.
    upsert: WATCHES,
    key: { proposal_id: watch.proposalId },
    row: {
      started_at_ms: watch.startedAtMs,
      fast_until_ms: watch.fastUntilMs,
      until_ms: watch.untilMs,
      baseline_digest: watch.baselineDigest,
    },
  };
}

export function recordExtended(
  { proposalId }: Watch,
  { untilMs, reason }: { untilMs: number; reason: string },
  atMs: number,
): Recorded {
  const data = { untilMs, reason: recordedText(reason) };
  const subject = `proposal:${proposalId}`;
  return {
    writes: [extendedWrite(proposalId, untilMs)],
    entries: [{ type: 'monitor.extended', actor: SYSTEM, subject, data, atMs }],
  };
}

export function extendedWrite(proposalId: string, untilMs: number): Write {
  return { update: WATCHES, where: { proposal_id: proposalId }, set: { until_ms: untilMs } };
}
