/** How many proposals stand where. Apart from the rest, so that `hone status` loads no schemas. */
import type { ProposalState } from '../facts/index.ts';
import type { Store } from '../store/index.ts';

export async function countProposals(
  store: Store,
): Promise<Partial<Record<ProposalState, number>>> {
  const rows = await store.all(
    `SELECT state, count(*) AS n FROM proposal_proposals GROUP BY state`,
  );
  return Object.fromEntries(rows.map((row) => [row['state'], row['n']]));
}
