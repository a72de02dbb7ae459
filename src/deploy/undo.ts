/**
 * Undoing what a deployment brought: everything between the commit it came on top of and the one by which it came. Those
 * are neighbours for Hone's own commits; a pull request that somebody rebased may have brought several.
 */
import type { CommitId, MergeResult, TargetRepository } from '../git/index.ts';
import { isMadeFor } from './commit-message.ts';
import type { Deployment } from './types.ts';

/** More commits of one pull request than GitHub lets anybody rebase. */
const COMMITS_MAX = 250;

/** The tree of `onto` without it. */
export async function undo(
  { commit, baseCommit }: Pick<Deployment, 'commit' | 'baseCommit'>,
  onto: CommitId,
  repository: TargetRepository,
): Promise<MergeResult> {
  const { tree, parents, author, message } = await repository.commitInfo(commit);
  if (parents[0] === baseCommit || commit === baseCommit) return repository.revert(commit, onto);
  // All of it as one commit, the same whenever it is made.
  const whole = await repository.commit({ tree, parents: [baseCommit], message, author });
  return repository.revert(whole, onto);
}

/**
 * The commit below what a merge brought. A rebase makes a new commit of each of the branch's, one on the other, and keeps
 * their messages: the first of them is the one that Hone made, known by its trailer.
 */
export async function belowMerge(
  proposalId: string,
  landed: CommitId,
  repository: TargetRepository,
): Promise<CommitId> {
  const { parents } = await repository.commitInfo(landed);
  const below = parents[0] ?? landed;
  let at = landed;
  for (let seen = 0; seen < COMMITS_MAX; seen++) {
    const { message, parents: under } = await repository.commitInfo(at);
    const [next] = under;
    // A merge commit holds all of it, and so does one without a parent.
    if (next === undefined || under.length > 1) return below;
    if (isMadeFor(proposalId, message)) return next;
    at = next;
  }
  return below;
}
