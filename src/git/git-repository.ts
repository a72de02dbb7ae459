/** The port on the real git: objects from the workbench, refs in the target. See `hermetic.ts`. */
import { ChangedPaths } from './changed-paths.ts';
import { checkOutFiles } from './check-out.ts';
import { diffText } from './diff-text.ts';
import { GitError } from './errors.ts';
import type { GitHistory } from './git-history.ts';
import { type GitObjects, gitFailed, unknownCommit } from './git-objects.ts';
import type { GitOutput } from './git-processes.ts';
import type { GitRefs } from './git-refs.ts';
import { RemoteOfTarget, type RemoteOptions, type RemoteParts } from './git-remote.ts';
import type { GitTrees } from './git-trees.ts';
import { commitBytes, isId, kindOf, objectId } from './objects.ts';
import { movableRefProblem, refNameProblem, shownPath } from './paths.ts';
import { refuseDraft, refusePath, refuseRef } from './refusals.ts';
import type {
  CommitDraft,
  CommitId,
  CommitInfo,
  DraftDiff,
  FileChange,
  GitRemote,
  MergeResult,
  PatchResult,
  RefName,
  TargetRepository,
  TreeFile,
  TreeId,
} from './types.ts';

const DIFF = [
  'diff-tree',
  '-r',
  '-p',
  '--full-index',
  '--no-renames',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--diff-algorithm=myers',
  '--no-indent-heuristic',
  '--unified=3',
  '--inter-hunk-context=0',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--submodule=short',
  '--ignore-submodules=none',
];

export class GitRepository implements TargetRepository {
  readonly #objects: GitObjects;
  readonly #changedPaths: ChangedPaths;
  readonly #history: GitHistory;
  readonly #trees: GitTrees;
  readonly #refs: GitRefs;
  readonly #remoteParts: Omit<RemoteParts, 'repository' | 'format'>;

  constructor(parts: {
    objects: GitObjects;
    history: GitHistory;
    trees: GitTrees;
    refs: GitRefs;
    remote: Omit<RemoteParts, 'repository' | 'format'>;
  }) {
    this.#remoteParts = parts.remote;
    this.#objects = parts.objects;
    this.#changedPaths = new ChangedPaths(parts.objects);
    this.#history = parts.history;
    this.#trees = parts.trees;
    this.#refs = parts.refs;
  }

  async resolve(ref: RefName): Promise<CommitId | undefined> {
    refuseRef(ref, refNameProblem(ref));
    const value = await this.#refs.value(ref);
    if (value === undefined) return undefined;
    const [commit] = await this.#objects.read([`${value.id}^{commit}`]);
    if (commit === undefined) throw unknownCommit(value.id);
    return commit.id;
  }

  async checkedOutAt(ref: RefName): Promise<string | undefined> {
    refuseRef(ref, refNameProblem(ref));
    return this.#refs.checkedOutAt(ref);
  }

