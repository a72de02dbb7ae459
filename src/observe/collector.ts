/**
 * The collector: reads the sources from where it stopped, batch by batch. Between two batches others get
 * their turn, and it can be stopped; each batch is stored completely or not at all.
 *
 * Several read at once, in any number of processes, and none waits for another. A batch is refused if
 * somebody else was faster: that source is left for later, and the next one is read. So readers spread over the
 * sources by themselves, and the next reader continues where a killed one stopped.
 *
 *   source ─► records ─► within bounds ─► sanitised ─► counted, mined ─► one commit with the position
 *                └────────────┴───────────────┴─► set aside, with the reason
 */
import {
  errorMessage,
  type Log,
  type Random,
  randomInt,
  silentLog,
  systemRandom,
} from '../base/index.ts';
import { type Replaced, type Sanitise, sanitise } from '../sanitise/index.ts';
import type { Store } from '../store/index.ts';
import { Batch, type BatchInput, type PlannedBatch } from './batch.ts';
import { addReplaced, Cleaner } from './clean-event.ts';
import { isSystemFault } from './faults.ts';
import { isBurden, processCpuMs } from './overhead.ts';
import { samplingWords } from './overhead-words.ts';
import { storedPositions } from './position-store.ts';
import { type SessionKey, sessionKey } from './session-key.ts';
import { isStale, loadSource, type SourceState } from './source-state.ts';
import { openSource } from './sources.ts';
import type {
  ObserveSettings,
  Pulled,
  Source,
  SourceCommands,
  SourceFiles,
  SourceKind,
  SourcePorts,
  Stream,
  StreamReader,
} from './types.ts';

/** Read and counted in several turns of the event loop, and written in a thread while the next one is read. */
const BATCH_STEPS = 4000;
const NOTES_MAX = 100;
/** Each has a miner of some megabytes at most. Beyond this limit they are loaded again when needed. */
const STATES_MAX = 32;

