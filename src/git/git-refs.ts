/**
 * Refs, in the target's own git directory. A move names the value it expects and git compares and
 * replaces under its own lock, so it holds against every other git process on the machine.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../base/index.ts';
import { GitError } from './errors.ts';
import { gitFailed } from './git-objects.ts';
import type { GitOutput, GitProcesses } from './git-processes.ts';
import type { Workbench } from './hermetic.ts';
import { LINKED_PREFIX, linkRefs, namesOtherFiles } from './linked-refs.ts';
import { plainRef } from './loose-refs.ts';
import { noId, type ObjectFormat } from './objects.ts';
import { refuseSpecialFiles } from './plain-files.ts';
import type { CommitId, RefName } from './types.ts';
import { mainFolder, underWayAt } from './under-way.ts';

export interface RefValue {
  /** The object it names: a commit, or an annotated tag. */
  readonly id: string;
  /** The ref that it points to, if it is symbolic. */
  readonly symbolic: string | undefined;
}

interface RefCall {
  /** The ref that it is about. */
  readonly ref?: RefName;
  readonly input?: string;
}

export class GitRefs {
  readonly #processes: GitProcesses;
  readonly #bench: Workbench;
  readonly #format: ObjectFormat;
  readonly #clock: Clock;

  constructor(options: {
    processes: GitProcesses;
    bench: Workbench;
    format: ObjectFormat;
    clock: Clock;
  }) {
    this.#processes = options.processes;
    this.#bench = options.bench;
    this.#format = options.format;
    this.#clock = options.clock;
  }

  async value(ref: RefName): Promise<RefValue | undefined> {
    await refuseSpecialFiles(this.#gitFolder, ref);
    const plain = await plainRef(this.#gitFolder, ref, this.#format);
    if (plain !== 'ask git') {
      return plain.value === undefined ? undefined : { id: plain.value, symbolic: undefined };
    }
    const format = '--format=%(refname)%00%(objectname)%00%(symref)';
    const output = await this.#run(['for-each-ref', format, ref], { ref });
    if (output.exit !== 0) throw gitFailed('for-each-ref', output);
    // The pattern also matches all refs below the name.
    const lines = output.stdout.toString('utf8').split('\n');
    const found = lines.map((line) => line.split('\0')).find(([name]) => name === ref);
    return found && { id: found[1]!, symbolic: found[2] === '' ? undefined : found[2] };
  }

  /**
   * See the port. Git's own list: it knows bare repositories and every form that refs are kept in. What is rebased
   * or bisected is not in it.
   */
  async checkedOutAt(ref: RefName): Promise<string | undefined> {
    const output = await this.#run(['worktree', 'list', '--porcelain', '-z']);
    if (output.exit !== 0) throw gitFailed('worktree list', output);
    // One NUL after each line, one more after each working tree.
    for (const tree of output.stdout.toString('utf8').split('\0\0')) {
      const lines = tree.split('\0');
      const gone = lines.some((line) => line === 'prunable' || line.startsWith('prunable '));
      const folder = lines.find((line) => line.startsWith('worktree '));
      if (lines.includes(`branch ${ref}`) && !gone) {
        return this.#realFolder(folder!.slice('worktree '.length));
      }
    }
    return underWayAt(this.#gitFolder, ref);
  }

  /** See the port. The target is known to be a commit. */
  async move(
    ref: RefName,
    target: CommitId | null,
    expected: CommitId | undefined,
  ): Promise<boolean> {
    const before = await this.value(ref);
    if (before?.symbolic !== undefined) {
      throw new GitError(
        'ref_refused',
        `${ref} is a symbolic ref to ${before.symbolic} and is not moved.`,
        {
          hint: 'To move that one, name it directly.',
        },
      );
    }
    if (before?.id !== expected) return false;
    if (target === null && expected === undefined) return true;
    const [old, now] = [expected ?? noId(this.#format), target ?? noId(this.#format)];
    // Without `--no-deref`, a ref that became symbolic since would move another one.
    const args = ['update-ref', '--no-deref', '--stdin', '-z', '-m', 'hone'];
    const output = await this.#run(args, { ref, input: `update ${ref}\0${now}\0${old}\0` });
    if (output.exit === 0) return true;
    // Whoever held the lock has moved it by now, or holds it still: only the value can tell.
    if ((await this.value(ref))?.id !== expected) return false;
    const words = output.stderr.split('\n')[0];
    throw new GitError(
      'ref_refused',
      `${ref} is at the expected commit, but git does not move it: ${words}`,
      {
        hint: 'Another ref may be a prefix of its name, or a lock file was left by a process that died.',
      },
    );
  }

  /** The main working tree, where git was given a directory of our own for the target's. */
  #realFolder(folder: string): string {
    const isOurs = folder.startsWith(join(this.#bench.folder, LINKED_PREFIX));
    return isOurs ? mainFolder(this.#gitFolder) : folder;
  }

  get #gitFolder(): string {
    return this.#bench.refs['GIT_DIR']!;
  }

  async #run(args: readonly string[], call: RefCall = {}): Promise<GitOutput> {
    const gitFolder = this.#gitFolder;
    await refuseSpecialFiles(gitFolder, call.ref);
    if (!(await namesOtherFiles(gitFolder))) return this.#runIn(gitFolder, args, call);
    const into = this.#bench.folder;
    const made = await linkRefs({ gitFolder, into, processes: this.#processes });
    try {
      return await this.#runIn(join(made, '.git'), args, call);
    } finally {
      await rm(made, { recursive: true, force: true });
    }
  }

  #runIn(gitDir: string, args: readonly string[], { input }: RefCall): Promise<GitOutput> {
    const seconds = Math.floor(this.#clock.nowMs() / 1000);
    return this.#processes.run({
      args: [...this.#bench.refSettings, ...args],
      cwd: this.#bench.folder,
      input,
      // For the reflog, with which the user can go back.
      env: {
        ...this.#bench.refs,
        GIT_DIR: gitDir,
        GIT_COMMITTER_NAME: 'Hone',
        GIT_COMMITTER_EMAIL: 'hone@localhost',
        GIT_COMMITTER_DATE: `@${Math.max(0, seconds)} +0000`,
      },
    });
  }
}
