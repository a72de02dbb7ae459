/** Decisions that people make at the forge, by reviewing the very commit that would be deployed. */
import { askedTier, awaitDecision, decide } from '../../approve/index.ts';
import { makeArtifact } from '../../artifact/index.ts';
import { canonicalJson } from '../../base/index.ts';
import {
  type Approval,
  askedReview,
  DeployError,
  type JudgeOptions,
  mergedOutside,
  type ReviewAnswer,
  retryAtMs,
} from '../../deploy/index.ts';
import type { Attestation } from '../../facts/index.ts';
import { GitError } from '../../git/index.ts';
import { BEFORE_DEPLOYMENT, type Dossier, type ProposalStep } from '../../proposal/index.ts';
import { policiesFile } from '../by-hand.ts';
import { asFarAsItGoes, isKnownReview } from '../incomplete.ts';
import { type Moment, TIER_SETTINGS } from '../moment.ts';
import { ownedFiles } from '../owners.ts';
import { proposalSubject } from '../right-subject.ts';
import { approvePorts } from './approve.ts';
import { deployPorts } from './deploy.ts';
import { forgeOf } from './target.ts';

/** For a pending proposal: what people said at the forge, or what there is to do while nobody did. */
export async function awaitReview(
  dossier: Dossier,
  moment: Moment,
  signal: AbortSignal,
): Promise<ProposalStep> {
  const waits = awaitDecision(dossier, approvePorts(moment));
  if (waits.to !== undefined || !isReviewedAt(moment.config)) return waits;
  const { nowMs, config } = moment;
  const lookAtMs = nowMs + config.deploy.github.poll;
  const again = { ...waits, dueAtMs: Math.min(waits.dueAtMs ?? lookAtMs, lookAtMs) };
  const said = await judged(dossier, moment, signal);
  if ('failed' in said) {
    const dueAtMs = Math.max(again.dueAtMs, said.retryAtMs ?? 0);
    return { ...again, did: `${waits.did}; ${said.failed}`, dueAtMs };
  }
  const { answer } = said;
  if (answer?.is === 'merged') {
    const ports = deployPorts(moment, signal);
    const forge = ports.openForge(ports.forge);
    return (await mergedOutside(dossier, forge, ports)) ?? again;
  }
  if (answer?.is !== 'approved') return { ...again, did: `${waits.did}${waitingWords(answer)}` };
  return (await approvedStep(dossier, answer.approvals, moment)) ?? again;
}

/** A pull request that Hone closed can be opened and merged again; after so long nobody does by mistake. */
const LOOK_AFTER_END_MS = 14 * 86_400_000;
const LOOK_EVERY_MS = 3_600_000;

/** For a proposal that is over without a deployment, or paused: whether somebody merged what was shown to them. */
export async function lookOutside(
  dossier: Dossier,
  moment: Moment,
  signal: AbortSignal,
): Promise<ProposalStep> {
  const { nowMs, config } = moment;
  const { state, changedAtMs } = dossier.proposal;
  const isHeld = BEFORE_DEPLOYMENT.includes(state) && state !== 'failed';
  const isOver = !isHeld && nowMs - changedAtMs > LOOK_AFTER_END_MS;
  const everyMs = isHeld ? config.deploy.github.poll : LOOK_EVERY_MS;
  const again = { did: 'nobody merged it', ...(isOver ? {} : { dueAtMs: nowMs + everyMs }) };
  if (!isReviewedAt(moment.config)) return { did: 'no forge shows it any more' };
  const ports = deployPorts(moment, signal);
  const forge = ports.openForge(ports.forge);
  return (await mergedOutside(dossier, forge, ports)) ?? again;
}

/** Whether what was decided by a review still is; a sentence says why not. */
export async function reviewProblem(
  dossier: Dossier,
  decision: Attestation<'decision'>,
  moment: Moment,
  options: JudgeOptions = {},
): Promise<{ readonly why?: string; readonly failed?: string }> {
  const said = await judged(dossier, moment, new AbortController().signal, options);
  if ('failed' in said) return { failed: said.failed };
  const { answer } = said;
  if (answer?.is === 'approved') {
    const isTheirs = answer.approvals.some(({ person }) => person === decision.actor.id);
    return isTheirs ? {} : { why: `${decision.actor.id} no longer approves it` };
  }
  return { why: answer?.is === 'waiting' ? answer.why : (answer?.is ?? 'nothing is published') };
}

