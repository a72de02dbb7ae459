/** What Hone will meet in the target repository: said at `hone init` and in `config check`, not after an approval. */
import { checkedOutByFiles } from '../git/at-start.ts';
import type { Home } from '../home/index.ts';
import type { HoneConfig } from '../loop/index.ts';

export interface TargetLook {
  readonly hasBranch: boolean;
  /** The address of `deploy.remote`, whether or not changes go there; undefined if the target has no such remote. */
  readonly remote: string | undefined;
  /** The working tree that has the branch checked out, or in which it is rebased or bisected. */
  readonly checkedOutAt: string | undefined;
  /** What is wrong with `target.agentFiles` at the branch's head, one sentence each. */
  readonly agentFiles: readonly string[];
}

/** Undefined where there is no git, or no repository that it can read: the first cycle says so. */
export async function lookAtTarget(
  home: Home,
  config: HoneConfig,
): Promise<TargetLook | undefined> {
  const { deploy, target } = config;
  const { GitError, openRepository } = await import('../git/index.ts');
  try {
    await using repository = await openRepository({ root: home.root });
    const branch = `refs/heads/${deploy.branch}`;
    const { forgeOf } = await import('../loop/index.ts');
    const forge = forgeOf({ config, repository });
    const [head, checkedOutAt] = await Promise.all([
      forge.resolve(branch),
      deploy.forge === 'local' ? repository.checkedOutAt(branch) : undefined,
    ]);
    const there = forgeOf({
      config: { ...config, deploy: { ...deploy, forge: 'remote' } },
      repository,
    });
    const remote = await there.address?.().catch(() => undefined);
    if (head === undefined) return { hasBranch: false, remote, checkedOutAt, agentFiles: [] };
    const { readSettings, seenWords } = await import('../diagnose/index.ts');
    const { seen, problems } = await readSettings(repository, head, target.agentFiles);
    const agentFiles = [...seenWords(seen, deploy.branch), ...problems];
    return { hasBranch: true, remote, checkedOutAt, agentFiles };
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}

/** For `hone status`: by git's own files where they tell, because git takes longer to start than all of status. */
export async function checkedOutNow(home: Home, branch: string): Promise<string | null> {
  try {
    const found = await checkedOutByFiles(home.gitDir, `refs/heads/${branch}`);
    if (found !== 'unknown') return found.folder ?? null;
    const { openRepository } = await import('../git/index.ts');
    await using repository = await openRepository({ root: home.root });
    return (await repository.checkedOutAt(`refs/heads/${branch}`)) ?? null;
  } catch {
    // If git cannot answer, that is reported when a branch is to be moved.
    return null;
  }
}

export function checkedOutWords(branch: string, folder: string): string {
  return `The branch ${branch} is checked out at ${folder}. Hone never touches a working tree, so it will not deploy there: check out another branch there, or give Hone a clone or a bare repository of its own.`;
}

export function noBranchWords(branch: string): string {
  return `The repository has no commit on a branch ${branch}. Make one, or name another branch in deploy.branch.`;
}
