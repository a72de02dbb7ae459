/**
 * A change that reached the target by somebody else's hand: a merge of its pull request that Hone did not make, or one
 * whose bytes are not those that were decided. It is recorded as it is, told at once, watched, and can be taken back: the
 * commit by which it came is what a rollback undoes. Bytes that differ from the decided ones are taken back at once.
 */
import { isoTime } from '../base/index.ts';
import type { CommitId } from '../git/index.ts';
import type { Dossier, ProposalStep } from '../proposal/index.ts';
import { jsonFile } from './answers.ts';
import { awaitedArrival } from './arrival-file.ts';
import { keepRef, refsOf } from './backup.ts';
import { recordMovedOutside } from './deployment-store.ts';
import { makePatchCommit } from './patch-commit.ts';
import { branchName, plainLine } from './plain-text.ts';
import type { DeployPorts, Forge } from './types.ts';
import { belowMerge } from './undo.ts';

/** For a proposal that is pending or approved; undefined if nobody merged it. */
export async function mergedOutside(
  dossier: Dossier,
  forge: Forge,
  ports: DeployPorts,
): Promise<ProposalStep | undefined> {
  if (forge.landed === undefined) return undefined;
  const made = await makePatchCommit(dossier, ports);
  if ('why' in made) return undefined;
  const { patchBranch } = refsOf(dossier.proposal.id);
  // Its commit is public before it is decided on: anybody who may push can move the branch there.
  const isPushed = (await forge.resolve(ports.branch)) === made.commit;
  const landed = isPushed
    ? made.commit
    : await forge.landed({ branch: ports.branch, patchBranch, commit: made.commit });
  if (landed === undefined) return undefined;
  return outside(dossier, { landed, why: 'somebody merged it without Hone' }, ports);
}

/** For a proposal that is deploying: the forge merged it, and what came of it is not what was decided. */
export async function mergedOtherwise(
  dossier: Dossier,
  merged: { readonly landed: CommitId; readonly why: string },
  ports: DeployPorts,
): Promise<ProposalStep> {
  const step = await outside(dossier, merged, ports);
  const reason = `What the forge merged is not what was approved: ${plainLine(merged.why, 500)}.`;
  const call = { kind: 'monitoring', verdict: 'degraded', files: [jsonFile({ reason })] } as const;
  return {
    ...step,
    did: `${step.did} It is taken back.`,
    attestations: [...step.attestations!, call],
  };
}

export async function outside(
  { proposal }: Dossier,
  { landed, why }: { readonly landed: CommitId; readonly why: string },
  ports: DeployPorts,
): Promise<ProposalStep> {
  const { branch, forge, nowMs, repository } = ports;
  const opened = ports.openForge(forge);
  const from = await belowMerge(proposal.id, landed, repository);
  const refs = refsOf(proposal.id);
  // What is kept there helps a person; the rollback itself needs the commit alone.
  await keepRef(opened, refs.backupRef, from).catch(() => false);
  const file = jsonFile({
    branch,
    from,
    to: landed,
    why,
    outside: true,
    at: isoTime(nowMs),
    movedAt: isoTime(nowMs),
  });
  const awaited = ports.awaitsArrival === true ? [awaitedArrival('deployed', landed, nowMs)] : [];
  const names = {
    proposalId: proposal.id,
    forge,
    branch,
    baseCommit: from,
    commit: landed,
    repository: await opened.address?.(),
    ...refs,
  };
  return {
    did: `It is on ${branchName(branch)} as ${landed.slice(0, 12)}, deployed outside of Hone: ${plainLine(why, 300)}. It is watched.`,
    attestations: [{ kind: 'deployment', verdict: 'outside', files: [file] }, ...awaited],
    to: 'monitoring',
    ...recordMovedOutside(names, nowMs),
  };
}
