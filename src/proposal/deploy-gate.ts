/**
 * The deploy gate: a pure function over attestations that decides whether a proposal may reach the
 * target. Nothing else does. It names everything that is missing, not only the first thing.
 *
 * It reads scopes: a decision about a canary is not one about the deployment, and the newest verdict of each mode
 * of validation counts, so that a pass of one never hides a failure of another.
 *
 * V1 passed validation, or a person at tier require (an inconclusive one is always at require) · V3 a backup · V4 the tier is kept ·
 * constitution 1 and 2: protected subjects need a person, and nobody approves their own, nor alone what they edited ·
 * enough people and the owners of its files approved, and nobody wants changes or holds it · the decision is about
 * this target · its signature was verified, or
 * its review read again · one that is carried over from an earlier base meets every condition for that
 * (`carried-decision.ts`) · the rows it reads are what the ledger says.
 */
import {
  type Actor,
  type Attestation,
  comparedId,
  isSameTarget,
  isVerifiedAtLeast,
  type ProposalContent,
  type Target,
  TIERS,
  type Tier,
  type Verification,
} from '../facts/index.ts';
import {
  evidenceDigest,
  isEscalated,
  isPaused,
  latest,
  latestByMode,
  latestByPerson,
  latestDecision,
  type RequiredModes,
  validationOf,
} from './attestations.ts';
import { type CarryFacts, type CarryReason, carryReasons } from './carried-decision.ts';
import { requiredTier } from './tier.ts';

export interface GateInput {
  readonly digest: string;
  readonly content: Pick<ProposalContent, 'type' | 'risk' | 'proposer' | 'modifiers'>;
  /** In the order they were made. */
  readonly attestations: readonly Attestation[];
  readonly stopped: boolean;
  readonly requiredModes: RequiredModes;
  /** Tiers below `approve` that an operator switched on; the others act as `approve`. */
  readonly automaticTiers: readonly Tier[];
  /** How far a decision's maker must be verified, per tier. */
  readonly verification: Readonly<Record<'approve' | 'require', Verification>>;
  /** How many people must approve, per tier. */
  readonly approvers: Readonly<Record<'approve' | 'require', number>>;
  /** Files that have owners, as the base commit says: of each, one of its people must approve. */
  readonly owned: readonly OwnedFile[];
  /** Whose earlier decision, by signature or review, was verified just now. */
  readonly provenMakers: readonly string[];
  /** What is about to be moved. */
  readonly target: Target;
  /** Whether the newest decision's signature was verified just now. Asked only of one that claims a signature. */
  readonly isSignatureValid: boolean;
  /** Whether the newest decision's review was read again just now. Asked only of one that claims a review. */
  readonly isReviewValid: boolean;
  /** Whether the rows were just proven to be what the ledger says. Asked only before a deployment. */
  readonly isRecordProven: boolean;
  /** What was found out just now about the bases of a decision that is carried over. Asked only of such a one. */
  readonly carry?: CarryFacts | undefined;
}

export type GateReason =
  | CarryReason
  | 'stopped'
  | 'not_vetted'
  | 'not_validated'
  | 'validation_failed'
  | 'no_decision'
  | 'decision_rejected'
  | 'decision_on_other_evidence'
  | 'decision_older_than_evidence'
  | 'decision_for_other_target'
  | 'own_proposal'
  | 'modifier_alone'
  | 'more_approvals_needed'
  | 'owner_approval_needed'
  | 'changes_requested'
  | 'paused'
  | 'agent_decided'
  | 'not_a_person'
  | 'tier_too_low'
  | 'not_verified_enough'
  | 'signature_not_valid'
  | 'review_not_valid'
  | 'no_backup'
  | 'backup_older_than_decision'
  | 'rows_differ_from_ledger';

/** A file of the change, and the people of whom one must approve it; nobody is known where the list is empty. */
export interface OwnedFile {
  readonly file: string;
  /** As the file of owners writes them. */
  readonly owners: readonly string[];
  readonly people: readonly string[];
}

/** Reasons that the next approval by somebody else can take away: what was said until then is kept. */
export const INCOMPLETE: readonly GateReason[] = [
  'modifier_alone',
  'more_approvals_needed',
  'owner_approval_needed',
];

