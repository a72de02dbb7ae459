/**
 * The collector: reads what sources have to tell, from where it stopped, batch by batch. Between two
 * batches others get their turn, and it can be stopped; each batch is wholly there or not at all.
 *
 *   file ─► lines ─► checked ─► sanitised ─► counted, mined ─► one commit with the cursor
 *                       └─► set aside, with the reason
 */
import {
  errorMessage,
  type Log,
  type Random,
  sha256Hex,
  silentLog,
  systemRandom,
} from '../base/index.ts';
import { type Replaced, type Sanitise, sanitise } from '../sanitise/index.ts';
import type { Store } from '../store/index.ts';
import { Batch, type PlannedBatch } from './batch.ts';
import { addReplaced, Cleaner } from './clean-event.ts';
import { type Cursor, EDGE_BYTES, moved, type Resumed, readCursors, resume } from './cursors.ts';
import { splitLines } from './lines.ts';
import { loadProgress, type Progress } from './progress.ts';
import { type SessionKey, sessionKey } from './session-key.ts';
import type { ObserveSettings, OpenFile, Source, SourceFile, SourceFiles } from './types.ts';

/** Half a batch's turn of the event loop is spent on parsing, half on writing: some 20 ms in all. */
const BATCH_LINES = 500;
/** More than the longest line, so that every read ends one or knows that it is too long. */
const READ_BYTES = 256 * 1024;
const NOTES_MAX = 100;
/** As many as two sources' folders may hold. */
const FINISHED_MAX = 20_000;

export interface CollectorOptions {
  /** The telemetry store. Its `nowMs` is the time that events are compared with. */
  readonly store: Store;
  readonly files: SourceFiles;
  readonly settings: ObserveSettings;
  readonly log?: Log;
  /** What the store's session key is made of, once. */
  readonly random?: Random;
  /** Another sanitiser than the room's own; for tests. */
  readonly sanitise?: Sanitise;
}

export interface Collected {
  readonly events: number;
  readonly aside: number;
  readonly bytes: number;
  /** It stopped before everything was read: the signal, or the budget. */
  readonly more: boolean;
  /** What the sanitiser replaced, by kind. */
  readonly replaced: Replaced;
  /** Plain sentences about what was found or missing, at most 100. */
  readonly notes: readonly string[];
}

export interface CollectOptions {
  readonly signal?: AbortSignal;
  /** Stops after about so many events; set-aside lines count as well. */
  readonly budgetEvents?: number;
}

/** What one run found so far. */
interface Run {
  events: number;
  aside: number;
  bytes: number;
  readonly replaced: Replaced;
  readonly notes: string[];
  readonly options: CollectOptions;
}

