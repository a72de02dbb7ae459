/**
 * What was made of rows alone, kept for as long as those rows are the same. While the store's revision is the same they
 * are. When it is another, the very reads that it was made from are made again, all at once: if each gives the same rows
 * as before, whoever made it would ask the same and make the same, so it is still right. Only what differs is made anew.
 */
import { Recent } from '../base/index.ts';
import type { Row, Store, Value } from './types.ts';

interface Read {
  readonly sql: string;
  readonly parameters: readonly Value[];
  readonly rows: readonly Row[];
}

interface Recorded {
  readonly value: unknown;
  /** Absent if there are so many that comparing them would be no cheaper. */
  readonly reads: readonly Read[] | undefined;
}

interface Kept {
  revision: string | undefined;
  made: Promise<Recorded>;
}

type Make<Made> = (store: Store) => Promise<Made>;

/** Reads and rows. A page of a list has a hundred; what makes thousands is asked for rarely. */
const SIZE_MAX = 1000;

export class KeptReads {
  readonly #store: Store;
  readonly #recent: Recent<Kept>;

  /** Of `most` things at once. */
  constructor(store: Store, most: number) {
    this.#store = store;
    this.#recent = new Recent(most);
  }

  /** `make` reads nothing but the store that it is given: no clock, no file, no setting. */
  async get<Made>(key: string, make: (store: Store) => Promise<Made>): Promise<Made> {
    // Asked for before anything is read: what is kept is never older than its revision.
    const revision = await this.#store.revision?.();
    const kept = this.#recent.get(key, () => ({ revision, made: this.#make(make) }));
    if (revision === undefined || kept.revision !== revision) {
      kept.revision = revision;
      kept.made = this.#still(kept.made, make);
    }
    try {
      return (await kept.made).value as Made;
    } catch (error) {
      // A fault of the moment is not kept.
      kept.revision = undefined;
      throw error;
    }
  }

  async #still<Made>(before: Kept['made'], make: Make<Made>): Promise<Recorded> {
    const kept = await before.catch(() => undefined);
    if (kept?.reads === undefined) return this.#make(make);
    const rows = await this.#together(kept.reads);
    return kept.reads.every((read, at) => isSame(read.rows, rows[at]!)) ? kept : this.#make(make);
  }

  async #make<Made>(make: Make<Made>): Promise<Recorded> {
    const reads: Read[] = [];
    let size = 0;
    const value = await make(
      readingFrom(this.#store, async (sql, parameters = []) => {
        const rows = await this.#store.all(sql, parameters);
        size += 1 + rows.length;
        reads.push({ sql, parameters, rows });
        return rows;
      }),
    );
    return { value, reads: size > SIZE_MAX ? undefined : reads };
  }

  #together(reads: readonly Read[]): Promise<readonly (readonly Row[])[]> {
    if (this.#store.allOf !== undefined) return this.#store.allOf(reads);
    return Promise.all(reads.map(({ sql, parameters }) => this.#store.all(sql, parameters)));
  }
}

/** The store for whoever makes something that is kept: it reads, and gives nothing that changes by itself. */
function readingFrom({ engine, location }: Store, all: Store['all']): Store {
  const never = (): never => {
    throw new Error('what is kept is made of rows alone');
  };
  return {
    ...{ engine, location, all },
    ...{ commit: never, claim: never, nowMs: never, notify: never, listen: never, close: never },
  };
}

function isSame(before: readonly Row[], now: readonly Row[]): boolean {
  if (before.length !== now.length) return false;
  return before.every((row, at) => {
    const other = now[at]!;
    for (const name in row) if (!isEqual(row[name], other[name])) return false;
    return true;
  });
}

function isEqual(one: Value | undefined, other: Value | undefined): boolean {
  if (one === other) return true;
  return (
    one instanceof Uint8Array && other instanceof Uint8Array && Buffer.compare(one, other) === 0
  );
}