export type GateVerdict =
  | { readonly open: true; readonly tier: Tier }
  | { readonly open: false; readonly tier: Tier; readonly missing: readonly GateReason[] };

/** Whether the newest decision counts: made by the right person, at the right tier, on this evidence. */
export function decisionGate(input: GateInput): GateVerdict {
  const tier = tierOf(input);
  const missing = decisionReasons(input, tier);
  return missing.length === 0 ? { open: true, tier } : { open: false, tier, missing };
}

/** What the change needs, by what the modes of validation say together. */
export function tierOf({
  attestations,
  digest,
  content,
  automaticTiers,
  requiredModes,
}: Pick<
  GateInput,
  'attestations' | 'digest' | 'content' | 'automaticTiers' | 'requiredModes'
>): Tier {
  if (isEscalated(attestations)) return 'require';
  const { verdict = 'failed', improvesTarget } = validationOf(attestations, digest, requiredModes);
  return effectiveTier(requiredTier(content, verdict, improvesTarget), automaticTiers);
}

export function deployGate(input: GateInput): GateVerdict {
  const { attestations, digest } = input;
  const tier = tierOf(input);
  const missing = [
    ...(input.stopped ? (['stopped'] as const) : []),
    ...(latest(attestations, 'vetting', digest)?.verdict === 'passed'
      ? []
      : (['not_vetted'] as const)),
    ...validationReasons(input),
    ...decisionReasons(input, tier),
    ...backupReasons(input),
    ...(input.isRecordProven ? [] : (['rows_differ_from_ledger'] as const)),
  ];
  return missing.length === 0 ? { open: true, tier } : { open: false, tier, missing };
}

function validationReasons({ attestations, digest, requiredModes }: GateInput): GateReason[] {
  const { verdict } = validationOf(attestations, digest, requiredModes);
  if (verdict === 'passed' || verdict === 'inconclusive') return [];
  return [verdict === 'failed' ? 'validation_failed' : 'not_validated'];
}

/** Auto and notify act as approve until an operator switches them on. */
export function effectiveTier(tier: Tier, automaticTiers: readonly Tier[]): Tier {
  const automatic = tier === 'auto' || tier === 'notify';
  return automatic && !automaticTiers.includes(tier) ? 'approve' : tier;
}

function decisionReasons(input: GateInput, tier: Tier): GateReason[] {
  const { attestations, digest } = input;
  const decision = latestDecision(attestations, digest);
  if (decision === undefined) return ['no_decision'];
  if (decision.verdict === 'carried') return carriedReasons(decision, tier, input);
  if (decision.verdict !== 'approved') return ['decision_rejected'];
  const said = latestByPerson(attestations, digest);
  const isWanted = said.some(({ verdict }) => verdict === 'changes_requested');
  return [
    ...(isPaused(attestations) ? (['paused'] as const) : []),
    ...(isWanted ? (['changes_requested'] as const) : []),
    ...approvalReasons(decision, tier, input),
    ...togetherReasons(said, { decision, tier, input }),
  ];
}

/**
 * The approval of the earlier content has to count as it did then, by the rules of now; and what carries it over has to be
 * about this content, this evidence and this target.
 */
function carriedReasons(
  decision: Attestation<'decision'>,
  tier: Tier,
  input: GateInput,
): GateReason[] {
  const { attestations, digest, carry: facts } = input;
  const reasons: GateReason[] = carryReasons(decision, { digest, attestations, tier, facts });
  if (decision.carried === undefined || reasons.includes('carried_without_decision'))
    return reasons;
  const isWanted = latestByPerson(attestations, digest).some(
    ({ verdict }) => verdict === 'changes_requested',
  );
  const decided = decisionReasons({ ...input, digest: decision.carried.fromDigest }, tier);
  const now = isWanted ? (['changes_requested'] as const) : [];
  return [...new Set([...reasons, ...now, ...decided, ...boundReasons(decision, tier, input)])];
}

