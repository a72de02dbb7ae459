/** The kernel's refusals as plain sentences. */
import type { CarryReason, GateReason, Refusal } from '../proposal/index.ts';

/** Why an approval of the change on an earlier base does not count on this one. */
const CARRY_WORDS: Readonly<Record<CarryReason, string>> = {
  carried_without_decision: 'there is no approval of the earlier base that could be carried over',
  carried_not_proven: 'the two bases were not compared',
  carried_at_require: 'at tier require every base is decided anew',
  carried_review: 'a review is about the commit that it was made on',
  carried_spent: 'a person took the change back after the approval',
  carried_too_old: 'the approval is older than seven days',
  carried_base_not_descendant: 'the new base does not descend from the approved one',
  carried_change_differs: 'the change on the new base is not the approved one, byte by byte',
  carried_files_differ: 'files that it depends on changed',
  carried_configuration_differs: 'another configuration was accepted since',
  carried_validation_differs: 'validation does not say the same on the new base',
  carried_metric_worse: 'validation measured something worse on the new base',
};

const GATE_WORDS: Readonly<Record<GateReason, string>> = {
  stopped: 'everything automatic is stopped ("hone resume" lifts it)',
  not_vetted: 'it was not vetted',
  not_validated: 'it was not validated by every mode that is required',
  validation_failed: 'a mode of validation failed',
  no_decision: 'nobody has decided',
  decision_rejected: 'it was rejected',
  decision_on_other_evidence: 'the decision was based on other evidence: decide again',
  decision_older_than_evidence: 'the evidence is newer than the decision: decide again',
  decision_for_other_target:
    'the decision was made for another repository, branch or forge: decide again',
  own_proposal: 'nobody approves their own proposal',
  modifier_alone: 'whoever edited it cannot approve it alone: somebody else has to approve it too',
  more_approvals_needed: 'more people have to approve it',
  owner_approval_needed:
    'an owner of each of its files has to approve it (see "hone proposals show")',
  changes_requested:
    'somebody requested changes: they approve it, or somebody edits it with "hone proposals modify"',
  paused: 'it is paused ("hone proposals resume" lifts that)',
  agent_decided: 'agents never decide',
  not_a_person: 'a person has to decide',
  tier_too_low: 'it was decided at a lower tier than it needs',
  not_verified_enough:
    'it needs more proof of who decides: put the secret of an approver or operator into HONE_TOKEN ("hone init" showed the first one; with it, "hone token add NAME --role approver" makes others), or sign it with --sign where a signature is asked for',
  review_not_valid: 'the review that decided it no longer counts',
  signature_not_valid:
    'the signature of the decision does not verify against the allowed signers: decide again with --sign',
  ...CARRY_WORDS,
  no_backup: 'there is no backup',
  backup_older_than_decision: 'the backup is older than the decision',
  rows_differ_from_ledger:
    'its rows do not match the ledger: run "hone ledger verify" and "hone ledger rebuild"',
};

export const gateWords = (reason: GateReason): string => GATE_WORDS[reason];

export function refusalText(refusal: Refusal): string {
  switch (refusal.why) {
    case 'no_such_transition':
      return `It is ${refusal.from} and cannot become ${refusal.to} from there.`;
    case 'missing_attestation':
      return `Something is missing: ${refusal.needs.map(({ kind }) => kind).join(', ')}.`;
    case 'needs_human':
      return 'Only a person may do this.';
    case 'gate_closed':
      return `The gate is closed: ${refusal.missing.map((reason) => GATE_WORDS[reason]).join('; ')}.`;
    case 'cannot_be_amended':
      return `It is ${refusal.state}; its content can no longer change.`;
    case 'final':
      return `It is ${refusal.state}, which is final.`;
    case 'changed':
      return 'Somebody changed it at the same moment. Look at it again.';
  }
}
