/**
 * The shared nouns: words and types. Their zod schemas are exported by `schemas.ts`, so that what only
 * needs the words starts without loading zod.
 */
export {
  ACTOR_KINDS,
  type Actor,
  type ActorKind,
  comparedId,
  isVerifiedAtLeast,
  mayActAs,
  ROLES,
  type Role,
  SYSTEM,
  VERIFICATIONS,
  type Verification,
} from './actor.ts';
export {
  type Allowance,
  ATTESTATION_VERDICTS,
  type Attestation,
  type AttestationKind,
  allowanceText,
  type ScopeOf,
  statementText,
  type Verdict,
  type VerdictOf,
} from './attestation.ts';
export {
  type Change,
  changeKey,
  changePlace,
  isAsLarge,
  type Step,
  samePlace,
  stepOf,
} from './change.ts';
export {
  DESTINATION_KINDS,
  type DestinationKind,
  EFFECT_STATES,
  type EffectDraft,
  type EffectResult,
  type EffectState,
  LANES,
  type Lane,
} from './effect.ts';
export {
  type Entry,
  type EntryDraft,
  type EntryPayload,
  type EntryType,
  entryOwner,
} from './entry.ts';
export {
  CHANGE_TYPES,
  CORRECTION_TYPES,
  ESCALATION_REASONS,
  EVENT_FIELDS,
  EVENT_KINDS,
  type Event,
  type EventKind,
  type EventOf,
  type FieldRule,
  LINE_LEVELS,
  NAME_MAX,
  NAMES_MAX,
  RATINGS,
  TEST_STATUSES,
  TEXT_MAX,
} from './event.ts';
export {
  EVIDENCE_KINDS,
  EVIDENCE_ORIGINS,
  type EvidenceFact,
  type EvidenceKind,
  type EvidenceNeed,
  type EvidenceOrigin,
} from './evidence.ts';
export {
  type AttributeCell,
  CALL_ATTRIBUTES,
  type CountedFailure,
  FAILING_EVENTS,
  type FailingEvent,
  type FailureCount,
  type FailureExample,
  type FailureGroup,
  type Failures,
  type LatencyView,
  type PlaceBin,
  RATE_METRICS,
  type RateBin,
  type RateMetric,
  type RecentCall,
  type TaskCell,
  type TriesView,
  type Window,
} from './failures.ts';
export {
  EFFECT_TIMES,
  type EffectTime,
  FIX_OUTCOMES,
  type FixOutcome,
  fixWay,
} from './fix.ts';
export {
  ADDED_RULES,
  type AddedRule,
  CAUSE_LAYERS,
  type CauseLayer,
  FAILURE_KINDS,
  type FailureKind,
  MEASURES,
  type Measure,
  PATTERN_KINDS,
  type Pattern,
  type Reach,
  type SettingSubject,
  type SettingValue,
  type Subject,
  type SubjectOf,
  TRIGGERS_OF_FAILURES,
  type WhyNow,
} from './pattern.ts';
export {
  CATEGORIES,
  isSameTarget,
  type MadeBy,
  PROPOSAL_STATES,
  PROPOSAL_TYPES,
  type ProposalContent,
  type ProposalState,
  type ProposalType,
  RISKS,
  type Risk,
  SEVERITIES,
  type Severity,
  type Target,
  TIERS,
  type Tier,
  targetWords,
} from './proposal.ts';
export { DIRECTIONS, type Direction, type Signs } from './signs.ts';
export { SUBMISSION_KINDS, type SubmissionKind } from './submission.ts';
export {
  SHIPPED_MODES,
  STEP_KINDS,
  type StepKind,
  SWITCH_MODES,
  type SwitchMode,
  UNSTOPPABLE_STEPS,
} from './switch.ts';
export { type TaskContext, TOOL_RISKS, type ToolRisk } from './task.ts';
export {
  ESCALATION_CAUSES,
  type EscalationCause,
  HOOK_CLIENTS,
  type HookClient,
} from './task-words.ts';
export {
  BREAKDOWNS,
  type BreakdownBy,
  type BreakdownRow,
  type CallHour,
  type CallHours,
  layerOf,
  type MetricHours,
  type SessionHours,
  type SpentSums,
  type TaskHours,
  type Unit,
  type UnitHours,
  type UnitMinute,
} from './units.ts';
