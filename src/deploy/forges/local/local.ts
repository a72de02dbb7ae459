/**
 * The branch is one of the target repository itself, bare or not, and git's own compare-and-swap moves it. A
 * working tree that has the branch checked out would show the change as undone work of its owner, so the
 * branch is not moved forward under it.
 */
import type { RefName, TargetRepository } from '../../../git/index.ts';
import { branchName, plainLine } from '../../plain-text.ts';
import type { Forge, ForgeKind, ForgePorts } from '../../types.ts';

export const local: ForgeKind = {
  name: 'local',
  about: 'the branch is moved in the target repository itself',
  words: (branch) =>
    `It goes to the branch ${branchName(branch)} of the target repository, which Hone moves there.`,
  open: ({ repository }: ForgePorts): Forge => ({
    repository,
    resolve: (ref) => repository.resolve(ref),
    seen: (ref) => repository.resolve(ref),
    hindrance: (branch) => checkedOut(repository, branch),
    async move({ branch, from, to }) {
      if (!(await repository.isAncestor(from, to)))
        return { moved: false, why: `${to.slice(0, 12)} does not build on ${from.slice(0, 12)}.` };
      if (await repository.moveRef(branch, to, from)) return { moved: true };
      return { moved: false, why: `Somebody else moved ${branchName(branch)} at the same moment.` };
    },
    takeBack: ({ branch, from, to }) => repository.moveRef(branch, to, from),
    keep: (ref, { from, to }) => repository.moveRef(ref, to, from),
    async afterRollback(branch) {
      const folder = await repository.checkedOutAt(branch);
      if (folder === undefined) return undefined;
      return `The working tree at ${plainLine(folder)} still has the old files: bring it up to date there.`;
    },
  }),
};

async function checkedOut(
  repository: TargetRepository,
  branch: RefName,
): Promise<string | undefined> {
  const folder = await repository.checkedOutAt(branch);
  return folder === undefined ? undefined : checkedOutWords(branch, folder);
}

function checkedOutWords(branch: RefName, folder: string): string {
  return `The branch ${branchName(branch)} is checked out at ${plainLine(folder)}, and Hone never touches a working tree: check out another branch there, or give Hone a clone of its own.`;
}
