/** A proposal by its id, or by a unique prefix of it. */
import { findProposals, type Proposal, ProposalError } from '../proposal/index.ts';
import type { Store } from '../store/index.ts';

export async function findProposal(store: Store, given: string): Promise<Proposal> {
  const found = await findProposals(store, given, 3);
  if (found.length === 1) return found[0]!;
  if (found.length === 0) {
    throw new ProposalError('unknown', `There is no proposal ${given}.`, {
      hint: '"hone proposals list" shows them.',
    });
  }
  const ids = found.map(({ id }) => id).join(', ');
  throw new ProposalError('unknown', `More than one proposal begins with ${given}: ${ids}.`, {
    hint: 'Give more of its id.',
  });
}
