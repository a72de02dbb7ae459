/**
 * Repositories for this room's tests: real ones in temporary folders, made by the real git without the
 * machine's configuration, and the ones in memory, behind one face.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CommitId,
  type GitLimits,
  MemoryObjects,
  memoryRepository,
  type ObjectFormat,
  openRepository,
  type Signature,
  type TargetRepository,
  type TreeId,
} from './index.ts';
import type { Entry, FileMode } from './objects.ts';

/** Written as they are, also what the port does not write. */
interface SeedFile {
  readonly path: string;
  readonly mode: FileMode;
  /** A submodule's is the id of its commit. */
  readonly content: string | Uint8Array;
}

export interface TestRepository extends AsyncDisposable {
  readonly repository: TargetRepository;
  /** Where `refs/heads/main` is checked out. */
  readonly workingTree: string;
  seed(files: readonly SeedFile[]): Promise<TreeId>;
}

export interface TestOptions {
  readonly format?: ObjectFormat;
  readonly limits?: Partial<GitLimits>;
}

export const operator: Signature = {
  name: 'operator',
  email: 'operator@example.org',
  atMs: Date.UTC(2026, 0, 2, 3, 4, 5),
};

export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'hone-git-test-'));
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

/** Runs the real git as an operator would, but without the machine's settings. */
export function git(cwd: string, args: readonly string[], input: string | Uint8Array = ''): string {
  const { status, stdout, stderr } = spawnSync('git', args, {
    cwd,
    input,
    env: {
      PATH: process.env['PATH'],
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: operator.name,
      GIT_AUTHOR_EMAIL: operator.email,
      GIT_COMMITTER_NAME: operator.name,
      GIT_COMMITTER_EMAIL: operator.email,
    },
  });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout.toString('utf8').trim();
}

export function initRepository(folder: string, ...more: readonly string[]): void {
  git(folder, ['init', '-q', '-b', 'main', ...more]);
}

/** A tree with these very entries, by way of an index in the folder for temporary files. */
function seedTree(root: string, files: readonly SeedFile[]): TreeId {
  const lines = files.map(({ path, mode, content }) => {
    const id =
      mode === '160000'
        ? String(content)
        : git(root, ['hash-object', '-w', '--stdin', '--no-filters'], content);
    return `${mode} ${id}\t${path}\0`;
  });
  git(root, ['read-tree', '--empty']);
  git(root, ['update-index', '-z', '--index-info'], lines.join(''));
  return git(root, ['write-tree']);
}

export async function realRepository(options: TestOptions = {}): Promise<TestRepository> {
  const folder = await temporaryFolder();
  initRepository(folder.path, `--object-format=${options.format ?? 'sha1'}`);
  const repository = await openRepository({
    root: folder.path,
    durable: false,
    limits: options.limits ?? {},
  });
  return {
    repository,
    workingTree: await realpath(folder.path),
    seed: async (files) => seedTree(folder.path, files),
    async [Symbol.asyncDispose]() {
      await repository[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

export async function rememberedRepository(options: TestOptions = {}): Promise<TestRepository> {
  const objects = new MemoryObjects(options.format);
  const workingTrees = new Map([['refs/heads/main', '/the/target']]);
  return {
    repository: memoryRepository({ objects, limits: options.limits ?? {}, workingTrees }),
    workingTree: '/the/target',
    async seed(files) {
      const entries = files.map(({ path, mode, content }): [string, Entry] => {
        const id = mode === '160000' ? String(content) : objects.put('blob', Buffer.from(content));
        return [path, { mode, id }];
      });
      return objects.putFiles(new Map(entries));
    },
    async [Symbol.asyncDispose]() {},
  };
}

/** Commits these files on top of `base`; null removes one. */
export async function commitFiles(
  repository: TargetRepository,
  base: CommitId | undefined,
  files: Readonly<Record<string, string | Uint8Array | null>>,
  atMs = operator.atMs,
): Promise<CommitId> {
  const changes = Object.entries(files).map(([path, content]) => ({
    path,
    content: content === null ? null : Buffer.from(content),
  }));
  const tree = await repository.writeFiles(base, changes);
  const parents = base === undefined ? [] : [base];
  return repository.commit({ tree, parents, message: 'change\n', author: { ...operator, atMs } });
}

export const commitTree = (repository: TargetRepository, tree: TreeId): Promise<CommitId> =>
  repository.commit({ tree, parents: [], message: 'tree\n', author: operator });
