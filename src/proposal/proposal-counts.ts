/** How many proposals are in each state, and which. A file of its own, so that `hone status` loads no schemas. */
import type { ProposalState } from '../facts/index.ts';
import type { Row, Store } from '../store/index.ts';

export async function countProposals(
  store: Store,
): Promise<Partial<Record<ProposalState, number>>> {
  const rows = await store.all(
    `SELECT state, count(*) AS n FROM proposal_proposals GROUP BY state`,
  );
  return Object.fromEntries(rows.map((row) => [row['state'], row['n']]));
}

export interface NamedProposal {
  readonly id: string;
  readonly state: ProposalState;
  readonly title: string;
}

/** The longest there first. */
export async function namedByState(
  store: Store,
  state: ProposalState,
  limit: number,
): Promise<NamedProposal[]> {
  const rows = await store.all(
    `SELECT id, state, title FROM proposal_proposals WHERE state = ?
     ORDER BY changed_at_ms, id LIMIT ?`,
    [state, limit],
  );
  return rows.map(namedOf);
}

export async function namedById(store: Store, ids: readonly string[]): Promise<NamedProposal[]> {
  if (ids.length === 0) return [];
  const rows = await store.all(
    `SELECT id, state, title FROM proposal_proposals WHERE id IN (${ids.map(() => '?').join(', ')})`,
    [...ids],
  );
  return rows.map(namedOf);
}

function namedOf(row: Row): NamedProposal {
  return {
    id: row['id'] as string,
    state: row['state'] as ProposalState,
    title: row['title'] as string,
  };
}
