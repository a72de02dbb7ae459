/**
 * Makes trees in the target's object store: from changed files, by merging, and from patches by way of an index of
 * our own. Every tree is computed here. Git is handed what is new of it, and names it by itself; what git makes of a
 * patch is compared with it.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Files, type PlannedChange, planChanges } from './changes.ts';
import { type DraftedFile, draftDiff } from './draft-diff.ts';
import { GitError } from './errors.ts';
import { type GitHistory, historyMissing } from './git-history.ts';
import { type GitObjects, gitFailed } from './git-objects.ts';
import type { Workbench } from './hermetic.ts';
import { type MergeHow, mergeLines } from './line-merge.ts';
import { type Entry, objectId } from './objects.ts';
import type { NewObject } from './pack-stream.ts';
import { applyParsed, byteString } from './patch-apply.ts';
import { parsePatch } from './patch-parse.ts';
import { refusalOf, refusePatchSize } from './refusals.ts';
import { isBinary, mergeFiles, type Versions } from './tree-merge.ts';
import { treeOf } from './tree-of.ts';
import type { CommitId, DraftDiff, FileChange, MergeResult, PatchResult, TreeId } from './types.ts';

export class GitTrees {
  readonly #objects: GitObjects;
  readonly #history: GitHistory;
  readonly #bench: Workbench;
  /** The files of the commit that was asked for last: proposals of one cycle are all made on the same one. */
  #listed: { readonly commit: CommitId; readonly files: Files } | undefined;

  constructor(parts: { objects: GitObjects; history: GitHistory; bench: Workbench }) {
    this.#objects = parts.objects;
    this.#history = parts.history;
    this.#bench = parts.bench;
  }

  async writeFiles(base: CommitId | undefined, changes: readonly FileChange[]): Promise<TreeId> {
    const files = await this.#files(base);
    const planned = planChanges(files, changes, this.#objects.limits);
    const blobs = planned.flatMap(({ content }) => (content === null ? [] : [blob(content)]));
    const before = base === undefined ? undefined : { commit: base, files };
    return this.#write(before, edited(files, this.#edits(planned)), blobs);
  }

  async draft(base: CommitId, changes: readonly FileChange[]): Promise<DraftDiff> {
    const files = await this.#files(base);
    const planned = planChanges(files, changes, this.#objects.limits);
    return draftDiff(this.#objects.format, planned, await this.#contents(files, planned));
  }

  /**
   * Checked twice: the strict parser here decides whether and how the patch applies, `git apply` applies it,
   * and the two trees must be equal. So neither git's leniency nor a mistake of ours alone can change a byte.
   */
  async applyPatch(base: CommitId, patch: string): Promise<PatchResult> {
    refusePatchSize(patch, this.#objects.limits);
    const parsed = parsePatch(patch);
    if (!parsed.ok) return parsed;
    const files = await this.#files(base);
    const found = await this.#contents(files, parsed.files);
    const applied = applyParsed(parsed.files, (path) => found.get(path));
    if (!applied.ok) return applied;
    let planned: readonly PlannedChange[];
    try {
      planned = planChanges(files, applied.files, this.#objects.limits);
    } catch (error) {
      return refusalOf(error);
    }
    const expected = edited(files, this.#edits(planned));
    return this.#inScratch(async (scratch) => {
      const env = { GIT_INDEX_FILE: join(scratch, 'index') };
      await this.#must(['read-tree', `${base}^{tree}`], { env });
      const args = ['apply', '--cached', '--whitespace=nowarn', '-p1', '-'];
      const output = await this.#objects.run(args, { env, input: patch });
      if (output.exit === 1)
        return { ok: false, why: `git refuses the patch: ${output.stderr.split('\n')[0]}` };
      if (output.exit !== 0) throw gitFailed('apply', output);
      const tree = await this.#writeTree(env);
      // Not a fault: the author of the patch decides how git reads it.
      if (tree !== treeOf(expected, this.#objects.format))
        return { ok: false, why: 'git reads the patch differently' };
      return { ok: true, tree };
    });
  }

  /** Merges the parent of `commit` into `onto`, with `commit` as the common ancestor. */
  async revert(commit: CommitId, onto: CommitId): Promise<MergeResult> {
    const [reverted] = await this.#objects.commits([commit, onto]);
    const [parent] = reverted!.parents;
    try {
      return await this.#merge([commit, onto, parent], { beside: true });
    } catch (error) {
      // The two that were named are known to be there, so the one that is not is the parent.
      if (error instanceof GitError && error.code === 'unknown_commit') throw historyMissing();
      throw error;
    }
  }

  async merge(ours: CommitId, theirs: CommitId): Promise<MergeResult> {
    return this.#merge([await this.#history.mergeBase(ours, theirs), ours, theirs]);
  }

  /** The common ancestor, then both sides. */
  async #merge(
    ids: readonly [base: CommitId, ours: CommitId, theirs: CommitId | undefined],
    how: MergeHow = {},
  ): Promise<MergeResult> {
    const [, ours] = ids;
    const [old, mine, other] = await Promise.all(ids.map((id) => this.#files(id)));
    return this.#inScratch(async (scratch) => {
      const blobs: NewObject[] = [];
      const merged = await mergeFiles(
        { base: old!, ours: mine!, theirs: other! },
        async (versions) => {
          const body = await this.#mergeBlobs(versions, scratch, how);
          if (body === undefined) return undefined;
          blobs.push(blob(body));
          return objectId(this.#objects.format, 'blob', body);
        },
      );
      if (!merged.ok) return merged;
      return {
        ok: true,
        tree: await this.#write({ commit: ours, files: mine! }, merged.files, blobs),
      };
    });
  }

  /** By `git merge-file`: lines are git's business, paths are `tree-merge.ts`'s. Git knows no lines beside each other. */
  async #mergeBlobs(
    versions: Versions,
    scratch: string,
    how: MergeHow,
  ): Promise<Buffer | undefined> {
    const { base, ours, theirs } = versions;
    const wanted = [ours, base, theirs].flatMap((id) =>
      id === undefined ? [] : [{ id, path: id }],
    );
    const found = await this.#objects.blobs(wanted);
    if (found.some(isBinary)) return undefined;
    const bodies = base === undefined ? [found[0]!, Buffer.alloc(0), found[1]!] : found;
    const paths = bodies.map((_, at) => join(scratch, `version-${at}`));
    for (const [at, body] of bodies.entries()) await writeFile(paths[at]!, body);
    const output = await this.#objects.run(['merge-file', '-p', '-q', ...paths]);
    // The exit code is the number of conflicts, up to 127; faults are above.
    if (output.exit > 0 && output.exit <= 127) {
      if (base === undefined || how.beside !== true) return undefined;
      const [mine, old, other] = bodies.map(byteString);
      const merged = mergeLines(old!, mine!, other!, how);
      return merged === undefined ? undefined : Buffer.from(merged, 'latin1');
    }
    if (output.exit !== 0) throw gitFailed('merge-file', output);
    return output.stdout;
  }

  emptyTree(): TreeId {
    return objectId(this.#objects.format, 'tree', Buffer.alloc(0));
  }

  async #files(commit: CommitId | undefined): Promise<Files> {
    if (commit === undefined) return new Map();
    if (this.#listed?.commit === commit) return this.#listed.files;
    const listed = await this.#objects.list(commit, { sizes: false });
    const files = new Map(listed.map(({ path, mode, id }) => [path, { mode, id }]));
    this.#listed = { commit, files };
    return files;
  }

  /** What these paths are now; a submodule is somewhere else. */
  async #contents(
    files: Files,
    paths: readonly { readonly path: string }[],
  ): Promise<Map<string, DraftedFile>> {
    const touched = paths.flatMap(({ path }) => {
      const entry = files.get(path);
      return entry === undefined || entry.mode === '160000' ? [] : [{ path, ...entry }];
    });
    const contents = await this.#objects.blobs(touched);
    return new Map(
      touched.map(({ path, mode, id }, at) => [path, { mode, id, content: contents[at]! }]),
    );
  }

  #edits(changes: readonly PlannedChange[]): Map<string, Entry | undefined> {
    return new Map(
      changes.map(({ path, mode, content }) => [
        path,
        content === null
          ? undefined
          : { mode, id: objectId(this.#objects.format, 'blob', content) },
      ]),
    );
  }

  /** The tree of these files; only what the one before does not have is written, in one process. */
  async #write(
    before: { commit: CommitId; files: Files } | undefined,
    after: Files,
    blobs: readonly NewObject[],
  ): Promise<TreeId> {
    const { format } = this.#objects;
    const known = before === undefined ? new Set() : await this.#treesOf(before);
    const trees: NewObject[] = [];
    const tree = treeOf(after, format, (body) => trees.push({ type: 'tree', body }));
    const isNew = ({ type, body }: NewObject) => !known.has(objectId(format, type, body));
    await this.#objects.write([...blobs, ...trees.filter(isNew)]);
    return tree;
  }

  /** None where the commit's trees are not written as git writes them today: then all of ours are new. */
  async #treesOf({ commit, files }: { commit: CommitId; files: Files }): Promise<Set<string>> {
    const { format } = this.#objects;
    const ids = new Set<string>();
    const root = treeOf(files, format, (body) => ids.add(objectId(format, 'tree', body)));
    const [info] = await this.#objects.commits([commit]);
    return root === info!.tree ? ids : new Set();
  }

  async #writeTree(env: Record<string, string>): Promise<TreeId> {
    return (await this.#must(['write-tree'], { env })).trim();
  }

  async #must(args: readonly string[], more: { env: Record<string, string> }): Promise<string> {
    const output = await this.#objects.run(args, more);
    if (output.exit !== 0) throw gitFailed(args[0]!, output);
    return output.stdout.toString('utf8');
  }

  async #inScratch<T>(work: (scratch: string) => Promise<T>): Promise<T> {
    const scratch = await mkdtemp(join(this.#bench.folder, 'work-'));
    try {
      return await work(scratch);
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }
}

function edited(files: Files, edits: ReadonlyMap<string, Entry | undefined>): Files {
  const next = new Map(files);
  for (const [path, entry] of edits) {
    if (entry === undefined) next.delete(path);
    else next.set(path, entry);
  }
  return next;
}

const blob = (body: Uint8Array): NewObject => ({ type: 'blob', body });
