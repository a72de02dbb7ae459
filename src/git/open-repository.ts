/**
 * Opens a target repository: finds git, finds out where the target keeps its objects and refs, and sets
 * up the workbench. Worktrees, bare repositories, unborn branches and SHA-256 are all fine; anything else is
 * refused here and not half-way through a change.
 */
import { access, constants, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Clock, errorMessage, systemClock } from '../base/index.ts';
import { GitError } from './errors.ts';
import { GitHistory } from './git-history.ts';
import { GitObjects } from './git-objects.ts';
import { GitProcesses } from './git-processes.ts';
import { GitRefs } from './git-refs.ts';
import { GitRepository } from './git-repository.ts';
import { GitTrees } from './git-trees.ts';
import {
  baseEnvironment,
  clearWorkbench,
  makeWorkbench,
  searchPath,
  settings,
  type TargetPlace,
} from './hermetic.ts';
import { DEFAULT_GIT_LIMITS, type GitLimits } from './limits.ts';
import { findGitFolder, namesOtherFiles, sharedSetting, targetSetting } from './linked-refs.ts';
import { ObjectReader } from './object-reader.ts';
import { refuseSpecialFiles } from './plain-files.ts';
import type { TargetRepository } from './types.ts';

export interface OpenRepositoryOptions {
  /** The root of the working tree, or the folder of a bare repository. */
  readonly root: string;
  readonly clock?: Clock;
  readonly limits?: Partial<GitLimits>;
  /** Where the workbench is made; the machine's folder for temporary files unless given. */
  readonly tempFolder?: string;
  /** False leaves it to the operating system when bytes reach the disk; for repositories made for a run. */
  readonly durable?: boolean;
}

/** Closing removes the workbench. Nothing in the target belongs to it. */
export type OpenRepository = TargetRepository & AsyncDisposable;

export async function openRepository(options: OpenRepositoryOptions): Promise<OpenRepository> {
  const clock = options.clock ?? systemClock;
  const limits = { ...DEFAULT_GIT_LIMITS, ...options.limits };
  const binary = await findGit();
  const processes = new GitProcesses({ binary, clock, limits });
  const [place] = await Promise.all([
    locate(processes, options.root),
    refuseOldGit(binary, processes),
  ]);
  const bench = await makeWorkbench({
    place,
    durable: options.durable ?? true,
    lockTimeoutMs: limits.lockTimeoutMs,
    tempFolder: options.tempFolder,
  });
  const { format } = place;
  const where = { cwd: bench.folder, env: bench.objects };
  const reader = new ObjectReader({ processes, place: where, clock, limits });
  const objects = new GitObjects({ processes, reader, bench, format, limits });
  const refs = new GitRefs({ processes, bench, format, clock });
  const history = new GitHistory(objects, join(place.gitFolder, 'shallow'));
  const trees = new GitTrees({ objects, history, bench });
  const overNetwork = { ...limits, timeoutMs: limits.remoteTimeoutMs };
  const remotes = new GitProcesses({ binary, clock, limits: overNetwork });
  const remote = { processes: remotes, bench, gitFolder: place.gitFolder };
  const repository = new GitRepository({ objects, history, trees, refs, remote });
  return Object.assign(repository, {
    async [Symbol.asyncDispose]() {
      await Promise.all([reader.close(), processes.close(), remotes.close()]);
      await clearWorkbench(bench);
    },
  });
}

/** By its full path: what the name means is decided once, and never by the target repository. */
async function findGit(): Promise<string> {
  const names = process.platform === 'win32' ? ['git.exe'] : ['git'];
  for (const folder of searchPath().split(process.platform === 'win32' ? ';' : ':')) {
    for (const name of names) {
      const path = join(folder, name);
      if (folder !== '' && (await isExecutable(path))) return path;
    }
  }
  throw new GitError('git_missing', 'There is no git on the PATH.', {
    hint: 'Install git 2.38 or newer.',
  });
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Programs that were found to be new enough, as they were then. */
const knownGits = new Set<string>();

/** `cat-file -z` came with 2.38. */
async function refuseOldGit(binary: string, processes: GitProcesses): Promise<void> {
  const { ino, mtimeMs, size } = await stat(binary);
  const known = [binary, ino, mtimeMs, size].join();
  if (knownGits.has(known)) return;
  const output = await processes.run({ args: ['version'], env: baseEnvironment(), cwd: '/' });
  const text = output.stdout.toString('utf8').trim();
  const [, major, minor] = /(\d+)\.(\d+)/.exec(text) ?? [];
  if (Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 38)) {
    knownGits.add(known);
    return;
  }
  throw new GitError('git_too_old', `This machine has ${text || 'no git that runs'}.`, {
    hint: 'Install git 2.38 or newer.',
  });
}

async function locate(processes: GitProcesses, given: string): Promise<TargetPlace> {
  let root: string;
  try {
    root = await realpath(given);
  } catch (cause) {
    throw notARepository(given, errorMessage(cause));
  }
  if (!(await stat(root)).isDirectory()) throw notARepository(root, 'it is not a folder');
  const known = await findGitFolder(root);
  if (known !== undefined) {
    await refuseSpecialFiles(known);
    // Asking git would make it read what the configuration names.
    if (await namesOtherFiles(known)) return placeOf(processes, await realpath(known));
  }
  const safe = settings({ 'safe.directory': root, 'safe.bareRepository': 'all' });
  // Not above the root: the folder around it may be a repository of somebody else.
  const env = { ...baseEnvironment(), GIT_CEILING_DIRECTORIES: dirname(root) };
  const ask = ['--path-format=absolute', '--git-common-dir', '--show-object-format'];
  const output = await processes.run({ args: [...safe, 'rev-parse', ...ask], env, cwd: root });
  const [gitFolder, format] = output.stdout.toString('utf8').split('\n');
  if (output.exit !== 0 || gitFolder === undefined) throw notARepository(root, output.stderr);
  if (format !== 'sha1' && format !== 'sha256') {
    throw notARepository(root, `its object format ${format} is unknown`);
  }
  return { gitFolder, format, shared: await sharedSetting(processes, gitFolder) };
}

async function placeOf(processes: GitProcesses, gitFolder: string): Promise<TargetPlace> {
  const format = await targetSetting(processes, gitFolder, 'extensions.objectFormat');
  return {
    gitFolder,
    format: format?.toLowerCase() === 'sha256' ? 'sha256' : 'sha1',
    shared: await sharedSetting(processes, gitFolder),
  };
}

const notARepository = (root: string, why: string) =>
  new GitError(
    'not_a_repository',
    `${root} is not the root of a git repository: ${why.split('\n')[0]}`,
    {
      hint: 'Give the root of the working tree, or the folder of a bare repository.',
    },
  );
