/**
 * The paths that commits changed. A commit never changes, so what was asked once is kept: a watch asks for the commits since
 * a deployment at every look, and nearly all git processes of a busy week were started for that.
 */
import type { GitObjects } from './git-objects.ts';
import type { CommitId } from './types.ts';

const PATHS = ['diff-tree', '--stdin', '-r', '--root', '--name-only', '-z', '--no-renames'];

/** A few megabytes. Those that were asked for longest ago go first. */
const KEPT_MAX = 20_000;

export class ChangedPaths {
  readonly #objects: GitObjects;
  readonly #kept = new Map<CommitId, readonly string[]>();
  /** Of all that are kept; a commit without any counts as one. */
  #paths = 0;

  constructor(objects: GitObjects) {
    this.#objects = objects;
  }

  /** In their order; one process for all that are not known. */
  async of(commits: readonly CommitId[]): Promise<readonly (readonly string[])[]> {
    const unknown = commits.filter((id) => !this.#kept.has(id));
    const found = unknown.length === 0 ? new Map() : await this.#ask(unknown);
    const paths = commits.map((id): readonly string[] => found.get(id) ?? this.#kept.get(id)!);
    for (const [at, id] of commits.entries()) this.#keep(id, paths[at]!);
    return paths;
  }

  async #ask(commits: readonly CommitId[]): Promise<ReadonlyMap<CommitId, readonly string[]>> {
    const infos = await this.#objects.commits(commits);
    const input = infos.map(({ id, parents: [first] }) => `${first ? `${id} ${first}` : id}\n`);
    const output = await this.#objects.run(PATHS, { input: input.join('') });
    if (output.exit !== 0) throw await this.#objects.explain('diff-tree', output, commits);
    const found = new Map<CommitId, string[]>(commits.map((id) => [id, []]));
    let into: string[] = [];
    for (const word of output.stdout.toString('utf8').split('\0')) {
      const begun = found.get(word);
      if (begun !== undefined) into = begun;
      else if (word !== '') into.push(word);
    }
    return found;
  }

  #keep(commit: CommitId, paths: readonly string[]): void {
    this.#forget(commit);
    this.#kept.set(commit, paths);
    this.#paths += weightOf(paths);
    while (this.#paths > KEPT_MAX) this.#forget(this.#kept.keys().next().value!);
  }

  #forget(commit: CommitId): void {
    const paths = this.#kept.get(commit);
    if (paths === undefined) return;
    this.#kept.delete(commit);
    this.#paths -= weightOf(paths);
  }
}

const weightOf = (paths: readonly string[]) => Math.max(1, paths.length);
