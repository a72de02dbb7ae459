/**
 * One long-lived `git cat-file` that answers for objects: starting a process for each question was half of what
 * a look at the repository cost.
 *
 *   none ──ask──► talking ──answered──► idle ──ask──► talking
 *     ▲              │                    └─ older than a minute ─► ended, a new one is started
 *     └── it died, said something odd, found nothing, or was too slow
 *
 * It only saves start-up time. An object that it does not find may be in an alternate that was added since, and
 * if it dies, a fresh process can say why: in every such case the answer is `undefined`, and the caller asks git
 * again. Its bytes are checked by the caller like those of any other process.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { type Clock, withTimeout } from '../base/index.ts';
import { GitError } from './errors.ts';
import type { GitCall, GitProcesses } from './git-processes.ts';
import type { GitLimits } from './limits.ts';

export interface Asked {
  readonly want: 'contents' | 'info';
  /** An id, or one with `^{commit}` or `^{tree}`. */
  readonly name: string;
}

export interface Answer {
  readonly id: string;
  readonly type: string;
  readonly sizeBytes: number;
  /** Empty where only `info` was asked for. */
  readonly body: Buffer;
}

/** It keeps packs open that git has replaced, and knows only the alternates it began with. */
const AGE_MS_MAX = 60_000;
/** A larger question gets its own process: a small one must not wait behind it. */
const NAMES_MAX = 64;
/** A git that does not work like this is not tried forever. */
const FAILURES_MAX = 3;
const NAME = /^[0-9a-f]{40,64}(?:\^\{(?:commit|tree)\})?$/;
const HEADER_BYTES_MAX = 200;

class Gone extends Error {}

export class ObjectReader {
  readonly #processes: GitProcesses;
  readonly #call: GitCall;
  readonly #clock: Clock;
  readonly #limits: GitLimits;
  #talk: Talk | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #failures = 0;
  #closed = false;

  constructor(options: {
    processes: GitProcesses;
    /** Where it runs, and under which environment. */
    place: Pick<GitCall, 'cwd' | 'env'>;
    clock: Clock;
    limits: GitLimits;
  }) {
    this.#processes = options.processes;
    this.#call = { ...options.place, args: ['cat-file', '--batch-command', '-z'] };
    this.#clock = options.clock;
    this.#limits = options.limits;
  }

  /** All of them in their order, or undefined: ask a process of its own. */
  async ask(asked: readonly Asked[]): Promise<Answer[] | undefined> {
    const isFit = asked.length <= NAMES_MAX && asked.every(({ name }) => NAME.test(name));
    if (!isFit || this.#closed || this.#failures >= FAILURES_MAX) return undefined;
    const before = this.#turn;
    const answered = before.then(() => this.#answer(asked));
    this.#turn = answered.catch(() => {});
    return answered;
  }

  async #answer(asked: readonly Asked[]): Promise<Answer[] | undefined> {
    if (this.#closed) return undefined;
    if (this.#talk !== undefined && this.#clock.monotonicMs() > this.#talk.untilMs) this.#hangUp();
    this.#talk ??= new Talk(
      this.#processes.open(this.#call),
      this.#clock.monotonicMs() + AGE_MS_MAX,
    );
    const talk = this.#talk;
    const { timeoutMs } = this.#limits;
    let isLate = false;
    try {
      const answers = await withTimeout(this.#clock, timeoutMs, (signal) => {
        signal.addEventListener('abort', () => {
          isLate = true;
          talk.kill();
        });
        return talk.ask(asked, this.#limits.outputBytesMax);
      });
      this.#failures = 0;
      return answers;
    } catch (error) {
      this.#hangUp();
      if (isLate) throw tooSlow(timeoutMs);
      if (!(error instanceof Gone)) throw error;
      this.#failures += 1;
      return undefined;
    }
  }

  #hangUp(): void {
    this.#talk?.kill();
    this.#talk = undefined;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#turn;
    const talk = this.#talk;
    this.#hangUp();
    await talk?.over;
  }
}

const tooSlow = (timeoutMs: number) =>
  new GitError('timeout', `git cat-file took longer than ${timeoutMs} ms and was ended.`);

/** One process. It does not keep ours alive while nobody waits for it, and ends when ours does: its input ends. */
class Talk {
  readonly untilMs: number;
  readonly over: Promise<unknown>;
  readonly #child: ChildProcess;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #isGone = false;
  #wake: () => void = () => {};

