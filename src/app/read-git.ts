/** Git, asked in the caller's folder: what they have checked out there, and what they staged. */
import { type CommitId, GitError, runToEnd } from '../git/index.ts';
import type { AppContext } from './context.ts';

/** The commit that a name stands for in the caller's folder: `HEAD`, a branch, an id. */
export async function commitOf(context: AppContext, name: string): Promise<CommitId | undefined> {
  if (name === '' || name.startsWith('-')) return undefined;
  const found = await readGit(context, [
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${name}^{commit}`,
  ]);
  return /^[0-9a-f]{40,64}$/.exec(found.trim())?.[0];
}

/** Reads only: no program that the repository's configuration names is started. */
export async function readGit(
  { cwd, environment }: AppContext,
  args: readonly string[],
): Promise<string> {
  const isDiff = args[0] === 'diff';
  const settings = ['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'core.pager=cat'];
  const plain = isDiff ? ['--no-ext-diff', '--no-textconv', '--no-color'] : [];
  const [command = '', ...rest] = args;
  const { exit, output } = await runToEnd({
    binary: 'git',
    args: [...settings.flatMap((one) => ['-c', one]), command, ...plain, ...rest],
    cwd,
    env: {
      ...{ PATH: environment['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
      GIT_OPTIONAL_LOCKS: '0',
      GIT_NO_REPLACE_OBJECTS: '1',
    },
  });
  // Half a diff must not pass for a whole one. A name that git does not know is no fault.
  if (isDiff && exit !== 0)
    throw new GitError('git_failed', 'git could not compare what is staged.');
  return output.toString('utf8');
}
