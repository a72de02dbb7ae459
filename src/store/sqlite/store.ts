/** The embedded store: one `SqliteStore` per file. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type Clock, type Random, systemClock, systemRandom } from '../../base/index.ts';
import { StoreError } from '../errors.ts';
import { migrateSqlite } from '../migrations/migrate-sqlite.ts';
import type { MigrationSet } from '../migrations/types.ts';
import { assertReads } from '../read-only.ts';
import type { Claim, CommitParts, CommitResult, Plan, Row, Store, Value } from '../types.ts';
import { Wakes } from '../wakes.ts';
import { BulkThread, isLarge } from './bulk-thread.ts';
import { Committer } from './committer.ts';
import { openDatabase, type SqliteFile } from './database.ts';
import { storeError } from './faults.ts';
import { whenFree } from './wait.ts';

export interface SqliteStoreOptions extends SqliteFile {
  readonly migrations: MigrationSet;
  /** Absent for a file without a ledger (telemetry). */
  readonly parts?: CommitParts;
  /** Large plans are written in a thread of their own; only for a file without a ledger. */
  readonly bulkThread?: boolean;
  readonly clock?: Clock;
  readonly random?: Random;
}

export async function openSqlite(options: SqliteStoreOptions): Promise<Store> {
  const random = options.random ?? systemRandom;
  try {
    const database = await whenFree(random, () => openDatabase(options));
    try {
      await whenFree(random, () => migrateSqlite(database, options.migrations, options.path));
    } catch (error) {
      database.close();
      throw error;
    }
    return new SqliteStore(database, options, random);
  } catch (error) {
    throw storeError(error, options.path);
  }
}

class SqliteStore implements Store {
  readonly engine = 'sqlite';
  readonly location: string;
  readonly #database: DatabaseSync;
  readonly #committer: Committer;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #statements = new Map<string, StatementSync>();
  readonly #wakes = new Wakes();
  readonly #parts: CommitParts | undefined;
  readonly #bulk: BulkThread | undefined;
  #version: StatementSync | undefined;
  #changes: StatementSync | undefined;
  #closed = false;

  constructor(database: DatabaseSync, options: SqliteStoreOptions, random: Random) {
    this.#database = database;
    this.location = options.path;
    this.#clock = options.clock ?? systemClock;
    this.#random = random;
    this.#parts = options.parts;
    this.#bulk = options.bulkThread === true ? new BulkThread(options) : undefined;
    this.#committer = new Committer({
      database,
      location: options.path,
      clock: this.#clock,
      waitClock: systemClock,
      random,
      parts: options.parts,
    });
  }

  async commit(plan: Plan): Promise<CommitResult> {
    if (this.#closed) throw closed(this.location);
    const loading = this.#parts?.entries.load(plan.entries ?? []);
    if (loading !== undefined) await loading;
    if (this.#bulk !== undefined && isLarge(plan)) return this.#bulk.commit(plan);
    return this.#committer.commit(plan);
  }

  async claim(claim: Claim): Promise<Row | undefined> {
    if (this.#closed) throw closed(this.location);
    return this.#committer.claim(claim);
  }

  async all(sql: string, parameters: readonly Value[] = []): Promise<Row[]> {
    if (this.#closed) throw closed(this.location);
    try {
      return await whenFree(this.#random, () => this.#read(sql).all(...parameters) as Row[]);
    } catch (error) {
      throw storeError(error, this.location);
    }
  }

  /** `data_version` is about what others committed, `total_changes` about this connection. */
  async revision(): Promise<string> {
    if (this.#closed) throw closed(this.location);
    this.#version ??= this.#database.prepare('PRAGMA data_version');
    this.#changes ??= this.#database.prepare('SELECT total_changes() AS changes');
    const [version, changes] = [this.#version, this.#changes];
    try {
      const others = await whenFree(this.#random, () => version.get()!['data_version']);
      return `${others}.${changes.get()!['changes']}`;
    } catch (error) {
      throw storeError(error, this.location);
    }
  }

  nowMs(): Promise<number> {
    return Promise.resolve(this.#clock.nowMs());
  }

  async notify(channel: string): Promise<void> {
    if (this.#closed) throw closed(this.location);
    this.#wakes.wake(channel);
  }

  async listen(channel: string, wake: () => void): Promise<() => Promise<void>> {
    if (this.#closed) throw closed(this.location);
    const remove = this.#wakes.add(channel, wake);
    return async () => void remove();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#bulk?.close();
    await this.#committer.drained();
    this.#database.close();
  }

  #read(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      assertReads(sql);
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

function closed(location: string): StoreError {
  return new StoreError('closed', `${location} was closed.`);
}
