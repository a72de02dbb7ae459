/** What Hone decided and took back by itself, for the limit and the pause of automatic changes. */
import type { Store } from '../store/index.ts';

/** Attestations keep their actor as canonical JSON, so that this is a key and its value. */
export const BY_HONE = `actor LIKE '%"kind":"system"%'`;

export interface OwnDecision {
  readonly proposalId: string;
  readonly atMs: number;
}

/** Approvals without a person, since then, the oldest first; one for each proposal, its newest. */
export async function ownApprovals(store: Store, sinceMs: number): Promise<OwnDecision[]> {
  const rows = await store.all(
    `SELECT proposal_id, MAX(at_ms) AS at_ms FROM proposal_attestations
     WHERE kind = 'decision' AND verdict = 'approved' AND at_ms >= ? AND ${BY_HONE}
     GROUP BY proposal_id ORDER BY 2, 1`,
    [sinceMs],
  );
  return rows.map((row) => ({
    proposalId: row['proposal_id'] as string,
    atMs: row['at_ms'] as number,
  }));
}

/**
 * The newest change that Hone took back for its harm since then, and that nobody had asked for. One that only lay on top of
 * another has no harm to answer for (ADR 119): what it lay on does.
 */
export async function takenBackForHarm(store: Store, sinceMs: number): Promise<string | undefined> {
  const rows = await store.all(
    `SELECT proposal_id, content_digest FROM proposal_attestations AS done
     WHERE kind = 'rollback' AND verdict = 'done' AND at_ms >= ? AND ${BY_HONE}
       AND NOT EXISTS (SELECT 1 FROM proposal_attestations AS asked
         WHERE asked.proposal_id = done.proposal_id AND asked.kind = 'rollback'
           AND asked.verdict = 'requested')
     ORDER BY at_ms DESC, id DESC`,
    [sinceMs],
  );
  if (rows.length === 0) return undefined;
  // Most starts of `hone` have none of these, and do without what reads them.
  const { isBlameless } = await import('./blameless.ts');
  for (const row of rows) {
    const id = row['proposal_id'] as string;
    if (!(await isBlameless(store, id, row['content_digest'] as string))) return id;
  }
  return undefined;
}
