/**
 * Brings a PostgreSQL database to this build's schema. All who start at once queue at one advisory
 * lock; each migration is one transaction whose first write is its own row.
 */
import type { ClientBase } from 'pg';
import { StoreError } from '../errors.ts';
import { type AppliedMigration, checkApplied, fingerprintOf } from './other-build.ts';
import type { MigrationSet } from './types.ts';

/** Any fixed number that nobody else in the database uses: "hone" in ASCII. */
const LOCK = 0x686f6e65;

export async function migratePostgres(
  client: ClientBase,
  set: MigrationSet,
  location: string,
): Promise<void> {
  const applied = (await hasBookkeeping(client)) ? await readApplied(client) : [];
  const place = { engine: 'postgres', location } as const;
  checkApplied(applied, set, place);
  const done = new Set(applied.map((row) => row.id));
  if (set.migrations.every((migration) => done.has(migration.id))) return;

  await inTransaction(client, async () => {
    if (!(await hasBookkeeping(client))) await claim(client, location);
  });
  for (const migration of set.migrations) {
    await inTransaction(client, async () => {
      const { rowCount } = await client.query(
        `INSERT INTO store_migrations (id, name, breaking, fingerprint) VALUES ($1, $2, $3, $4)
         ON CONFLICT DO NOTHING`,
        [
          migration.id,
          migration.name,
          migration.breaking ? 1 : 0,
          fingerprintOf(migration, 'postgres'),
        ],
      );
      if (rowCount === 1) await client.query(migration.postgres);
    });
  }
  checkApplied(await readApplied(client), set, place);
}

/**
 * Asks the catalogue's table. `to_regclass` asks the server's cache of names, which still says "none"
 * when another connection made the table while this one waited for the lock.
 */
async function hasBookkeeping(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT count(*)::int AS n FROM pg_tables
     WHERE schemaname = current_schema() AND tablename = 'store_migrations'`,
  );
  return rows[0].n > 0;
}

/** A schema with tables but without our bookkeeping is somebody else's. */
async function claim(client: ClientBase, location: string): Promise<void> {
  const { rows } = await client.query(
    `SELECT count(*)::int AS n FROM pg_tables WHERE schemaname = current_schema()`,
  );
  if (rows[0].n > 0) {
    throw new StoreError('foreign', `The database ${location} has tables, but not Hone's.`, {
      hint: 'Give Hone a database or a schema of its own. Nothing was changed.',
    });
  }
  await client.query(`CREATE TABLE store_migrations (
    id bigint PRIMARY KEY,
    name text NOT NULL,
    breaking bigint NOT NULL,
    fingerprint text NOT NULL
  )`);
}

async function readApplied(client: ClientBase): Promise<AppliedMigration[]> {
  // All columns: an unreleased build's table has fewer of them.
  const { rows } = await client.query('SELECT * FROM store_migrations');
  return rows as AppliedMigration[];
}

async function inTransaction(client: ClientBase, work: () => Promise<void>): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    await work();
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}
