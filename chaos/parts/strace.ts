/**
 * strace, for recording a process's calls and for failing one of them. Only the first thread is
 * traced: `node:sqlite` does all its work there, and `--seccomp-bpf`, which needs the others, cannot
 * deliver a signal at a call.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { WorkerBundle } from './bundle.ts';
import { type Ended, start } from './child.ts';
import type { WorkerOptions } from './worker.ts';

/** Why strace cannot be used here, in words for people; undefined where it can. */
export function straceProblem(): string | undefined {
  if (process.platform !== 'linux') return 'strace exists on Linux only.';
  const { error, status, stderr } = spawnSync(
    'strace',
    ['-o', '/dev/null', '-e', 'trace=none', process.execPath, '--version'],
    { encoding: 'utf8', timeout: 20_000 },
  );
  if (error !== undefined && 'code' in error && error.code === 'ENOENT')
    return 'strace is not installed: run "npm run setup", or install the package strace.';
  if (status === 0) return undefined;
  return (
    'strace may not trace a process here (ptrace is forbidden, as in many containers): ' +
    `allow it (docker: --cap-add=SYS_PTRACE), or measure elsewhere. It said: ${stderr.trim()}`
  );
}

export function requireStrace(): void {
  const problem = straceProblem();
  if (problem !== undefined) throw new Error(problem);
}

/** One call: `name(parameters) = result`. */
export interface Call {
  readonly name: string;
  readonly parameters: string;
  /** `?` when the process was killed at this call. */
  readonly result: string;
}

const CALL = /^(\w+)\((.*)\)\s+= (.*)$/s;

/** Undefined for lines about signals and exits. */
export function parseCall(line: string): Call | undefined {
  const [, name, parameters, result] = CALL.exec(line) ?? [];
  if (name === undefined || parameters === undefined || result === undefined) return undefined;
  return { name, parameters, result };
}

const RUN_MS_MAX = 120_000;

/** Runs a worker under strace. Its lines go to the file `said`, where strace sees them as calls. */
export async function runTraced(options: {
  readonly strace: readonly string[];
  readonly bundle: WorkerBundle;
  readonly worker: WorkerOptions;
  readonly said: string;
}): Promise<Ended & { readonly lines: readonly string[] }> {
  const output = openSync(options.said, 'a');
  try {
    const { env, command } = options.bundle;
    const args = [...options.strace, '--', ...command(options.worker)];
    const ended = await start({ command: 'strace', args, env, limitMs: RUN_MS_MAX, output }).ended;
    const lines = readFileSync(options.said, 'utf8').split('\n').filter(Boolean);
    if (ended.timedOut) endTracee(lines);
    return { ...ended, lines };
  } finally {
    closeSync(output);
  }
}

/** Ending strace may leave what it traced; that said its id first. */
function endTracee(lines: readonly string[]): void {
  const pid = Number(/^started (\d+)$/.exec(lines[0] ?? '')?.[1] ?? Number.NaN);
  if (!Number.isSafeInteger(pid)) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // gone already
  }
}
