/** The actions on an approved change: its patch on its branch, the branch compared, its pull request. */
import type {
  DeliveredAction,
  OpenPrInput,
  ValidateBranchInput,
  WritePatchInput,
} from '../contracts/delivery.ts';
import { proposalOfBranch } from '../deploy/index.ts';
import { type Delivery, deliverAction, proposalSubject, TIER_SETTINGS } from '../loop/index.ts';
import { readDossier } from '../proposal/index.ts';
import { authorise } from './authorise.ts';
import { type AppContext, withLoop } from './context.ts';
import { findProposal } from './find-proposal.ts';
import { type Refusal, usage } from './refusal.ts';

type Answer = Promise<DeliveredAction | Refusal>;

export function writePatch(context: AppContext, input: WritePatchInput): Answer {
  const { base_commit: baseCommit, patch_content: patch } = input;
  return act(context, input.proposal_id, { action: 'write_patch', baseCommit, patch });
}

export async function validateBranch(context: AppContext, { branch }: ValidateBranchInput): Answer {
  const id = proposalOfBranch(branch);
  if (id === undefined) return noBranch(branch);
  return act(context, id, { action: 'validate_branch' });
}

export async function openPr(context: AppContext, input: OpenPrInput): Answer {
  const id = proposalOfBranch(input.branch);
  if (id === undefined) return noBranch(input.branch);
  if (id !== input.proposal_id) {
    return usage(`${input.branch} is not the branch of the proposal ${input.proposal_id}.`);
  }
  return act(context, id, { action: 'open_pr' });
}

const noBranch = (branch: string): Refusal =>
  usage(`${branch} is not a branch of Hone's: these are called hone/proposal-<id>.`);

function act(context: AppContext, given: string, asked: Delivery): Answer {
  return withLoop(context, {}, async (opened, { ports }): Answer => {
    const { id } = await findProposal(opened.store, given);
    const subject = proposalSubject(await readDossier(opened.store, id), TIER_SETTINGS);
    const who = await authorise(context, opened, { action: asked.action, subject });
    if ('refused' in who) return who;
    if (opened.held !== undefined) return { refused: `Nothing is delivered now. ${opened.held}` };
    const answer = await deliverAction(id, asked, { actor: who.actor, ports });
    if (!answer.done) return { refused: answer.why };
    const { branch, commit, pull } = answer;
    return { proposal: id, branch, commit, url: pull?.url ?? null };
  });
}
