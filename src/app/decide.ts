/** What people do to proposals: decide, edit, set aside, roll back, settle, release. The loop continues at once. */
import { approveCommand } from '../approve/index.ts';
import type {
  ApproveInput,
  BecauseInput,
  Decided,
  ModifyInput,
  RejectInput,
  SettleInput,
} from '../contracts/decision.ts';
import type { ProposalState } from '../facts/index.ts';
import {
  type ByHand,
  callBack,
  closeWatch,
  decideByHand,
  modifyByHand,
  proposalSubject,
  releaseByHand,
  type SettingAside,
  type Sign,
  setAsideByHand,
  settleByHand,
  type Taken,
  TIER_SETTINGS,
} from '../loop/index.ts';
import type { Action } from '../policy/index.ts';
import { AT_THE_TARGET, readDossier, readProposal } from '../proposal/index.ts';
import { authorise } from './authorise.ts';
import { type AppContext, withLoop } from './context.ts';
import { findProposal } from './find-proposal.ts';
import { goOn } from './go-on.ts';
import { type Refusal, usage } from './refusal.ts';
import { signer } from './sign-decision.ts';

type Answer = Promise<Decided | Refusal>;

/** `sign`: a key file, or true for the key that git signs with; only where the key is, at the command line. */
export async function approve(
  context: AppContext,
  given: string,
  { sign, ...input }: ApproveInput & { readonly sign?: string | true },
): Answer {
  const signing: { readonly sign?: Sign } | Refusal =
    sign === undefined ? {} : await signer(context, sign);
  if ('refused' in signing) return usage(signing.refused);
  return byHand(
    context,
    given,
    (id, rest) => decideByHand(id, { ...input, ...signing, verdict: 'approved' }, rest),
    { action: 'approve', wanted: APPROVAL_COUNTS, isSigned: sign !== undefined },
  );
}

export async function reject(context: AppContext, given: string, input: RejectInput): Answer {
  if (input.reason.trim() === '') return usage('Give a reason with --reason: Hone learns from it.');
  const { reason, digest } = input;
  const seen = digest === undefined ? {} : { digest };
  return byHand(
    context,
    given,
    (id, rest) => decideByHand(id, { reason, ...seen, verdict: 'rejected' }, rest),
    { action: 'reject' },
  );
}

export function rollBack(context: AppContext, given: string, { reason }: BecauseInput): Answer {
  return byHand(context, given, (id, rest) => callBack(id, reason, rest), {
    action: 'roll_back',
    wanted: ['reverted'],
  });
}

/** What a person did about a change that Hone could not take back. */
export async function settle(context: AppContext, given: string, input: SettleInput): Answer {
  if (input.reason.trim() === '') return usage(ON_RECORD);
  return byHand(context, given, (id, rest) => settleByHand(id, input, rest), {
    action: 'settle',
  });
}

/** Ends the watch of a change, close or on probation. */
export async function endWatch(context: AppContext, given: string, input: BecauseInput): Answer {
  if (input.reason.trim() === '') return usage(ON_RECORD);
  return byHand(context, given, (id, rest) => closeWatch(id, input.reason, rest), {
    action: 'close_watch',
  });
}

/** Not as it is: it waits until whoever says so approves it, or somebody edits it. */
export function requestChanges(context: AppContext, given: string, input: BecauseInput): Answer {
  return decidedAs('changes_requested', context, given, input);
}

/** Only the highest tier may decide it from now on, and every operator is told. */
export function escalate(context: AppContext, given: string, input: BecauseInput): Answer {
  return decidedAs('escalated', context, given, input);
}

async function decidedAs(
  verdict: 'changes_requested' | 'escalated',
  context: AppContext,
  given: string,
  { reason }: BecauseInput,
): Answer {
  if (reason.trim() === '') return usage(ON_RECORD);
  return byHand(context, given, (id, rest) => decideByHand(id, { verdict, reason }, rest), {
    action: verdict === 'escalated' ? 'escalate' : 'request_changes',
  });
}

/** Other bytes for the same change; they are vetted, validated and decided anew. */
export async function modify(context: AppContext, given: string, input: ModifyInput): Answer {
  if (input.reason.trim() === '') return usage(ON_RECORD);
  return byHand(context, given, (id, rest) => modifyByHand(id, input, rest), {
    action: 'modify',
  });
}

/** Keeps it where it is until it is resumed. */
export function pause(context: AppContext, given: string, input: BecauseInput): Answer {
  return setAside('pause', context, given, input);
}

export function resumeProposal(context: AppContext, given: string, input: BecauseInput): Answer {
  return setAside('resume', context, given, input);
}

/** Gives it up before anything was deployed. */
export function abort(context: AppContext, given: string, input: BecauseInput): Answer {
  return setAside('abort', context, given, input);
}

async function setAside(
  act: SettingAside,
  context: AppContext,
  given: string,
  { reason }: BecauseInput,
): Answer {
  if (reason.trim() === '') return usage(ON_RECORD);
  return byHand(context, given, (id, rest) => setAsideByHand(id, { act, reason }, rest), {
    action: act === 'resume' ? 'continue' : act,
  });
}

/** A person looked at what vetting holds, and lets it go on. */
export async function release(context: AppContext, given: string, input: BecauseInput): Answer {
  if (input.reason.trim() === '') return usage(ON_RECORD);
  return byHand(context, given, (id, rest) => releaseByHand(id, input.reason, rest), {
    action: 'release',
  });
}

const ON_RECORD = 'Give a reason with --reason: it is recorded.';

/** Where an approved change may be, waiting for its turn included; in any other state the approval had no effect. */
const APPROVAL_COUNTS: readonly ProposalState[] = ['approved', ...AT_THE_TARGET];

type Act = (id: string, options: Parameters<typeof decideByHand>[2]) => Promise<ByHand>;

/** `wanted`: it failed unless the proposal reached one of these states. */
function byHand(
  context: AppContext,
  given: string,
  act: Act,
  {
    action,
    wanted,
    isSigned = false,
  }: { action: Action; wanted?: readonly ProposalState[]; isSigned?: boolean },
): Answer {
  const onStep = (text: string) => context.progress(`${text} …`);
  return withLoop(context, { onStep }, async (opened, open): Answer => {
    const { id } = await findProposal(opened.store, given);
    const subject = proposalSubject(await readDossier(opened.store, id), TIER_SETTINGS);
    const maker = await authorise(context, opened, { action, subject, isSigned });
    if ('refused' in maker) return maker;
    const { actor, by } = maker;
    const result = await act(id, { actor, allowedBy: by, ports: open.ports });
    if (!result.done) return { refused: result.why };
    const steps = (await goOn(context, open)).filter(({ subject }) => subject === id);
    const proposal = await readProposal(opened.store, id);
    const { state, digest } = proposal;
    // Where workers take the steps, it is on its way: its state says how far.
    // An approval that waits for other people's is done.
    const isKept = result.dossier.proposal.state === 'pending';
    const done = context.hasWorkers || wanted === undefined || wanted.includes(state) || isKept;
    const decideAgain = !done && state === 'pending' ? approveCommand(proposal) : null;
    const did = [result.did, ...steps.flatMap(stepWords)];
    return { id, state, digest, did, done, decideAgain };
  });
}

/** A step that was refused because somebody else was faster did not happen. */
export function stepWords({ outcome, did }: Taken): string[] {
  if (outcome === 'failed') return [`it failed, and is tried again: ${did}`];
  return outcome === 'taken' || outcome === 'stopped' ? [did] : [];
}
