/** Databases on a PostgreSQL server of the tests' own. */
import pg from 'pg';
import { allMigrations } from '../src/store/index.ts';
import { openPostgres } from '../src/store/postgres/store.ts';

/** A migrated database that others are copied from. */
export const TEMPLATE = 'hone_template';

export function databaseUrl(server: string, name: string): string {
  return server.replace('/postgres?', `/${name}?`);
}

export async function administer(server: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Makes the template that `freshDatabase` copies. Called once per run. */
export async function makeTemplate(server: string): Promise<void> {
  await administer(server, `CREATE DATABASE ${TEMPLATE}`);
  const url = databaseUrl(server, TEMPLATE);
  await (await openPostgres({ url, migrations: allMigrations })).close();
}
