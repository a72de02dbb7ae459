/**
 * What is proven before a change is prepared, and once more right before the branch is moved: the rows are
 * what the ledger says, the decision is about this very target, and its signature still verifies.
 */
import { type Deployment, withdrawn } from '../deploy/index.ts';
import { type Attestation, isSameTarget, type Target, targetWords } from '../facts/index.ts';
import {
  type Dossier,
  decidedBy,
  type GateSettings,
  latestByPerson,
  latestDecision,
  type ProposalStep,
  validationOf,
} from '../proposal/index.ts';
import { reviewProblem } from './adapters/reviews.ts';
import { type Carried, carriedGate, carriedNow, noLongerCarried } from './carried.ts';
import { brokenBeforeMove } from './invariants-at-move.ts';
import type { Moment } from './moment.ts';
import { proveRows } from './proven-rows.ts';
import { isNewestSigned } from './signatures.ts';

/** Entries are placed within moments; what a person has to correct takes longer. */
const LOOK_AGAIN_SOON_MS = 1_000;
const LOOK_AGAIN_MS = 60_000;

/** The need of a step that holds a deployment because the record does not match. */
export const ROWS_DIFFER = 'rows_differ_from_ledger';

export type Proven = { readonly gate: GateSettings } | { readonly hold: ProposalStep };

/** For an approved proposal: the gate with what was proven, or the step to take instead. */
export async function beforePrepare(dossier: Dossier, moment: Moment): Promise<Proven> {
  const proof = await proveRows(dossier, moment);
  if (!proof.proven) return { hold: notProven(proof, moment) };
  const { gate } = moment;
  const decided = latestDecision(dossier.attestations, dossier.proposal.digest)?.target;
  if (decided !== undefined && !isSameTarget(decided, gate.target)) {
    return { hold: askAgain('approval', decided, gate.target) };
  }
  const review = await reviewed(dossier, moment);
  if (review !== undefined && 'hold' in review) return review;
  const carried = carriedNow(dossier);
  if (carried !== undefined) return carriedOn(dossier, { carried, proof }, moment);
  return {
    gate: {
      ...gate,
      isRecordProven: true,
      isReviewValid: review !== undefined,
      isSignatureValid: await isNewestSigned(dossier, moment),
      expect: [...gate.expect, ...proof.expect],
    },
  };
}

/** It may have waited long for its turn: whether it may still be carried over is found out anew. */
async function carriedOn(
  dossier: Dossier,
  { carried, proof }: { carried: Carried; proof: { readonly expect: GateSettings['expect'] } },
  moment: Moment,
): Promise<Proven> {
  const gate = await carriedGate(dossier, carried, moment);
  const hold = noLongerCarried(dossier, gate, moment);
  if (hold !== undefined) return { hold };
  return { gate: { ...gate, isRecordProven: true, expect: [...gate.expect, ...proof.expect] } };
}

/** Reviews are read again: one may have been dismissed, or its head pushed over. Undefined if no review decided it. */
async function reviewed(
  dossier: Dossier,
  moment: Moment,
): Promise<{ readonly valid: true } | { readonly hold: ProposalStep } | undefined> {
  const decisions = reviewedDecisions(dossier);
  if (decisions.length === 0) return undefined;
  for (const decision of decisions) {
    const { why, failed } = await reviewProblem(dossier, decision, moment);
    if (failed !== undefined)
      return { hold: { did: `It waits: ${failed}`, dueAtMs: moment.nowMs + LOOK_AGAIN_MS } };
    if (why === undefined) continue;
    const did = `The review that decided it no longer counts (${why}): it is validated and asked about again`;
    return { hold: { did, to: 'validating' } };
  }
  return { valid: true };
}

/** The newest approvals of its content that were made by a review. */
function reviewedDecisions({ proposal, attestations }: Dossier): Attestation<'decision'>[] {
  return latestByPerson(attestations, proposal.digest).filter(
    ({ verdict, actor }) => verdict === 'approved' && actor.verified === 'forge',
  );
}

/** For a deploying proposal, on the forge and branch that it was prepared for. */
export async function beforeMove(
  dossier: Dossier,
  deployment: Deployment,
  moment: Moment,
): Promise<ProposalStep | undefined> {
  const { forge, branch } = deployment;
  const proof = await proveRows(dossier, moment);
  if (!proof.proven) return notProven(proof, moment);
  const broken = brokenBeforeMove(dossier, proof.entries);
  if (broken.length > 0) return held(`the record breaks ${broken.join('; ')}`, moment.nowMs);
  const decision = latestDecision(dossier.attestations, dossier.proposal.digest);
  const target = { ...moment.gate.target, forge, branch: branch.replace(/^refs\/heads\//, '') };
  if (!isSameTarget(decision?.target, target)) {
    return held(`the decision is not about ${targetWords(target)}`, moment.nowMs);
  }
  const maker = decidedBy(dossier.attestations, dossier.proposal.digest)?.actor;
  if (maker?.verified === 'signature' && !(await isNewestSigned(dossier, moment))) {
    return held('the signature of its decision is no longer valid', moment.nowMs);
  }
  for (const reviewed of reviewedDecisions(dossier)) {
    const { why, failed } = await reviewProblem(dossier, reviewed, moment);
    if (failed !== undefined) return held(failed.replace(/\.$/, ''), moment.nowMs);
    // It would keep every other change waiting, for a decision that may never come.
    if (why !== undefined)
      return withdrawn(dossier, { deployment, why: `its review no longer counts: ${why}` }, moment);
  }
  return undefined;
}

/** For a change that is on the branch without this process having put it there: why its decision no longer counts. */
export async function undecided(dossier: Dossier, moment: Moment): Promise<string | undefined> {
  for (const decision of reviewedDecisions(dossier)) {
    const problem = await reviewProblem(dossier, decision, moment, { evenMerged: true });
    const { why, failed } = problem;
    if (why !== undefined || failed !== undefined)
      return `somebody merged it, and its review no longer counts (${why ?? failed})`;
  }
  return undefined;
}

function notProven(
  proof: { readonly why: 'waiting' | 'differs'; readonly message: string },
  { nowMs }: Moment,
): ProposalStep {
  if (proof.why === 'differs') {
    const why = `its rows do not match the ledger. ${proof.message} Run "hone ledger verify" and "hone ledger rebuild"`;
    return held(why, nowMs);
  }
  return { did: `It waits: ${proof.message}`, dueAtMs: nowMs + LOOK_AGAIN_SOON_MS };
}

function held(why: string, nowMs: number): ProposalStep {
  return {
    did: `It is NOT deployed: ${why}.`,
    dueAtMs: nowMs + LOOK_AGAIN_MS,
    needsPerson: ROWS_DIFFER,
  };
}

/**
 * For a proposal that was validated: a mode that became required since then has no verdict on it. It is
 * validated again before anybody is asked or anything is deployed.
 */
export function validateAgain(
  { proposal, attestations }: Dossier,
  { requiredModes }: Pick<GateSettings, 'requiredModes'>,
): ProposalStep | undefined {
  const { missingModes } = validationOf(attestations, proposal.digest, requiredModes);
  if (missingModes.length === 0) return undefined;
  return {
    did: `It was not validated by ${missingModes.join(', ')}, which is required now: it is validated again`,
    to: 'validating',
  };
}

/** Validates again, because another branch may hold other files; then asks again. */
export function askAgain(what: 'approval' | 'question', before: Target, now: Target): ProposalStep {
  return {
    did: `The ${what} was for ${targetWords(before)} and does not count for ${targetWords(now)}, which is configured now: it is validated and asked about again`,
    to: 'validating',
  };
}
