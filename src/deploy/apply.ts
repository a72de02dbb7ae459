/**
 * The move itself: the target branch goes from the base to the commit, or not at all. Whether it did is
 * read from the branch, never from this process's memory, so a killed step is simply taken again.
 */
import { isoTime } from '../base/index.ts';
import type { CommitId } from '../git/index.ts';
import type { Dossier, ProposalStep } from '../proposal/index.ts';
import { gitProblem, jsonFile, wait } from './answers.ts';
import { awaitedArrival } from './arrival-file.ts';
import { keepRef } from './backup.ts';
import { recordMoved, requireDeployment } from './deployment-store.ts';
import { deployedBy } from './forges.ts';
import { movedContent } from './moved-base.ts';
import { mergedOtherwise, outside } from './outside.ts';
import { applyApproved, sameBytes } from './patch-commit.ts';
import { branchName, plainLine } from './plain-text.ts';
import { hindranceOf } from './prepare.ts';
import type { Deployment, DeployPorts, Forge } from './types.ts';

/** For a proposal that is deploying. */
export async function apply(dossier: Dossier, ports: DeployPorts): Promise<ProposalStep> {
  const { repository, nowMs } = ports;
  const deployment = await requireDeployment(ports.store, dossier.proposal.id);
  const { branch, baseCommit, commit } = deployment;
  const forge = deployedBy(dossier, deployment, ports);
  let head = await forge.resolve(branch);
  // Moved by a process that was killed before it could record it: at the earliest after the backup.
  let movedAtMs = deployment.changedAtMs;
  let isOurs = false;
  if (head === baseCommit) {
    const stays = await beforeMove(dossier, deployment, ports);
    if (stays !== undefined) return stays;
    const answer = await forge.move({ branch, from: baseCommit, to: commit });
    if (answer.moved) movedAtMs = nowMs;
    isOurs = answer.moved;
    head = await forge.resolve(branch);
    if (head === baseCommit)
      return wait(answer.moved ? `${branchName(branch)} moved away and back.` : answer.why, nowMs);
  }
  const landed = head === commit ? undefined : await forge.landed?.(deployment);
  if (landed !== undefined && head !== undefined) {
    const other = await problemAt(landed, dossier, deployment, ports);
    if (other !== undefined) return mergedOtherwise(dossier, { landed, why: other }, ports);
    // Not merged by this process just now: whatever was decided must still be.
    const why = isOurs ? undefined : await ports.undecided?.();
    if (why !== undefined) return outside(dossier, { landed, why }, ports);
    return arrived({ ...deployment, commit: landed }, { head, movedAtMs }, ports);
  }
  if (head === undefined || !(await repository.isAncestor(commit, head)))
    return overtaken(dossier, { deployment, head }, ports);
  const wrong = head === commit ? await problemAt(head, dossier, deployment, ports) : undefined;
  if (wrong !== undefined) return takeBack(forge, { deployment, why: wrong }, ports);
  return arrived(deployment, { head, movedAtMs }, ports);
}

/**
 * Somebody moved the branch between the backup and the move. The approved bytes cannot be deployed any more,
 * so the same change on the new head is a proposal of its own: vetted, validated and asked about at once.
 */
async function overtaken(
  dossier: Dossier,
  { deployment, head }: { deployment: Deployment; head: CommitId | undefined },
  ports: DeployPorts,
): Promise<ProposalStep> {
  const why = 'somebody else moved the branch first';
  if (head === undefined) return notDeployed(deployment, { why }, ports);
  const step = notDeployed(deployment, { why, overtakenBy: head }, ports);
  const again = await movedContent(dossier, head, ports);
  if (again === undefined) return step;
  const id = ports.newId('p');
  return {
    ...step,
    did: `${step.did} The same change on the branch as it is now is proposed as ${id}.`,
    spawn: [{ id, ...again }],
  };
}

