/**
 * Reads chosen files into a store, batch by batch, with the real collector: for a look that leaves nothing behind,
 * and for an import. Raw events of a look are bounded in number and size; everything is counted before they go.
 */
import type { Log, Random } from '../base/index.ts';
import type { Store } from '../store/index.ts';
import { chosenFiles } from './chosen-files.ts';
import { Collector } from './collector.ts';
import { eventsOfHour, hoursIn } from './event-hours.ts';
import { deleteEvents } from './retention.ts';
import { sinceKinds } from './since.ts';
import { SOURCES } from './sources.ts';
import type { ObserveSettings, SourceFiles, SourceKind, SourceSettings } from './types.ts';

/** Between two of them others get their turn, progress is told, and it can be stopped. */
const STEP_EVENTS = 5000;
/** Examples and where failures begin come from these. */
const KEPT_EVENTS = 60_000;
const KEPT_BYTES = 192 * 1024 * 1024;
const NONE: ReadonlySet<string> = new Set();
const NEVER = new AbortController().signal;

/** Files that one source reads. */
export interface FileGroup {
  /** The source's name in the store. */
  readonly name: string;
  readonly kind: string;
  /** The kind's keys beside `path`. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly paths: readonly string[];
}

export interface SurveyOptions {
  readonly store: Store;
  readonly files: Pick<SourceFiles, 'open'>;
  /** What the sanitiser leaves: the rules of the section `observe`. */
  readonly rules: Omit<ObserveSettings, 'sources'>;
  readonly random: Random;
  readonly log?: Log;
  readonly kinds?: readonly SourceKind[];
  /** The target's folder, whose sessions alone are taken; without it all are. */
  readonly root?: string | undefined;
  readonly sinceMs?: number | undefined;
  /** Forget the oldest raw events beyond the bound; their counts stay. */
  readonly isBounded: boolean;
}

export interface SurveyProgress {
  readonly events: number;
  readonly aside: number;
  readonly bytes: number;
}

export interface Surveyed extends SurveyProgress {
  /** Told to stop before everything was read. */
  readonly isInterrupted: boolean;
  readonly unreadable: number;
  readonly notes: readonly string[];
}

export class Survey {
  readonly #options: SurveyOptions;
  readonly #collector: Collector;
  readonly #unreadable = new Set<string>();
  #sinceTrim = 0;

  constructor(groups: readonly FileGroup[], options: SurveyOptions) {
    this.#options = options;
    const { store, files, rules, random, log, root, sinceMs } = options;
    const chosen = new Map(groups.map(({ name, paths }) => [pathOf(name), paths]));
    this.#collector = new Collector({
      store,
      files: chosenFiles(chosen, files, (path) => this.#unreadable.add(path)),
      settings: { ...rules, sources: groups.map(sourceOf) },
      kinds: sinceKinds(options.kinds ?? SOURCES, sinceMs),
      random,
      ...(log === undefined ? {} : { log }),
      ...(root === undefined ? {} : { root }),
    });
  }

  /** Everything that is there now. */
  async read(signal: AbortSignal, onProgress: (soFar: SurveyProgress) => void): Promise<Surveyed> {
    const sum = { events: 0, aside: 0, bytes: 0 };
    const notes: string[] = [];
    for (;;) {
      const step = await this.#collector.collect({ signal, budgetEvents: STEP_EVENTS });
      sum.events += step.events;
      sum.aside += step.aside;
      sum.bytes += step.bytes;
      notes.push(...step.notes);
      onProgress(sum);
      if (this.#options.isBounded) await this.#trim(step.events);
      if (!step.more || signal.aborted) {
        const unreadable = this.#unreadable.size;
        return { ...sum, isInterrupted: step.more, unreadable, notes: [...new Set(notes)] };
      }
    }
  }

  async #trim(events: number): Promise<void> {
    this.#sinceTrim += events;
    if (this.#sinceTrim < KEPT_EVENTS / 4) return;
    this.#sinceTrim = 0;
    await keepNewest(this.#options.store, { events: KEPT_EVENTS, bytes: KEPT_BYTES });
  }
}

/** Forgets the oldest raw events beyond a bound; at the edge, events of one time go together. */
async function keepNewest(store: Store, bound: { events: number; bytes: number }): Promise<void> {
  const left = { ...bound };
  for (const hourMs of (await hoursIn(store, ALL)).toReversed()) {
    const [size] = await eventsOfHour(store, hourMs, { ...OF_ALL, columns: SIZE, rest: '' });
    const [events, bytes] = [size!['events'] as number, size!['bytes'] as number];
    if (events <= left.events && bytes <= left.bytes) {
      left.events -= events;
      left.bytes -= bytes;
      continue;
    }
    const share = Math.min(1, left.bytes / Math.max(1, bytes));
    const keep = Math.min(left.events, Math.floor(events * share));
    const [edge] = await eventsOfHour(store, hourMs, {
      ...OF_ALL,
      columns: 'e.at_ms',
      rest: `ORDER BY e.at_ms DESC LIMIT 1 OFFSET ${keep}`,
    });
    const beforeMs = ((edge?.['at_ms'] as number | undefined) ?? hourMs) + 1;
    await deleteEvents(store, { before: beforeMs, named: NONE }, NEVER);
    return;
  }
}

const ALL = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };
const OF_ALL = { window: ALL, values: [] };
const SIZE = 'COUNT(*) AS events, CAST(COALESCE(SUM(LENGTH(e.body)), 0) AS BIGINT) AS bytes';

/** What `list` is asked for; no file is named so. */
const pathOf = (name: string) => `chosen:${name}`;

function sourceOf({ name, kind, settings }: FileGroup): SourceSettings {
  return { ...settings, name, kind, path: pathOf(name) };
}
