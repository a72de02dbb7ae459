/**
 * Starts one process, hears its lines, and never outlives its time limit. Processes are ended by
 * their id, and only those that were started here.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
  readonly timedOut: boolean;
}

export interface Child {
  readonly pid: number;
  kill(): void;
  /** Resolves when the process is gone and everything that it wrote was read. */
  readonly ended: Promise<Ended>;
}

export interface StartOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Beside the environment of this process. */
  readonly env: Readonly<Record<string, string>>;
  readonly limitMs: number;
  /** Where standard output goes: line by line to a function, or to a file descriptor. */
  readonly output: number | ((line: string) => void);
}

const STDERR_CHARS_MAX = 10_000;

export function start(options: StartOptions): Child {
  const { output } = options;
  const child = spawn(options.command, options.args, {
    stdio: ['ignore', typeof output === 'number' ? output : 'pipe', 'pipe'],
    env: { ...process.env, ...options.env },
  });
  const heard = Promise.withResolvers<void>();
  if (child.stdout === null || typeof output === 'number') heard.resolve();
  else createInterface({ input: child.stdout }).on('line', output).once('close', heard.resolve);
  let stderr = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    if (stderr.length < STDERR_CHARS_MAX) stderr += text;
  });
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    child.kill('SIGKILL');
  }, options.limitMs);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      void heard.promise.then(() => resolve({ code, signal, stderr, timedOut }));
    });
  });
  return { pid: child.pid!, ended, kill: () => child.kill('SIGKILL') };
}
