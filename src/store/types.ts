/**
 * The store's port. Reads are prepared SQL (`all`); every write goes through `commit`: a
 * plan made of data, with no callback and nothing awaited inside, so that a plan is either wholly
 * there or not at all, together with its ledger entries and its effects.
 */
import type { EffectDraft, EntryDraft } from '../facts/index.ts';

/** Both engines keep these and nothing else: no booleans, no dates, no engine's own types. */
export type Value = string | number | null | Uint8Array;
export type Row = Readonly<Record<string, Value>>;

/** Columns that must all be equal. `null` matches NULL. */
export type Match = Row;

/** `{ add: n }` adds to the stored value; NULL counts as nothing. */
type Change = Readonly<Record<string, Value | { readonly add: number }>>;

/**
 * The row of an upsert. Where one stands already, `{ least: n }` and `{ most: n }` keep the smaller and the
 * larger of both numbers, so that several processes count in one row without reading it first. In a row
 * that is new, an increment is its number.
 */
export type Increment =
  | { readonly add: number }
  | { readonly least: number }
  | { readonly most: number };
export type Merged = Readonly<Record<string, Value | Increment>>;

/** How a column of a bulk upsert meets the row that stands already; NULL changes nothing but by `replace`. */
export type Merging = 'replace' | 'add' | 'least' | 'most';

/**
 * Many rows of one table: a third of the time that as many single writes take. The values of all rows are one list,
 * row after row: thousands of small lists would be the garbage collector's.
 */
export type BulkWrite =
  | {
      readonly insertRows: string;
      readonly columns: readonly string[];
      readonly values: readonly Value[];
      readonly onConflict?: 'ignore';
    }
  | {
      readonly upsertRows: string;
      readonly key: readonly string[];
      /** The columns behind those of the key. */
      readonly merge: Readonly<Record<string, Merging>>;
      /** Each key once: PostgreSQL refuses a statement that changes a row twice. */
      readonly values: readonly Value[];
    };

export type Write =
  | { readonly insert: string; readonly row: Row; readonly onConflict?: 'ignore' }
  | { readonly update: string; readonly where: Match; readonly set: Change }
  | { readonly upsert: string; readonly key: Match; readonly row: Merged }
  | { readonly delete: string; readonly where: Match }
  | BulkWrite;

/**
 * What must be true inside the transaction, else nothing of the plan happens. A fencing token is
 * `{ table: 'lease_leases', where: { name, token } }`.
 */
export interface Expectation {
  readonly table: string;
  readonly where: Match;
  /** Default true: such a row exists. False: none does. */
  readonly exists?: boolean;
  /** Comes back in the refusal, so that the caller knows which expectation failed. */
  readonly name?: string;
}

export interface Plan {
  readonly expect?: readonly Expectation[];
  readonly writes?: readonly Write[];
  readonly entries?: readonly EntryDraft[];
  readonly effects?: readonly EffectDraft[];
}

/**
 * One row for one worker. Of the first match that has a row whose `by` is at most `upTo`, the row with the smallest
 * `by` is taken (of equals the one with the smallest key), changed by `set`, and returned as it is then.
 */
export interface Claim {
  readonly table: string;
  /** Its primary key. */
  readonly key: string;
  readonly anyOf: readonly Match[];
  readonly by: string;
  readonly upTo: number;
  readonly set: Change;
}

export type CommitResult =
  | { readonly committed: true }
  | { readonly committed: false; readonly refused: Expectation };

export type Engine = 'sqlite' | 'postgres';

export interface Reading {
  readonly sql: string;
  readonly parameters: readonly Value[];
}

export interface Store {
  readonly engine: Engine;
  /** Where it is, fit to be shown: a path, or a URL without its password. */
  readonly location: string;
  commit(plan: Plan): Promise<CommitResult>;
  /**
   * In one statement, which is its own transaction. Rows that another transaction has locked are passed over where
   * the engine has such locks, so workers that claim at once get different rows and none waits.
   */
  claim(claim: Claim): Promise<Row | undefined>;
  /**
   * Names the content: while it is the same, every read gives the same rows. Whoever keeps what they made of rows asks
   * for it first (`KeptReads`). Absent where it cannot be told.
   */
  revision?(): Promise<string>;
  /** Prepared SQL with `?` for parameters. Anything but a read is refused. */
  all(sql: string, parameters?: readonly Value[]): Promise<Row[]>;
  /** Several reads at once, in one round trip; absent where a read has none. */
  allOf?(reads: readonly Reading[]): Promise<Row[][]>;
  /**
   * The clock that times in this store are compared with: the database's own on PostgreSQL, so that
   * machines whose clocks differ agree; this machine's on SQLite.
   */
  nowMs(): Promise<number>;
  /** Wakes waiting workers, also on other machines where the engine can. */
  notify(channel: string): Promise<void>;
  /**
   * Calls back on `notify`, and once whenever one may have been missed; returns how to stop listening.
   * It only tells sooner: who listens looks by itself as well, since SQLite tells no other process and a
   * server may be away. An unreachable server is not a fault here; it is retried until the store is closed.
   */
  listen(channel: string, wake: () => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** Synchronous reads inside SQLite's open transaction. */
export type SyncRead = (sql: string, parameters?: readonly Value[]) => Row[];

/**
 * How ledger entries become rows; built by `ledger/`, called inside a commit. On SQLite entries get
 * their place in the tree at once: `tip` is the tree's right edge, read in the same transaction.
 * On PostgreSQL they are written without a place, and the sequencer places them.
 */
export interface EntryWriter<Tip = unknown> {
  /** Called before a commit that has entries: what writing them needs is loaded then. Undefined if it is there. */
  load(drafts: readonly EntryDraft[]): Promise<void> | undefined;
  tip(read: SyncRead): Tip;
  place(tip: Tip, drafts: readonly EntryDraft[], nowMs: number): { writes: Write[]; tip: Tip };
  unplaced(drafts: readonly EntryDraft[], nowMs: number): Write[];
}

/** How effects become rows; built by `outbox/`. */
export type EffectWriter = (drafts: readonly EffectDraft[], nowMs: number) => Write[];

export interface CommitParts {
  readonly entries: EntryWriter;
  readonly effects: EffectWriter;
}
