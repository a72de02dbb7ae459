/** How proposals were answered and what became of them at the target, for Hone's own track record. */
import type { Store } from '../store/index.ts';
import { BY_HONE } from './by-itself.ts';

export interface Answer {
  readonly proposalId: string;
  readonly verdict: 'approved' | 'rejected';
  readonly isByHone: boolean;
  readonly atMs: number;
  /** From its last check on; null where it was answered before any. */
  readonly waitedMs: number | null;
}

/** The newest approval or rejection of each proposal since then, the newest first. */
export async function answersSince(store: Store, sinceMs: number): Promise<Answer[]> {
  const rows = await store.all(
    `SELECT proposal_id, verdict, at_ms, CASE WHEN ${BY_HONE} THEN 1 ELSE 0 END AS own,
       (SELECT MAX(checked.at_ms) FROM proposal_attestations AS checked
        WHERE checked.proposal_id = said.proposal_id AND checked.kind = 'validation'
          AND checked.at_ms <= said.at_ms) AS checked_ms
     FROM proposal_attestations AS said
     WHERE kind = 'decision' AND verdict IN ('approved', 'rejected') AND at_ms >= ?
       AND NOT EXISTS (SELECT 1 FROM proposal_attestations AS later
         WHERE later.proposal_id = said.proposal_id AND later.kind = 'decision'
           AND later.verdict IN ('approved', 'rejected') AND later.position > said.position)
     ORDER BY at_ms DESC, id DESC`,
    [sinceMs],
  );
  return rows.map((row) => {
    const [atMs, checkedMs] = [row['at_ms'] as number, row['checked_ms'] as number | null];
    return {
      proposalId: row['proposal_id'] as string,
      verdict: row['verdict'] as Answer['verdict'],
      isByHone: row['own'] === 1,
      atMs,
      waitedMs: checkedMs === null ? null : atMs - checkedMs,
    };
  });
}

export interface AtTheTarget {
  readonly deployed: number;
  readonly failed: number;
  /** Of those deployed since then. */
  readonly takenBack: number;
}

/** Proposals that were brought to the target since then, or should have been. */
export async function deploymentsSince(store: Store, sinceMs: number): Promise<AtTheTarget> {
  const [row] = await store.all(
    `SELECT COUNT(DISTINCT CASE WHEN verdict = 'done' THEN proposal_id END) AS deployed,
       COUNT(DISTINCT CASE WHEN verdict = 'failed' AND NOT EXISTS (
         SELECT 1 FROM proposal_attestations AS other WHERE other.proposal_id = one.proposal_id
           AND other.kind = 'deployment' AND other.verdict = 'done') THEN proposal_id END) AS failed,
       COUNT(DISTINCT CASE WHEN verdict = 'done' AND EXISTS (
         SELECT 1 FROM proposal_attestations AS back WHERE back.proposal_id = one.proposal_id
           AND back.kind = 'rollback' AND back.verdict = 'done') THEN proposal_id END) AS taken_back
     FROM proposal_attestations AS one WHERE kind = 'deployment' AND at_ms >= ?`,
    [sinceMs],
  );
  return {
    deployed: row!['deployed'] as number,
    failed: row!['failed'] as number,
    takenBack: row!['taken_back'] as number,
  };
}
