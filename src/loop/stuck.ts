/** A rollback was requested and tried, and failed: only a person can resolve this. */
import { type Dossier, isCalledBack, rollbackOutcome } from '../proposal/index.ts';

export function isStuck(dossier: Dossier): boolean {
  const { attestations } = dossier;
  const { digest } = dossier.proposal;
  const outcome = rollbackOutcome(attestations, digest);
  return outcome?.verdict === 'failed' && isCalledBack(attestations, digest);
}