/** Whether people see and decide changes at the forge. */
export const isReviewedAt = ({ deploy }: Moment['config']) =>
  deploy.forge === 'github' && deploy.github.draftPulls;

type Said =
  | { readonly answer: ReviewAnswer | undefined }
  | { readonly failed: string; readonly retryAtMs: number | undefined };

/** A forge that does not answer is not an answer: nothing is decided, and it is asked again. */
async function judged(
  dossier: Dossier,
  moment: Moment,
  signal: AbortSignal,
  options: JudgeOptions = {},
): Promise<Said> {
  try {
    const asked = await askedReview(dossier, deployPorts(moment, signal));
    const { reviews } = forgeOf(moment);
    return { answer: asked && (await reviews?.judge(asked, options)) };
  } catch (error) {
    const isTheirs = error instanceof DeployError || error instanceof GitError;
    if (!isTheirs || error.code === 'closed') throw error;
    return { failed: error.message, retryAtMs: retryAtMs(error) };
  }
}

function waitingWords(answer: ReviewAnswer | undefined): string {
  if (answer?.is === 'waiting') return `; on GitHub ${answer.why}`;
  if (answer?.is === 'changes_requested') return `; on GitHub ${answer.by.person} wants changes`;
  return '';
}

/**
 * Undefined where a review is not enough, or says nothing new; the command still counts. Where several people must
 * approve, each review is a decision of its own.
 */
async function approvedStep(
  dossier: Dossier,
  approvals: readonly [Approval, ...Approval[]],
  moment: Moment,
): Promise<ProposalStep | undefined> {
  const { gate, config } = moment;
  const isHighest = askedTier(dossier, gate) === 'require';
  if (isHighest && config.identity.verification.require !== 'forge') return undefined;
  // Nobody approves their own: another one's review may still count.
  const fresh = approvals.filter(
    (one) => one.person !== dossier.content.proposer.id && !isKnownReview(dossier, one),
  );
  const said = await allowedDecisions(fresh, { dossier, approvals, moment });
  const [first] = said;
  if (first === undefined) return undefined;
  const owned = await ownedFiles(dossier, moment);
  const provenMakers = approvals.map(({ person }) => person);
  const context = {
    actor: first.actor,
    gate: { ...gate, owned, provenMakers, isReviewValid: true },
    nowMs: moment.nowMs,
  };
  // The first one may be enough; what is not needed is not written down.
  for (let count = 1; ; count++) {
    const attestations = said.slice(0, count).map(({ attestation }) => attestation);
    const did = said
      .slice(0, count)
      .map((one) => one.did)
      .join('; ');
    const step = asFarAsItGoes(dossier, { did, attestations, to: 'approved' }, context);
    if (step.to !== undefined) return step;
    if (count >= said.length) return { ...step, dueAtMs: moment.nowMs + config.deploy.github.poll };
  }
}

/** Of those whom the policies let decide, with the policies that do. */
async function allowedDecisions(
  fresh: readonly Approval[],
  about: { dossier: Dossier; approvals: readonly Approval[]; moment: Moment },
) {
  const { gate, rights } = about.moment;
  const subject = proposalSubject(about.dossier, gate);
  const said: ReturnType<typeof decisionBy> = [];
  for (const one of fresh) {
    const who = { actor: reviewer(one), role: undefined };
    const may = await rights.judge({ who, action: 'approve', subject, door: 'forge' });
    if (may.allowed) said.push(...decisionBy(one, { ...about, gate, allowedBy: may.by }));
  }
  return said;
}

const reviewer = ({ person }: Approval) =>
  ({ kind: 'human', id: person, verified: 'forge' }) as const;

function decisionBy(
  approval: Approval,
  about: {
    dossier: Dossier;
    approvals: readonly Approval[];
    gate: Moment['gate'];
    allowedBy: readonly string[];
  },
) {
  const actor = reviewer(approval);
  const decision = {
    verdict: 'approved',
    reason: `review ${approval.review} by account ${approval.userId}`,
  } as const;
  const { target } = about.gate;
  const decided = decide(about.dossier, decision, { ...TIER_SETTINGS, actor, target });
  const [said] = 'step' in decided ? (decided.step.attestations ?? []) : [];
  if (!('step' in decided) || said === undefined) return [];
  const file = makeArtifact(
    canonicalJson({ reviews: about.approvals.map((one) => ({ ...one })) }),
    'application/json',
  );
  const attestation = {
    ...said,
    files: [...(said.files ?? []), file, policiesFile(about.allowedBy)],
  };
  return [{ actor, did: decided.step.did, attestation }];
}
