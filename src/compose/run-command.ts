/**
 * Runs the commands that sources name: no shell reads their words, they get three variables of our environment and no
 * input, and each is ended with all that it started, as one process group.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';
import { type Clock, errorCode } from '../base/index.ts';
import type {
  CommandEnd,
  CommandLimits,
  RunningCommand,
  SourceCommands,
} from '../observe/index.ts';

export interface NodeCommandsOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where commands run. */
  readonly cwd: string;
  readonly clock: Clock;
}

const KEPT = ['PATH', 'HOME', 'LANG'];
/** Joins both outputs in the order in which they are written; the command's words are never part of the script. */
const JOINED = ['/bin/sh', '-c', 'exec "$@" 2>&1', 'sh'];

/** Disposing of it ends all that still run. */
export function nodeCommands(options: NodeCommandsOptions): SourceCommands & AsyncDisposable {
  const running = new Set<Running>();
  return {
    nowMs: () => options.clock.nowMs(),
    run(command, limits) {
      const one = new Running(command, limits, options);
      running.add(one);
      one.onDone = () => running.delete(one);
      return one;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...running].map((one) => one[Symbol.asyncDispose]()));
    },
  };
}

class Running implements RunningCommand {
  readonly output: AsyncIterable<Uint8Array>;
  onDone: () => void = () => {};
  end: CommandEnd | undefined;
  readonly #limits: CommandLimits;
  readonly #options: NodeCommandsOptions;
  readonly #over = new AbortController();
  #child: ChildProcess | undefined;
  #why: CommandEnd | undefined;

  constructor(command: readonly string[], limits: CommandLimits, options: NodeCommandsOptions) {
    this.#limits = limits;
    this.#options = options;
    this.output = this.#print(command);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#finish(this.#why ?? { how: 'exited', code: null });
  }

  async *#print(command: readonly string[]): AsyncGenerator<Uint8Array> {
    if (this.end !== undefined) return;
    try {
      const child = await this.#start(command);
      this.#child = child;
      const exit = exited(child);
      void this.#endAfter(this.#limits.timeoutMs, { how: 'timeout' });
      yield* this.#pieces(child.stdout!);
      this.#finish(this.#why ?? { how: 'exited', code: await exit });
    } catch (error) {
      this.#finish({ how: 'not_started', code: errorCode(error) ?? 'unknown' });
    } finally {
      this.#finish(this.#why ?? { how: 'exited', code: null });
    }
  }

  async *#pieces(stdout: Readable): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    const pieces = stdout[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
    for (;;) {
      const piece = await this.#orIdle(pieces.next().catch(() => undefined));
      if (piece === undefined || piece.done === true) return;
      bytes += piece.value.length;
      if (bytes > this.#limits.outputBytesMax) {
        this.#stop({ how: 'too_much' });
        return;
      }
      yield piece.value;
    }
  }

  /** Waits for output, but not for ever. While nobody asks for any, it may be idle. */
  async #orIdle<T>(next: Promise<T>): Promise<T | undefined> {
    const waited = new AbortController();
    const signal = AbortSignal.any([waited.signal, this.#over.signal]);
    const idle = this.#options.clock.sleep(this.#limits.idleMs, signal).then(() => {
      if (!signal.aborted) this.#stop({ how: 'idle' });
      return undefined;
    });
    try {
      return await Promise.race([next, idle]);
    } finally {
      waited.abort();
    }
  }

  async #endAfter(ms: number, why: CommandEnd): Promise<void> {
    const { signal } = this.#over;
    await this.#options.clock.sleep(ms, signal);
    if (!signal.aborted) this.#stop(why);
  }

  async #start(command: readonly string[]): Promise<ChildProcess> {
    const { cwd, environment } = this.#options;
    const kept = KEPT.map((name) => [name, environment[name]]).filter(([, value]) => value);
    const env = Object.fromEntries(kept) as Record<string, string>;
    const { withErrors } = this.#limits;
    const words = withErrors
      ? [...JOINED, await programOf(command[0]!, env['PATH'] ?? '', cwd), ...command.slice(1)]
      : command;
    const child = spawn(words[0]!, words.slice(1), {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
      windowsHide: true,
    });
    await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
    return child;
  }

  #stop(why: CommandEnd): void {
    this.#why ??= why;
    this.#kill();
  }

  /** What it started goes with it; a pipe that somebody still holds is not waited for. */
  #kill(): void {
    const { pid } = this.#child ?? {};
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    } catch {
      // Everything has ended.
    }
    this.#child?.stdout?.destroy();
  }

  #finish(end: CommandEnd): void {
    // Later its number may be another process's.
    if (this.end !== undefined) return;
    this.end = end;
    this.#over.abort();
    this.#kill();
    this.onDone();
  }
}

function exited(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.once('error', () => resolve(null));
    child.once('exit', (code) => resolve(code));
  });
}

/** Found as a shell would, so that a missing program is not told in words that pass for its output. */
async function programOf(program: string, path: string, cwd: string): Promise<string> {
  const places = program.includes('/')
    ? [join(program.startsWith('/') ? '/' : cwd, program)]
    : path.split(delimiter).map((folder) => join(folder, program));
  let fault: unknown = Object.assign(new Error('not found'), { code: 'ENOENT' });
  for (const place of places) {
    try {
      await access(place, constants.X_OK);
      return place;
    } catch (error) {
      if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ENOTDIR') fault = error;
    }
  }
  throw fault;
}
