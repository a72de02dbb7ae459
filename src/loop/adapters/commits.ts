/** The target's commits, as the room of telemetry asks for them. */
import { GitError } from '../../git/index.ts';
import type { TargetCommits } from '../../observe/index.ts';
import type { LoopPorts } from '../types.ts';
import { branchOf } from './target.ts';

/** A fault of the repository is none of telemetry: there are no commits then, and others say what is wrong. */
const NONE: TargetCommits = { commits: [], isJoined: true };

export function commitsOf(ports: Pick<LoopPorts, 'config' | 'repository'>) {
  return async (after: string | null, limit: number): Promise<TargetCommits> => {
    try {
      return await newCommits(ports, after, limit);
    } catch (error) {
      if (error instanceof GitError) return NONE;
      throw error;
    }
  };
}

async function newCommits(
  ports: Pick<LoopPorts, 'config' | 'repository'>,
  after: string | null,
  limit: number,
): Promise<TargetCommits> {
  const { repository } = ports;
  const found = [];
  let id = await repository.resolve(branchOf(ports));
  while (id !== undefined && id !== after && found.length < limit) {
    const info = await repository.commitInfo(id).catch((error: unknown) => {
      // A clone that is shallow ends here.
      if (error instanceof GitError && found.length > 0) return undefined;
      throw error;
    });
    if (info === undefined) break;
    found.push(info);
    id = info.parents[0];
  }
  const isJoined = after === null || id === after;
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
  return { commits, isJoined };
}
