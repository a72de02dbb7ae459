/**
 * Starts a process of git, or one that is asked a single thing. To start any, the system copies the page tables of whoever starts it, and that process
 * stands still meanwhile: 2 ms at 50 MB, 60 ms at 1 GB. One of ours that has lost more time in this way than it takes
 * to start a small process therefore lets that one start the others (`launcher.ts`).
 */
import { spawn } from 'node:child_process';
import { systemClock } from '../base/index.ts';
import { Launcher } from './launcher.ts';

/** What to start: plain data, so that another process can be told. */
export interface ProcessOrder {
  readonly binary: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly input?: Uint8Array | string | undefined;
  /** It starts others (ssh, a credential helper), and is ended with all of them. */
  readonly isGroup?: boolean | undefined;
}

export interface Sinks {
  readonly onOutput: (chunk: Buffer) => void;
  readonly onMessages: (chunk: Buffer) => void;
}

export interface StartedProcess {
  /** Its exit code once its output has ended too, -1 if it has none. Rejects if it could not be started. */
  readonly ended: Promise<number>;
  /** To it, or to its group. From then on its output is not waited for: somebody else may hold the pipe. */
  signal(signal: NodeJS.Signals): void;
  /** It will not be signalled any more: with its end it is forgotten. */
  release(): void;
}

/** What a small process of Node takes to start, on a machine that has other things to do. */
const LAUNCHER_MS = 100;

let lostMs = 0;
let launcher: Launcher | undefined;

export function startProcess(order: ProcessOrder, sinks: Sinks): StartedProcess {
  if (lostMs >= LAUNCHER_MS) {
    if (launcher?.isOpen !== true) launcher = new Launcher(startHere);
    return launcher.start(order, sinks);
  }
  const fromMs = systemClock.monotonicMs();
  const started = startHere(spawn, order, sinks);
  lostMs += systemClock.monotonicMs() - fromMs;
  return started;
}

/** Waits for its end, and keeps what it printed. Rejects if it could not be started. */
export async function runToEnd(order: ProcessOrder): Promise<{ exit: number; output: Buffer }> {
  const parts: Buffer[] = [];
  const started = startProcess(order, {
    onOutput: (part) => parts.push(part),
    onMessages: () => {},
  });
  try {
    return { exit: await started.ended, output: Buffer.concat(parts) };
  } finally {
    started.release();
  }
}

/** By whoever calls it. The launcher runs the text of this function: it uses nothing from around it. */
export function startHere(
  start: typeof spawn,
  { binary, args, env, cwd, input, isGroup = false }: ProcessOrder,
  { onOutput, onMessages }: Sinks,
): StartedProcess {
  const child = start(binary, args, {
    cwd,
    env,
    stdio: 'pipe',
    detached: isGroup,
    windowsHide: true,
  });
  child.stdout.on('data', onOutput);
  child.stderr.on('data', onMessages);
  // A process that ends without reading its input breaks the pipe; its exit code says what happened.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  let isSignalled = false;
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exit) => resolve(exit ?? -1));
    child.on('exit', (exit) => {
      if (!isSignalled) return;
      child.stdout.destroy();
      child.stderr.destroy();
      resolve(exit ?? -1);
    });
  });
  const signal = (name: NodeJS.Signals) => {
    isSignalled = true;
    if (!isGroup || child.pid === undefined || process.platform === 'win32') {
      child.kill(name);
      return;
    }
    try {
      process.kill(-child.pid, name);
    } catch {
      // All of them have ended.
    }
  };
  return { ended, signal, release() {} };
}
