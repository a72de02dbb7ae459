/** Where several people approve together: each approval is kept, and the last one opens the gate. */
import { type Actor, comparedId } from '../facts/index.ts';
import {
  type Dossier,
  evidenceDigest,
  type GateReason,
  type GateSettings,
  INCOMPLETE,
  latestByPerson,
  type ProposalStep,
  verdictWith,
} from '../proposal/index.ts';

const WAITS_FOR: Readonly<Partial<Record<GateReason, string>>> = {
  modifier_alone: 'the approval of somebody who did not edit it',
  more_approvals_needed: 'more approvals',
  owner_approval_needed: 'the approval of an owner of each of its files',
};

/** An approval that is right but not enough by itself is kept, and the proposal waits for the others. */
export function asFarAsItGoes(
  dossier: Dossier,
  step: ProposalStep,
  context: { readonly actor: Actor; readonly gate: GateSettings; readonly nowMs: number },
): ProposalStep {
  const { attestations = [], to, ...rest } = step;
  if (to !== 'approved') return step;
  const verdict = verdictWith(dossier, attestations, context);
  if (verdict.open || !verdict.missing.every((reason) => INCOMPLETE.includes(reason))) return step;
  const waits = verdict.missing.map((reason) => WAITS_FOR[reason]).join(' and ');
  return { ...rest, attestations, did: `${step.did}; it still needs ${waits}` };
}

/**
 * Whether a review says nothing new: this person's approval of the present content on the present evidence is on record,
 * or they requested changes after it. Two clocks are compared: in doubt the request holds.
 */
export function isKnownReview(
  { proposal, attestations }: Dossier,
  { person, at }: { readonly person: string; readonly at: string },
): boolean {
  const shown = evidenceDigest(attestations, proposal.digest);
  return latestByPerson(attestations, proposal.digest).some(
    (one) =>
      comparedId(one.actor.id) === comparedId(person) &&
      (one.verdict === 'approved' ? one.evidenceDigest === shown : !(Date.parse(at) > one.atMs)),
  );
}