/** Whoever decided it no longer does: nothing is moved, and the same change is asked about as a proposal of its own. */
export function withdrawn(
  { content }: Dossier,
  { deployment, why }: { deployment: Deployment; why: string },
  ports: Pick<DeployPorts, 'nowMs' | 'newId'>,
): ProposalStep {
  const step = notDeployed(deployment, { why, isUndecided: true }, ports);
  const id = ports.newId('p');
  return {
    ...step,
    did: `${step.did} The same change is proposed again as ${id}.`,
    spawn: [{ id, content }],
  };
}

async function beforeMove(
  dossier: Dossier,
  deployment: Deployment,
  ports: DeployPorts,
): Promise<ProposalStep | undefined> {
  const { branch, baseCommit, commit, backupRef } = deployment;
  const forge = deployedBy(dossier, deployment, ports);
  const wrong = await problemAt(commit, dossier, deployment, ports);
  if (wrong !== undefined) return notDeployed(deployment, { why: wrong }, ports);
  if (!(await keepRef(forge, backupRef, baseCommit)))
    return wait(`The backup at ${backupRef} was moved by somebody else.`, ports.nowMs);
  const held = await ports.mayMove?.(deployment);
  if (held !== undefined) return held;
  // Last, as near to the move as it can be.
  return hindranceOf(forge, { branch, head: baseCommit }, ports);
}

/** Why a commit is not what was approved; undefined when it is, and every file of it can be read. */
async function problemAt(
  found: CommitId,
  dossier: Dossier,
  { commit }: Deployment,
  ports: DeployPorts,
): Promise<string | undefined> {
  const { repository } = ports;
  const problem = await gitProblem<{ readonly why?: string }>(async () => {
    const expected = await applyApproved(dossier, ports);
    if ('why' in expected) return expected;
    if ((await repository.commitInfo(found)).tree !== expected.tree)
      return { why: 'its commit does not hold what was approved' };
    for (const path of dossier.content.files) {
      if (!(await sameBytes(repository, path, [found, commit])))
        return { why: `${plainLine(path)} is not what was approved` };
    }
    return {};
  });
  return problem.why;
}

async function takeBack(
  forge: Forge,
  { deployment, why }: { deployment: Deployment; why: string },
  ports: DeployPorts,
): Promise<ProposalStep> {
  const { branch, baseCommit, commit } = deployment;
  if (await forge.takeBack({ branch, from: commit, to: baseCommit }))
    return notDeployed(deployment, { why: `${why}; the branch was moved back` }, ports);
  return {
    did: `Verifying failed (${plainLine(why)}) and others have moved the branch.`,
    dueAtMs: ports.nowMs,
  };
}

function notDeployed(
  deployment: Deployment,
  about: { readonly why: string; readonly overtakenBy?: CommitId; readonly isUndecided?: true },
  { nowMs }: Pick<DeployPorts, 'nowMs'>,
): ProposalStep {
  const { branch, baseCommit: from, commit: to, patchBranch, backupRef } = deployment;
  const file = jsonFile({ branch, from, to, ...about, at: isoTime(nowMs) });
  return {
    did: `It was not deployed: ${plainLine(about.why, 500)}. Nothing of it is on ${branchName(branch)}; ${branchName(patchBranch)} and ${backupRef} are left as they are.`,
    attestations: [{ kind: 'deployment', verdict: 'failed', files: [file] }],
    to: 'aborted',
  };
}

function arrived(
  deployment: Deployment,
  { head, movedAtMs }: { head: CommitId; movedAtMs: number },
  { nowMs, awaitsArrival = false }: Pick<DeployPorts, 'nowMs' | 'awaitsArrival'>,
): ProposalStep {
  const { branch, baseCommit: from, commit: to } = deployment;
  const awaited = awaitsArrival ? [awaitedArrival('deployed', to, movedAtMs)] : [];
  const [at, movedAt] = [isoTime(nowMs), isoTime(movedAtMs)];
  const file = jsonFile({ branch, from, to, head, at, movedAt });
  const later = head === to ? '' : ' Others have committed on top of it since.';
  return {
    did: `${branchName(branch)} moved from ${from.slice(0, 12)} to ${to.slice(0, 12)}.${later}`,
    attestations: [{ kind: 'deployment', verdict: 'done', files: [file] }, ...awaited],
    to: 'monitoring',
    ...recordMoved(deployment, nowMs),
  };
}
