/**
 * Series: one set of dimensions under a number, so that events and counts name it in one column. The source is one of
 * the dimensions, so numbers are the source's own, given in the commit that first uses them, and all of its series are
 * known while it is read.
 *
 * Whoever writes telemetry can invent names without end. So a source gets a number of new names per dimension and of
 * new series in 30 days. What comes beyond is folded: its name becomes `(other)`, and it is counted as folded. What was
 * known before is never folded.
 */
import type { Store, Write } from '../store/index.ts';
import type { Dimensions } from './event-facts.ts';
import { DAY_MS } from './units.ts';

/** Stands for every name that came beyond the bounds. */
export const OTHER = '(other)';

/** A fleet of 100 agents with 20 tools each has about 2 000 names and 10 000 series, templates included. */
export const NEW_NAMES_MAX = 2000;
export const NEW_SERIES_MAX = 20_000;
/** Beyond that so many more are still told apart by agent, tool and outcome. */
const COARSE_MAX = 2000;
const RECENT_MS = 30 * DAY_MS;

const NAMED = [
  'agent',
  'tool',
  'task',
  'variant',
  'model',
  'version',
  'provider',
  'errorCode',
  'template',
] as const;
type Named = (typeof NAMED)[number];
/** What is left of a series when there are too many. */
const COARSE: readonly Named[] = ['agent', 'tool'];

export interface Series {
  readonly number: number;
  /** As they are counted: folded, perhaps. */
  readonly dimensions: Dimensions;
}

interface Admitted {
  readonly series: Series;
  readonly isFolded: boolean;
}

interface Loading {
  readonly source: string;
  readonly nowMs: number;
  /** How many series the source ever had. */
  readonly size: number;
  /** The number of the first, the second … series of the source. */
  readonly numberOf: (nth: number) => number;
}

export class SeriesBook {
  readonly #known = new Map<string, Series>();
  readonly #names = new Map<Named, Set<string>>(NAMED.map((one) => [one, new Set()]));
  /** In the last 30 days, as of when it was loaded. */
  readonly #newNames = new Map<Named, number>(NAMED.map((one) => [one, 0]));
  #newSeries = 0;
  #unsaved: Series[] = [];
  #size: number;
  readonly #numberOf: (nth: number) => number;

  private constructor({ size, numberOf }: Loading) {
    this.#size = size;
    this.#numberOf = numberOf;
  }

  static async load(store: Store, loading: Loading): Promise<SeriesBook> {
    const { source, nowMs } = loading;
    const rows = await store.all(
      `SELECT id, type, agent, tool, task, variant, model, version, provider, error_code, template, ok, created_ms
       FROM observe_series WHERE source = ? ORDER BY created_ms, id`,
      [source],
    );
    const book = new SeriesBook(loading);
    for (const { id, error_code, created_ms, ...rest } of rows) {
      const dimensions = { ...rest, errorCode: error_code } as unknown as Dimensions;
      const isRecent = (created_ms as number) > nowMs - RECENT_MS;
      book.#add({ dimensions, number: id as number }, isRecent);
    }
    return book;
  }

  /** How many series the source ever had, with those that wait to be saved. */
  get size(): number {
    return this.#size;
  }

  /** Whether a new template would get a name of its own. If not, none has to be learnt. */
  get takesTemplates(): boolean {
    return this.#newNames.get('template')! < NEW_NAMES_MAX && this.#newSeries < NEW_SERIES_MAX;
  }

  /** The series that an event with these dimensions is counted in. */
  of(wanted: Dimensions): Admitted {
    const known = this.#known.get(keyOf(wanted));
    if (known !== undefined) return { series: known, isFolded: wanted.template === OTHER };
    const dimensions = this.#admit(wanted);
    const isFolded = dimensions !== wanted || wanted.template === OTHER;
    const same = isFolded ? this.#known.get(keyOf(dimensions)) : undefined;
    if (same !== undefined) return { series: same, isFolded };
    const series = { dimensions: copied(dimensions), number: this.#numberOf(++this.#size) };
    this.#add(series, true);
    this.#unsaved.push(series);
    return { series, isFolded };
  }

  /** Saves what is new since this was asked last. */
  takeNew(source: string, nowMs: number): Write {
    const values = this.#unsaved.flatMap(({ number, dimensions }) => {
      const { type, ok } = dimensions;
      return [number, type, ok, ...NAMED.map((one) => dimensions[one]), source, nowMs];
    });
    this.#unsaved = [];
    return { insertRows: 'observe_series', columns: COLUMNS, values };
  }

  #add(series: Series, isRecent: boolean): void {
    this.#known.set(keyOf(series.dimensions), series);
    if (isRecent) this.#newSeries += 1;
    for (const dimension of NAMED) {
      const name = series.dimensions[dimension];
      const names = this.#names.get(dimension)!;
      if (name === '' || names.has(name)) continue;
      names.add(name);
      if (isRecent) this.#newNames.set(dimension, this.#newNames.get(dimension)! + 1);
    }
  }

  /** The same object where nothing has to be folded. */
  #admit(wanted: Dimensions): Dimensions {
    const isMany = this.#newSeries >= NEW_SERIES_MAX;
    const isFull = this.#newSeries >= NEW_SERIES_MAX + COARSE_MAX;
    const folded = NAMED.filter((one) => {
      if (wanted[one] === '' || wanted[one] === OTHER) return false;
      if (isFull || (isMany && !COARSE.includes(one))) return true;
      return !this.#names.get(one)!.has(wanted[one]) && this.#newNames.get(one)! >= NEW_NAMES_MAX;
    });
    if (folded.length === 0) return wanted;
    return { ...wanted, ...Object.fromEntries(folded.map((one) => [one, OTHER])) };
  }
}

/** Without what else an event's facts hold: it is kept. */
function copied(one: Dimensions): Dimensions {
  const { type, agent, tool, task, variant, model, version, provider, errorCode, template } = one;
  const names = { agent, tool, task, variant, model, version, provider, errorCode, template };
  return { type, ok: one.ok, ...names };
}

/** Names have no line breaks: the sanitiser removes them. */
function keyOf(one: Dimensions): string {
  const { type, ok, agent, tool, task, variant, model, version, provider } = one;
  return `${type}\n${ok}\n${agent}\n${tool}\n${task}\n${variant}\n${model}\n${version}\n${provider}\n${one.errorCode}\n${one.template}`;
}

const COLUMNS = [
  ...['id', 'type', 'ok'],
  ...NAMED.map((one) => (one === 'errorCode' ? 'error_code' : one)),
  ...['source', 'created_ms'],
];
