/** What a forge was given lately. */
import type { Store } from '../store/index.ts';

/** The destination of effects that open pull requests. */
export const PULL_REQUESTS = 'pull-requests';

/** What this forge was given since then and still has, the oldest first. */
export async function deployedSince(
  store: Store,
  forge: string,
  sinceMs: number,
): Promise<{ readonly proposalId: string; readonly atMs: number }[]> {
  const rows = await store.all(
    `SELECT proposal_id, changed_at_ms FROM deploy_deployments
     WHERE forge = ? AND changed_at_ms >= ? AND state IN ('prepared', 'moved') ORDER BY 2, 1`,
    [forge, sinceMs],
  );
  return rows.map((row) => ({
    proposalId: row['proposal_id'] as string,
    atMs: row['changed_at_ms'] as number,
  }));
}
