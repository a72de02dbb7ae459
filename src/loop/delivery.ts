/**
 * `write_patch`, `validate_branch`, `open_pr` (DEP-7): for a change whose decision opens the gate now, as it would for
 * Hone's own deployment, and on the record whatever the answer.
 */
import {
  compareBranch,
  type Delivered,
  DeployError,
  type Published,
  publishApproved,
  writePatch,
} from '../deploy/index.ts';
import type { Actor } from '../facts/index.ts';
import { GitError } from '../git/index.ts';
import { type Dossier, decisionGate, readDossier } from '../proposal/index.ts';
import { recordedText } from '../sanitise/index.ts';
import { deployPorts } from './adapters/deploy.ts';
import { aboutProposal } from './approvals.ts';
import { beforePrepare } from './before-deploy.ts';
import { pullPorts } from './destinations.ts';
import { type Moment, Moments } from './moment.ts';
import { pullGate } from './pull-limit.ts';
import { gateWords } from './refusal-text.ts';
import type { LoopPorts } from './types.ts';

export type Delivery =
  | { readonly action: 'write_patch'; readonly baseCommit: string; readonly patch: string }
  | { readonly action: 'validate_branch' | 'open_pr' };

export type DeliveryAnswer = Delivered & { readonly pull?: Published };

export async function deliverAction(
  id: string,
  asked: Delivery,
  { actor, ports }: { readonly actor: Actor; readonly ports: LoopPorts },
): Promise<DeliveryAnswer> {
  const dossier = await readDossier(ports.store, id);
  const moment = await new Moments(ports).now();
  const answer = await answered(dossier, asked, moment, ports);
  const { branch, commit } = answer;
  await ports.store.commit({
    entries: [
      {
        type: 'deploy.action',
        actor,
        subject: `proposal:${id}`,
        data: {
          action: asked.action,
          branch,
          commit,
          outcome: answer.done ? 'done' : 'refused',
          why: recordedText(answer.done ? (answer.pull?.url ?? '') : answer.why),
        },
        atMs: moment.nowMs,
      },
    ],
  });
  return answer;
}

async function answered(
  dossier: Dossier,
  asked: Delivery,
  moment: Moment,
  ports: LoopPorts,
): Promise<DeliveryAnswer> {
  const branch = `refs/heads/hone/proposal-${dossier.proposal.id}`;
  const closed = await whyClosed(dossier, moment);
  if (closed !== undefined) return { done: false, branch, commit: null, why: closed };
  const deploy = deployPorts(moment, new AbortController().signal);
  try {
    if (asked.action === 'write_patch') return await writePatch(dossier, asked, deploy);
    const compared = await compareBranch(dossier, deploy);
    if (!compared.done || asked.action === 'validate_branch') return compared;
    const gate = await pullGate(dossier, 'prepare', moment);
    if (gate !== undefined && 'wait' in gate)
      return { ...compared, done: false, why: gate.wait.did };
    const pull = await publishApproved(dossier, pullPorts(ports));
    if (pull !== undefined) return { ...compared, pull };
    const why = `Changes go to the forge ${deploy.forge}, which has no pull requests (deploy.forge in hone.yaml).`;
    return { ...compared, done: false, why };
  } catch (error) {
    if (!(error instanceof DeployError) && !(error instanceof GitError)) throw error;
    return { done: false, branch, commit: null, why: error.message };
  }
}

/** The same that a deployment asks for, the backup apart, which is made with it. */
async function whyClosed(dossier: Dossier, moment: Moment): Promise<string | undefined> {
  const { proposal, content, attestations } = dossier;
  if (proposal.state !== 'approved') {
    return `It is ${proposal.state}; only an approved change is written, compared and opened.`;
  }
  if (moment.gate.stopped) return 'Everything automatic is stopped ("hone resume" lifts it).';
  const proven = await beforePrepare(dossier, moment);
  if ('hold' in proven) return proven.hold.did;
  const about = await aboutProposal(dossier, moment);
  const gate = { ...proven.gate, ...about };
  const verdict = decisionGate({ ...gate, digest: proposal.digest, content, attestations });
  return verdict.open
    ? undefined
    : `Its decision does not count: ${verdict.missing.map(gateWords).join('; ')}.`;
}
