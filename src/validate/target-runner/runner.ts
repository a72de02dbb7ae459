/**
 * The target's files at a commit, written out once, and commands that run on a copy of them in a sandbox. The copy is
 * made inside, in memory: what a run changes is gone with it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../base/index.ts';
import { forgetAtExit, GitError, removeAtExit, type TargetRepository } from '../../git/index.ts';
import {
  type Bind,
  openToSandbox,
  probeSandbox,
  runSandboxed,
  SandboxError,
  type SandboxLimits,
  type SandboxProbe,
  type SandboxRun,
  withinReach,
} from '../../sandbox/index.ts';
import type { ValidateSettings } from '../types.ts';
import { ENVIRONMENT, MIRROR, nodeBinds, PREPARED, TARGET, writeEtc } from './inside.ts';
import {
  type CommandResult,
  NotRunnable,
  type OpenTarget,
  type TargetAt,
  type TargetCommand,
  type TargetRunner,
} from './types.ts';

interface RunnerPorts {
  readonly repository: Pick<TargetRepository, 'checkOut' | 'writeFiles' | 'listFiles'>;
  /** Real time: limits hold whatever time the loop believes it is. */
  readonly clock: Clock;
  newId(): string;
  readonly settings: RunnerSettings;
  /** Where files are written out for a while; the machine's own place unless given. */
  readonly temporary?: string;
  /** Asked once; a test may know it already. */
  readonly probe?: () => Promise<SandboxProbe>;
}

type RunnerSettings = Pick<ValidateSettings, 'memory' | 'processes'>;

const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;
const OPEN_FILES = 4096;

const UNPACK = `tar -xf ${PREPARED} -C ${TARGET}`;
/** Last, so that nothing that was prepared stands in the place of a file of the target. */
const COPY = `cp -a ${MIRROR}/. ${TARGET}/`;

export class SandboxRunner implements TargetRunner {
  readonly #ports: RunnerPorts;
  #isUsable = false;

  constructor(ports: RunnerPorts) {
    this.#ports = ports;
  }

  async open(where: TargetAt, signal: AbortSignal): Promise<OpenTarget> {
    await this.#mustBeUsable();
    signal.throwIfAborted();
    return openTarget(where.commit, undefined, this.#ports);
  }

  async #mustBeUsable(): Promise<void> {
    if (this.#isUsable) return;
    const { probe = () => probeSandbox(this.#ports) } = this.#ports;
    const answer = await probe();
    if (!answer.available) throw new NotRunnable(answer.why);
    this.#isUsable = true;
  }
}

async function openTarget(
  commit: string,
  prepared: string | undefined,
  ports: RunnerPorts,
): Promise<OpenTarget> {
  const folder = await mkdtemp(join(ports.temporary ?? tmpdir(), 'hone-target-'));
  removeAtExit(folder);
  const remove = async () => {
    await rm(folder, { recursive: true, force: true });
    forgetAtExit(folder);
  };
  try {
    const files = join(folder, 'files');
    await checkOut(commit, files, ports);
    const etc = await writeEtc(join(folder, 'etc'));
    await openToSandbox(folder);
    const binds = [{ from: files, to: MIRROR }, ...etc, ...(await nodeBinds(folder))];
    if (prepared !== undefined)
      binds.push({ from: await withinReach(prepared, folder), to: PREPARED });
    return {
      run: (command, signal) =>
        run(command, { binds, isPrepared: prepared !== undefined, signal, ports }),
      [Symbol.asyncDispose]: remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function checkOut(commit: string, folder: string, { repository }: RunnerPorts) {
  try {
    await repository.checkOut(commit, folder);
  } catch (error) {
    // What is in the commit is for whoever committed it to mend; anything else is a fault of the world.
    if (error instanceof GitError && ['bad_path', 'too_large'].includes(error.code))
      throw new NotRunnable(`The target's files cannot be written out: ${error.message}`);
    throw error;
  }
}

interface RunIn {
  readonly binds: readonly Bind[];
  readonly isPrepared: boolean;
  readonly signal: AbortSignal;
  readonly ports: RunnerPorts;
}

async function run(
  { argv, timeoutMs, input, report }: TargetCommand,
  { binds, isPrepared, signal, ports }: RunIn,
): Promise<CommandResult> {
  const setUp = ['mkdir -p "$HOME"', ...(isPrepared ? [UNPACK] : []), COPY].join(' && ');
  // What the command prints goes one way, so that nothing but the report goes the other.
  const call =
    report === undefined ? 'exec "$@"' : 'at=$1; shift; "$@" >&2; e=$?; cat -- "$at" 2>&-; exit $e';
  const given = report === undefined ? argv : [`./${report}`, ...argv];
  const sandboxRun: SandboxRun = {
    argv: ['/bin/sh', '-c', `${setUp} </dev/null || exit; ${call}`, 'sh', ...given],
    readOnly: binds,
    scratch: [TARGET],
    masked: [],
    cwd: TARGET,
    environment: ENVIRONMENT,
    ...(input === undefined ? {} : { input }),
    limits: limitsOf(ports.settings, timeoutMs),
    signal,
  };
  try {
    const { stdout, stderr, ...result } = await runSandboxed(sandboxRun, ports);
    signal.throwIfAborted();
    return { ...result, output: stdout, messages: stderr };
  } catch (error) {
    if (error instanceof SandboxError) throw new NotRunnable(error.message);
    throw error;
  }
}

/** Places in memory count as memory. No process can use more of the processor than there is in the time. */
function limitsOf({ memory, processes }: RunnerSettings, timeoutMs: number): SandboxLimits {
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
