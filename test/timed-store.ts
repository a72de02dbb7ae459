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
  let emptier: Emptier | undefined;
  const close = async () => {
    await emptier?.end();
    await opened?.[Symbol.asyncDispose]();
    [opened, emptier] = [undefined, undefined];
  };
  beforeEach(async () => {
    if (kind === 'postgres' && opened !== undefined) {
      emptier ??= new Emptier(opened.place);
      await emptier.empty();
    } else opened = await openTimedStore(kind);
  });
  afterEach(() => (kind === 'postgres' ? undefined : close()));
  afterAll(close);
  return () => opened!;
}

/**
 * Empties all tables: a few milliseconds, where a database of its own takes fifty of the server's, and so does
 * TRUNCATE, which makes every file anew. It keeps its connection: a new one must first learn all tables again. Only a
 * superuser gets past the ledger's guards.
 */
class Emptier {
  readonly #url: string;
  #client: pg.Client | undefined;
  #sql = '';

  constructor(url: string) {
    this.#url = url;
  }

  async empty(): Promise<void> {
    const client = this.#client ?? (await this.#connect());
    await client.query(this.#sql);
  }

  async end(): Promise<void> {
    await this.#client?.end();
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.#url });
    // A test may end all connections: the next one makes another.
    client.on('error', () => {
      this.#client = undefined;
    });
    await client.connect();
    const { rows } = await client.query<{ sql: string }>(
      `SELECT format('DELETE FROM %I', tablename) AS sql FROM pg_tables
         WHERE schemaname = 'public' AND tablename <> 'store_migrations'
       UNION ALL SELECT format('ALTER SEQUENCE %I RESTART', sequencename) FROM pg_sequences
         WHERE schemaname = 'public'`,
    );
    this.#sql = rows.map(({ sql }) => sql).join('; ');
    await client.query('SET session_replication_role = replica');
    this.#client = client;
    return client;
  }
}
