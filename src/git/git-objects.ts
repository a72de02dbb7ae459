/**
 * Reads the target's objects. Everything read by id is hashed again here: git trusts its object store,
 * and the target's can be written by the agents that Hone governs.
 */
import { GitError } from './errors.ts';
import type { GitOutput, GitProcesses } from './git-processes.ts';
import type { Workbench } from './hermetic.ts';
import type { GitLimits } from './limits.ts';
import {
  type FileMode,
  isId,
  type ObjectFormat,
  type ObjectType,
  objectId,
  parseCommit,
  parseTree,
  readMode,
  utf8,
} from './objects.ts';
import { shownPath, treePathProblem } from './paths.ts';
import type { CommitInfo } from './types.ts';

export interface GitObject {
  readonly id: string;
  readonly type: ObjectType;
  readonly body: Buffer;
}

export interface ListedFile {
  readonly path: string;
  readonly mode: FileMode;
  readonly id: string;
  readonly sizeBytes: number;
}

export class GitObjects {
  readonly format: ObjectFormat;
  readonly limits: GitLimits;
  readonly #processes: GitProcesses;
  readonly #bench: Workbench;

  constructor(options: {
    processes: GitProcesses;
    bench: Workbench;
    format: ObjectFormat;
    limits: GitLimits;
  }) {
    this.#processes = options.processes;
    this.#bench = options.bench;
    this.format = options.format;
    this.limits = options.limits;
  }

  /** Runs a command on objects, without a look at its exit code. */
  run(
    args: readonly string[],
    more: { input?: Uint8Array | string; env?: Record<string, string> } = {},
  ) {
    return this.#processes.run({
      args,
      cwd: this.#bench.folder,
      env: { ...this.#bench.objects, ...more.env },
      input: more.input,
    });
  }

  /** The bytes behind names that git understands (`<id>`, `<id>^{tree}`, `<id>:path`), in their order. */
  async read(names: readonly string[]): Promise<(GitObject | undefined)[]> {
    if (names.length === 0) return [];
    const input = names.map((name) => `${name}\0`).join('');
    const output = await this.run(['cat-file', '--batch', '--buffer', '-z'], { input });
    if (output.exit !== 0) throw gitFailed('cat-file', output);
    return this.#parseBatch(output.stdout, names);
  }

  #parseBatch(out: Buffer, names: readonly string[]): (GitObject | undefined)[] {
    let at = 0;
    return names.map((name) => {
      // The name is repeated as it was asked for, line feeds and all.
      const missing = Buffer.from(`${name} missing\n`);
      if (out.subarray(at, at + missing.length).equals(missing)) {
        at += missing.length;
        return undefined;
      }
      const end = out.indexOf(0x0a, at);
      const [id, type, size] = out.toString('latin1', at, end).split(' ');
      const body = out.subarray(end + 1, end + 1 + Number(size));
      at = end + 1 + body.length + 1;
      if (end < 0 || id === undefined || body.length !== Number(size) || at > out.length) {
        throw new GitError('git_failed', 'git cat-file printed something else than objects.');
      }
      if (objectId(this.format, type as ObjectType, body) !== id) {
        throw new GitError('object_altered', `The bytes of object ${id} are not those it names.`, {
          hint: 'Run git fsck in the target repository and restore the object from a clone.',
        });
      }
      return { id, type: type as ObjectType, body };
    });
  }

  async commits(ids: readonly string[]): Promise<CommitInfo[]> {
    for (const id of ids) this.refuseId(id);
    const objects = await this.read(ids);
    return ids.map((id, at) => {
      const object = objects[at];
      if (object?.type !== 'commit') throw unknownCommit(id);
      return parseCommit(id, object.body);
    });
  }

  refuseId(id: string): void {
    if (!isId(id, this.format)) throw unknownCommit(id);
  }

  /** The bytes of a plain file or a link, every tree on the way to it checked; undefined when there is none. */
  async file(commit: string, path: string, kind = 'file'): Promise<Buffer | undefined> {
    this.refuseId(commit);
    const parts = path.split('/');
    const steps = parts.map((_, at) => `${commit}:${parts.slice(0, at + 1).join('/')}`);
    const [head, root, ...found] = await this.read([commit, `${commit}^{tree}`, ...steps]);
    if (head?.type !== 'commit') throw unknownCommit(commit);
    let [object, id] = [root, parseCommit(commit, head.body).tree];
    let mode: FileMode | '40000' = '40000';
    for (const [at, name] of parts.entries()) {
      if (mode !== '40000') return undefined;
      const entries = parseTree(present(object, id).body, this.format);
      const entry = entries.find((one) => one.name === name);
      if (entry === undefined) return undefined;
      [object, id, mode] = [found[at], entry.id, entry.mode];
    }
    const isWanted =
      kind === 'symlink' ? mode === '120000' : mode === '100644' || mode === '100755';
    if (!isWanted) return undefined;
    return this.refuseLarge(present(object, id).body, path);
  }

  refuseLarge(body: Buffer, path: string): Buffer {
    if (body.length <= this.limits.fileBytesMax) return body;
    throw new GitError(
      'too_large',
      `${shownPath(path)} has ${body.length} bytes, more than ${this.limits.fileBytesMax}.`,
    );
  }

  /**
   * All files below a folder, in git's order; a path that nobody may follow is refused. Sizes on demand:
   * git opens every object for them, 200 ms for 10 000 files in place of 15.
   */
  async list(commit: string, want: { folder?: string; sizes: boolean }): Promise<ListedFile[]> {
    this.refuseId(commit);
    const { folder = '', sizes } = want;
    const options = sizes ? ['-r', '-l', '-z'] : ['-r', '-z'];
    const below = folder === '' ? [] : ['--', `${folder}/`];
    const args = ['ls-tree', ...options, '--full-tree', `${commit}^{commit}`, ...below];
    const output = await this.run(args);
    if (output.exit !== 0) throw await this.explain('ls-tree', output, [commit]);
    const files: ListedFile[] = [];
    for (let at = 0; at < output.stdout.length; ) {
      const end = output.stdout.indexOf(0, at);
      const file = parseListed(output.stdout.subarray(at, end));
      // Git lists a submodule also when it is asked for what is below it.
      if (folder === '' || file.path.startsWith(`${folder}/`)) files.push(file);
      at = end + 1;
    }
    if (files.length <= this.limits.filesMax) return files;
    throw new GitError(
      'too_large',
      `The commit has ${files.length} files, more than ${this.limits.filesMax}.`,
    );
  }

  /** The blobs of listed files, in their order. */
  async blobs(files: readonly { readonly id: string; readonly path: string }[]): Promise<Buffer[]> {
    const objects = await this.read(files.map((file) => file.id));
    return files.map(({ id, path }, at) => this.refuseLarge(present(objects[at], id).body, path));
  }

  /** Why a command failed that named these commits, without a look at git's words. */
  async explain(command: string, output: GitOutput, commits: readonly string[]): Promise<GitError> {
    const objects = await this.read(commits);
    const unknown = commits.find((_, at) => objects[at]?.type !== 'commit');
    return unknown === undefined ? gitFailed(command, output) : unknownCommit(unknown);
  }
}

