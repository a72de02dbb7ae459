/**
 * Starts git: a bounded number of processes at a time, each with a limit on its time and on what it
 * prints. A process that takes too long is told to end (git then removes its lock files) and, if it does
 * not, is killed. Nothing is read from the terminal and nothing of our environment reaches it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { type Clock, errorMessage, withTimeout } from '../base/index.ts';
import { GitError } from './errors.ts';
import type { GitLimits } from './limits.ts';
import {
  type ProcessOrder,
  type Sinks,
  type StartedProcess,
  startProcess,
} from './start-process.ts';

export type GitCall = Omit<ProcessOrder, 'binary'>;

export interface GitOutput {
  readonly exit: number;
  readonly stdout: Buffer;
  /** Git's words, for people: in English (LC_ALL=C), cut to a few lines. */
  readonly stderr: string;
}

const STDERR_BYTES_MAX = 4096;

export class GitProcesses {
  readonly #begin: typeof startProcess;
  readonly #binary: string;
  readonly #clock: Clock;
  readonly #limits: GitLimits;
  #running = 0;
  #closed = false;
  readonly #waiting: (() => void)[] = [];
  readonly #whenIdle: (() => void)[] = [];

  constructor(options: {
    binary: string;
    clock: Clock;
    limits: GitLimits;
    start?: typeof startProcess;
  }) {
    this.#begin = options.start ?? startProcess;
    this.#binary = options.binary;
    this.#clock = options.clock;
    this.#limits = options.limits;
  }

  /** Starts no more processes; those that run finish first. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#running > 0) await new Promise<void>((idle) => this.#whenIdle.push(idle));
  }

  async run(call: GitCall): Promise<GitOutput> {
    if (this.#closed) throw new GitError('closed', 'The target repository was closed.');
    if (this.#running >= this.#limits.processesMax) {
      await new Promise<void>((go) => this.#waiting.push(go));
    } else this.#running++;
    try {
      return await withTimeout(this.#clock, this.#limits.timeoutMs, (signal) =>
        this.#start(call, signal),
      );
    } finally {
      // The slot is handed over, so that newcomers cannot take it from those who wait.
      const next = this.#waiting.shift();
      if (next !== undefined) next();
      else if (--this.#running === 0) for (const idle of this.#whenIdle) idle();
    }
  }

  /** One that runs until it is ended. It does not count towards the limit, and its messages are ignored. */
  open(call: GitCall): ChildProcess {
    if (this.#closed) throw new GitError('closed', 'The target repository was closed.');
    try {
      const { args, cwd, env } = call;
      return spawn(this.#binary, args, {
        ...{ cwd, env, windowsHide: true },
        stdio: ['pipe', 'pipe', 'ignore'],
      });
    } catch (cause) {
      throw notStarted(cause);
    }
  }

  async #start(call: GitCall, signal: AbortSignal): Promise<GitOutput> {
    const over = new AbortController();
    let fault: GitError | undefined;
    const end = (why: GitError) => {
      if (fault !== undefined) return;
      fault = why;
      void this.#end(running, call, over.signal);
    };
    const what = `git ${subcommand(call.args)}`;
    const stdout = gather(this.#limits.outputBytesMax, () =>
      end(
        new GitError(
          'too_large',
          `${what} printed more than ${this.#limits.outputBytesMax} bytes.`,
        ),
      ),
    );
    const stderr = gather(STDERR_BYTES_MAX, () => {});
    const running = this.#started(call, { onOutput: stdout.add, onMessages: stderr.add });
    signal.addEventListener('abort', () =>
      end(
        new GitError(
          'timeout',
          `${what} took longer than ${this.#limits.timeoutMs} ms and was ended.`,
        ),
      ),
    );
    try {
      const exit = await running.ended.catch((cause: unknown) => {
        throw notStarted(cause);
      });
      if (fault !== undefined) throw fault;
      return {
        exit,
        stdout: stdout.all(),
        stderr: stderr.all().toString('utf8').trim(),
      };
    } finally {
      over.abort();
      if (fault === undefined) running.release();
    }
  }

  /** Some faults (arguments that are too long) are thrown, others arrive as an event. */
  #started(call: GitCall, sinks: Sinks): StartedProcess {
    try {
      return this.#begin({ binary: this.#binary, ...call }, sinks);
    } catch (cause) {
      throw notStarted(cause);
    }
  }

  async #end(
    running: StartedProcess,
    { isGroup = false }: GitCall,
    over: AbortSignal,
  ): Promise<void> {
    running.signal('SIGTERM');
    await this.#clock.sleep(this.#limits.graceMs, over);
    // What it started may have outlived it, and its group still has its number.
    if (!over.aborted || isGroup) running.signal('SIGKILL');
    running.release();
  }
}

const notStarted = (cause: unknown) =>
  new GitError('git_missing', `git could not be started: ${errorMessage(cause)}.`, { cause });

/** The command's name without the settings before it. */
function subcommand(args: readonly string[]): string {
  const first = args.findIndex((arg, at) => !arg.startsWith('-') && args[at - 1] !== '-c');
  return args[first] ?? '';
}

/** Chunks up to a limit; beyond it they are dropped and `onFull` is called. */
function gather(bytesMax: number, onFull: () => void) {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return {
    add(chunk: Buffer): void {
      bytes += chunk.length;
      if (bytes <= bytesMax) chunks.push(chunk);
      else onFull();
    },
    all: () => Buffer.concat(chunks),
  };
}
