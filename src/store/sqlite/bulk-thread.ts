/**
 * Large plans are written by a second connection in a thread of its own. SQLite's calls block: a batch of telemetry
 * would stop everything else in the process for 50 ms, and the next batch could not be read meanwhile.
 *
 *   not started ──first large plan──► running ──┬─ close() ─► ended, after the last answer
 *                                               └─ it fails ─► every plan under way is refused with the fault; the next
 *                                                              large plan starts another
 *
 * This module is both sides: a thread that is started with its own address serves, any other importer asks. So the
 * bundle needs no file of its own for it. Plans and answers are data, and are copied between the two.
 */
import { existsSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import { errorMessage, systemClock, systemRandom } from '../../base/index.ts';
import { isBulk } from '../bulk-sql.ts';
import { StoreError, type StoreErrorCode } from '../errors.ts';
import type { CommitResult, Plan } from '../types.ts';
import { Committer } from './committer.ts';
import { openDatabase, type SqliteFile } from './database.ts';
import { whenFree } from './wait.ts';

/**
 * Starting the thread takes some 60 ms, once, and handing a plan over about a microsecond a row. Below this many values
 * writing takes less than 2 ms, which holds up nobody.
 */
const VALUES_MIN = 10_000;

const ROLE = 'hone-bulk-thread';

type ThreadFile = Pick<SqliteFile, 'path' | 'synchronous'>;

/** Errors lose their class on the way. Without a code it is a broken assumption. */
interface Fault {
  readonly code?: StoreErrorCode;
  readonly message: string;
  readonly hint?: string;
}

type Answer = { readonly result: CommitResult } | { readonly fault: Fault };

interface Waiting {
  resolve(result: CommitResult): void;
  reject(error: unknown): void;
}

/** Whether a plan is worth handing over. */
export function isLarge({ writes = [], entries = [], effects = [] }: Plan): boolean {
  if (entries.length + effects.length > 0) return false;
  let values = 0;
  for (const write of writes) if (isBulk(write)) values += write.values.length;
  return values >= VALUES_MIN;
}

export class BulkThread {
  readonly #file: ThreadFile;
  /** In the order they were handed over, which is that of the answers. */
  #waiting: Waiting[] = [];
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ path, synchronous }: ThreadFile) {
    this.#file = { path, synchronous };
  }

  commit(plan: Plan): Promise<CommitResult> {
    const result = new Promise<CommitResult>((resolve, reject) => {
      this.#worker ??= this.#start();
      const worker = this.#worker;
      // While a plan is under way the process stays; an idle thread keeps it from nothing.
      worker.ref();
      this.#waiting.push({ resolve, reject });
      worker.postMessage(plan);
    });
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Once what was handed over is answered. Nothing more may be handed over. */
  async close(): Promise<void> {
    await this.#last;
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #start(): Worker {
    const worker = new (threads().Worker)(new URL(import.meta.url), {
      argv: [ROLE],
      workerData: { role: ROLE, file: this.#file },
    });
    worker.on('message', (answer: Answer) => this.#answered(worker, answer));
    worker.on('error', (error) => this.#failed(worker, error));
    worker.on('exit', () => this.#failed(worker, new Error('The writing thread ended.')));
    return worker;
  }

  #answered(worker: Worker, answer: Answer): void {
    const { resolve, reject } = this.#waiting.shift()!;
    if (this.#waiting.length === 0) worker.unref();
    if ('result' in answer) resolve(answer.result);
    else reject(errorOf(answer.fault));
  }

  #failed(worker: Worker, error: unknown): void {
    if (worker !== this.#worker) return;
    this.#worker = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { reject } of waiting) reject(error);
  }
}

function errorOf({ code, message, ...more }: Fault): Error {
  return code === undefined ? new Error(message) : new StoreError(code, message, more);
}

function serve(file: ThreadFile): void {
  const port = threads().parentPort!;
  let committer: Committer | undefined;
  let last: Promise<void> = Promise.resolve();
  const answer = async (plan: Plan): Promise<Answer> => {
    try {
      committer ??= await openCommitter(file);
      return { result: await committer.commit(plan) };
    } catch (error) {
      return { fault: faultOf(error) };
    }
  };
  port.on('message', (plan: Plan) => {
    last = last.then(async () => port.postMessage(await answer(plan)));
  });
}

/** A file that cannot be opened refuses this plan and is tried again with the next one. */
async function openCommitter(file: ThreadFile): Promise<Committer> {
  if (!existsSync(file.path)) {
    const hint = 'Put the file back, or end Hone and start it again: it then begins a new one.';
    throw new StoreError('unreachable', `${file.path} is gone.`, { hint });
  }
  const database = await whenFree(systemRandom, () => openDatabase(file));
  return new Committer({
    database,
    location: file.path,
    clock: systemClock,
    waitClock: systemClock,
    random: systemRandom,
    parts: undefined,
  });
}

function faultOf(error: unknown): Fault {
  if (!(error instanceof StoreError)) return { message: errorMessage(error) };
  const { code, message, hint } = error;
  return { code, message, ...(hint === undefined ? {} : { hint }) };
}

/** Loaded where there is a thread: it takes a hook a tenth of its time, and a hook has none. */
function threads(): typeof import('node:worker_threads') {
  return process.getBuiltinModule('node:worker_threads');
}

if (process.argv[2] === ROLE && !threads().isMainThread) {
  const given = threads().workerData as { role?: unknown; file: ThreadFile } | null;
  if (given?.role === ROLE) serve(given.file);
}