export class Collector {
  readonly #options: CollectorOptions;
  readonly #log: Log;
  readonly #cleaner: Cleaner;
  /** As of the last batch that was committed here; undefined when somebody else may have gone on. */
  #progress: Progress | undefined;
  #sessionKey: SessionKey | undefined;
  /**
   * The revision in which each file was read to its end, so that a look every few seconds costs a file
   * that rests one `stat`. Rewritten at the same length within one tick of the file system's clock, it
   * looks as if it rested; its next line shows what it is.
   */
  readonly #finished = new Map<string, string>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: CollectorOptions) {
    this.#options = options;
    this.#log = options.log ?? silentLog;
    this.#cleaner = new Cleaner(options.sanitise ?? sanitise, options.settings);
  }

  /** Runs one after the other: two at once in one process would only refuse each other's batches. */
  collect(options: CollectOptions = {}): Promise<Collected> {
    const run = this.#last.then(() => this.#collect(options));
    this.#last = run.catch(() => undefined);
    return run;
  }

  async #collect(options: CollectOptions): Promise<Collected> {
    const run: Run = { events: 0, aside: 0, bytes: 0, replaced: {}, notes: [], options };
    let more = false;
    for (const source of this.#options.settings.sources) {
      if (!(await this.#readSource(source, run))) {
        more = true;
        break;
      }
    }
    const { events, aside, bytes, replaced } = run;
    return { events, aside, bytes, more, replaced, notes: run.notes.slice(0, NOTES_MAX) };
  }

  /** False when it stopped before the end. A source that cannot be read does not hold up the others. */
  async #readSource(source: Source, run: Run): Promise<boolean> {
    try {
      const { exists, files, notes } = await this.#options.files.list(source.path);
      if (!exists) this.#note(run, source, 'There is nothing at its path yet.');
      for (const note of notes) this.#note(run, source, note);
      for (const file of files) {
        if (!(await this.#readNamed(source, file, run))) return false;
      }
      return true;
    } catch (error) {
      if (!isFileFault(error)) throw error;
      this.#note(run, source, `It could not be read: ${errorMessage(error)}.`);
      return true;
    }
  }

  async #readNamed(source: Source, file: SourceFile, run: Run): Promise<boolean> {
    await using opened = await this.#options.files.open(file.path);
    if (opened === undefined) return true;
    const name = this.#cleaner.text(file.name).text;
    if (opened.sizeBytes === 0) {
      this.#note(run, source, `${name} is empty.`);
      return true;
    }
    const key = `${source.name}\n${opened.identity}`;
    if (this.#finished.get(key) === opened.revision) return true;
    const end = await this.#readFile({ source, file: { ...file, name }, opened }, run);
    if (this.#finished.size >= FINISHED_MAX) this.#finished.clear();
    if (end === 'end') this.#finished.set(key, opened.revision);
    return end !== 'over';
  }

  /** `look_again`: there is no more of it now, but what is there is not read. */
  async #readFile(reading: Reading, run: Run): Promise<'end' | 'look_again' | 'over'> {
    const head = await reading.opened.read(0, Math.min(EDGE_BYTES, reading.opened.sizeBytes));
    let resumed = await this.#resume(reading, head);
    if (reading.file.onlyIfKnown && !resumed.isKnown) return 'look_again';
    this.#tellAnew(resumed, reading, run);
    for (;;) {
      if (isOver(run)) return 'over';
      const step = await this.#readBatch(reading, { cursor: resumed.cursor, head }, run);
      if (step === 'end' || step === 'look_again') return step;
      // Refused: somebody else read on. Where they are is read anew, and it goes on from there.
      resumed =
        step === 'refused'
          ? await this.#resume(reading, head)
          : { cursor: step, isKnown: true, anew: undefined };
    }
  }

  async #resume({ source, file, opened }: Reading, head: Uint8Array): Promise<Resumed> {
    const { batch } = await this.#loaded();
    const { identity: fileId, sizeBytes } = opened;
    const read = opened.read.bind(opened);
    const seen = { source: source.name, fileId, file: file.name, sizeBytes, head, read };
    return resume(await readCursors(this.#options.store, seen), seen, batch + 1);
  }

  /** The cursor behind the batch, or why there was none. */
  async #readBatch(
    { opened, source, file }: Reading,
    { cursor, head }: { cursor: Cursor; head: Uint8Array },
    run: Run,
  ): Promise<Cursor | 'end' | 'look_again' | 'refused'> {
    const left = Math.max(0, Math.min(READ_BYTES, opened.sizeBytes - cursor.byteOffset));
    const { tail, tailBytes } = cursor;
    const bytes = await opened.read(cursor.byteOffset - tailBytes, tailBytes + left);
    // Cut and written anew at this moment: the next run sees another file, and begins it at its start.
    if (tailBytes > 0 && sha256Hex(bytes.subarray(0, tailBytes)) !== tail) return 'look_again';
    const unread = bytes.subarray(tailBytes);
    const split = splitLines(unread, cursor.skipping, linesLeft(run));
    const { lines, consumed } = split;
    if (consumed === 0) {
      if (unread.length === 0) return 'end';
      this.#note(run, source, `${file.name}: its last line has no end yet.`);
      return 'look_again';
    }
    const behind = moved(cursor, { ...split, bytes, head });
    const nowMs = await this.#options.store.nowMs();
    const progress = await this.#loaded();
    const before = { fromByte: cursor.byteOffset, fromLine: cursor.lines };
    const input = { lines, ...before, cursor: behind, nowMs, sessionKey: await this.#key() };
    const planned = await this.#commit(progress, input);
    if (planned === undefined) return 'refused';
    count(run, planned, consumed);
    if (planned.notSanitised > 0)
      this.#log.error('the sanitiser failed', { source: source.name, lines: planned.notSanitised });
    return behind;
  }

  async #commit(
    progress: Progress,
    input: ConstructorParameters<typeof Batch>[2],
  ): Promise<PlannedBatch | undefined> {
    const { store } = this.#options;
    this.#progress = undefined; // until it is known that the batch is there
    const planned = await new Batch(this.#cleaner, progress, input).plan(store, progress);
    const { committed } = await store.commit(planned.plan);
    if (!committed) return undefined;
    this.#progress = planned.progress;
    return planned;
  }

  async #loaded(): Promise<Progress> {
    if (this.#progress !== undefined) return this.#progress;
    const progress = await loadProgress(this.#options.store);
    if (progress.kept.lost)
      this.#log.warn('templates are learnt anew: their saved state cannot be read by this build');
    this.#progress = progress;
    return progress;
  }

  async #key(): Promise<SessionKey> {
    const { store, random = systemRandom } = this.#options;
    this.#sessionKey ??= await sessionKey(store, random);
    return this.#sessionKey;
  }

  #tellAnew({ anew }: Resumed, { source, file }: Reading, run: Run): void {
    if (anew === 'rotated')
      this.#note(run, source, `${file.name} has other content now: it is read from its start.`);
    if (anew === 'truncated')
      this.#note(run, source, `${file.name} became shorter: it is read from its start.`);
  }

  #note(run: Run, { name }: Source, text: string): void {
    if (run.notes.length < NOTES_MAX) run.notes.push(`${name}: ${this.#cleaner.text(text).text}`);
  }
}

interface Reading {
  readonly source: Source;
  readonly file: SourceFile;
  readonly opened: OpenFile;
}

function isOver({ options, events, aside }: Run): boolean {
  return options.signal?.aborted === true || events + aside >= (options.budgetEvents ?? Infinity);
}

function linesLeft({ options, events, aside }: Run): number {
  return Math.min(BATCH_LINES, (options.budgetEvents ?? Infinity) - events - aside);
}

function count(run: Run, { events, aside, replaced }: PlannedBatch, bytes: number): void {
  run.events += events;
  run.aside += aside;
  run.bytes += bytes;
  addReplaced(run.replaced, replaced);
}

/** A fault of the file system, and not one of the store's or our own. */
function isFileFault(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
