/**
 * Before the target: the base is still the base, the commit holds what was approved and nothing else, its
 * reversal was tried, and the backup is kept and read back. The branch that the agents run from does not move here.
 */
import type { CommitId, RefName } from '../git/index.ts';
import type { Dossier, ProposalStep } from '../proposal/index.ts';
import { recordedText } from '../sanitise/index.ts';
import { failed, gitProblem, jsonFile, wait } from './answers.ts';
import { keepBackup, refsOf } from './backup.ts';
import { type Names, recordPrepared } from './deployment-store.ts';
import { claim } from './installation.ts';
import { movedContent } from './moved-base.ts';
import { mergedOutside } from './outside.ts';
import { makePatchCommit } from './patch-commit.ts';
import { branchName, plainLine } from './plain-text.ts';
import type { DeployPorts, Forge } from './types.ts';

/** For a proposal that is approved. */
export async function prepare(dossier: Dossier, ports: DeployPorts): Promise<ProposalStep> {
  const { branch } = ports;
  const { proposal, content } = dossier;
  const forge = ports.openForge(ports.forge);
  const head = await forge.resolve(branch);
  const hindrance = await hindranceOf(forge, { branch, head }, ports);
  if (hindrance !== undefined) return hindrance;
  if (head !== undefined && head !== content.baseCommit)
    return (await mergedOutside(dossier, forge, ports)) ?? (await baseMoved(dossier, head, ports));
  const made = await makePatchCommit(dossier, ports);
  if ('why' in made) return { did: `It cannot be deployed: ${made.why}.`, to: 'aborted' };
  const names: Names = {
    proposalId: proposal.id,
    forge: ports.forge,
    branch,
    baseCommit: content.baseCommit,
    commit: made.commit,
    repository: await forge.address?.(),
    ...refsOf(proposal.id),
  };
  const kept = await gitProblem(() => keepBackup(forge, names));
  if (kept.why !== undefined) return backupFailed(dossier, names, kept.why, ports.nowMs);
  return prepared(names, made.baseTree, ports.nowMs);
}

/** Obstacles that only somebody else can remove. */
export async function hindranceOf(
  forge: Forge,
  { branch, head }: { readonly branch: RefName; readonly head: CommitId | undefined },
  ports: DeployPorts,
): Promise<ProposalStep | undefined> {
  const { nowMs } = ports;
  if ((await ports.stopped?.()) === true)
    return wait('Everything automatic is stopped; nothing is deployed.', nowMs);
  if (head === undefined) {
    return wait(
      `The target repository has no branch ${branchName(branch)}: make it, or name another one in deploy.branch.`,
      nowMs,
    );
  }
  const other = await otherInCharge(forge, ports);
  if (other !== undefined) {
    return wait(
      `Another installation of Hone is in charge of this repository (its ledger's key is ${plainLine(other)}): ` +
        'stop that one and run "hone init --take-over" here, or let it do the work.',
      nowMs,
    );
  }
  const why = await forge.hindrance(branch);
  return why === undefined ? undefined : wait(why, nowMs);
}

async function otherInCharge(forge: Forge, { installation }: DeployPorts) {
  const key = await installation?.();
  if (key === undefined) return undefined;
  const there = await claim(forge, key);
  return there.key === key ? undefined : there.key;
}

/** A base that moved means: applied again, validated again, decided again (DEP-1). */
async function baseMoved(
  dossier: Dossier,
  head: CommitId,
  ports: DeployPorts,
): Promise<ProposalStep> {
  const amend = await movedContent(dossier, head, ports);
  if (amend === undefined)
    return { did: 'the target moved on and the change no longer applies to it', to: 'superseded' };
  const from = dossier.content.baseCommit.slice(0, 12);
  return {
    did: `${branchName(ports.branch)} moved from ${from} to ${head.slice(0, 12)}, so the change was applied to the new head and is validated again; the approval counts there only if nothing differs that it depended on`,
    amend,
  };
}

function backupFailed(dossier: Dossier, names: Names, why: string, nowMs: number): ProposalStep {
  const { branch, baseCommit: head, commit, backupRef: ref } = names;
  return failed({
    dossier,
    kind: 'backup',
    did: `No backup could be made: ${plainLine(why, 500)}`,
    about: { branch, head, ref, commit, why: recordedText(why) },
    nowMs,
  });
}

function prepared(names: Names, tree: string, nowMs: number): ProposalStep {
  const { branch, baseCommit: head, commit, backupRef: ref, patchBranch } = names;
  const file = jsonFile({ branch, head, tree, ref, commit, patchBranch, reversalTried: true });
  return {
    did: `A backup of ${branchName(branch)} is kept at ${ref}, the change is on ${branchName(patchBranch)}, and taking it back was tried.`,
    attestations: [{ kind: 'backup', verdict: 'made', files: [file] }],
    to: 'deploying',
    ...recordPrepared(names, nowMs),
  };
}
