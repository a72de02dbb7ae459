/**
 * The branch is one of a git remote of the target repository: its value is fetched before it counts, and moves are
 * pushes that name the value they expect there. Whatever the remote refuses (a protected branch, a hook, a key that
 * may only read) is said in its words with what to do. The user's own branches and working tree are not touched, so
 * none of them is in the way.
 */
import { type CommitId, GitError, type GitRemote, type RefName } from '../../../git/index.ts';
import { recordedText } from '../../../sanitise/index.ts';
import { DeployError } from '../../errors.ts';
import { branchName, plainLine } from '../../plain-text.ts';
import type { Forge, ForgeKind, ForgePorts } from '../../types.ts';

const REMEDY =
  'allow the key or account that Hone uses to push there, or name another branch in deploy.branch.';

export const remote: ForgeKind = {
  name: 'remote',
  about: 'the branch is fetched from and pushed to the git remote that the key remote names',
  words: (branch, { remote: name }) =>
    `It goes to the branch ${branchName(branch)} of the remote ${plainLine(name)}, to which Hone pushes it.`,
  open: (ports: ForgePorts): Forge => remoteForge(ports, openedRemote(ports)),
};

/** The forge over a git remote; others build on it. */
export function remoteForge({ repository }: ForgePorts, there: GitRemote): Forge {
  const push = (ref: RefName, from: CommitId | undefined, to: CommitId) =>
    there.push({ ref, from, to });
  return {
    repository,
    address: () => there.address(),
    resolve: (ref) => there.resolve(ref),
    seen: (ref) => there.seen(ref),
    hindrance: (branch) => hindrance(there, branch),
    async move({ branch, from, to }) {
      if (!(await repository.isAncestor(from, to)))
        return {
          moved: false,
          why: `${to.slice(0, 12)} does not build on ${from.slice(0, 12)}.`,
        };
      const answer = await push(branch, from, to);
      if (answer.pushed) return { moved: true };
      if (answer.why === 'refused')
        return { moved: false, why: refusedWords(branch, answer.words) };
      return { moved: false, why: `Somebody else moved ${branchName(branch)} at the remote.` };
    },
    async takeBack({ branch, from, to }) {
      const answer = await push(branch, from, to);
      if (!answer.pushed && answer.why === 'refused') throw refused(branch, answer.words);
      return answer.pushed;
    },
    async keep(ref, { from, to }) {
      const answer = await push(ref, from, to);
      if (!answer.pushed && answer.why === 'refused') throw refused(ref, answer.words);
      return answer.pushed;
    },
    afterRollback: async () => undefined,
  };
}

export function openedRemote({ repository, remote: settings }: ForgePorts): GitRemote {
  const there = settings && repository.remote?.(settings);
  if (there !== undefined) return there;
  throw new DeployError('no_remote', 'The target repository has no remotes here.', {
    hint: 'Use the forge local for it.',
  });
}

/** The way to the branch, tried up to the last step: an address, an answer, and the permission to push at all. */
async function hindrance(there: GitRemote, branch: RefName): Promise<string | undefined> {
  try {
    const head = await there.resolve(branch);
    if (head !== undefined) await there.push({ ref: branch, from: head, to: head, isTrial: true });
    return undefined;
  } catch (error) {
    if (!(error instanceof GitError) || error.code === 'closed') throw error;
    return `The branch ${branchName(branch)} cannot be moved at its remote (${theirs(error.message)}): ${error.hint ?? REMEDY}`;
  }
}

/** What the other side says is kept and shown: without secrets, on one line. */
const theirs = (words: string) => plainLine(recordedText(words), 500);

export function refusedWords(ref: RefName, words: string): string {
  return `The remote refuses to move ${branchName(ref)} (${theirs(words)}): ${REMEDY}`;
}

const refused = (ref: RefName, words: string) =>
  new GitError('ref_refused', refusedWords(ref, words));
