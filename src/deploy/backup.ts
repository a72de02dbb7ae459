/** The way back: refs that keep the branch's old head and the patch, whatever becomes of the branch. */
import type { CommitId, RefName, TargetRepository } from '../git/index.ts';
import { isMadeFor } from './commit-message.ts';
import type { Names } from './deployment-store.ts';
import { branchName } from './plain-text.ts';

export function refsOf(proposalId: string): { backupRef: RefName; patchBranch: RefName } {
  return {
    backupRef: `refs/hone/backup/${proposalId}`,
    patchBranch: `refs/heads/hone/proposal-${proposalId}`,
  };
}

/** Both refs, made or found, and read back. What is in the way is told, not overwritten. */
export async function keepBackup(
  repository: TargetRepository,
  names: Names,
): Promise<{ readonly why?: string }> {
  const { backupRef, patchBranch, baseCommit, commit, proposalId } = names;
  if (!(await keepRef(repository, backupRef, baseCommit)))
    return { why: `somebody else moved ${backupRef} at the same moment` };
  const inTheWay = await strangerAt(repository, patchBranch, { proposalId, commit });
  if (inTheWay !== undefined) return { why: inTheWay };
  if (!(await keepRef(repository, patchBranch, commit)))
    return { why: `somebody else moved ${branchName(patchBranch)} at the same moment` };
  return {};
}

/** From wherever it is: only Hone keeps anything there. */
export async function keepRef(
  repository: TargetRepository,
  ref: RefName,
  target: CommitId,
): Promise<boolean> {
  const found = await repository.resolve(ref);
  if (found !== target && !(await repository.moveRef(ref, target, found))) return false;
  return (await repository.resolve(ref)) === target;
}

/** The patch branch is one that people see and may work on. */
async function strangerAt(
  repository: TargetRepository,
  ref: RefName,
  { proposalId, commit }: { proposalId: string; commit: CommitId },
): Promise<string | undefined> {
  const found = await repository.resolve(ref);
  if (found === undefined || found === commit) return undefined;
  const name = branchName(ref);
  if (!isMadeFor(proposalId, (await repository.commitInfo(found)).message))
    return `the branch ${name} has a commit that Hone did not make: rename it`;
  const folder = await repository.checkedOutAt(ref);
  return folder && `the branch ${name} is checked out at ${folder}: check out another one there`;
}
