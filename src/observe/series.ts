/**
 * Series: one set of dimensions under a number, so that events and counts name it in one column. The source is
 * one of the dimensions, so numbers are the source's own, given in the commit that first uses them.
 */
import { sha256Hex } from '../base/index.ts';
import type { Store, Write } from '../store/index.ts';
import type { Dimensions } from './event-facts.ts';
import { inLists } from './key-reads.ts';

/** Writers of events can invent agents and tools; what is not cached is read again. */
const KEPT_MAX = 20_000;

/** Names have no line breaks: the sanitiser removes them. */
export function seriesKey(one: Dimensions): string {
  const { type, agent, tool, task, variant, errorCode, template, source, ok } = one;
  const names = [agent, tool, task, variant, errorCode, template, source];
  return `${type}\n${ok ?? ''}\n${names.join('\n')}`;
}

export class SeriesNumbers {
  readonly #known = new Map<string, number>();

  /** Numbers for all keys, with the writes that give new ones: `numberOf` the first, the second … new one. */
  async resolve(
    store: Store,
    wanted: ReadonlyMap<string, Dimensions>,
    numberOf: (nth: number) => number,
  ): Promise<{ numbers: Map<string, number>; writes: Write[] }> {
    const numbers = new Map<string, number>();
    const unknown = new Map<string, string>();
    for (const key of wanted.keys()) {
      const number = this.#known.get(key);
      if (number === undefined) unknown.set(sha256Hex(key), key);
      else numbers.set(key, number);
    }
    for (const { marks, values } of inLists([...unknown.keys()])) {
      const sql = `SELECT id, digest FROM observe_series WHERE digest IN (${marks})`;
      for (const row of await store.all(sql, values)) {
        const digest = row['digest'] as string;
        numbers.set(unknown.get(digest)!, row['id'] as number);
      }
    }
    const writes: Write[] = [];
    for (const [digest, key] of unknown) {
      if (!numbers.has(key)) {
        const number = numberOf(writes.length + 1);
        numbers.set(key, number);
        writes.push(insertSeries(number, digest, wanted.get(key)!));
      }
      this.#keep(key, numbers.get(key)!);
    }
    return { numbers, writes };
  }

  #keep(key: string, number: number): void {
    if (this.#known.size >= KEPT_MAX) this.#known.clear();
    this.#known.set(key, number);
  }
}

function insertSeries(id: number, digest: string, one: Dimensions): Write {
  const { errorCode, ...names } = one;
  return { insert: 'observe_series', row: { id, digest, ...names, error_code: errorCode } };
}
