/**
 * The target repository in memory, for simulations of thousands of runs: the same port, the same contract
 * suite, the same object ids as git. It differs from git only where git has several right answers:
 * which of repeated lines were changed.
 */

import { type Files, type PlannedChange, planChanges } from './changes.ts';
import { checkOutFiles } from './check-out.ts';
import { type DiffSide, diffSection } from './diff-text.ts';
import { draftDiff } from './draft-diff.ts';
import { GitError } from './errors.ts';
import { DEFAULT_GIT_LIMITS, type GitLimits } from './limits.ts';
import { type MergeHow, mergeLines } from './line-merge.ts';
import { MemoryObjects } from './memory-objects.ts';
import { commitBytes, type Entry, isRegular, kindOf, parseCommit, sameEntry } from './objects.ts';
import { applyParsed, byteString } from './patch-apply.ts';
import { parsePatch } from './patch-parse.ts';
import { byBytes, movableRefProblem, refNameProblem } from './paths.ts';
import {
  onlyBase,
  refusalOf,
  refuseDraft,
  refusePatchSize,
  refusePath,
  refuseRef,
} from './refusals.ts';
import { isBinary, mergeFiles, type ThreeSides } from './tree-merge.ts';
import type {
  CommitDraft,
  CommitId,
  CommitInfo,
  DraftDiff,
  FileChange,
  MergeResult,
  PatchResult,
  RefName,
  TargetRepository,
  TreeFile,
  TreeId,
} from './types.ts';

export interface MemoryRepositoryOptions {
  /** Objects to begin with; how tests make trees that the port does not write. */
  readonly objects?: MemoryObjects;
  readonly limits?: Partial<GitLimits>;
  /** Which branches are checked out, and where. There are no working trees here otherwise. */
  readonly workingTrees?: ReadonlyMap<RefName, string>;
}

export function memoryRepository(options: MemoryRepositoryOptions = {}): TargetRepository {
  return new MemoryRepository(options);
}

class MemoryRepository implements TargetRepository {
  readonly #objects: MemoryObjects;
  readonly #limits: GitLimits;
  readonly #workingTrees: ReadonlyMap<RefName, string>;
  readonly #refs = new Map<RefName, CommitId>();

  constructor(options: MemoryRepositoryOptions) {
    this.#objects = options.objects ?? new MemoryObjects();
    this.#limits = { ...DEFAULT_GIT_LIMITS, ...options.limits };
    this.#workingTrees = options.workingTrees ?? new Map();
  }

  async resolve(ref: RefName): Promise<CommitId | undefined> {
    refuseRef(ref, refNameProblem(ref));
    return this.#refs.get(ref);
  }

  async checkedOutAt(ref: RefName): Promise<string | undefined> {
    refuseRef(ref, refNameProblem(ref));
    return this.#workingTrees.get(ref);
  }

  async commitInfo(commit: CommitId): Promise<CommitInfo> {
    return this.#info(commit);
  }