export interface CollectorOptions {
  /** The telemetry store. Its `nowMs` is the time that events are compared with. */
  readonly store: Store;
  readonly files: SourceFiles;
  readonly settings: ObserveSettings;
  /** Without it, no command is run. */
  readonly commands?: SourceCommands;
  readonly commits?: SourcePorts['commits'];
  readonly root?: SourcePorts['root'];
  /** Other kinds of source than Hone's; for tests. */
  readonly kinds?: readonly SourceKind[];
  readonly log?: Log;
  /** The randomness for the store's session key, used once. */
  readonly random?: Random;
  /** Another sanitiser than the room's own; for tests. */
  readonly sanitise?: Sanitise;
  /** The processor's time that this process took, in milliseconds. */
  readonly cpuMs?: () => number;
  /** Records of one batch; for tests, which want several batches of few records. */
  readonly batchSteps?: number;
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
  /** Stops after about this many events; lines that are not events count as well. */
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
  /** As of the last batches committed here. If somebody else has read further, the next batch is refused. */
  readonly #states = new Map<string, SourceState>();
  #sessionKey: SessionKey | undefined;
  readonly #sources: readonly Named[];
  /** What the last batches of each source cost; told with the next one. */
  readonly #costs = new Map<string, number>();
  /** The processor's time when the last cost was noted. */
  #sinceMs = 0;
  /** The source that is read first, chosen at random. After a run that ends early, the next run starts with the next source. */
  #first: number;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: CollectorOptions) {
    this.#options = options;
    this.#log = options.log ?? silentLog;
    this.#cleaner = new Cleaner(options.sanitise ?? sanitise, options.settings);
    const { files, settings, kinds, commands, commits, root } = options;
    const ports = {
      files,
      clean: (text: string) => this.#cleaner.text(text).text,
      ...(commands === undefined ? {} : { commands }),
      ...(commits === undefined ? {} : { commits }),
      ...(root === undefined ? {} : { root }),
    };
    this.#sources = settings.sources.map((one) => ({
      name: one.name,
      source: openSource(one, ports, kinds),
    }));
    this.#first = randomInt(options.random ?? systemRandom, Math.max(1, this.#sources.length));
  }

  /** Runs one at a time: a second reader of the same files in one process would gain nothing. */
  collect(options: CollectOptions = {}): Promise<Collected> {
    const run = this.#last.then(() => this.#collect(options));
    this.#last = run.catch(() => undefined);
    return run;
  }

  async #collect(options: CollectOptions): Promise<Collected> {
    const run: Run = { events: 0, aside: 0, bytes: 0, steps: 0, replaced: {}, notes: [], options };
    const count = this.#sources.length;
    const waiting = this.#sources.map((_, at) => (this.#first + at) % count);
    let more = false;
    while (!more && waiting.length > 0) {
      const place = waiting.shift()!;
      const read = await this.#readSource(this.#sources[place]!, run);
      if (read === 'refused') waiting.push(place);
      more = read === 'over';
      if (more) this.#first = (place + 1) % count;
    }
    const { events, aside, bytes, replaced } = run;
    return { events, aside, bytes, more, replaced, notes: run.notes.slice(0, NOTES_MAX) };
  }

  /** A source that cannot be read does not hold up the others. */
  async #readSource(named: Named, run: Run): Promise<Read> {
    try {
      const { exists, streams, notes } = await named.source.list();
      if (!exists) this.#note(run, named, 'There is nothing at its path yet.');
      for (const note of notes) this.#note(run, named, note);
      for (const stream of streams) {
        const read = await this.#readStream(named, stream, run);
        if (read !== 'end') return read;
      }
    } catch (error) {
      if (!isSystemFault(error)) throw error;
      this.#note(run, named, `It could not be read: ${errorMessage(error)}.`);
    }
    return 'end';
  }

  async #readStream(named: Named, stream: Stream, run: Run): Promise<Read> {
    // Read before the positions: if a batch comes in between, ours is refused.
    const state = await this.#state(named);
    const positions = storedPositions(this.#options.store, named.name, state.batch);
    await using reader = await stream.open(positions);
    if (reader === undefined) return 'end';
    const read = await this.#readOn(state, reader, run);
    for (const note of reader.takeNotes()) this.#note(run, named, note);
    return read;
  }

  /** While a batch is written, the next one is read and counted; its commit begins when the one before is there. */
  async #readOn(before: SourceState, reader: StreamReader, run: Run): Promise<Read> {
    let written = Promise.resolve(true);
    let last: SourceState | undefined;
    try {
      for await (const batch of this.#batches(before, reader, run)) {
        if (!(await written)) return 'refused';
        last = batch.planned.state;
        written = this.#write(batch, run);
        written.catch(() => undefined); // awaited when the next batch is ready, or at the end
      }
    } finally {
      await written;
    }
    if (!(await written)) return 'refused';
    reader.stored?.();
    if (last !== undefined) this.#keep(last);
    return isOver(run) ? 'over' : 'end';
  }

  async *#batches(
    before: SourceState,
    reader: StreamReader,
    run: Run,
  ): AsyncGenerator<PulledBatch, void> {
    const { store, settings, batchSteps = BATCH_STEPS } = this.#options;
    const { source } = before;
    this.#sinceMs = this.#cpuMs();
    for (let state = before; !isOver(run); ) {
      const pulled = await reader.next(stepsLeft(run, batchSteps));
      if (pulled === undefined) return;
      run.steps += pulled.steps;
      this.#states.delete(source); // until it is known that the batch is there
      const input: BatchInput = {
        stream: reader.name,
        records: pulled.records,
        position: pulled.position,
        nowMs: await store.nowMs(),
        sessionKey: await this.#key(),
        costMs: this.#costs.get(source) ?? 0,
        overheadMax: settings.overhead,
      };
      this.#costs.delete(source);
      const planned = await new Batch(this.#cleaner, state, input).plan();
      yield { before, pulled, planned };
      ({ state } = planned);
    }
  }

  /** False when somebody else was faster. */
  async #write({ before, pulled, planned }: PulledBatch, run: Run): Promise<boolean> {
    const { committed } = await this.#options.store.commit(planned.plan);
    this.#noteCost(before.source, pulled.records.length);
    if (!committed) return false;
    count(run, planned, pulled);
    const { state, notSanitised: lines } = planned;
    const sampling = samplingWords(before, state);
    if (sampling !== undefined) this.#note(run, { name: state.source }, sampling);
    if (lines > 0) this.#log.error('the sanitiser failed', { source: state.source, lines });
    return true;
  }

  /** What it took since the batch before: that of its own commit, and that of the next one's counting. */
  #noteCost(source: string, records: number): void {
    const sinceMs = this.#sinceMs;
    this.#sinceMs = this.#cpuMs();
    if (!isBurden(records)) return;
    this.#costs.set(source, (this.#costs.get(source) ?? 0) + this.#sinceMs - sinceMs);
  }

  #cpuMs(): number {
    return (this.#options.cpuMs ?? processCpuMs)();
  }

  async #state({ name }: Named): Promise<SourceState> {
    const { store } = this.#options;
    const known = this.#states.get(name);
    if (known !== undefined && !isStale(known, await store.nowMs())) return known;
    const state = await loadSource(store, name);
    if (state.kept.lost)
      this.#log.warn('templates are learnt again: this build cannot read their saved state');
    this.#keep(state);
    return state;
  }

  #keep(state: SourceState): void {
    if (this.#states.size >= STATES_MAX) this.#states.clear();
    this.#states.set(state.source, state);
  }

  async #key(): Promise<SessionKey> {
    const { store, random = systemRandom } = this.#options;
    this.#sessionKey ??= await sessionKey(store, random);
    return this.#sessionKey;
  }

  #note(run: Run, { name }: Pick<Named, 'name'>, text: string): void {
    const note = `${name}: ${this.#cleaner.text(text).text}`;
    if (run.notes.length < NOTES_MAX && !run.notes.includes(note)) run.notes.push(note);
  }
}

/** `refused`: somebody else has read further; their position is read at the next turn. `over`: told to stop. */
type Read = 'end' | 'over' | 'refused';

/** A batch as it was read from a stream, ready to be written. */
interface PulledBatch {
  /** The source's state before the stream's first batch. */
  readonly before: SourceState;
  readonly pulled: Pulled;
  readonly planned: PlannedBatch;
}

interface Named {
  readonly name: string;
  readonly source: Source;
}

function isOver({ options, steps }: Run): boolean {
  return options.signal?.aborted === true || steps >= (options.budgetEvents ?? Infinity);
}

function stepsLeft({ options, steps }: Run, stepsMax: number): number {
  return Math.min(stepsMax, (options.budgetEvents ?? Infinity) - steps);
}

function count(run: Run, planned: PlannedBatch, { bytes }: Pulled): void {
  run.events += planned.events;
  run.aside += planned.aside;
  run.bytes += bytes;
  addReplaced(run.replaced, planned.replaced);
}
