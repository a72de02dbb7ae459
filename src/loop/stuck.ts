/** Called back, tried, and not taken back: only a person gets a change out of there. */
import { type Dossier, isCalledBack, rollbackOutcome } from '../proposal/index.ts';

export function isStuck(dossier: Dossier): boolean {
  const { attestations } = dossier;
  const { digest } = dossier.proposal;
  const outcome = rollbackOutcome(attestations, digest);
  return outcome?.verdict === 'failed' && isCalledBack(attestations, digest);
}