/** Whether enough people approve together. The newest approval has reasons of its own; earlier ones count or do not. */
function togetherReasons(
  said: readonly Attestation<'decision'>[],
  { decision, tier, input }: { decision: Attestation<'decision'>; tier: Tier; input: GateInput },
): GateReason[] {
  const counts = (one: Attestation<'decision'>) => {
    const isProven = input.provenMakers.some((id) => isSamePerson(id, one.actor.id));
    const proof = { isSignatureValid: isProven, isReviewValid: isProven };
    return one === decision || approvalReasons(one, tier, { ...input, ...proof }).length === 0;
  };
  const counting = said.filter((one) => one.verdict === 'approved' && counts(one));
  const people = new Set(counting.map(({ actor }) => comparedId(actor.id)));
  const { modifiers = [] } = input.content;
  const isEditor = (person: string) => modifiers.some(({ id }) => isSamePerson(id, person));
  const isOwned = input.owned.every((one) => one.people.some((id) => people.has(comparedId(id))));
  // An owner is asked at every tier (APP-2): a switch of the operator's does not speak for them.
  if (tier === 'auto' || tier === 'notify') return isOwned ? [] : ['owner_approval_needed'];
  return [
    ...(modifiers.length > 0 && [...people].every(isEditor) ? (['modifier_alone'] as const) : []),
    ...(people.size < input.approvers[tier] ? (['more_approvals_needed'] as const) : []),
    ...(isOwned ? [] : (['owner_approval_needed'] as const)),
  ];
}

function approvalReasons(
  decision: Attestation<'decision'>,
  tier: Tier,
  input: GateInput,
): GateReason[] {
  return [...boundReasons(decision, tier, input), ...makerReasons(decision.actor, tier, input)];
}

/** What a decision is about: this evidence, which it does not precede, this target, and this tier or a higher one. */
function boundReasons(
  decision: Attestation<'decision'>,
  tier: Tier,
  input: GateInput,
): GateReason[] {
  const { attestations, digest } = input;
  const reasons: GateReason[] = [];
  if (decision.evidenceDigest !== evidenceDigest(attestations, digest)) {
    reasons.push('decision_on_other_evidence');
  }
  const validations = [...latestByMode(attestations, digest).values()];
  if (validations.some((one) => isBefore(attestations, decision, one))) {
    reasons.push('decision_older_than_evidence');
  }
  if (!isSameTarget(decision.target, input.target)) reasons.push('decision_for_other_target');
  if (TIERS.indexOf(decision.tier) < TIERS.indexOf(tier)) reasons.push('tier_too_low');
  return reasons;
}

const isSamePerson = (one: string, other: string) => comparedId(one) === comparedId(other);

function makerReasons(maker: Actor, tier: Tier, input: GateInput): GateReason[] {
  if (maker.kind === 'agent') return ['agent_decided'];
  if (tier === 'auto' || tier === 'notify') return []; // Hone itself, or a person
  const reasons: GateReason[] = [];
  if (maker.kind !== 'human') reasons.push('not_a_person');
  if (isSamePerson(maker.id, input.content.proposer.id)) reasons.push('own_proposal');
  if (!isProofEnough(maker, tier, input)) reasons.push('not_verified_enough');
  if (maker.verified === 'signature' && !input.isSignatureValid)
    reasons.push('signature_not_valid');
  if (maker.verified === 'forge' && !input.isReviewValid) reasons.push('review_not_valid');
  return reasons;
}

/** A review is as strong as a signature, but it meets require only where a team chose the forge for that. */
function isProofEnough(
  { verified }: Actor,
  tier: 'approve' | 'require',
  { verification }: GateInput,
): boolean {
  if (verified === 'forge' && tier === 'require' && verification.require !== 'forge') return false;
  return isVerifiedAtLeast(verified, verification[tier]);
}

function backupReasons(input: GateInput): GateReason[] {
  const { attestations, digest } = input;
  const backup = latest(attestations, 'backup', digest);
  if (backup?.verdict !== 'made') return ['no_backup'];
  const decision = latestDecision(attestations, digest);
  return isBefore(attestations, backup, decision) ? ['backup_older_than_decision'] : [];
}

function isBefore(
  all: readonly Attestation[],
  one: Attestation | undefined,
  other: Attestation | undefined,
): boolean {
  if (one === undefined || other === undefined) return false;
  return all.indexOf(one) < all.indexOf(other);
}
