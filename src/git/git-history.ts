/**
 * Questions about history. A clone may be shallow, and git then answers as if history began there; here
 * the workbench knows nothing of that, so that such a walk fails, and is asked again with the clone's own
 * list of where it was cut. An answer counts only if the cut cannot have changed it.
 */
import { readFile } from 'node:fs/promises';
import { GitError } from './errors.ts';
import type { GitObjects } from './git-objects.ts';
import type { GitOutput } from './git-processes.ts';
import { onlyBase } from './refusals.ts';
import type { CommitId } from './types.ts';

export class GitHistory {
  readonly #objects: GitObjects;
  readonly #shallowFile: string;

  constructor(objects: GitObjects, shallowFile: string) {
    this.#objects = objects;
    this.#shallowFile = shallowFile;
  }

  async isAncestor(ancestor: CommitId, commit: CommitId): Promise<boolean> {
    const { exit, cut } = await this.#walk(['--is-ancestor', ancestor, commit], [ancestor, commit]);
    // A path that was found exists; one that was not found may lead through what was cut.
    if (cut && exit !== 0) throw historyMissing();
    return exit === 0;
  }

  /** The nearest common ancestor, if there is one and no other. */
  async mergeBase(ours: CommitId, theirs: CommitId): Promise<CommitId> {
    const { stdout, cut } = await this.#walk(['--all', ours, theirs], [ours, theirs]);
    const bases = linesOf(stdout);
    if (!cut) return onlyBase(bases);
    if (bases.length !== 1) throw historyMissing();
    // Nothing was cut on this side of the base: all other common ancestors are behind it.
    const range = ['rev-list', ours, theirs, `^${bases[0]}`];
    const output = await this.#objects.run(['--shallow-file', this.#shallowFile, ...range]);
    const ends = new Set((await readFile(this.#shallowFile, 'utf8')).split('\n'));
    if (output.exit !== 0 || linesOf(output.stdout).some((id) => ends.has(id)))
      throw historyMissing();
    return bases[0]!;
  }

  async #walk(
    args: readonly string[],
    commits: readonly CommitId[],
  ): Promise<GitOutput & { cut: boolean }> {
    for (const id of commits) this.#objects.refuseId(id);
    const whole = await this.#objects.run(['merge-base', ...args]);
    if (isAnswer(whole)) return { ...whole, cut: false };
    const fault = await this.#objects.explain('merge-base', whole, commits);
    if (fault.code === 'unknown_commit') throw fault;
    const part = await this.#objects.run([
      '--shallow-file',
      this.#shallowFile,
      'merge-base',
      ...args,
    ]);
    if (isAnswer(part)) return { ...part, cut: true };
    throw historyMissing();
  }
}

/** Before 2.44 a walk that meets a missing commit ends with 1 like a plain no, and an error message. */
const isAnswer = ({ exit, stderr }: GitOutput) => stderr === '' && (exit === 0 || exit === 1);

const linesOf = (stdout: Buffer) =>
  stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');

export const historyMissing = () =>
  new GitError('history_missing', 'A commit in the history is not in the target repository.', {
    hint: 'The clone is shallow or damaged: run git fetch --unshallow.',
  });
