/**
 * Runs deploy hooks and checks: no shell reads their words, they get an environment of their own and the input that is given, in an empty
 * folder of their own. One that takes too long is ended with all that it started. What one left running
 * when it ended by itself stays: restarting a service is what hooks are for.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, errorCode, errorMessage, nextTurn, withTimeout } from '../base/index.ts';
import type { CommandRun, DeployRunner, Got } from '../deploy/index.ts';

/** Of both outputs together; the end is what says why. */
const OUTPUT_BYTES_MAX = 256 * 1024;
const ANSWER_BYTES_MAX = 64 * 1024;

export interface RunnerOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
}

export const deployRunner =
  ({ environment, clock }: RunnerOptions) =>
  (signal: AbortSignal): DeployRunner => ({
    async run(words, { variables, timeoutMs, input }) {
      const cwd = await mkdtemp(join(tmpdir(), 'hone-hook-'));
      const { PATH = '', HOME = '' } = environment;
      try {
        const ran = await withTimeout(clock, timeoutMs, (late) =>
          run(words, {
            cwd,
            env: { PATH, HOME, ...variables },
            ...(input === undefined ? {} : { input }),
            over: AbortSignal.any([late, signal]),
          }),
        );
        // Ended because Hone ends: it says nothing about the command, which is run again.
        signal.throwIfAborted();
        return ran;
      } finally {
        await rm(cwd, { recursive: true, force: true });
      }
    },
    get: (url, { timeoutMs }) =>
      withTimeout(clock, timeoutMs, (late) => get(url, AbortSignal.any([late, signal]))),
  });

interface Start {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Aborts when time is up, or when Hone ends. */
  readonly over: AbortSignal;
}

function run(words: readonly string[], { cwd, env, input = '', over }: Start): Promise<CommandRun> {
  const child = spawn(words[0]!, words.slice(1), {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
    windowsHide: true,
  });
  // One that does not read it is not at fault.
  child.stdin.on('error', () => {}).end(input);
  let output = Buffer.alloc(0);
  const keep = (part: Buffer) => {
    output = Buffer.concat([output, part]).subarray(-OUTPUT_BYTES_MAX);
  };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', keep);
  const end = () => endGroup(child.pid);
  over.addEventListener('abort', end, { once: true });
  if (over.aborted) end();
  return new Promise((resolve) => {
    child.once('error', (error) => {
      const said = `${errorCode(error) ?? ''} ${errorMessage(error)}`.trim();
      resolve({ how: 'not_started', code: null, output: said });
    });
    child.once('exit', (code) => {
      over.removeEventListener('abort', end);
      // What it printed last may still be in the pipe; whoever else holds it is not waited for.
      void nextTurn().then(() => {
        for (const stream of [child.stdout, child.stderr]) stream.destroy();
        const how = over.aborted ? 'timeout' : code === 0 ? 'done' : 'failed';
        resolve({ how, code, output: output.toString('utf8') });
      });
    });
  });
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // All of it has ended.
  }
}

async function get(url: string, signal: AbortSignal): Promise<Got> {
  try {
    const answer = await fetch(url, { signal, redirect: 'error' });
    if (!answer.ok || answer.body === null) return { why: `status ${answer.status}` };
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for await (const part of answer.body) {
      bytes += part.length;
      if (bytes > ANSWER_BYTES_MAX) return { why: `more than ${ANSWER_BYTES_MAX} bytes` };
      parts.push(part);
    }
    return { text: Buffer.concat(parts).toString('utf8') };
  } catch (error) {
    const { cause } = error as { cause?: unknown };
    return { why: errorMessage(cause ?? error) };
  }
}
