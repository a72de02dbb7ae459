/**
 * What a proposal is: the words of `proposal/` and of every room that reads or judges one.
 */
import type { z } from 'zod';
import type { Actor } from './actor.ts';
import type { proposalContentSchema, targetSchema } from './proposal-schema.ts';

export const PROPOSAL_TYPES = [
  'constant_tune',
  'formula_change',
  'behavior_fix',
  'protocol_update',
  'skill_improve',
  'meta',
] as const;
export type ProposalType = (typeof PROPOSAL_TYPES)[number];

export const CATEGORIES = ['bugfix', 'optimization', 'enhancement'] as const;
export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];
export const RISKS = ['low', 'medium', 'high'] as const;
export type Risk = (typeof RISKS)[number];

/**
 * `pr_open` is `deploying` on a forge that asks for a merge. Timeouts escalate; they never approve.
 */
export const PROPOSAL_STATES = [
  'draft',
  'vetted',
  'validating',
  'validated',
  'failed',
  'inconclusive',
  'pending',
  'approved',
  'deploying',
  'pr_open',
  'monitoring',
  'implemented',
  'quarantined',
  'rejected',
  'superseded',
  'reverted',
  'aborted',
] as const;
export type ProposalState = (typeof PROPOSAL_STATES)[number];

export const TIERS = ['auto', 'notify', 'approve', 'require'] as const;
export type Tier = (typeof TIERS)[number];

export type ProposalContent = z.infer<typeof proposalContentSchema>;

/** Where a change goes. A decision is about one target: the same bytes elsewhere are another decision. */
export type Target = z.infer<typeof targetSchema>;

export const ATTESTATION_VERDICTS = {
  /** `released`: a person lets it out of quarantine, to be vetted once more. */
  vetting: ['passed', 'failed', 'held', 'released'],
  validation: ['passed', 'failed', 'inconclusive'],
  decision: ['approved', 'rejected'],
  backup: ['made', 'failed'],
  deployment: ['done', 'failed'],
  monitoring: ['stable', 'degraded'],
  /** `waived`: it could not be taken back, and a person says that it stays. */
  rollback: ['done', 'failed', 'waived'],
} as const;
export type AttestationKind = keyof typeof ATTESTATION_VERDICTS;
export type VerdictOf<K extends AttestationKind> = (typeof ATTESTATION_VERDICTS)[K][number];
export type Verdict = VerdictOf<AttestationKind>;

/** A statement by somebody about one exact content. Attestations are only ever added. */
export interface Attestation<K extends AttestationKind = AttestationKind> {
  readonly id: string;
  readonly proposalId: string;
  readonly kind: K;
  /** Digest of the content it speaks of; one about other bytes counts for nothing. */
  readonly subject: string;
  readonly verdict: VerdictOf<K>;
  readonly artifacts: readonly string[];
  readonly actor: Actor;
  readonly atMs: number;
  /** decision: digest of the evidence its maker was shown, and the tier it was asked at. */
  readonly evidence: string | null;
  readonly tier: Tier | null;
  /** validation: whether the metric the change aims at got better. */
  readonly improvesTarget: boolean | null;
  /** decision: where the change may go. */
  readonly target: Target | null;
}

export function isSameTarget(one: Target | null, other: Target): boolean {
  if (one === null) return false;
  const { repository, branch, forge } = one;
  return repository === other.repository && branch === other.branch && forge === other.forge;
}

/** `main of shop-1f2e (local)`: how people are told where a change goes. */
export function targetWords({ repository, branch, forge }: Target): string {
  return `${branch} of ${repository} (${forge})`;
}
