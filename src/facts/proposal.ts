/**
 * What a proposal is: the words of `proposal/` and of every room that reads or judges one.
 */
import type { z } from 'zod';
import type { madeBySchema, proposalContentSchema, targetSchema } from './proposal-schema.ts';

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
export type MadeBy = z.infer<typeof madeBySchema>;

/** Where a change goes. A decision is about one target: the same bytes elsewhere are another decision. */
export type Target = z.infer<typeof targetSchema>;

export function isSameTarget(one: Target | null | undefined, other: Target): boolean {
  if (one === null || one === undefined) return false;
  const { repository, branch, forge } = one;
  return repository === other.repository && branch === other.branch && forge === other.forge;
}

/** `main of shop-1f2e (local)`: how people are told where a change goes. */
export function targetWords({ repository, branch, forge }: Target): string {
  return `${branch} of ${repository} (${forge})`;
}
