/**
 * The checks of others that a branch requires (DEP-2): by its protection, by rules of the repository. Hone moves the branch to a commit
 * only when each of them is green there, also where its own permissions would let it. Taking back never asks.
 */
import { branchName, plainLine } from '../../plain-text.ts';
import type { CheckRun, CommitStatus, GitHubRepository } from './pulls.ts';

type State = 'green' | 'failed' | 'running';

export interface RequiredChecks {
  /** Why the branch stays where it is; undefined where all that is required is green. */
  readonly held: string | undefined;
  /** Whether one has not even begun: a pull request may have to be there for that. */
  readonly isAwaited: boolean;
}

export async function requiredChecks(
  hub: GitHubRepository,
  { branch, commit }: { readonly branch: string; readonly commit: string },
): Promise<RequiredChecks> {
  const names = await hub.requiredChecks(branchName(branch));
  if (names.length === 0) return { held: undefined, isAwaited: false };
  const states = statesOf(await hub.allCheckRuns(commit), await hub.statuses(commit));
  const behind = names.filter((name) => states.get(name) !== 'green');
  if (behind.length === 0) return { held: undefined, isAwaited: false };
  const shown = behind.map(
    (name) => `${plainLine(name, 100)} ${WORDS[states.get(name) ?? 'none']}`,
  );
  return {
    held: plainLine(
      `${branchName(branch)} requires checks that are not green on ${commit.slice(0, 12)}: ${shown.join(', ')}.`,
      600,
    ),
    isAwaited: behind.some((name) => !states.has(name)),
  };
}

const WORDS = {
  failed: 'failed',
  running: 'has not ended',
  none: 'has not begun',
  green: 'is green',
} as const;

const GOOD = ['success', 'neutral', 'skipped'];

/** The worst of each name counts: two apps may report the same one. */
function statesOf(
  runs: readonly CheckRun[],
  statuses: readonly CommitStatus[],
): ReadonlyMap<string, State> {
  const said: [string, State][] = [
    ...runs.map(({ name, status, conclusion }): [string, State] => {
      if (status !== 'completed') return [name, 'running'];
      return [name, GOOD.includes(conclusion ?? '') ? 'green' : 'failed'];
    }),
    ...statuses.map(({ context, state }): [string, State] => {
      if (state === 'pending') return [context, 'running'];
      return [context, state === 'success' ? 'green' : 'failed'];
    }),
  ];
  const worst = new Map<string, State>();
  for (const state of ['green', 'running', 'failed'] as const)
    for (const [name, one] of said) if (one === state) worst.set(name, state);
  return worst;
}
