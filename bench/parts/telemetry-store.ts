/** A telemetry store on the disk as the product opens it, a collector that reads one growing file, and the floor. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { ManualClock } from '../../src/base/index.ts';
import { Collector, nodeSourceFiles } from '../../src/observe/index.ts';
import { openSqlite, type Store, telemetryMigrations } from '../../src/store/index.ts';
import { DAY_MS, FROM_MS } from './telemetry-lines.ts';

const FILE = 'events.jsonl';
const SETTINGS = {
  sources: [{ name: 'fleet', kind: 'jsonl', path: FILE }],
  allowedDomains: [],
  allowedPaths: [],
  overhead: 1,
  redactUuids: false,
  rules: [],
  keepKinds: [],
  markSuffix: false,
};

export interface Ingest extends AsyncDisposable {
  readonly store: Store;
  append(lines: readonly string[]): void;
  /** Reads what is new; throws unless all of it became events. */
  collect(expected: number): Promise<void>;
}

export async function openIngest(folder: string): Promise<Ingest> {
  const store = await openSqlite({
    path: join(folder, 'telemetry.db'),
    synchronous: 'normal',
    migrations: telemetryMigrations,
    bulkThread: true,
    clock: new ManualClock(FROM_MS + 2 * DAY_MS),
  });
  const files = nodeSourceFiles(folder);
  const collector = new Collector({ store, files, settings: SETTINGS });
  return {
    store,
    append: (lines) => appendFileSync(join(folder, FILE), `${lines.join('\n')}\n`),
    async collect(expected) {
      const { events } = await collector.collect();
      if (events !== expected) throw new Error(`${events} of ${expected} events were stored`);
    },
    async [Symbol.asyncDispose]() {
      await files[Symbol.asyncDispose]();
      await store.close();
    },
  };
}

/**
 * The floor: each line is parsed, and the rows that Hone stored of these lines are inserted, 10 000 in a transaction,
 * by one prepared statement, into a table with the same columns, no secondary index and the same settings.
 */
export class Floor {
  readonly #database: DatabaseSync;
  readonly #store: Store;
  #insert: ReturnType<DatabaseSync['prepare']> | undefined;
  #last = 0;

  constructor(folder: string, store: Store) {
    this.#store = store;
    this.#database = new DatabaseSync(join(folder, 'floor.db'));
    for (const setting of [
      'journal_mode = WAL',
      'synchronous = NORMAL',
      'wal_autocheckpoint = 256',
    ])
      this.#database.exec(`PRAGMA ${setting}`);
  }

  /** Seconds, without those that it takes to read the rows. */
  async seconds(lines: readonly string[]): Promise<number> {
    const rows = await this.#store.all(
      'SELECT * FROM observe_events WHERE id > ? ORDER BY id LIMIT ?',
      [this.#last, lines.length],
    );
    this.#last = rows.at(-1)!['id'] as number;
    this.#insert ??= this.#prepare(Object.keys(rows[0]!));
    const insert = this.#insert;
    const values = rows.map((row) => Object.values(row) as SQLInputValue[]);
    const copies = lines.map((line) => Buffer.from(line).toString());
    const startMs = performance.now();
    let parsed = 0;
    for (let at = 0; at < copies.length; at += TRANSACTION_ROWS) {
      this.#database.exec('BEGIN');
      const end = Math.min(copies.length, at + TRANSACTION_ROWS);
      for (let row = at; row < end; row++) {
        if (JSON.parse(copies[row]!) !== null) parsed += 1;
        insert.run(...values[row]!);
      }
      this.#database.exec('COMMIT');
    }
    const seconds = (performance.now() - startMs) / 1000;
    if (parsed !== rows.length) throw new Error('the floor did not insert what was parsed');
    return seconds;
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  /** Types as in the migration; SQLite gives `id` no index of its own either. */
  #prepare(columns: readonly string[]): ReturnType<DatabaseSync['prepare']> {
    this.#database.exec(`CREATE TABLE rows (id INTEGER PRIMARY KEY, ${columns.slice(1).join()})`);
    const marks = columns.map(() => '?').join();
    return this.#database.prepare(`INSERT INTO rows (${columns.join()}) VALUES (${marks})`);
  }
}

const TRANSACTION_ROWS = 10_000;
