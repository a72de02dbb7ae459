/**
 * When an approval still counts although the base moved: the same change on a base that descends from the decided one,
 * where nothing that the change, its proof or its rules depend on differs. Pure: what git and the reports of validation
 * say about the two bases is given (`CarryFacts`), found out just now by whoever asks the gate.
 *
 * Everything is compared with the person's own decision, its base, its evidence and its time, never with an earlier
 * carry, so that small steps do not add up.
 */
import type { Attestation, Tier } from '../facts/index.ts';
import { evidenceDigest, latestByMode, latestDecision } from './attestations.ts';

/** A week: whoever decided still knows what it was about. */
export const CARRIED_AGE_MS_MAX = 7 * 86_400_000;

/** What was found out just now about the two bases. */
export interface CarryFacts {
  readonly fromBase: string;
  readonly toBase: string;
  /** Whether the new base has the old one in its history. */
  readonly isDescendant: boolean;
  /** Whether the content is the decided one in everything but its base: the diff byte by byte. */
  readonly isSameChange: boolean;
  /** Files that must be the same on both bases, and are not. */
  readonly differing: readonly string[];
  /** Whether the configuration in effect was accepted before the decision. */
  readonly isSameConfiguration: boolean;
  /** What the modes of validation measured, and is worse on the new base than it was on the decided one. */
  readonly worse: readonly string[];
  readonly nowMs: number;
}

export type CarryReason =
  | 'carried_without_decision'
  | 'carried_not_proven'
  | 'carried_at_require'
  | 'carried_review'
  | 'carried_spent'
  | 'carried_too_old'
  | 'carried_base_not_descendant'
  | 'carried_change_differs'
  | 'carried_files_differ'
  | 'carried_configuration_differs'
  | 'carried_validation_differs'
  | 'carried_metric_worse';

export interface CarryInput {
  readonly digest: string;
  readonly attestations: readonly Attestation[];
  readonly tier: Tier;
  readonly facts: CarryFacts | undefined;
}

/** Why this does not carry the decision that it names; none where it does. What the decision itself needs is asked beside. */
export function carryReasons(
  { carried, actor }: Pick<Attestation<'decision'>, 'carried' | 'actor'>,
  { digest, attestations, tier, facts }: CarryInput,
): CarryReason[] {
  const decided =
    carried === undefined ? undefined : latestDecision(attestations, carried.fromDigest);
  const isTheirs = decided?.verdict === 'approved' && decided.id === carried?.decisionId;
  if (carried === undefined || decided === undefined || !isTheirs || actor.kind !== 'system')
    return ['carried_without_decision'];
  const isProven = facts?.fromBase === carried.fromBase && facts.toBase === carried.toBase;
  const { fromDigest } = carried;
  return [
    ...when(tier === 'require' || decided.tier === 'require', 'carried_at_require'),
    // A review is about the very commit that it was made on.
    ...when(decided.actor.verified === 'forge', 'carried_review'),
    ...when(isSpent(attestations, decided), 'carried_spent'),
    ...when(
      !isSameProof(attestations, { fromDigest, digest, seen: decided.evidenceDigest }),
      'carried_validation_differs',
    ),
    ...(facts !== undefined && isProven
      ? factReasons(facts, decided)
      : (['carried_not_proven'] as const)),
  ];
}

function factReasons(facts: CarryFacts, { atMs }: Attestation<'decision'>): CarryReason[] {
  const ageMs = facts.nowMs - atMs;
  return [
    // A clock that went back proves no age.
    ...when(ageMs < 0 || ageMs > CARRIED_AGE_MS_MAX, 'carried_too_old'),
    ...when(!facts.isDescendant, 'carried_base_not_descendant'),
    ...when(!facts.isSameChange, 'carried_change_differs'),
    ...when(facts.differing.length > 0, 'carried_files_differ'),
    ...when(!facts.isSameConfiguration, 'carried_configuration_differs'),
    ...when(facts.worse.length > 0, 'carried_metric_worse'),
  ];
}

const when = (is: boolean, reason: CarryReason): CarryReason[] => (is ? [reason] : []);

/** A person who took it back has said something newer than the approval, whatever content that was about. */
function isSpent(all: readonly Attestation[], decided: Attestation): boolean {
  return all
    .slice(all.indexOf(decided))
    .some(
      ({ kind, verdict, actor }) =>
        kind === 'rollback' && verdict === 'requested' && actor.kind === 'human',
    );
}

/** Every mode was run on both bases and says the same; what its maker saw is still what stands there about the old one. */
function isSameProof(
  all: readonly Attestation[],
  { fromDigest, digest, seen }: { fromDigest: string; digest: string; seen: string },
): boolean {
  if (evidenceDigest(all, fromDigest) !== seen) return false;
  const [before, now] = [latestByMode(all, fromDigest), latestByMode(all, digest)];
  if (before.size === 0 || before.size !== now.size) return false;
  return [...before].every(([mode, one]) => {
    const again = now.get(mode);
    return again?.verdict === one.verdict && again.improvesTarget === one.improvesTarget;
  });
}
