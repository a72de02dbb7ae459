/**
 * The target repository's port: objects and refs, never the user's working tree. Everything is named by
 * commit id, every move of a ref names what it expects to find there.
 */

import type { RemoteOptions } from './git-remote.ts';

/** 40 or 64 hexadecimal digits. */
export type CommitId = string;
export type TreeId = string;

/** Full name, such as `refs/heads/main`. */
export type RefName = string;

export interface TreeFile {
  /** Relative to the root, with `/`; never absolute, never `..`, never empty. */
  readonly path: string;
  readonly kind: 'file' | 'executable' | 'symlink' | 'submodule';
  /** 0 for a submodule. */
  readonly sizeBytes: number;
}

export interface Signature {
  readonly name: string;
  readonly email: string;
  readonly atMs: number;
}

export interface CommitDraft {
  readonly tree: TreeId;
  readonly parents: readonly CommitId[];
  readonly message: string;
  /** Also the committer. Whole seconds are kept. */
  readonly author: Signature;
}

export interface CommitInfo {
  readonly id: CommitId;
  readonly tree: TreeId;
  readonly parents: readonly CommitId[];
  readonly message: string;
  readonly author: Signature;
  /** When it came to be where it is: later than the author's time after a rebase. */
  readonly committedAtMs: number;
}

/** New content for a path; null removes it. */
export interface FileChange {
  readonly path: string;
  readonly content: Uint8Array | null;
}

export type PatchResult =
  | { readonly ok: true; readonly tree: TreeId }
  /** It does not apply to these bytes, or it is no patch: nothing was changed. */
  | { readonly ok: false; readonly why: string };

export type DraftDiff =
  | { readonly ok: true; readonly diff: string }
  /** It cannot be written as a diff, as a file that is no text. */
  | { readonly ok: false; readonly why: string };

export type MergeResult =
  | { readonly ok: true; readonly tree: TreeId }
  | { readonly ok: false; readonly conflicts: readonly string[] };

/** A ref of a remote, from where it is expected (undefined: nowhere) to a commit of the target. */
export interface Push {
  readonly ref: RefName;
  readonly from: CommitId | undefined;
  readonly to: CommitId;
  /** Everything but the last step: nothing moves. */
  readonly isTrial?: boolean;
}

export type Pushed =
  | { readonly pushed: true }
  /** `moved`: it was not where it was expected. `refused`: the remote does not allow it, in its words. */
  | { readonly pushed: false; readonly why: 'moved' | 'refused'; readonly words: string };

/** Another repository, reached over the network. It throws `remote_failed` while it cannot be asked. */
export interface GitRemote {
  /** Where it is, without secrets. Throws `bad_remote` where that is not known or not allowed. */
  address(): Promise<string>;
  /** Where a ref is there now, undefined when there is none. The commit can be read in the target afterwards. */
  resolve(ref: RefName): Promise<CommitId | undefined>;
  /** Where it was when it was last asked for, by anybody; nobody is asked now. */
  seen(ref: RefName): Promise<CommitId | undefined>;
  push(push: Push): Promise<Pushed>;
}

export interface TargetRepository {
  /** The commit a ref points at, also through a tag; undefined when there is no such ref. */
  resolve(ref: RefName): Promise<CommitId | undefined>;
  /**
   * The folder of a working tree that has this branch checked out, or in which it is rebased or bisected: the
   * main one or a linked one, whether or not the branch has a commit yet; undefined when none has. A bare repository has no main one, and
   * one whose folder is gone does not count.
   */
  checkedOutAt(ref: RefName): Promise<string | undefined>;
  commitInfo(commit: CommitId): Promise<CommitInfo>;
  /** The bytes of a file; undefined when the commit has no such file. A link is no file. */
  readFile(commit: CommitId, path: string): Promise<Uint8Array | undefined>;
  /** Where a link points, as it stands there; undefined when the commit has no such link. */
  readLink(commit: CommitId, path: string): Promise<string | undefined>;
  /** All files below `folder` (`''` is all of them), sorted by the bytes of the path. */
  listFiles(commit: CommitId, folder: string): Promise<readonly TreeFile[]>;
  /**
   * Unified diff from one commit to another, full object ids, no renames, no external programs, no
   * function names. Files that are no UTF-8 text are shown as binary.
   */
  diff(from: CommitId, to: CommitId): Promise<string>;
  /**
   * The diff that these changes make of `base`, proven to apply to it and to give these very bytes. Nothing is written.
   * Empty where they change nothing.
   */
  draft(base: CommitId, changes: readonly FileChange[]): Promise<DraftDiff>;
  /** For each commit, the paths in which it differs from its first parent, sorted by bytes; without one, all. */
  changedPaths(commits: readonly CommitId[]): Promise<readonly (readonly string[])[]>;
  /** Whether `ancestor` is `commit` or one of its ancestors. */
  isAncestor(ancestor: CommitId, commit: CommitId): Promise<boolean>;

  /**
   * The tree of `base` with these files changed; without a base, of these files alone. A file keeps its
   * mode, a new one is not executable, removing what is not there changes nothing.
   */
  writeFiles(base: CommitId | undefined, changes: readonly FileChange[]): Promise<TreeId>;
  /**
   * The tree of `base` with the patch applied exactly: no fuzz, no offsets, no whitespace mending. Only
   * git's format, for plain files without renames; `index` lines are not compared.
   */
  applyPatch(base: CommitId, patch: string): Promise<PatchResult>;
  /**
   * The tree of `onto` with what `commit` did to its first parent undone (three-way). Lines that it changed and that still stand there
   * are put back whatever was done to the lines beside them.
   */
  revert(commit: CommitId, onto: CommitId): Promise<MergeResult>;
  /** The tree of merging `theirs` into `ours`. */
  merge(ours: CommitId, theirs: CommitId): Promise<MergeResult>;
  commit(draft: CommitDraft): Promise<CommitId>;

  /**
   * Moves a ref if it still points at `expected` (undefined: if it does not exist). False when somebody
   * else moved it. A null target removes it. Only branches, tags and `refs/hone/`; a working tree that
   * has the branch checked out is not changed with it.
   */
  moveRef(ref: RefName, target: CommitId | null, expected: CommitId | undefined): Promise<boolean>;
  /** A remote of this repository, or at an address; absent where there is no network, as in memory. */
  remote?(options: RemoteOptions): GitRemote;
  /**
   * Writes the commit's files into an empty folder, for work that needs real files. A submodule is an
   * empty folder; a commit with a link that leads out of the folder is refused. `isWanted`: only these files.
   */
  checkOut(commit: CommitId, folder: string, isWanted?: (path: string) => boolean): Promise<void>;
}