  async readFile(commit: CommitId, path: string): Promise<Uint8Array | undefined> {
    const files = this.#filesOf(commit);
    refusePath(path);
    const entry = files.get(path);
    if (entry === undefined || !isRegular(entry.mode)) return undefined;
    return Uint8Array.from(this.#objects.get('blob', entry.id));
  }

  async readLink(commit: CommitId, path: string): Promise<string | undefined> {
    const files = this.#filesOf(commit);
    refusePath(path);
    const entry = files.get(path);
    if (entry === undefined || kindOf(entry.mode) !== 'symlink') return undefined;
    return Buffer.from(this.#objects.get('blob', entry.id)).toString();
  }

  async listFiles(commit: CommitId, folder: string): Promise<readonly TreeFile[]> {
    const files = this.#filesOf(commit);
    if (folder !== '') refusePath(folder);
    const inside = [...files].filter(([path]) => folder === '' || path.startsWith(`${folder}/`));
    return inside
      .map(([path, entry]) => ({ path, kind: kindOf(entry.mode), sizeBytes: this.#sizeOf(entry) }))
      .sort((a, b) => byBytes(a.path, b.path));
  }

  async diff(from: CommitId, to: CommitId): Promise<string> {
    const [old, now] = [this.#filesOf(from), this.#filesOf(to)];
    const side = (entry: Entry | undefined): DiffSide | undefined =>
      entry && { ...entry, bytes: this.#bytesOf(entry) };
    return [...new Set([...old.keys(), ...now.keys()])]
      .filter((path) => !sameEntry(old.get(path), now.get(path)))
      .sort(byBytes)
      .map((path) =>
        diffSection(this.#objects.format, path, [side(old.get(path)), side(now.get(path))]),
      )
      .join('');
  }

  async draft(base: CommitId, changes: readonly FileChange[]): Promise<DraftDiff> {
    const files = this.#filesOf(base);
    const planned = planChanges(files, changes, this.#limits);
    const found = planned.flatMap(({ path }) => {
      const entry = files.get(path);
      const content = entry && this.#objects.find('blob', entry.id);
      return content === undefined ? [] : [[path, { ...entry!, content }] as const];
    });
    return draftDiff(this.#objects.format, planned, new Map(found));
  }

  async changedPaths(commits: readonly CommitId[]): Promise<readonly (readonly string[])[]> {
    return commits.map((commit) => {
      const [first] = this.#info(commit).parents;
      const now = this.#filesOf(commit);
      const old = first === undefined ? new Map<string, Entry>() : this.#filesOf(first);
      return [...new Set([...old.keys(), ...now.keys()])]
        .filter((path) => !sameEntry(old.get(path), now.get(path)))
        .sort(byBytes);
    });
  }

  async isAncestor(ancestor: CommitId, commit: CommitId): Promise<boolean> {
    this.#info(ancestor);
    return this.#historyOf(commit).has(ancestor);
  }

  async writeFiles(base: CommitId | undefined, changes: readonly FileChange[]): Promise<TreeId> {
    const files = base === undefined ? new Map<string, Entry>() : this.#filesOf(base);
    return this.#write(files, planChanges(files, changes, this.#limits));
  }

  async applyPatch(base: CommitId, patch: string): Promise<PatchResult> {
    refusePatchSize(patch, this.#limits);
    const parsed = parsePatch(patch);
    if (!parsed.ok) return parsed;
    const files = this.#filesOf(base);
    const applied = applyParsed(parsed.files, (path) => {
      const entry = files.get(path);
      return (
        entry && {
          mode: entry.mode,
          content: this.#objects.find('blob', entry.id) ?? new Uint8Array(),
        }
      );
    });
    if (!applied.ok) return applied;
    try {
      return {
        ok: true,
        tree: this.#write(files, planChanges(files, applied.files, this.#limits)),
      };
    } catch (error) {
      return refusalOf(error);
    }
  }

  async revert(commit: CommitId, onto: CommitId): Promise<MergeResult> {
    const [parent] = this.#info(commit).parents;
    const before = parent === undefined ? new Map<string, Entry>() : this.#filesOf(parent);
    const sides = { base: this.#filesOf(commit), ours: this.#filesOf(onto), theirs: before };
    return this.#merge(sides, { beside: true });
  }

  async merge(ours: CommitId, theirs: CommitId): Promise<MergeResult> {
    const [mine, other] = [this.#historyOf(ours), this.#historyOf(theirs)];
    const shared = [...mine].filter((id) => other.has(id));
    // Whatever is below another shared commit is the parent of one: they have all their ancestors.
    const below = new Set(shared.flatMap((id) => this.#info(id).parents));
    const base = onlyBase(shared.filter((id) => !below.has(id)));
    return this.#merge({
      base: this.#filesOf(base),
      ours: this.#filesOf(ours),
      theirs: this.#filesOf(theirs),
    });
  }

  async commit(draft: CommitDraft): Promise<CommitId> {
    refuseDraft(draft);
    this.#objects.get('tree', draft.tree);
    for (const parent of draft.parents) this.#info(parent);
    return this.#objects.put('commit', commitBytes(draft));
  }

  async moveRef(
    ref: RefName,
    target: CommitId | null,
    expected: CommitId | undefined,
  ): Promise<boolean> {
    refuseRef(ref, movableRefProblem(ref));
    if (target !== null) this.#info(target);
    if (this.#refs.get(ref) !== expected) return false;
    if (target === null) {
      this.#refs.delete(ref);
      return true;
    }
    const taken = [...this.#refs.keys()].find(
      (one) => one.startsWith(`${ref}/`) || ref.startsWith(`${one}/`),
    );
    if (taken !== undefined)
      throw new GitError('ref_refused', `${ref} cannot exist beside ${taken}.`);
    this.#refs.set(ref, target);
    return true;
  }

  async checkOut(
    commit: CommitId,
    folder: string,
    isWanted: (path: string) => boolean = () => true,
  ): Promise<void> {
    const files = [...this.#filesOf(commit)]
      .map(([path, entry]) => ({ path, ...entry }))
      .filter(({ path }) => isWanted(path));
    await checkOutFiles(folder, files, {
      limits: this.#limits,
      sizeOf: (file) => this.#sizeOf(file),
      read: async (batch) => batch.map((file) => this.#objects.get('blob', file.id)),
    });
  }

  #info(commit: CommitId): CommitInfo {
    return parseCommit(commit, this.#objects.get('commit', commit));
  }

  #filesOf(commit: CommitId): Files {
    return this.#objects.filesOf(this.#info(commit).tree);
  }

  #sizeOf(entry: Entry): number {
    return entry.mode === '160000' ? 0 : this.#objects.get('blob', entry.id).length;
  }

  /** A submodule's commit is somewhere else; what a diff shows of it is its id. */
  #bytesOf(entry: Entry): string {
    if (entry.mode === '160000') return `Subproject commit ${entry.id}\n`;
    return byteString(this.#objects.get('blob', entry.id));
  }

  /** The commit and all its ancestors. */
  #historyOf(commit: CommitId): Set<CommitId> {
    const seen = new Set([commit]);
    for (const id of seen) for (const parent of this.#info(id).parents) seen.add(parent);
    return seen;
  }

  #write(files: Files, changes: readonly PlannedChange[]): TreeId {
    const next = new Map(files);
    for (const { path, mode, content } of changes) {
      if (content === null) next.delete(path);
      else next.set(path, { mode, id: this.#objects.put('blob', content) });
    }
    return this.#objects.putFiles(next);
  }

  async #merge(sides: ThreeSides, how: MergeHow = {}): Promise<MergeResult> {
    const merged = await mergeFiles(sides, async (versions) => {
      const ids = [versions.base, versions.ours, versions.theirs];
      const bodies = ids.map((id) =>
        id === undefined ? Buffer.alloc(0) : this.#objects.get('blob', id),
      );
      if (bodies.some(isBinary)) return undefined;
      const [old, one, other] = bodies.map(byteString);
      const text = mergeLines(old!, one!, other!, versions.base === undefined ? {} : how);
      return text === undefined
        ? undefined
        : this.#objects.put('blob', Buffer.from(text, 'latin1'));
    });
    return merged.ok ? { ok: true, tree: this.#objects.putFiles(merged.files) } : merged;
  }
}
