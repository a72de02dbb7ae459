/**
 * A store whose time is given. On PostgreSQL times are compared by the server's clock, which no test
 * can move; here `nowMs` comes from the test's clock on every engine, and everything else is real.
 */
import pg from 'pg';
import { afterAll, afterEach, beforeEach } from 'vitest';
import { ManualClock } from '../src/base/index.ts';
import { withClock } from '../src/store/index.ts';
import { openTestStore, type StoreKind, type TestStore } from './stores.ts';

export interface TimedStore extends TestStore {
  readonly clock: ManualClock;
}

export async function openTimedStore(kind: StoreKind): Promise<TimedStore> {
  const clock = new ManualClock();
  const opened = await openTestStore(kind, clock);
  return {
    ...opened,
    clock,
    store: withClock(opened.store, clock),
    open: async () => withClock(await opened.open(), clock),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

/** A new store for every test of the suite; one database, emptied in between, on PostgreSQL. */
export function storePerTest(kind: 'memory' | 'file' | 'postgres'): () => TimedStore {
  let opened: TimedStore | undefined;
  const close = async () => {
    await opened?.[Symbol.asyncDispose]();
    opened = undefined;
  };
  beforeEach(async () => {
    if (kind === 'postgres' && opened !== undefined) await empty(opened.place);
    else opened = await openTimedStore(kind);
  });
  afterEach(() => (kind === 'postgres' ? undefined : close()));
  afterAll(close);
  return () => opened!;
}

/** 15 ms in place of 300 for a database of its own. Only a superuser gets past the ledger's guards. */
async function empty(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ tablename: string }>(
      `SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'store_migrations'`,
    );
    await client.query('SET session_replication_role = replica');
    const tables = rows.map((row) => row.tablename).join(', ');
    await client.query(`TRUNCATE ${tables} RESTART IDENTITY`);
  } finally {
    await client.end();
  }
}