function present(object: GitObject | undefined, id: string): GitObject {
  if (object?.id === id) return object;
  throw objectMissing(id);
}

function objectMissing(id: string): GitError {
  return new GitError('object_missing', `The object ${id} is not in the target repository.`, {
    hint: 'It may be a partial clone: run git fetch --refetch without a filter.',
  });
}

/** `<mode> <type> <id> <size>\t<path>`, the size padded on its left, and only where it was asked for. */
function parseListed(line: Buffer): ListedFile {
  const tab = line.indexOf(0x09);
  const [mode = '', , id = '', size = '0'] = line.toString('latin1', 0, tab).split(/ +/);
  const path = utf8(line.subarray(tab + 1));
  const plain = readMode(mode);
  if (tab < 0 || plain === undefined || plain === '40000') {
    throw new GitError('git_failed', 'git ls-tree printed something else than files.');
  }
  const problem = treePathProblem(path);
  if (problem !== undefined) {
    throw new GitError('bad_path', `The commit holds the path ${shownPath(path)}: ${problem}.`, {
      hint: 'Such a commit was made to harm whoever checks it out.',
    });
  }
  // A submodule has no size; a blob without one is not there.
  if (plain !== '160000' && !/^\d+$/.test(size)) throw objectMissing(id);
  return { path, mode: plain, id, sizeBytes: plain === '160000' ? 0 : Number(size) };
}

export function unknownCommit(id: string): GitError {
  return new GitError(
    'unknown_commit',
    `There is no commit ${shownPath(id)} in the target repository.`,
  );
}

export function gitFailed(command: string, output: GitOutput): GitError {
  const words = output.stderr.split('\n').slice(0, 3).join(' ');
  return new GitError(
    'git_failed',
    `git ${command} ended with ${output.exit}: ${words || 'no message'}`,
  );
}
