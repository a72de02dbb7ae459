/**
 * Starts git: a bounded number of processes at a time, each with a limit on its time and on what it
 * prints. A process that takes too long is told to end (git then removes its lock files) and, if it does
 * not, is killed. Nothing is read from the terminal and nothing of our environment reaches it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { type Clock, errorMessage, withTimeout } from '../base/index.ts';
import { GitError } from './errors.ts';
import type { GitLimits } from './limits.ts';

export interface GitCall {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly input?: Uint8Array | string | undefined;
  /** It starts others (ssh, a credential helper), and is ended with all of them. */
  readonly isGroup?: boolean;
}

export interface GitOutput {
  readonly exit: number;
  readonly stdout: Buffer;
  /** Git's words, for people: in English (LC_ALL=C), cut to a few lines. */
  readonly stderr: string;
}

const STDERR_BYTES_MAX = 4096;

export class GitProcesses {
  readonly #binary: string;
  readonly #clock: Clock;
  readonly #limits: GitLimits;
  #running = 0;
  #closed = false;
  readonly #waiting: (() => void)[] = [];
  readonly #whenIdle: (() => void)[] = [];

  constructor(options: { binary: string; clock: Clock; limits: GitLimits }) {
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
    return started(this.#binary, call, 'ignore');
  }

  async #start(call: GitCall, signal: AbortSignal): Promise<GitOutput> {
    const child = started(this.#binary, call);
    const over = new AbortController();
    let fault: GitError | undefined;
    const end = (why: GitError) => {
      fault ??= why;
      void this.#end(child, call, over.signal);
    };
    const what = `git ${subcommand(call.args)}`;
    signal.addEventListener('abort', () =>
      end(
        new GitError(
          'timeout',
          `${what} took longer than ${this.#limits.timeoutMs} ms and was ended.`,
        ),
      ),
    );
    const stdout = gather(child.stdout!, this.#limits.outputBytesMax, () =>
      end(
        new GitError(
          'too_large',
          `${what} printed more than ${this.#limits.outputBytesMax} bytes.`,
        ),
      ),
    );
    const stderr = gather(child.stderr!, STDERR_BYTES_MAX, () => {});
    // A process that ends without reading its input breaks the pipe; its exit code says what happened.
    child.stdin!.on('error', () => {});
    child.stdin!.end(call.input);
    try {
      const exit = await ended(child, () => fault !== undefined);
      if (fault !== undefined) throw fault;
      return {
        exit,
        stdout: Buffer.concat(stdout),
        stderr: Buffer.concat(stderr).toString('utf8').trim(),
      };
    } finally {
      over.abort();
    }
  }

  async #end(child: ChildProcess, { isGroup = false }: GitCall, over: AbortSignal): Promise<void> {
    signalTo(child, 'SIGTERM', isGroup);
    await this.#clock.sleep(this.#limits.graceMs, over);
    // What it started may have outlived it, and its group still has its number.
    if (!over.aborted || isGroup) signalTo(child, 'SIGKILL', isGroup);
  }
}

function signalTo(child: ChildProcess, signal: NodeJS.Signals, isGroup: boolean): void {
  if (!isGroup || child.pid === undefined || process.platform === 'win32') child.kill(signal);
  else {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // All of them have ended.
    }
  }
}

/** Some faults (arguments that are too long) are thrown, others arrive as an event. */
function started(binary: string, call: GitCall, stderr: 'pipe' | 'ignore' = 'pipe'): ChildProcess {
  try {
    return spawn(binary, call.args, {
      cwd: call.cwd,
      env: call.env,
      stdio: ['pipe', 'pipe', stderr],
      detached: call.isGroup === true,
      windowsHide: true,
    });
  } catch (cause) {
    throw notStarted(cause);
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
function gather(stream: NodeJS.ReadableStream, bytesMax: number, onFull: () => void): Buffer[] {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= bytesMax) chunks.push(chunk);
    else onFull();
  });
  return chunks;
}

/** Waits for the end of its output too, unless it was ended: then somebody else may hold the pipe. */
function ended(child: ChildProcess, wasEnded: () => boolean): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on('error', (cause) => reject(notStarted(cause)));
    child.on('close', (exit) => resolve(exit ?? -1));
    child.on('exit', (exit) => {
      if (!wasEnded()) return;
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve(exit ?? -1);
    });
  });
}
