/**
 * Which branch the agents run from, for `hone init`: what the remote calls its default, else what new
 * repositories begin with if there is such a branch here, else the branch that is checked out. Nothing is
 * asked of anybody, nothing is fetched, and a detached HEAD names no branch.
 */
import { execFileSync } from 'node:child_process';
import { holdsSecret } from './secrets.ts';

/** What git says; undefined where it says nothing. Names are somebody else's text. */
export interface BranchFacts {
  readonly remoteDefault: string | undefined;
  readonly configured: string | undefined;
  /** Also one without a commit yet; undefined for a detached HEAD. */
  readonly current: string | undefined;
  readonly branches: readonly string[];
}

const GIT_TIMEOUT_MS = 5_000;
const GIT_BYTES_MAX = 1024 * 1024;
/** The last resort: names that mean the same almost everywhere. */
const CUSTOMARY = ['main', 'master', 'trunk'];

export function chooseBranch(facts: BranchFacts): string | undefined {
  const { remoteDefault, configured, current } = facts;
  const branches = facts.branches.filter(isUsable);
  const exists = (name: string | undefined) => name !== undefined && branches.includes(name);
  // Also where it was not checked out yet: deploying to another branch would be worse than saying so.
  if (remoteDefault !== undefined && isUsable(remoteDefault)) return remoteDefault;
  if (exists(configured)) return configured;
  if (current !== undefined && isUsable(current)) return current;
  // Detached, and no remote: what can still be found out.
  return CUSTOMARY.find(exists) ?? (branches.length === 1 ? branches[0] : undefined);
}

/** What `deploy.branch` takes, and no branch of Hone's own. */
function isUsable(name: string): boolean {
  return (
    /^[A-Za-z0-9_][A-Za-z0-9_./-]{0,199}$/.test(name) &&
    !name.startsWith('hone/') &&
    !holdsSecret(name)
  );
}

export function detectBranch(
  root: string,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const git = (...args: readonly string[]) => answerOf(root, environment, args);
  const under = (prefix: string, ref: string | undefined) =>
    ref?.startsWith(prefix) === true ? ref.slice(prefix.length) : undefined;
  const list = git('for-each-ref', '--format=%(refname)', '--count=10000', 'refs/heads/');
  return chooseBranch({
    remoteDefault: under(
      'refs/remotes/origin/',
      git('symbolic-ref', '--quiet', 'refs/remotes/origin/HEAD'),
    ),
    configured: git('config', '--get', 'init.defaultBranch'),
    current: under('refs/heads/', git('symbolic-ref', '--quiet', 'HEAD')),
    branches: (list ?? '').split('\n').flatMap((ref) => under('refs/heads/', ref) ?? []),
  });
}

/** These commands run no hooks and no programs that the repository's settings name. */
function answerOf(
  cwd: string,
  environment: Readonly<Record<string, string | undefined>>,
  args: readonly string[],
): string | undefined {
  try {
    // A bare repository that somebody changed into is intended, even if git is set to distrust such.
    const text = execFileSync('git', ['-c', 'safe.bareRepository=all', ...args], {
      cwd,
      encoding: 'utf8',
      env: { ...environment },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: GIT_TIMEOUT_MS,
      maxBuffer: GIT_BYTES_MAX,
    }).trim();
    return text === '' ? undefined : text;
  } catch {
    return undefined;
  }
}
