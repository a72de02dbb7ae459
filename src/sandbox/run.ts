/**
 * One run: made, limited, started, watched, ended. States:
 *
 *   made ──first process known, limits on──► running ──┬─ exits ───────────────► done
 *     └─ cannot be made ─► SandboxError                └─ a limit, or told to stop ─► killed ─► done
 *
 * Whatever happens, nothing of it is left: the first process inside is the parent of all, and with it the kernel ends
 * the namespace; `bwrap` ends with Hone.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { type Clock, errorCode } from '../base/index.ts';
import { bwrapArguments, SANDBOX_UID, type SystemFolders } from './arguments.ts';
import { makeCgroup } from './cgroup.ts';
import { SandboxError } from './errors.ts';
import { masksOf } from './masks.ts';
import { isAlive, memoryBelow } from './processes.ts';
import { systemFolders } from './system-folders.ts';
import type { Ended, LimitsKept, SandboxResult, SandboxRun } from './types.ts';

export interface SandboxPorts {
  readonly clock: Clock;
  /** Names the run, where the machine needs a name for it. */
  newId(): string;
  readonly system?: SystemFolders;
  /** Never a cgroup; for tests. */
  readonly withoutCgroup?: boolean;
}

const INFO = 3;
const BLOCK = 4;
const STARTED = 5;
/** How often the memory is looked at where the kernel keeps no limit for all of it together. */
const WATCH_MS = 25;
/** How long the last processes and the ends of its output are waited for, after everything in it was killed. */
const DRAIN_MS = 2_000;
const GONE_MS = 2;

export async function runSandboxed(run: SandboxRun, ports: SandboxPorts): Promise<SandboxResult> {
  const descriptors = { info: INFO, block: BLOCK, started: STARTED };
  const system = ports.system ?? systemFolders();
  const args = bwrapArguments(run, { system, masks: masksOf(run) }, descriptors);
  const cgroup =
    ports.withoutCgroup === true ? undefined : makeCgroup(`hone-${ports.newId()}`, run.limits);
  try {
    return await new Running(run, ports, cgroup).start(args);
  } finally {
    cgroup?.remove();
  }
}

class Running {
  readonly #run: SandboxRun;
  readonly #ports: SandboxPorts;
  readonly #cgroup: ReturnType<typeof makeCgroup>;
  #ended: Ended | undefined;
  #first: number | undefined;
  #peakBytes = 0;

  constructor(run: SandboxRun, ports: SandboxPorts, cgroup: ReturnType<typeof makeCgroup>) {
    this.#run = run;
    this.#ports = ports;
    this.#cgroup = cgroup;
  }

