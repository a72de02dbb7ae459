/** Runs a program with an input until it ends or its time is up; then it is ended with all that it started. */
import { spawn } from 'node:child_process';
import { type Clock, withTimeout } from '../base/index.ts';

export interface ProgramRun {
  /** Null where it was ended, or could not be started. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface ProgramOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: string;
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** More than anybody reads of it. */
const OUTPUT_CHARS_MAX = 1_000_000;

export function runProgram(
  words: readonly string[],
  { cwd, env, input, timeoutMs, clock }: ProgramOptions,
): Promise<ProgramRun> {
  return withTimeout(clock, timeoutMs, (over) => {
    const child = spawn(words[0]!, words.slice(1), {
      cwd,
      env: { ...env } as NodeJS.ProcessEnv,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    const said = { out: '', err: '' };
    for (const [name, stream] of [
      ['out', child.stdout],
      ['err', child.stderr],
    ] as const)
      stream.setEncoding('utf8').on('data', (piece: string) => {
        said[name] = (said[name] + piece).slice(-OUTPUT_CHARS_MAX);
      });
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const end = () => endGroup(child.pid);
    over.addEventListener('abort', end, { once: true });
    return new Promise<ProgramRun>((resolve) => {
      const ended = (code: number | null) => {
        over.removeEventListener('abort', end);
        resolve({ code, ...said });
      };
      child.once('error', () => ended(null));
      child.once('close', (code) => ended(code));
    });
  });
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}
