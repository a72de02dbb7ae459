/**
 * Reads the target's objects. Everything read by id is hashed again here: git trusts its object store,
 * and the target's can be written by the agents that Hone governs.
 */
import { GitError } from './errors.ts';
import type { GitOutput, GitProcesses } from './git-processes.ts';
import type { Workbench } from './hermetic.ts';
import type { GitLimits } from './limits.ts';
import type { ObjectReader } from './object-reader.ts';
import {
  type FileMode,
  isId,
  type ObjectFormat,
  type ObjectType,
  objectId,
  parseCommit,
  parseTree,
  readMode,
  type TreeEntry,
  utf8,
} from './objects.ts';
import { type NewObject, packStream } from './pack-stream.ts';
import { shownPath, treePathProblem } from './paths.ts';
import type { CommitInfo } from './types.ts';

/** How much the one long-lived process is asked at once. */
const ASKED_AT_ONCE = 64;
/** As many files are listed tree by tree; `ls-tree` does more at once. */
const SMALL_FILES_MAX = 1000;

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
  readonly #reader: ObjectReader;

  constructor(options: {
    processes: GitProcesses;
    reader: ObjectReader;
    bench: Workbench;
    format: ObjectFormat;
    limits: GitLimits;
  }) {
    this.#processes = options.processes;
    this.#bench = options.bench;
    this.#reader = options.reader;
    this.format = options.format;
    this.limits = options.limits;
  }

  /** Runs a command on objects, without checking its exit code. */
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

  /** The bytes behind names that git understands (`<id>`, `<id>^{tree}`), in their order. */
  async read(names: readonly string[]): Promise<(GitObject | undefined)[]> {
    if (names.length === 0) return [];
    const answers = await this.#reader.ask(names.map((name) => ({ want: 'contents', name })));
    if (answers !== undefined)
      return answers.map(({ id, type, body }) => this.#checked(id, type as ObjectType, body));
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
        throw new GitError('git_failed', 'git cat-file printed something other than objects.');
      }
      return this.#checked(id, type as ObjectType, body);
    });
  }

  #checked(id: string, type: ObjectType, body: Buffer): GitObject {
    if (objectId(this.format, type, body) === id) return { id, type, body };
    throw new GitError('object_altered', `The bytes of object ${id} do not match its id.`, {
      hint: 'Run git fsck in the target repository and restore the object from a clone.',
    });
  }

  /** Sizes of objects that are there; undefined when one may not be. */
  async sizes(ids: readonly string[]): Promise<number[] | undefined> {
    const sizes: number[] = [];
    for (let from = 0; from < ids.length; from += ASKED_AT_ONCE) {
      const part = ids.slice(from, from + ASKED_AT_ONCE);
      const answers = await this.#reader.ask(part.map((name) => ({ want: 'info', name })));
      if (answers === undefined) return undefined;
      sizes.push(...answers.map(({ sizeBytes }) => sizeBytes));
    }
    return sizes;
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
    const entry = await this.#entry(commit, path);
    const mode = entry?.mode;
    const isWanted =
      kind === 'symlink' ? mode === '120000' : mode === '100644' || mode === '100755';
    if (entry === undefined || !isWanted) return undefined;
    const [object] = await this.read([entry.id]);
    return this.refuseLarge(present(object, entry.id).body, path);
  }

  /** The entry at a path, `''` being the root; every tree on the way is checked. */
  async #entry(commit: string, path: string): Promise<Pick<TreeEntry, 'mode' | 'id'> | undefined> {
    const [{ tree } = { tree: '' }] = await this.commits([commit]);
    let entry: Pick<TreeEntry, 'mode' | 'id'> | undefined = { mode: '40000', id: tree };
    for (const name of path === '' ? [] : path.split('/')) {
      if (entry?.mode !== '40000') return undefined;
      const [object] = await this.read([entry.id]);
      const entries: TreeEntry[] = parseTree(present(object, entry.id).body, this.format);
      entry = entries.find((one) => one.name === name);
    }
    return entry;
  }

  refuseLarge(body: Buffer, path: string): Buffer {
    if (body.length <= this.limits.fileBytesMax) return body;
    throw new GitError(
      'too_large',
      `${shownPath(path)} has ${body.length} bytes, more than ${this.limits.fileBytesMax}.`,
    );
  }

  /**
   * All files below a folder, in git's order; a path that must not be followed is refused. Sizes on demand:
   * git opens every object for them, 200 ms for 10 000 files in place of 15.
   */
  async list(commit: string, want: { folder?: string; sizes: boolean }): Promise<ListedFile[]> {
    this.refuseId(commit);
    const small = await this.#listSmall(commit, want);
    if (small !== undefined) return small;
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
      // Git lists a submodule even when asked for what is below it.
      if (folder === '' || file.path.startsWith(`${folder}/`)) files.push(file);
      at = end + 1;
    }
    if (files.length <= this.limits.filesMax) return files;
    throw new GitError(
      'too_large',
      `The commit has ${files.length} files, more than ${this.limits.filesMax}.`,
    );
  }

  /**
   * The same without a separate process, if there are few: tree by tree. Undefined if there are more, or if
   * anything is wrong: then `git ls-tree` says what.
   */
  async #listSmall(
    commit: string,
    { folder = '', sizes }: { folder?: string; sizes: boolean },
  ): Promise<ListedFile[] | undefined> {
    const walked = await this.#walk(commit, folder).catch((error: unknown) => {
      if (error instanceof GitError && error.code === 'closed') throw error;
      return undefined;
    });
    if (walked === undefined) return undefined;
    const blobs = walked.filter(({ mode }) => mode !== '160000');
    const found = sizes ? await this.sizes(blobs.map(({ id }) => id)) : blobs.map(() => 0);
    if (found === undefined) return undefined;
    const sizeOf = new Map(blobs.map(({ path }, at) => [path, found[at]!]));
    for (const { path } of walked) refuseTreePath(path);
    return walked.map((file) => ({ ...file, sizeBytes: sizeOf.get(file.path) ?? 0 }));
  }

  async #walk(
    commit: string,
    folder: string,
  ): Promise<Omit<ListedFile, 'sizeBytes'>[] | undefined> {
    const top = await this.#entry(commit, folder);
    if (top?.mode !== '40000') return [];
    const trees = new Map<string, TreeEntry[]>();
    for (let level = [top.id]; level.length > 0; ) {
      if (trees.size + level.length > ASKED_AT_ONCE) return undefined;
      const objects = await this.read(level);
      for (const [at, id] of level.entries())
        trees.set(id, parseTree(present(objects[at], id).body, this.format));
      const next = level.flatMap((id) => trees.get(id)!.filter(({ mode }) => mode === '40000'));
      level = [...new Set(next.map(({ id }) => id))].filter((id) => !trees.has(id));
    }
    const files: Omit<ListedFile, 'sizeBytes'>[] = [];
    const visit = (id: string, prefix: string): boolean =>
      trees.get(id)!.every(({ mode, name, id: inner }) => {
        if (mode === '40000') return visit(inner, `${prefix}${name}/`);
        return files.push({ path: prefix + name, mode, id: inner }) <= SMALL_FILES_MAX;
      });
    return visit(top.id, folder === '' ? '' : `${folder}/`) ? files : undefined;
  }

  /** Writes new objects, in one process; git names each by itself, and what it wrote is looked for by our name. */
  async write(objects: readonly NewObject[]): Promise<void> {
    if (objects.length === 0) return;
    const input = packStream(objects, this.format);
    const output = await this.run(['unpack-objects', '-q'], { input });
    if (output.exit !== 0) throw gitFailed('unpack-objects', output);
    const ids = objects.map(({ type, body }) => objectId(this.format, type, body));
    if ((await this.sizes(ids)) !== undefined) return;
    if ((await this.read(ids)).includes(undefined)) {
      throw new GitError('git_failed', 'git wrote other objects than it was asked to.', {
        hint: 'Run git fsck --strict in the target repository.',
      });
    }
  }

  /** The blobs of listed files, in their order. */
  async blobs(files: readonly { readonly id: string; readonly path: string }[]): Promise<Buffer[]> {
    const objects = await this.read(files.map((file) => file.id));
    return files.map(({ id, path }, at) => this.refuseLarge(present(objects[at], id).body, path));
  }

  /** Why a command that named these commits failed, without parsing git's messages. */
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
    throw new GitError('git_failed', 'git ls-tree printed something other than files.');
  }
  refuseTreePath(path);
  // A submodule has no size; a blob without one is missing.
  if (plain !== '160000' && !/^\d+$/.test(size)) throw objectMissing(id);
  return { path, mode: plain, id, sizeBytes: plain === '160000' ? 0 : Number(size) };
}

function refuseTreePath(path: string): void {
  const problem = treePathProblem(path);
  if (problem === undefined) return;
  throw new GitError('bad_path', `The commit holds the path ${shownPath(path)}: ${problem}.`, {
    hint: 'Such a commit can harm whoever checks it out.',
  });
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
