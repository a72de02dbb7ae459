/** Which tier a change needs (APP-1). Require is tested first, so that no rule below can weaken it. */
import type { ProposalContent, Tier, VerdictOf } from '../facts/index.ts';

const ALWAYS_REQUIRE: readonly ProposalContent['type'][] = [
  'formula_change',
  'behavior_fix',
  'meta',
];

export function requiredTier(
  content: Pick<ProposalContent, 'type' | 'risk' | 'modifiers' | 'proposer'>,
  validation: VerdictOf<'validation'>,
  improvesTarget: boolean,
): Tier {
  if (content.risk === 'high' || ALWAYS_REQUIRE.includes(content.type)) return 'require';
  // What agents hand in is theirs to say, and a person's to decide.
  if (content.proposer.kind === 'agent') return 'require';
  if (validation !== 'passed') return 'require';
  // How agents talk to each other is never changed without somebody who looked.
  if (content.type === 'protocol_update') return 'approve';
  // What a person wrote is no longer what a generator is known for.
  if (content.modifiers !== undefined) return 'approve';
  if (content.risk === 'low' && content.type === 'constant_tune' && improvesTarget) return 'auto';
  if (content.risk === 'low') return 'notify';
  return 'approve';
}
