/**
 * The target's files at a commit, written out for a while where the sandbox's user can read them, and what is bound for
 * every run on them. A program starts with the target's folder as its own.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../base/index.ts';
import { forgetAtExit, GitError, removeAtExit, type TargetRepository } from '../../git/index.ts';
import { matchingPath } from '../../policy/index.ts';
import {
  type Bind,
  openToSandbox,
  runSandboxed,
  SandboxError,
  type SandboxLimits,
  type SandboxResult,
} from '../../sandbox/index.ts';
import type { ValidateSettings } from '../types.ts';
import { ENVIRONMENT, MIRROR, nodeBinds, TARGET, writeEtc } from './inside.ts';
import { NotRunnable } from './types.ts';

export interface WritePorts {
  readonly repository: Pick<TargetRepository, 'checkOut'>;
  /** Real time: limits hold whatever time the loop believes it is. */
  readonly clock: Clock;
  newId(): string;
  readonly settings: Pick<ValidateSettings, 'memory' | 'processes' | 'files'>;
  /** Where files are written out; the machine's own place for such unless given. */
  readonly temporary?: string;
}

const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;
const OPEN_FILES = 4096;

/** Makes the copy that a run works on. Last, so that nothing that was prepared stands in the place of a file. */
export const COPY = `mkdir -p "$HOME" && cp -a ${MIRROR}/. ${TARGET}/`;

export class WrittenOut implements AsyncDisposable {
  readonly folder: string;
  readonly #ports: WritePorts;
  readonly #binds: Bind[] = [];

  private constructor(folder: string, ports: WritePorts) {
    this.folder = folder;
    this.#ports = ports;
  }

  static async of(commit: string, ports: WritePorts): Promise<WrittenOut> {
    const folder = await mkdtemp(join(ports.temporary ?? tmpdir(), 'hone-target-'));
    removeAtExit(folder);
    const written = new WrittenOut(folder, ports);
    try {
      const files = join(folder, 'files');
      await checkOut(commit, files, ports);
      written.bind({ from: files, to: MIRROR }, ...(await writeEtc(join(folder, 'etc'))));
      await openToSandbox(folder);
      written.bind(...(await nodeBinds(folder)));
      return written;
    } catch (error) {
      await written[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Seen by every run from now on. */
  bind(...binds: readonly Bind[]): void {
    this.#binds.push(...binds);
  }

  /** `script` is a shell's, and Hone's own; what is not comes to it as arguments. */
  async run({
    script,
    given,
    timeoutMs,
    environment = {},
    binds = [],
    signal,
    ...more
  }: ScriptRun): Promise<SandboxResult> {
    const run = {
      argv: ['/bin/sh', '-c', script, 'sh', ...given] as const,
      readOnly: [...this.#binds, ...binds],
      scratch: [TARGET],
      masked: [],
      cwd: TARGET,
      environment: { ...ENVIRONMENT, ...environment },
      limits: limitsOf(this.#ports, timeoutMs),
      signal,
      ...more,
    };
    try {
      const result = await runSandboxed(run, this.#ports);
      signal.throwIfAborted();
      return result;
    } catch (error) {
      if (error instanceof SandboxError) throw new NotRunnable(error.message);
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
    forgetAtExit(this.folder);
  }
}

interface ScriptRun {
  readonly script: string;
  readonly given: readonly string[];
  readonly timeoutMs: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** Seen by this run alone. */
  readonly binds?: readonly Bind[];
  readonly input?: string;
  readonly outputFile?: number;
  readonly signal: AbortSignal;
}

/** Nothing but `validate.files`: whether a decision can be carried over depends on what the commands can have read. */
async function checkOut(commit: string, folder: string, { repository, settings }: WritePorts) {
  const { files } = settings;
  try {
    await repository.checkOut(commit, folder, (path) => matchingPath(path, files) !== undefined);
  } catch (error) {
    // What is in the commit is for whoever committed it to mend; anything else is a fault of the world.
    if (error instanceof GitError && ['bad_path', 'too_large'].includes(error.code))
      throw new NotRunnable(`The target's files cannot be written out: ${error.message}`);
    throw error;
  }
}

/** Places in memory count as memory. No process can use more of the processor than there is in the time. */
export function limitsOf(
  { settings: { memory, processes } }: WritePorts,
  timeoutMs: number,
): SandboxLimits {
  return {
    wallMs: timeoutMs,
    cpuSeconds: Math.ceil((timeoutMs / 1000) * availableParallelism()),
    memoryBytes: memory,
    processes,
    fileBytes: memory,
    scratchBytes: memory,
    outputBytes: OUTPUT_BYTES_MAX,
    openFiles: OPEN_FILES,
  };
}
