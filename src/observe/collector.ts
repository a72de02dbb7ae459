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

/** Written in one turn of the event loop, of some 20 ms; read and counted in several before it. */
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
  /** What the last batch of each source cost; told with the next one. */
  readonly #costs = new Map<string, number>();
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

  async #readOn(before: SourceState, reader: StreamReader, run: Run): Promise<Read> {
    const { store } = this.#options;
    for (let state = before; ; ) {
      if (isOver(run)) return 'over';
      const pulled = await reader.next(stepsLeft(run, this.#options.batchSteps ?? BATCH_STEPS));
      if (pulled === undefined) return 'end';
      const { records, position } = pulled;
      const planned = await this.#commit(state, {
        stream: reader.name,
        records,
        position,
        nowMs: await store.nowMs(),
        sessionKey: await this.#key(),
      });
      if (planned === undefined) return 'refused';
      ({ state } = planned);
      count(run, planned, pulled);
      const sampling = samplingWords(before, state);
      if (sampling !== undefined) this.#note(run, { name: state.source }, sampling);
      const { notSanitised: lines } = planned;
      if (lines > 0) this.#log.error('the sanitiser failed', { source: state.source, lines });
    }
  }

  async #commit(
    state: SourceState,
    input: Omit<BatchInput, 'costMs' | 'overheadMax'>,
  ): Promise<PlannedBatch | undefined> {
    const { store } = this.#options;
    const { settings, cpuMs = processCpuMs } = this.#options;
    const { source } = state;
    this.#states.delete(source); // until it is known that the batch is there
    const startMs = cpuMs();
    const planned = await new Batch(this.#cleaner, state, {
      ...input,
      costMs: this.#costs.get(source) ?? 0,
      overheadMax: settings.overhead,
    }).plan();
    const { committed } = await store.commit(planned.plan);
    if (isBurden(input.records.length)) this.#costs.set(source, cpuMs() - startMs);
    if (!committed) return undefined;
    this.#keep(planned.state);
    return planned;
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

function count(run: Run, planned: PlannedBatch, { bytes, steps }: Pulled): void {
  run.events += planned.events;
  run.aside += planned.aside;
  run.bytes += bytes;
  run.steps += steps;
  addReplaced(run.replaced, planned.replaced);
}
