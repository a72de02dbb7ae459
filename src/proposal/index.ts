export { type Answer, type AtTheTarget, answersSince, deploymentsSince } from './answers.ts';
export {
  decidedBy,
  evidenceDigest,
  isArrivalAwaited,
  isCalledBack,
  isEscalated,
  isPaused,
  isReleased,
  latest,
  latestByMode,
  latestByPerson,
  latestDecision,
  type RequiredModes,
  type RollbackCall,
  rollbackCall,
  rollbackOutcome,
  type Validation,
  validationOf,
} from './attestations.ts';
export { type OwnDecision, ownApprovals, takenBackForHarm } from './by-itself.ts';
export {
  CARRIED_AGE_MS_MAX,
  type CarryFacts,
  type CarryReason,
  carryReasons,
} from './carried-decision.ts';
export {
  decisionGate,
  deployGate,
  effectiveTier,
  type GateInput,
  type GateReason,
  type GateVerdict,
  INCOMPLETE,
  type OwnedFile,
  tierOf,
} from './deploy-gate.ts';
export { ProposalError, type ProposalErrorCode } from './errors.ts';
export {
  type AdvanceRequest,
  type AttestationDraft,
  type GateSettings,
  type Planned,
  planAdvance,
  planAmend,
  planAttest,
  planCreate,
  type Refusal,
} from './plans.ts';
export {
  countProposals,
  type NamedProposal,
  namedById,
  namedByState,
} from './proposal-counts.ts';
export {
  dossierOf,
  findAttestation,
  findProposals,
  listProposals,
  readAttestations,
  readDossier,
  readProposal,
} from './proposal-store.ts';
export { type Outcome, Proposals } from './proposals.ts';
export { PROJECTED_TABLES, projectEntry, readRows, type Versions } from './rebuild.ts';
export { readAllSaid, readSaid, type Said } from './said.ts';
export {
  decisionStatement,
  readSignedDecision,
  type SignedDecision,
  signedDecisionFile,
} from './signed-decision.ts';
export {
  type NewContent,
  type ProposalStep,
  planStep,
  type Spawned,
  type StepAttestation,
  type StepContext,
  verdictWith,
} from './step.ts';
export { requiredTier } from './tier.ts';
export {
  AMENDABLE_STATES,
  AT_THE_TARGET,
  BEFORE_DEPLOYMENT,
  ENDED_BEFORE,
  findTransition,
  isFinal,
  type Need,
  OPEN_STATES,
  TRANSITIONS,
} from './transitions.ts';
export type { Dossier, Proposal } from './types.ts';
