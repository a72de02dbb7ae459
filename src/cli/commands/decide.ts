/** `hone approve|reject|rollback|settle <id>`: what people do to proposals. The loop goes on from there at once. */

import { type Opened, type OpenLoop, withLoop } from '../../app/context.ts';
import { decisionMaker } from '../../app/decision-maker.ts';
import { findProposal } from '../../app/find-proposal.ts';
import { signer } from '../../app/sign-decision.ts';
import { approveCommand } from '../../approve/index.ts';
import type { ProposalState } from '../../facts/index.ts';
import {
  type ByHand,
  callBack,
  decideByHand,
  type Sign,
  settleByHand,
  type Taken,
} from '../../loop/index.ts';
import { AT_THE_TARGET, type Proposal, readProposal } from '../../proposal/index.ts';
import type { Context } from '../context.ts';
import { type Io, present, refuse } from '../io.ts';
import { wrap } from '../layout.ts';
import { shown } from '../shown.ts';
import { runAndDeliver } from './cycle.ts';

type Signing = { readonly sign?: Sign } | { readonly refused: string };

export async function approve(
  context: Context,
  given: string,
  { sign, ...options }: { digest?: string; reason: string; sign?: string | true },
): Promise<number> {
  const signing: Signing = sign === undefined ? {} : await signer(context, sign);
  if ('refused' in signing) return refuse(context.io, signing.refused, 2);
  return byHand(
    context,
    given,
    (id, rest) => decideByHand(id, { ...options, ...signing, verdict: 'approved' }, rest),
    { wanted: APPROVAL_COUNTS, isSigned: sign !== undefined },
  );
}

export function reject(
  context: Context,
  given: string,
  options: { reason: string },
): Promise<number> {
  if (options.reason.trim() === '') {
    return Promise.resolve(refuse(context.io, 'Say why with --reason: it is learnt from.', 2));
  }
  return byHand(context, given, (id, rest) =>
    decideByHand(id, { ...options, verdict: 'rejected' }, rest),
  );
}

export function rollback(
  context: Context,
  given: string,
  options: { reason: string },
): Promise<number> {
  return byHand(context, given, (id, rest) => callBack(id, options.reason, rest), {
    wanted: ['reverted'],
  });
}

/** What a person did about a change that Hone could not take back. */
export function settle(
  context: Context,
  given: string,
  options: { kept?: true; reverted?: true; reason: string },
): Promise<number> {
  const { kept, reverted, reason } = options;
  if ((kept === true) === (reverted === true)) {
    const why = 'Say what became of it: --kept (it stays) or --reverted (you took it back).';
    return Promise.resolve(refuse(context.io, why, 2));
  }
  if (reason.trim() === '') {
    return Promise.resolve(refuse(context.io, 'Say why with --reason: it is on record.', 2));
  }
  const settlement = kept === true ? 'kept' : 'reverted';
  return byHand(context, given, (id, rest) => settleByHand(id, { settlement, reason }, rest));
}

/** What was refused because somebody else was faster did not happen. */
function stepWords({ outcome, did }: Taken): string[] {
  if (outcome === 'failed') return [`it failed, and is tried again: ${did}`];
  return outcome === 'taken' || outcome === 'stopped' ? [did] : [];
}

/** Where an approved change may be, waiting for its turn included; anywhere else the approval came to nothing. */
const APPROVAL_COUNTS: readonly ProposalState[] = ['approved', ...AT_THE_TARGET];

type Act = (id: string, options: Parameters<typeof decideByHand>[2]) => Promise<ByHand>;

/** `wanted`: the states without which it did not work. */
export function byHand(
  context: Context,
  given: string,
  act: Act,
  { wanted, isSigned }: { wanted?: readonly ProposalState[]; isSigned?: boolean } = {},
): Promise<number> {
  const { io } = context;
  const onStep = (text: string) => io.progress(`${shown(text)} …`);
  return withLoop(context, { onStep }, async (opened: Opened, open: OpenLoop) => {
    const maker = await decisionMaker(context, opened, isSigned);
    if ('refused' in maker) return refuse(io, maker.refused);
    const { id } = await findProposal(opened.store, given);
    const result = await act(id, { actor: maker.actor, ports: open.ports });
    if (!result.done) return refuse(io, result.why);
    const steps = (await runAndDeliver(open)).filter(({ subject }) => subject === id);
    io.progressDone();
    const proposal = await readProposal(opened.store, id);
    const { state, digest } = proposal;
    const did = [result.did, ...steps.flatMap(stepWords)];
    const isDone = wanted === undefined || wanted.includes(state);
    const isAskedAgain = !isDone && state === 'pending';
    const decideAgain = isAskedAgain ? approveCommand(proposal) : null;
    present(io, { id, state, digest, did, decideAgain }, () =>
      [
        ...did.map((line) => wrap(shown(line), io.columns, '  ')),
        `It is ${state} now.\n`,
        isAskedAgain ? askedAgain(proposal, io) : '',
      ].join(''),
    );
    // A step that failed is shown above and tried again; a decision stands all the same.
    return isDone ? 0 : 1;
  });
}

/** Nobody must take "pending" for a change that is on its way. */
function askedAgain(proposal: Proposal, { columns }: Io): string {
  const { id, digest } = proposal;
  return [
    '\n',
    wrap('Your approval no longer counts: it was for what stood there before.', columns),
    wrap(`What stands there now is ${digest}. Look at it, then decide again:`, columns),
    `  hone proposals show ${id}\n`,
    `  ${approveCommand(proposal)}\n`,
  ].join('');
}
