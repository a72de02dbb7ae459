/** A proposal as policies see it. */
import { askedTier, type TierSettings } from '../approve/index.ts';
import type { RightSubject } from '../policy/index.ts';
import type { Dossier } from '../proposal/index.ts';

export function proposalSubject(dossier: Dossier, tiers: TierSettings): RightSubject {
  const { proposal, content } = dossier;
  const { type, risk, proposer, files } = content;
  const { id, state } = proposal;
  const tier = askedTier(dossier, tiers);
  return { kind: 'Proposal', id, tier, type, risk, state, proposer: proposer.id, files };
}
