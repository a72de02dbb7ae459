/** Runs commands on the target's files in a sandbox: each run works on a fresh copy, which is gone with it. */
import {
  probeSandbox,
  runSandboxed,
  SandboxError,
  type SandboxProbe,
  withinReach,
} from '../../sandbox/index.ts';
import { filesRead, watchedList, watching } from './files-read.ts';
import { ENVIRONMENT, PREPARED, TARGET } from './inside.ts';
import { type ModelPorts, openModelDoor } from './model-door.ts';
import { type PreparationPorts, preparedFrom } from './prepared.ts';
import {
  type CommandResult,
  NotRunnable,
  type OpenTarget,
  type TargetAt,
  type TargetCommand,
  type TargetRunner,
} from './types.ts';
import { COPY, limitsOf, WrittenOut } from './written-out.ts';

interface RunnerPorts extends PreparationPorts, ModelPorts {
  readonly settings: PreparationPorts['settings'] & ModelPorts['settings'];
  /** A test may know it already. */
  readonly probe?: () => Promise<SandboxProbe>;
}

/** Of a shell: there is no such program. */
const NOT_FOUND = 127;
/** A linter reads one file, in well under a second; more is a machine that stands still. */
const TOOL_TIMEOUT_MS = 30_000;

export class SandboxRunner implements TargetRunner {
  readonly #ports: RunnerPorts;
  #usable: SandboxProbe | undefined;

  constructor(ports: RunnerPorts) {
    this.#ports = ports;
  }

  async open({ commit, base }: TargetAt, signal: AbortSignal): Promise<OpenTarget> {
    const usable = await this.probe();
    if (!usable.available) throw new NotRunnable(usable.why);
    signal.throwIfAborted();
    const prepared = await preparedFrom(base, this.#ports, signal);
    const written = await WrittenOut.of(commit, this.#ports);
    if (prepared !== undefined)
      written.bind({ from: await withinReach(prepared, written.folder), to: PREPARED });
    const setUp = prepared === undefined ? COPY : `tar -xf ${PREPARED} -C ${TARGET} && ${COPY}`;
    return {
      run: (command, stop) => run(command, { written, setUp, signal: stop, ports: this.#ports }),
      [Symbol.asyncDispose]: () => written[Symbol.asyncDispose](),
    };
  }

  async runTool(argv: readonly string[], input: string, signal: AbortSignal) {
    if (!(await this.probe()).available) return undefined;
    try {
      const { ended, exitCode, stdout } = await runSandboxed(
        {
          argv: ['/bin/sh', '-c', 'exec "$@"', 'sh', ...argv],
          ...{ readOnly: [], scratch: [TARGET], masked: [], cwd: TARGET, input, signal },
          ...{ environment: ENVIRONMENT, limits: limitsOf(this.#ports, TOOL_TIMEOUT_MS) },
        },
        this.#ports,
      );
      signal.throwIfAborted();
      return ended === 'exited' && exitCode !== NOT_FOUND ? stdout : undefined;
    } catch (error) {
      if (error instanceof SandboxError) return undefined;
      throw error;
    }
  }

  /** One that can be made once can be made again; one that cannot is tried anew. */
  async probe(): Promise<SandboxProbe> {
    if (this.#usable !== undefined) return this.#usable;
    const { probe = () => probeSandbox(this.#ports) } = this.#ports;
    const found = await probe();
    if (found.available) this.#usable = found;
    return found;
  }
}

interface RunIn {
  readonly written: WrittenOut;
  readonly setUp: string;
  readonly signal: AbortSignal;
  readonly ports: ModelPorts & Pick<PreparationPorts, 'newId'>;
}

async function run(
  { argv, timeoutMs, input, report, modelAccount: account, watched = [] }: TargetCommand,
  { written, setUp, signal, ports }: RunIn,
): Promise<CommandResult> {
  // What the command prints goes one way, so that nothing but the report goes the other.
  const call =
    report === undefined ? '"$@"; e=$?' : 'at=$1; shift; "$@" >&2; e=$?; cat -- "$at" 2>&-';
  const isWatched = watched.length > 0;
  const script = isWatched
    ? watching(setUp, call)
    : `{ ${setUp}; } </dev/null || exit; ${report === undefined ? 'exec "$@"' : `${call}; exit $e`}`;
  const mark = ports.newId();
  const { folder } = written;
  await using door =
    account === undefined ? undefined : await openModelDoor({ folder, account }, ports);
  const { argvBefore = [], binds = [], ...through } = door?.run ?? {};
  const words = [...argvBefore, ...argv];
  const { stdout, stderr, ...result } = await written.run({
    script,
    given: [
      ...(isWatched ? [mark] : []),
      ...(report === undefined ? [] : [`./${report}`]),
      ...words,
    ],
    timeoutMs,
    ...through,
    binds: isWatched ? [...binds, await watchedList(watched, { folder, id: mark })] : binds,
    ...(input === undefined ? {} : { input }),
    signal,
  });
  const asked = door === undefined ? {} : { model: door.finished() };
  const said = filesRead(stdout, { mark, paths: watched });
  const { output, read } = isWatched ? said : { output: stdout, read: undefined };
  return {
    ...{ ...result, ...asked, output, messages: stderr },
    ...(read === undefined ? {} : { read }),
  };
}
