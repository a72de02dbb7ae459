/** Real stores for tests: SQLite in memory and in a file, PostgreSQL from a migrated template. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type Clock, systemClock, systemRandom } from '../src/base/index.ts';
import { entryWriter } from '../src/ledger/index.ts';
import { effectWriter } from '../src/outbox/index.ts';
import { allMigrations, controlMigrations, openSqlite, type Store } from '../src/store/index.ts';
import { openPostgres } from '../src/store/postgres/store.ts';
import { administer, databaseUrl, TEMPLATE } from './postgres-database.ts';

export const parts = { entries: entryWriter, effects: effectWriter };

export const STORE_KINDS = ['memory', 'file', 'postgres'] as const;
export type StoreKind = (typeof STORE_KINDS)[number];

export interface TestStore extends AsyncDisposable {
  readonly store: Store;
  /** Path of the file, or URL of the database. */
  readonly place: string;
  /** A second store on the same data, as another process would have; not for memory. */
  open(): Promise<Store>;
}

export async function openTestStore(
  kind: StoreKind,
  clock: Clock = systemClock,
): Promise<TestStore> {
  if (kind === 'postgres') return postgresStore(clock);
  const folder = mkdtempSync(join(tmpdir(), 'hone-store-'));
  const path = kind === 'memory' ? ':memory:' : join(folder, 'control.db');
  const opened: Store[] = [];
  const open = async () => {
    const store = await openSqlite({
      path,
      synchronous: 'full',
      migrations: controlMigrations,
      parts,
      clock,
    });
    opened.push(store);
    return store;
  };
  return {
    store: await open(),
    place: path,
    open,
    [Symbol.asyncDispose]: async () => {
      for (const store of opened) await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function postgresStore(clock: Clock): Promise<TestStore> {
  const { url, drop } = await freshDatabase();
  const opened: Store[] = [];
  const open = async () => {
    const store = await openPostgres({ url, migrations: allMigrations, parts, clock });
    opened.push(store);
    return store;
  };
  return {
    store: await open(),
    place: url,
    open,
    [Symbol.asyncDispose]: async () => {
      for (const store of opened) await store.close();
      await drop();
    },
  };
}

/** A database of its own: migrated, or empty. */
export async function freshDatabase(
  options: { empty?: boolean; server?: string } = {},
): Promise<{ url: string; drop: () => Promise<void> }> {
  const server = options.server ?? inject('postgresUrl');
  const name = `t_${Buffer.from(systemRandom.bytes(8)).toString('hex')}`;
  const template = options.empty === true ? 'template0' : TEMPLATE;
  // Copied as files, since nothing is synced here: half the time of a copy through the log.
  await administer(server, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  return {
    url: databaseUrl(server, name),
    drop: () => administer(server, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}
