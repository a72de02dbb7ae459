/**
 * The shared nouns: words and types. Their zod schemas are exported by `schemas.ts`, so that what only
 * needs the words starts without loading zod.
 */
export {
  ACTOR_KINDS,
  type Actor,
  type ActorKind,
  isVerifiedAtLeast,
  mayActAs,
  ROLES,
  type Role,
  SYSTEM,
  VERIFICATIONS,
  type Verification,
} from './actor.ts';
export {
  DESTINATION_KINDS,
  type DestinationKind,
  EFFECT_STATES,
  type EffectDraft,
  type EffectState,
} from './effect.ts';
export {
  type Entry,
  type EntryDraft,
  type EntryPayload,
  type EntryType,
  entryOwner,
} from './entry.ts';
export {
  ATTESTATION_VERDICTS,
  type Attestation,
  type AttestationKind,
  CATEGORIES,
  PROPOSAL_STATES,
  PROPOSAL_TYPES,
  type ProposalContent,
  type ProposalState,
  type ProposalType,
  RISKS,
  type Risk,
  SEVERITIES,
  TIERS,
  type Tier,
  type Verdict,
  type VerdictOf,
} from './proposal.ts';
export {
  STEP_KINDS,
  type StepKind,
  SWITCH_MODES,
  type SwitchMode,
  UNSTOPPABLE_STEPS,
} from './switch.ts';
