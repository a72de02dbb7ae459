/** The backup: refs that keep the branch's old head and the patch, whatever happens to the branch. */
import type { CommitId, RefName } from '../git/index.ts';
import { isMadeFor } from './commit-message.ts';
import type { Names } from './deployment-store.ts';
import { branchName } from './plain-text.ts';
import type { Forge } from './types.ts';

export function refsOf(proposalId: string): { backupRef: RefName; patchBranch: RefName } {
  return {
    backupRef: `refs/hone/backup/${proposalId}`,
    patchBranch: `refs/heads/hone/proposal-${proposalId}`,
  };
}

/** Both refs, made or found, and read back. What is in the way is reported, not overwritten. */
export async function keepBackup(forge: Forge, names: Names): Promise<{ readonly why?: string }> {
  const { backupRef, baseCommit } = names;
  if (!(await keepRef(forge, backupRef, baseCommit)))
    return { why: `somebody else moved ${backupRef} at the same moment` };
  return keepPatchBranch(forge, names);
}

/** The branch that people see: made, found, or moved on from an earlier commit of Hone's. */
export async function keepPatchBranch(
  forge: Forge,
  { patchBranch, commit, proposalId }: Pick<Names, 'patchBranch' | 'commit' | 'proposalId'>,
): Promise<{ readonly why?: string }> {
  const inTheWay = await strangerAt(forge, patchBranch, { proposalId, commit });
  if (inTheWay !== undefined) return { why: inTheWay };
  if (!(await keepRef(forge, patchBranch, commit)))
    return { why: `somebody else moved ${branchName(patchBranch)} at the same moment` };
  return {};
}

/** From wherever it is: only Hone keeps anything there. */
export async function keepRef(forge: Forge, ref: RefName, target: CommitId): Promise<boolean> {
  const found = await forge.resolve(ref);
  if (found !== target && !(await forge.keep(ref, { from: found, to: target }))) return false;
  return (await forge.resolve(ref)) === target;
}

/** The patch branch is one that people see and may work on. */
async function strangerAt(
  forge: Forge,
  ref: RefName,
  { proposalId, commit }: { proposalId: string; commit: CommitId },
): Promise<string | undefined> {
  const found = await forge.resolve(ref);
  if (found === undefined || found === commit) return undefined;
  if (!isMadeFor(proposalId, (await forge.repository.commitInfo(found)).message))
    return `the branch ${branchName(ref)} has a commit that Hone did not make: rename it`;
  return forge.hindrance(ref);
}
