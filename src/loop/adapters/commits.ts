/** The target's commits, as the room of telemetry asks for them. */
import { DeployError, proposalOf } from '../../deploy/index.ts';
import { type CommitId, type CommitInfo, GitError } from '../../git/index.ts';
import type { TargetCommits } from '../../observe/index.ts';
import type { LoopPorts } from '../types.ts';
import { branchOf, forgeOf } from './target.ts';

type Ports = Pick<LoopPorts, 'config' | 'repository'>;

/** A fault of the repository is none of telemetry: there are no commits then, and others say what is wrong. */
const NONE: TargetCommits = { commits: [], isJoined: true };

export function commitsOf(ports: Ports) {
  return async (after: string | null, limit: number): Promise<TargetCommits> => {
    try {
      return await newCommits(ports, after, limit);
    } catch (error) {
      if (error instanceof GitError) return NONE;
      throw error;
    }
  };
}

/** More commits in a record are not told apart by when they came. */
const RECORD_COMMITS_MAX = 200;

/** The commits of the branch since then, the oldest first. */
export async function commitsSince(
  ports: Ports,
  fromMs: number,
): Promise<TargetCommits['commits']> {
  try {
    const { commits } = await walk(ports, {
      limit: RECORD_COMMITS_MAX,
      isWanted: ({ committedAtMs }) => committedAtMs >= fromMs,
    });
    return commits;
  } catch (error) {
    if (error instanceof GitError) return [];
    throw error;
  }
}

/** Those that are not Hone's own. None where they cannot be read: what people did may excuse a change, and must delay no rollback. */
export async function peoplesCommits(
  ports: Ports,
  fromMs: number,
): Promise<TargetCommits['commits']> {
  try {
    const people: TargetCommits['commits'][number][] = [];
    for (const one of await commitsSince(ports, fromMs)) {
      const { message } = await ports.repository.commitInfo(one.id as CommitId);
      if (proposalOf(message) === undefined) people.push(one);
    }
    return people;
  } catch (error) {
    if (error instanceof GitError || error instanceof DeployError) return [];
    throw error;
  }
}

async function newCommits(
  ports: Ports,
  after: string | null,
  limit: number,
): Promise<TargetCommits> {
  const { commits, next } = await walk(ports, { limit, isWanted: ({ id }) => id !== after });
  return { commits, isJoined: after === null || next === after };
}

interface Walk {
  readonly limit: number;
  isWanted(info: CommitInfo): boolean;
}

/** From the head back, along first parents, while they are wanted; `next` is the one where it stopped. */
async function walk(ports: Ports, { limit, isWanted }: Walk) {
  const { repository } = ports;
  const found: CommitInfo[] = [];
  let next = await forgeOf(ports).seen(branchOf(ports));
  while (next !== undefined && found.length < limit) {
    const info = await repository.commitInfo(next).catch((error: unknown) => {
      // A clone that is shallow ends here.
      if (error instanceof GitError && found.length > 0) return undefined;
      throw error;
    });
    if (info === undefined || !isWanted(info)) break;
    found.push(info);
    next = info.parents[0];
  }
  found.reverse();
  const paths = await repository
    .changedPaths(found.map((one) => one.id))
    // A commit of very many files: that it came is known all the same.
    .catch(() => undefined);
  const commits = found.map((one, at) => ({
    id: one.id,
    title: one.message.split('\n', 1)[0]!,
    atMs: one.committedAtMs,
    paths: paths?.[at] ?? [],
  }));
  return { commits, next };
}
