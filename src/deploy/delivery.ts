/**
 * What programs may do with a change that was approved: put it on its branch, have the branch compared with what was
 * decided, and open its pull request. Each makes the commit from the decided bytes and compares; none takes bytes from its caller.
 */
import { digestOfBytes } from '../base/index.ts';
import type { CommitId, RefName } from '../git/index.ts';
import type { Dossier } from '../proposal/index.ts';
import { keepPatchBranch, refsOf } from './backup.ts';
import { makePatchCommit } from './patch-commit.ts';
import { branchName } from './plain-text.ts';
import type { DeployPorts } from './types.ts';

export type Delivered =
  | { readonly done: true; readonly branch: RefName; readonly commit: CommitId }
  | {
      readonly done: false;
      readonly branch: RefName;
      readonly commit: CommitId | null;
      readonly why: string;
    };

/** Refuses another base, or other bytes than those that were decided. Twice is once. */
export async function writePatch(
  dossier: Dossier,
  given: { readonly baseCommit: string; readonly patch: string },
  ports: DeployPorts,
): Promise<Delivered> {
  const { content, proposal } = dossier;
  const { patchBranch: branch } = refsOf(proposal.id);
  const no = (why: string): Delivered => ({ done: false, branch, commit: null, why });
  if (given.baseCommit !== content.baseCommit) {
    return no(`It was decided on the base ${content.baseCommit}, not on ${given.baseCommit}.`);
  }
  if (digestOfBytes(given.patch) !== content.diffDigest) {
    return no('The patch is not the one that was decided: its bytes differ.');
  }
  const made = await makePatchCommit(dossier, ports);
  if ('why' in made) return no(`It cannot be written: ${made.why}.`);
  const { commit } = made;
  const names = { patchBranch: branch, commit, proposalId: proposal.id };
  const kept = await keepPatchBranch(ports.openForge(ports.forge), names);
  return kept.why === undefined ? { done: true, branch, commit } : no(kept.why);
}

/** Whether the branch holds exactly the commit that was decided. */
export async function compareBranch(dossier: Dossier, ports: DeployPorts): Promise<Delivered> {
  const { patchBranch: branch } = refsOf(dossier.proposal.id);
  const commit = (await ports.openForge(ports.forge).resolve(branch)) ?? null;
  const no = (why: string): Delivered => ({ done: false, branch, commit, why });
  if (commit === null)
    return no(`There is no branch ${branchName(branch)}: write the patch first.`);
  const made = await makePatchCommit(dossier, ports);
  if ('why' in made) return no(`It cannot be compared: ${made.why}.`);
  if (commit === made.commit) return { done: true, branch, commit };
  return no(`${branchName(branch)} holds ${commit}, and ${made.commit} was decided.`);
}

/** The proposal that a branch of Hone's is about; undefined where the name is nobody's. */
export function proposalOfBranch(branch: string): string | undefined {
  return /^(?:refs\/heads\/)?hone\/proposal-([a-z0-9_]+)$/.exec(branch)?.[1];
}
