/** Called back, tried, and not taken back: only a person gets a change out of there. */
import { type Dossier, latest } from '../proposal/index.ts';
import { isCalledBack } from './table.ts';

export function isStuck(dossier: Dossier): boolean {
  const { proposal, attestations } = dossier;
  const rollback = latest(attestations, 'rollback', proposal.digest);
  return rollback?.verdict === 'failed' && isCalledBack(dossier);
}