  async commitInfo(commit: CommitId): Promise<CommitInfo> {
    return (await this.#objects.commits([commit]))[0]!;
  }

  async readFile(commit: CommitId, path: string): Promise<Uint8Array | undefined> {
    refusePath(path);
    return this.#objects.file(commit, path);
  }

  async readLink(commit: CommitId, path: string): Promise<string | undefined> {
    refusePath(path);
    return (await this.#objects.file(commit, path, 'symlink'))?.toString();
  }

  async listFiles(commit: CommitId, folder: string): Promise<readonly TreeFile[]> {
    if (folder !== '') refusePath(folder);
    const files = await this.#objects.list(commit, { folder, sizes: true });
    return files.map(({ path, mode, sizeBytes }) => ({ path, kind: kindOf(mode), sizeBytes }));
  }

  async diff(from: CommitId, to: CommitId): Promise<string> {
    for (const id of [from, to]) this.#objects.refuseId(id);
    const output = await this.#objects.run([...DIFF, `${from}^{commit}`, `${to}^{commit}`]);
    if (output.exit !== 0) throw await this.#objects.explain('diff-tree', output, [from, to]);
    return diffText(output.stdout.toString('latin1'));
  }

  draft(base: CommitId, changes: readonly FileChange[]): Promise<DraftDiff> {
    return this.#trees.draft(base, changes);
  }

  changedPaths(commits: readonly CommitId[]): Promise<readonly (readonly string[])[]> {
    return this.#changedPaths.of(commits);
  }

  isAncestor(ancestor: CommitId, commit: CommitId): Promise<boolean> {
    return this.#history.isAncestor(ancestor, commit);
  }

  writeFiles(base: CommitId | undefined, changes: readonly FileChange[]): Promise<TreeId> {
    return this.#trees.writeFiles(base, changes);
  }

  applyPatch(base: CommitId, patch: string): Promise<PatchResult> {
    return this.#trees.applyPatch(base, patch);
  }

  revert(commit: CommitId, onto: CommitId): Promise<MergeResult> {
    return this.#trees.revert(commit, onto);
  }

  merge(ours: CommitId, theirs: CommitId): Promise<MergeResult> {
    return this.#trees.merge(ours, theirs);
  }

  async commit(draft: CommitDraft): Promise<CommitId> {
    refuseDraft(draft);
    const { tree, parents, message, author } = draft;
    for (const id of parents) this.#objects.refuseId(id);
    if (!isId(tree, this.#objects.format)) throw unknownTree(tree);
    // Git knows the empty tree without having it; a clone of the branch would miss it.
    if (tree === this.#trees.emptyTree())
      await this.#objects.run(['hash-object', '-w', '-t', 'tree', '--stdin']);
    const when = `@${Math.floor(author.atMs / 1000)} +0000`;
    const args = ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])];
    const output = await this.#objects.run(args, {
      input: message,
      env: {
        GIT_AUTHOR_NAME: author.name,
        GIT_AUTHOR_EMAIL: author.email,
        GIT_AUTHOR_DATE: when,
        GIT_COMMITTER_NAME: author.name,
        GIT_COMMITTER_EMAIL: author.email,
        GIT_COMMITTER_DATE: when,
      },
    });
    if (output.exit !== 0) throw await this.#whyNotCommitted(output, draft);
    const id = output.stdout.toString('utf8').trim();
    if (id === objectId(this.#objects.format, 'commit', commitBytes(draft))) return id;
    throw gitFailed('commit-tree', { ...output, stderr: 'its commit differs from the draft' });
  }

  async #whyNotCommitted(output: GitOutput, draft: CommitDraft): Promise<GitError> {
    const [tree] = await this.#objects.read([draft.tree]);
    if (tree?.type !== 'tree') return unknownTree(draft.tree);
    return this.#objects.explain('commit-tree', output, draft.parents);
  }

  async moveRef(
    ref: RefName,
    target: CommitId | null,
    expected: CommitId | undefined,
  ): Promise<boolean> {
    refuseRef(ref, movableRefProblem(ref));
    if (target !== null) await this.#objects.commits([target]);
    return this.#refs.move(ref, target, expected);
  }

  remote(options: RemoteOptions): GitRemote {
    const { format } = this.#objects;
    return new RemoteOfTarget({ repository: this, format, ...this.#remoteParts }, options);
  }

  async checkOut(
    commit: CommitId,
    folder: string,
    isWanted: (path: string) => boolean = () => true,
  ): Promise<void> {
    const listed = await this.#objects.list(commit, { sizes: true });
    const files = listed.filter(({ path }) => isWanted(path));
    await checkOutFiles(folder, files, {
      limits: this.#objects.limits,
      sizeOf: (file) => file.sizeBytes,
      read: (batch) => this.#objects.blobs(batch),
    });
  }
}

const unknownTree = (id: string) =>
  new GitError('unknown_tree', `There is no tree ${shownPath(id)} in the target repository.`);
