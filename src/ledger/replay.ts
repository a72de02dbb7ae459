/**
 * The tables that come from the ledger, rebuilt from it and compared with what is there; and the plan that
 * makes them match.
 *
 * The ledger is read once, in pages. Rows are made in a store of our own, in memory: as large as the tables,
 * however long the ledger. Other processes may go on: whoever changes such a table records it in the same
 * commit, so what was compared holds while nothing was recorded. A look that was overtaken is taken again
 * from where it was, and the plan expects the ledger's end (on PostgreSQL, where an entry waits for its place
 * and an absence cannot be locked, also every row as it was seen; what slips in between is found by looking
 * again afterwards).
 */
import type { CleanText } from '../base/index.ts';
import type { Actor, Entry } from '../facts/index.ts';
import type { Expectation, Plan, Store, Write } from '../store/index.ts';
import { compareTable, type Differences, tableShape } from './compare-tables.ts';
import { damaged, LedgerError } from './errors.ts';
import { LedgerView } from './ledger-view.ts';

const PAGE_ENTRIES = 1000;
/** How often others may record something while the tables are compared. */
const LOOKS_MAX = 20;

/** What a room's entries did to its rows. Made for each replay, because it may keep state. */
export interface Projection {
  readonly tables: readonly string[];
  project(entry: Entry): Write[];
}

export interface Look {
  /** How many entries the tables were made from. */
  readonly size: number;
  readonly tables: readonly Differences[];
}

export interface ReplayPorts {
  readonly store: Store;
  /** An empty store on SQLite with the same tables. */
  readonly scratch: Store;
  readonly projections: readonly Projection[];
  /** Gives waiting entries their place. */
  readonly placePending: () => Promise<void>;
  readonly onProgress?: (done: number, total: number) => void;
}

export class Replay {
  readonly #ports: ReplayPorts;
  readonly #view: LedgerView;
  #size = 0;

  constructor(ports: ReplayPorts) {
    this.#ports = ports;
    this.#view = new LedgerView(ports.store);
  }

  /** Undefined when others record things faster than the tables can be compared. */
  async look(): Promise<Look | undefined> {
    for (let looks = 0; looks < LOOKS_MAX; looks++) {
      await this.#ports.placePending();
      await this.#fold();
      const tables = await this.#compare();
      const isCurrent =
        (await this.#view.size()) === this.#size && !(await this.#view.hasUnplaced());
      if (isCurrent || !tables.some(isDifferent)) return { size: this.#size, tables };
    }
    return undefined;
  }

  async #fold(): Promise<void> {
    const total = await this.#view.size();
    while (this.#size < total) {
      const limit = Math.min(PAGE_ENTRIES, total - this.#size);
      const page = await this.#view.entries({ from: this.#size, limit });
      // It verified before; somebody may be at it right now.
      if (page.at(-1)?.index !== this.#size + page.length - 1) {
        throw damaged(`Entries are missing from ${this.#size} on.`);
      }
      const folded = page.map(({ index, entry }) => ({
        index,
        writes: this.#ports.projections.flatMap((projection) => projection.project(entry)),
      }));
      await this.#apply(folded);
      this.#size += page.length;
      this.#ports.onProgress?.(this.#size, total);
    }
  }

  async #apply(folded: readonly { index: number; writes: readonly Write[] }[]): Promise<void> {
    const { scratch } = this.#ports;
    try {
      await scratch.commit({ writes: folded.flatMap(({ writes }) => writes) });
    } catch {
      // One by one, to name the entry that does not fit what came before it.
      for (const { index, writes } of folded) {
        await scratch.commit({ writes }).catch((cause: unknown) => {
          throw new LedgerError('unfoldable', `Entry ${index} does not follow from those before.`, {
            hint: 'The tables cannot be made from this ledger. Restore a backup.',
            cause,
          });
        });
      }
    }
  }

  async #compare(): Promise<Differences[]> {
    const { store, scratch, projections } = this.#ports;
    const found: Differences[] = [];
    for (const table of projections.flatMap((projection) => projection.tables)) {
      found.push(await compareTable(store, scratch, await tableShape(scratch, table)));
    }
    return found;
  }
}

export function isDifferent({ missing, altered, extra }: Differences): boolean {
  return missing.length + altered.length + extra.length > 0;
}

/** The expectation that fails when something was recorded since the look. */
export const OVERTAKEN = 'overtaken';

/** Makes the rows that differ what the ledger says, all of them or none, and records it. */
export function rebuildPlan(
  store: Store,
  look: Look,
  by: {
    readonly actor: Actor;
    readonly reason: CleanText;
    readonly expect: readonly Expectation[];
  },
): Plan {
  const different = look.tables.filter(isDifferent);
  const sum = (of: (one: Differences) => number) =>
    different.reduce((total, one) => total + of(one), 0);
  return {
    expect: [...by.expect, ...stillSo(store, look.size, different)],
    writes: different.flatMap(writesOf),
    entries: [
      {
        type: 'ledger.rebuilt',
        actor: by.actor,
        // Not the subject of the ledger's keys.
        subject: 'hone:tables',
        data: {
          treeSize: look.size,
          tables: different.map(({ shape }) => shape.table),
          missingRows: sum(({ missing }) => missing.length),
          alteredRows: sum(({ altered }) => altered.length),
          extraRows: sum(({ extra }) => extra.length),
          reason: by.reason,
        },
      },
    ],
  };
}

function stillSo(store: Store, size: number, different: readonly Differences[]): Expectation[] {
  const name = OVERTAKEN;
  const end = { table: 'ledger_entries', where: { idx: size }, exists: false, name };
  if (store.engine === 'sqlite') return [end];
  const none = { table: 'ledger_entries', where: { idx: null }, exists: false, name };
  const rows = different.flatMap(({ shape, altered, extra }) =>
    [...altered.map(({ is }) => is), ...extra].map((row) => ({
      table: shape.table,
      where: row,
      name,
    })),
  );
  return [end, none, ...rows];
}

/**
 * Out with what is wrong before anything comes in: rows may not be altered in every table, nor stand twice.
 * Tables that only ever grow let rows go while they are named in `ledger_rebuilds`, which is this transaction.
 */
function writesOf({ shape, missing, altered, extra }: Differences): Write[] {
  const { table, key } = shape;
  const gone = [...altered.map(({ is }) => is), ...extra];
  const come = [...altered.map(({ should }) => should), ...missing];
  return [
    { insert: 'ledger_rebuilds', row: { name: table } },
    ...gone.map((row) => ({
      delete: table,
      where: { [key.name]: row[key.name]! },
    })),
    ...come.map((row) => ({ insert: table, row })),
    { delete: 'ledger_rebuilds', where: { name: table } },
  ];
}
