/**
 * Brings a SQLite file to this build's schema. Each migration is one transaction whose first write
 * is its own row: of twenty that start at once one writes it, the others find it there.
 */
import type { DatabaseSync } from 'node:sqlite';
import { APPLICATION_ID, foreign } from '../sqlite/database.ts';
import { type AppliedMigration, checkApplied, fingerprintOf } from './other-build.ts';
import type { Migration, MigrationSet } from './types.ts';

export function migrateSqlite(database: DatabaseSync, set: MigrationSet, location: string): void {
  const applied = appliedIds(database, set, location);
  const missing = set.migrations.filter(({ id }) => !applied.has(id));
  for (const migration of missing) applyOne(database, migration);
  // Of two builds that started at once, the other may have been first.
  if (missing.length > 0) appliedIds(database, set, location);
}

/** What was applied; makes the bookkeeping in a new file. Most starts end here, with two reads. */
function appliedIds(database: DatabaseSync, set: MigrationSet, location: string): Set<number> {
  const { application_id } = database.prepare('PRAGMA application_id').get() as {
    application_id: number;
  };
  if (application_id !== APPLICATION_ID) inTransaction(database, () => claim(database, location));
  // All columns: an unreleased build's table has fewer of them.
  const rows = database.prepare('SELECT * FROM store_migrations').all() as unknown[];
  const known = rows as AppliedMigration[];
  checkApplied(known, set, { engine: 'sqlite', location });
  return new Set(known.map((row) => row.id));
}

/** Marks an empty file as ours. A file that has tables but not our mark is somebody else's. */
function claim(database: DatabaseSync, location: string): void {
  const tables = database
    .prepare(`SELECT count(*) AS n FROM sqlite_schema WHERE name <> 'store_migrations'`)
    .get() as { n: number };
  const { application_id } = database.prepare('PRAGMA application_id').get() as {
    application_id: number;
  };
  if (application_id === APPLICATION_ID) return; // another process was first
  if (tables.n > 0) throw foreign(location);
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  database.exec(`CREATE TABLE store_migrations (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    breaking INTEGER NOT NULL,
    fingerprint TEXT NOT NULL
  ) STRICT`);
}

function applyOne(database: DatabaseSync, migration: Migration): void {
  inTransaction(database, () => {
    const { changes } = database
      .prepare(
        `INSERT INTO store_migrations (id, name, breaking, fingerprint) VALUES (?, ?, ?, ?)
         ON CONFLICT DO NOTHING`,
      )
      .run(
        migration.id,
        migration.name,
        migration.breaking ? 1 : 0,
        fingerprintOf(migration, 'sqlite'),
      );
    if (changes === 0) return; // another process was first
    database.exec(migration.sqlite);
  });
}

function inTransaction(database: DatabaseSync, work: () => void): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    work();
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
