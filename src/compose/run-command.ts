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
/** How long somebody waits who has others to read. */
const SOON_MS = 1000;
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
  onDone: () => void = () => {};
  end: CommandEnd | undefined;
  readonly #command: readonly string[];
  readonly #limits: CommandLimits;
  readonly #options: NodeCommandsOptions;
  readonly #over = new AbortController();
  #child: ChildProcess | undefined;
  #exit: Promise<number | null> | undefined;
  #pieces: AsyncIterator<Uint8Array> | undefined;
  /** The piece that is waited for, and since when. */
  #waiting:
    | { readonly piece: Promise<Uint8Array | undefined>; readonly sinceMs: number }
    | undefined;
  #bytes = 0;
  #why: CommandEnd | undefined;

  constructor(command: readonly string[], limits: CommandLimits, options: NodeCommandsOptions) {
    this.#command = command;
    this.#limits = limits;
    this.#options = options;
  }

  async next(mayBeLater: boolean): Promise<Uint8Array | 'later' | undefined> {
    if (this.end !== undefined) return undefined;
    try {
      await this.#begin();
    } catch (error) {
      this.#finish({ how: 'not_started', code: errorCode(error) ?? 'unknown' });
      return undefined;
    }
    const piece = await this.#soon(mayBeLater);
    if (piece === 'later') return piece;
    this.#bytes += piece?.length ?? 0;
    if (this.#bytes > this.#limits.outputBytesMax) this.#why ??= { how: 'too_much' };
    if (piece !== undefined && this.#why?.how !== 'too_much') return piece;
    this.#finish(this.#why ?? { how: 'exited', code: await this.#exit! });
    return undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#finish(this.#why ?? { how: 'exited', code: null });
  }

  async #begin(): Promise<void> {
    if (this.#pieces !== undefined) return;
    const child = await this.#start(this.#command);
    this.#child = child;
    this.#exit = exited(child);
    this.#pieces = (child.stdout as Readable)[Symbol.asyncIterator]();
    if (this.end !== undefined) this.#kill();
    void this.#stopAfter(this.#limits.timeoutMs, { how: 'timeout' }, this.#over.signal);
  }

  /** While nobody asks for output, it may be idle: a pipe holds what it printed. */
  async #soon(mayBeLater: boolean): Promise<Uint8Array | 'later' | undefined> {
    const { clock } = this.#options;
    this.#waiting ??= { piece: this.#piece(), sinceMs: clock.monotonicMs() };
    const { piece, sinceMs } = this.#waiting;
    const idleMs = Math.max(0, this.#limits.idleMs - (clock.monotonicMs() - sinceMs));
    const waited = new AbortController();
    const signal = AbortSignal.any([waited.signal, this.#over.signal]);
    void this.#stopAfter(idleMs, { how: 'idle' }, signal);
    const later = clock.sleep(mayBeLater ? SOON_MS : idleMs, signal).then(() => 'later' as const);
    const first = await (mayBeLater ? Promise.race([piece, later]) : piece);
    waited.abort();
    if (first !== 'later') this.#waiting = undefined;
    return first;
  }

  /** An output that was closed has ended. */
  async #piece(): Promise<Uint8Array | undefined> {
    const { done, value } = await this.#pieces!.next().catch(() => ({
      done: true,
      value: undefined,
    }));
    return done === true ? undefined : value;
  }

  async #stopAfter(ms: number, why: CommandEnd, signal: AbortSignal): Promise<void> {
    await this.#options.clock.sleep(ms, signal);
    if (signal.aborted) return;
    this.#why ??= why;
    this.#kill();
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
