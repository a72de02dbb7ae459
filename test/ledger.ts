/** What tests need of the ledger on both engines. */
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { Entry } from '../src/facts/index.ts';
import { LedgerView, placeEntries } from '../src/ledger/index.ts';
import type { Store, Write } from '../src/store/index.ts';

const LEASE = 'test/sequencer';

/** Places what PostgreSQL has not placed yet; SQLite places at once. */
export async function placeAll(store: Store): Promise<void> {
  if (store.engine === 'sqlite') return;
  const row = { token: 1, holder: 'test', expires_at_ms: 0, ttl_ms: 0, contended: 0 };
  await store.commit({ writes: [{ upsert: 'lease_leases', key: { name: LEASE }, row }] });
  const fence = { table: 'lease_leases', where: { name: LEASE, token: 1 } };
  for (;;) {
    const result = await placeEntries(store, fence);
    if (!('placed' in result)) throw new Error('the sequencer of the test was refused');
    if (result.placed === 0) return;
  }
}

/** The same store, its commits as the test wants them. */
export function withCommit(store: Store, commit: Store['commit']): Store {
  return new Proxy(store, {
    get: (target, name) => {
      if (name === 'commit') return commit;
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Everything that was recorded, in the ledger's order. */
export async function recorded(store: Store): Promise<Entry[]> {
  await placeAll(store);
  const placed = await new LedgerView(store).entries({ limit: 1_000_000 });
  return placed.map(({ entry }) => entry);
}

/** Writes to a table that only grows, as a rebuild from the ledger makes them. */
export function asRebuild(table: string, writes: readonly Write[]): Write[] {
  const name = { name: table };
  return [
    { insert: 'ledger_rebuilds', row: name },
    ...writes,
    { delete: 'ledger_rebuilds', where: name },
  ];
}

const GUARDS = {
  sqlite: [
    'ledger_entries_dense',
    'ledger_entries_no_update',
    'ledger_entries_no_delete',
    'ledger_checkpoints_grow',
    'ledger_checkpoints_no_update',
    'ledger_checkpoints_no_delete',
    'proposal_attestations_no_update',
    'proposal_attestations_no_delete',
  ],
  postgres: ['ledger_entries', 'ledger_checkpoints', 'proposal_attestations'],
};

/** Raw SQL with `?` for parameters, as somebody with access to the file or the database has it. */
export interface Intruder extends AsyncDisposable {
  run(sql: string, parameters?: readonly (string | number | bigint | Uint8Array)[]): Promise<void>;
}

/** Opens the data past Hone, with the triggers that guard the ledger and attestations gone. */
export async function breakIn(engine: Store['engine'], place: string): Promise<Intruder> {
  if (engine === 'sqlite') {
    const database = new DatabaseSync(place, { timeout: 5000 });
    for (const guard of GUARDS.sqlite) database.exec(`DROP TRIGGER IF EXISTS ${guard}`);
    return {
      run: async (sql, parameters = []) => {
        database.prepare(sql).run(...parameters);
      },
      [Symbol.asyncDispose]: async () => database.close(),
    };
  }
  const client = new pg.Client({ connectionString: place });
  await client.connect();
  for (const table of GUARDS.postgres)
    await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  return {
    run: async (sql, parameters = []) => {
      let count = 0;
      await client.query(
        sql.replace(/\?/g, () => `$${++count}`),
        parameters as unknown[],
      );
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}
