/**
 * All of Hone's tables as they were at one moment: one transaction, REPEATABLE READ and READ ONLY, in which
 * every table is read. Others go on writing. No program of PostgreSQL's is needed.
 */
import pg from 'pg';
import { numberedParameters } from '../plan-sql.ts';
import type { Row, Value } from '../types.ts';
import { readAddress } from './address.ts';
import { copyOut } from './copy.ts';
import { storeError, unclearAddress } from './faults.ts';

export interface PostgresSnapshot extends AsyncDisposable {
  readonly engine: 'postgres';
  readonly tables: readonly string[];
  /** Reads within the snapshot. */
  all(sql: string, parameters?: readonly Value[]): Promise<Row[]>;
  /** A table's rows in the order of its key, as COPY writes them. */
  rows(table: string): AsyncIterable<Uint8Array>;
}

export async function postgresSnapshot(url: string): Promise<PostgresSnapshot> {
  const address = readAddress(url);
  if (!address.isClear) throw unclearAddress();
  const client = await connected(url, 'hone backup');
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const tables = await ownTables(client);
    return {
      engine: 'postgres',
      tables,
      all: async (sql, parameters = []) =>
        (await client.query(numberedParameters(sql), parameters as Value[])).rows as Row[],
      rows: (table) => orderedRows(client, table),
      [Symbol.asyncDispose]: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw storeError(error, address);
  }
}

const INT8 = 20;

/** A connection of its own: a COPY does not go through the pool's pipeline. */
export async function connected(url: string, name: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === INT8
          ? Number
          : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
    },
  });
  // A connection that breaks fails the query that needs it.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    throw storeError(error, readAddress(url));
  }
  return client;
}

/** Of the schema that Hone works in; a database or a schema is Hone's alone. */
export async function ownTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1`,
  );
  return rows.map(({ name }) => name as string);
}

/** In the order of the primary key: what a table's triggers ask of new rows holds again when they come back. */
async function* orderedRows(client: pg.Client, table: string): AsyncGenerator<Uint8Array> {
  const name = client.escapeIdentifier(table);
  const { rows } = await client.query(
    `SELECT a.attname AS name FROM pg_index i
     JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
     WHERE i.indisprimary AND i.indrelid = $1::regclass
     ORDER BY array_position(i.indkey::int2[], a.attnum)`,
    [name],
  );
  const key = rows.map((row) => client.escapeIdentifier(row['name'] as string)).join(', ');
  const order = key === '' ? '' : ` ORDER BY ${key}`;
  yield* copyOut(client, `COPY (SELECT * FROM ${name}${order}) TO STDOUT`);
}