  async start(args: readonly string[]): Promise<SandboxResult> {
    const { clock } = this.#ports;
    const { limits, input, outputFile, signal } = this.#run;
    const startMs = clock.monotonicMs();
    const child = spawn('bwrap', args, {
      stdio: ['pipe', outputFile ?? 'pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
      env: {},
      // As root it would see with root's eyes what is bound: root's files stay root's outside of the namespace.
      ...(process.getuid?.() === 0 ? { uid: SANDBOX_UID, gid: SANDBOX_UID } : {}),
      detached: true,
    });
    const exit = exitOf(child);
    const stdout = collect(child.stdout, limits.outputBytes, () => this.#kill(child, 'output'));
    const stderr = collect(child.stderr, limits.outputBytes, () => this.#kill(child, 'output'));
    const pipes: readonly unknown[] = child.stdio;
    const started = collect(pipes[STARTED] as Readable, 1, () => {});
    const first = await firstProcess(child.stdio[INFO] as Readable, exit);
    if (first === undefined) throw notStarted((await exit).error, stderr.text());
    this.#first = first;
    this.#confine(child, first);
    const timers = new AbortController();
    const onAbort = () => this.#kill(child, 'aborted');
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted === true) onAbort();
    void this.#timeOut(child, timers.signal);
    if (this.#cgroup === undefined) void this.#watchMemory(child, timers.signal);
    release(child.stdio[BLOCK] as Writable, this.#ended === undefined);
    give(child.stdin!, input);
    const { code, signal: killedBy } = await exit;
    timers.abort();
    signal?.removeEventListener('abort', onAbort);
    await this.#gone(first);
    await drained([stdout.end, stderr.end], clock);
    if (started.bytes().length === 0 && this.#ended === undefined)
      throw notStarted(undefined, stderr.text());
    const isOut = this.#cgroup?.ranOut() === true;
    const ended = this.#ended ?? (isOut ? 'memory' : killedBy !== null ? 'killed' : 'exited');
    // 128 and a signal's number: `bwrap` says by it that the program was killed, as shells do.
    const wasKilled = ended === 'exited' && code !== null && code > 128 && code < 192;
    return {
      ended: wasKilled ? 'killed' : ended,
      exitCode: ended === 'exited' ? code : null,
      stdout: stdout.bytes(),
      stderr: stderr.bytes(),
      wallMs: clock.monotonicMs() - startMs,
      memoryBytes: this.#cgroup?.peakBytes() ?? this.#peakBytes,
      kept: keptBy(this.#cgroup !== undefined),
    };
  }

  /** Both wait for the word to go on. One that ended by itself meanwhile never ran anything. */
  #confine(child: ChildProcess, first: number): void {
    if (this.#cgroup === undefined) return;
    try {
      for (const pid of [child.pid!, first]) this.#cgroup.add(pid);
    } catch (error) {
      if (errorCode(error) !== 'ESRCH') throw error;
      child.kill('SIGKILL');
    }
  }

  /** The first process inside is the last to go: when it is gone, nothing of the run is left. */
  async #gone(first: number): Promise<void> {
    const { clock } = this.#ports;
    const untilMs = clock.monotonicMs() + DRAIN_MS;
    while (isAlive(first) && clock.monotonicMs() < untilMs) await clock.sleep(GONE_MS);
  }

  /**
   * The first reason counts. The first process inside is killed as well: until its namespace is made, it does not die
   * with `bwrap`, and would run what it waits for.
   */
  #kill(child: ChildProcess, why: Ended): void {
    this.#ended ??= why;
    child.kill('SIGKILL');
    try {
      if (this.#first !== undefined) process.kill(this.#first, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }

  async #timeOut(child: ChildProcess, done: AbortSignal): Promise<void> {
    await this.#ports.clock.sleep(this.#run.limits.wallMs, done).catch(() => undefined);
    if (!done.aborted) this.#kill(child, 'time');
  }

  async #watchMemory(child: ChildProcess, done: AbortSignal): Promise<void> {
    while (!done.aborted) {
      const bytes = memoryBelow(child.pid!);
      this.#peakBytes = Math.max(this.#peakBytes, bytes);
      if (bytes > this.#run.limits.memoryBytes) {
        this.#kill(child, 'memory');
        return;
      }
      await this.#ports.clock.sleep(WATCH_MS, done).catch(() => undefined);
    }
  }
}

/** Memory, and with it the files in memory, is bounded together by the cgroup, or looked at. */
function keptBy(hasCgroup: boolean): LimitsKept {
  return {
    wallMs: 'timer',
    cpuSeconds: 'rlimit',
    memoryBytes: hasCgroup ? 'cgroup' : 'watched',
    processes: hasCgroup ? 'cgroup' : 'rlimit',
    fileBytes: 'rlimit',
    scratchBytes: 'tmpfs',
    outputBytes: 'watched',
    openFiles: 'rlimit',
  };
}

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly error?: Error;
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, signal: null, error }));
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

/** `bwrap` tells it as JSON, in one piece; undefined if it ended before that. */
async function firstProcess(info: Readable, exit: Promise<Exit>): Promise<number | undefined> {
  const told = new Promise<number | undefined>((resolve) => {
    let text = '';
    info.on('error', () => resolve(undefined));
    info.on('end', () => resolve(undefined));
    info.on('data', (bytes: Buffer) => {
      text += bytes.toString();
      const pid = /"child-pid":\s*(\d+)/.exec(text)?.[1];
      if (pid !== undefined) resolve(Number(pid));
    });
  });
  return Promise.race([told, exit.then(() => undefined)]);
}

/** Nothing of a stream that goes elsewhere. */
function collect(stream: Readable | null, bytesMax: number, onTooMuch: () => void) {
  const parts: Buffer[] = [];
  let size = 0;
  stream?.on('data', (bytes: Buffer) => {
    const left = bytesMax - size;
    if (left > 0) parts.push(bytes.subarray(0, left));
    size += bytes.length;
    if (size > bytesMax) onTooMuch();
  });
  const end = new Promise<void>((resolve) => {
    if (stream === null) resolve();
    stream?.once('close', resolve);
    stream?.once('error', () => resolve());
  });
  const bytes = () => Buffer.concat(parts);
  return { end, bytes, text: () => bytes().toString() };
}

/** A process that was killed in it may hold the pipe a moment longer; nothing waits for it for ever. */
async function drained(ends: readonly Promise<void>[], clock: Clock): Promise<void> {
  const enough = new AbortController();
  const waited = clock.sleep(DRAIN_MS, enough.signal).catch(() => undefined);
  await Promise.race([Promise.all(ends), waited]);
  enough.abort();
}

/** Whoever was told to stop before is never let go. */
function release(block: Writable, isWanted: boolean): void {
  block.on('error', () => {});
  if (isWanted) block.end('go');
  else block.destroy();
}

/** A program that does not read its input closes it: that is its right. */
function give(stdin: Writable, input: string | Uint8Array | undefined): void {
  stdin.on('error', () => {});
  stdin.end(input);
}

function notStarted(error: Error | undefined, said: string): SandboxError {
  const why = error?.message ?? said.trim().split('\n').at(-1) ?? '';
  return new SandboxError('not_started', `The sandbox could not be made: ${why.slice(0, 300)}`, {
    hint: 'Run "hone doctor": it says whether sandboxes can be made here, and what to install or allow.',
  });
}