  constructor(child: ChildProcess, untilMs: number) {
    this.#child = child;
    this.untilMs = untilMs;
    const gone = () => {
      this.#isGone = true;
      this.#wake();
    };
    child.on('error', gone);
    child.on('exit', gone);
    child.stdin!.on('error', gone);
    child.stdout!.on('end', gone);
    child.stdout!.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#bytes += chunk.length;
      this.#wake();
    });
    this.over = once(child, 'exit').catch(() => {});
    this.#hold(false);
  }

  async ask(asked: readonly Asked[], bytesMax: number): Promise<Answer[] | undefined> {
    this.#hold(true);
    try {
      this.#child.stdin!.write(asked.map(({ want, name }) => `${want} ${name}\0`).join(''));
      const answers: (Answer | undefined)[] = [];
      let left = bytesMax;
      for (const { want, name } of asked) {
        const answer = await this.#next(want, name, left);
        left -= answer?.body.length ?? 0;
        answers.push(answer);
      }
      // Still read to the end: the next answer begins after it.
      const found = answers.filter((answer) => answer !== undefined);
      return found.length === asked.length ? found : undefined;
    } finally {
      this.#hold(false);
    }
  }

  kill(): void {
    // Whoever closes the repository waits for its end.
    this.#child.ref();
    this.#child.stdin!.end();
    this.#child.kill('SIGKILL');
  }

  async #next(want: Asked['want'], name: string, bytesMax: number): Promise<Answer | undefined> {
    const header = await this.#line();
    if (header === `${name} missing`) return undefined;
    const [, id, type, size] = /^([0-9a-f]{40,64}) (\w+) (\d{1,15})$/.exec(header) ?? [];
    if (id === undefined) throw new Gone();
    const sizeBytes = Number(size);
    if (want === 'info') return { id, type: type!, sizeBytes, body: Buffer.alloc(0) };
    if (sizeBytes > bytesMax) {
      throw new GitError('too_large', `git cat-file would print more than ${bytesMax} bytes.`);
    }
    const body = await this.#take(sizeBytes + 1);
    return { id, type: type!, sizeBytes, body: body.subarray(0, sizeBytes) };
  }

  async #line(): Promise<string> {
    for (;;) {
      if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)];
      const end = this.#chunks[0]?.indexOf(0x0a) ?? -1;
      if (end >= 0) return (await this.#take(end + 1)).toString('latin1', 0, end);
      if (this.#bytes > HEADER_BYTES_MAX) throw new Gone();
      await this.#more();
    }
  }

  async #take(bytes: number): Promise<Buffer> {
    while (this.#bytes < bytes) await this.#more();
    const all = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    this.#chunks = all.length === bytes ? [] : [all.subarray(bytes)];
    this.#bytes -= bytes;
    return all.subarray(0, bytes);
  }

  #more(): Promise<void> {
    if (this.#isGone) return Promise.reject(new Gone());
    return new Promise((resolve, reject) => {
      this.#wake = () => {
        this.#wake = () => {};
        if (this.#isGone) reject(new Gone());
        else resolve();
      };
    });
  }

  #hold(isNeeded: boolean): void {
    const streams = [this.#child.stdin, this.#child.stdout] as unknown as (Socket | null)[];
    for (const one of [this.#child, ...streams]) {
      if (isNeeded) one?.ref();
      else one?.unref();
    }
  }
}
