/**
 * The collector: reads what sources have to tell, from where it stopped, batch by batch. Between two
 * batches others get their turn, and it can be stopped; each batch is wholly there or not at all.
 *
 *   source ─► records ─► within bounds ─► sanitised ─► counted, mined ─► one commit with the position
 *                └────────────┴───────────────┴─► set aside, with the reason
 */
import { errorMessage, type Log, type Random, silentLog, systemRandom } from '../base/index.ts';
import { type Replaced, type Sanitise, sanitise } from '../sanitise/index.ts';
import type { Store } from '../store/index.ts';
import { Batch, type PlannedBatch } from './batch.ts';
import { addReplaced, Cleaner } from './clean-event.ts';
import { isSystemFault } from './faults.ts';
import { storedPositions } from './position-store.ts';
import { loadProgress, type Progress } from './progress.ts';
import { type SessionKey, sessionKey } from './session-key.ts';
import { openSource } from './sources.ts';
import type {
  ObserveSettings,
  Pulled,
  Source,
  SourceFiles,
  SourceKind,
  Stream,
  StreamReader,
} from './types.ts';

/** Half a batch's turn of the event loop is spent on parsing, half on writing: some 20 ms in all. */
const BATCH_STEPS = 500;
const NOTES_MAX = 100;

export interface CollectorOptions {
  /** The telemetry store. Its `nowMs` is the time that events are compared with. */
  readonly store: Store;
  readonly files: SourceFiles;
  readonly settings: ObserveSettings;
  /** Other kinds of source than Hone's; for tests. */
  readonly kinds?: readonly SourceKind[];
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
  /** Stops after about so many events; lines that are none count as well. */
  readonly budgetEvents?: number;
}

/** What one run found so far. */
interface Run {
  events: number;
  aside: number;
  bytes: number;
  /** Of the budget. */
  steps: number;
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
  readonly #sources: readonly Named[];
  /** The source that is read first. A run that ends early leaves the next one to the source behind. */
  #first = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: CollectorOptions) {
    this.#options = options;
    this.#log = options.log ?? silentLog;
    this.#cleaner = new Cleaner(options.sanitise ?? sanitise, options.settings);
    const { files, settings, kinds } = options;
    const ports = { files, clean: (text: string) => this.#cleaner.text(text).text };
    this.#sources = settings.sources.map((one) => ({
      name: one.name,
      source: openSource(one, ports, kinds),
    }));
  }

  /** Runs one after the other: two at once in one process would only refuse each other's batches. */
  collect(options: CollectOptions = {}): Promise<Collected> {
    const run = this.#last.then(() => this.#collect(options));
    this.#last = run.catch(() => undefined);
    return run;
  }

  async #collect(options: CollectOptions): Promise<Collected> {
    const run: Run = { events: 0, aside: 0, bytes: 0, steps: 0, replaced: {}, notes: [], options };
    let more = false;
    const count = this.#sources.length;
    for (let at = 0; at < count && !more; at++) {
      const place = (this.#first + at) % count;
      more = !(await this.#readSource(this.#sources[place]!, run));
      if (more) this.#first = (place + 1) % count;
    }
    const { events, aside, bytes, replaced } = run;
    return { events, aside, bytes, more, replaced, notes: run.notes.slice(0, NOTES_MAX) };
  }

  /** False when it stopped before the end. A source that cannot be read does not hold up the others. */
  async #readSource(named: Named, run: Run): Promise<boolean> {
    try {
      const { exists, streams, notes } = await named.source.list();
      if (!exists) this.#note(run, named, 'There is nothing at its path yet.');
      for (const note of notes) this.#note(run, named, note);
      for (const stream of streams) {
        if (!(await this.#readStream(named, stream, run))) return false;
      }
      return true;
    } catch (error) {
      if (!isSystemFault(error)) throw error;
      this.#note(run, named, `It could not be read: ${errorMessage(error)}.`);
      return true;
    }
  }

  /** False when it stopped before the end. */
  async #readStream(named: Named, stream: Stream, run: Run): Promise<boolean> {
    for (;;) {
      const { batch } = await this.#loaded();
      const positions = storedPositions(this.#options.store, named.name, batch);
      await using reader = await stream.open(positions);
      if (reader === undefined) return true;
      const read = await this.#readOn(named, reader, run);
      for (const note of reader.takeNotes()) this.#note(run, named, note);
      // Refused: somebody else read on. Where they are is read anew, and it goes on from there.
      if (read !== 'refused') return read === 'end';
    }
  }

  async #readOn(named: Named, reader: StreamReader, run: Run): Promise<'end' | 'over' | 'refused'> {
    const { store } = this.#options;
    for (;;) {
      if (isOver(run)) return 'over';
      const pulled = await reader.next(stepsLeft(run));
      if (pulled === undefined) return 'end';
      const { records, position, bytes, steps } = pulled;
      const planned = await this.#commit(await this.#loaded(), {
        source: named.name,
        stream: reader.name,
        records,
        position,
        nowMs: await store.nowMs(),
        sessionKey: await this.#key(),
      });
      if (planned === undefined) return 'refused';
      count(run, planned, { bytes, steps });
      if (planned.notSanitised > 0)
        this.#log.error('the sanitiser failed', {
          source: named.name,
          lines: planned.notSanitised,
        });
    }
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

  #note(run: Run, { name }: Named, text: string): void {
    if (run.notes.length < NOTES_MAX) run.notes.push(`${name}: ${this.#cleaner.text(text).text}`);
  }
}

interface Named {
  readonly name: string;
  readonly source: Source;
}

function isOver({ options, steps }: Run): boolean {
  return options.signal?.aborted === true || steps >= (options.budgetEvents ?? Infinity);
}

function stepsLeft({ options, steps }: Run): number {
  return Math.min(BATCH_STEPS, (options.budgetEvents ?? Infinity) - steps);
}

function count(run: Run, { events, aside, replaced }: PlannedBatch, read: Read): void {
  run.events += events;
  run.aside += aside;
  run.bytes += read.bytes;
  run.steps += read.steps;
  addReplaced(run.replaced, replaced);
}

type Read = Pick<Pulled, 'bytes' | 'steps'>;
