/**
 * Puts tables back into a database, beside those that are there, and then in their place.
 *
 *   staging schema: made, migrated, filled ──swap──► its tables are Hone's, the old ones are in a schema of their own
 *        └── anything goes wrong, or another restore comes: dropped
 *
 * The swap is one transaction, so a restore that is killed leaves the old tables or the new ones. One restore at a
 * time: a session's advisory lock.
 */
import pg from 'pg';
import { StoreError } from '../errors.ts';
import { migratePostgres } from '../migrations/migrate-postgres.ts';
import type { MigrationSet } from '../migrations/types.ts';
import { type Address, readAddress } from './address.ts';
import { copyIn } from './copy.ts';
import { storeError, unclearAddress } from './faults.ts';
import { connected, ownTables } from './snapshot.ts';

/** Any fixed number that nobody else in the database uses: "rest" in ASCII. */
const LOCK = 0x72657374;
const STAGING = 'hone_restoring';

export class PutBack implements AsyncDisposable {
  readonly #client: pg.Client;
  readonly #address: Address;
  /** Where Hone's tables are and will be. */
  readonly #home: string;
  /** Opens a store on what was put back so far. */
  readonly stagedUrl: string;

  private constructor(client: pg.Client, address: Address, home: string, stagedUrl: string) {
    this.#client = client;
    this.#address = address;
    this.#home = home;
    this.stagedUrl = stagedUrl;
  }

  /** With an empty staging schema that has all tables. Undefined while another restore is at it. */
  static async begin(url: string, migrations: MigrationSet): Promise<PutBack | undefined> {
    const address = readAddress(url);
    if (!address.isClear) throw unclearAddress();
    const client = await connected(url, 'hone restore');
    try {
      const { rows } = await client.query(
        'SELECT pg_try_advisory_lock($1) AS locked, current_schema() AS home',
        [LOCK],
      );
      if (rows[0].locked !== true) {
        await client.end();
        return undefined;
      }
      await client.query(`DROP SCHEMA IF EXISTS ${STAGING} CASCADE`);
      await client.query(`CREATE SCHEMA ${STAGING}`);
      await client.query(`SET search_path TO ${STAGING}`);
      await migratePostgres(client, migrations, address.shown);
      return new PutBack(client, address, rows[0].home as string, inSchema(url, STAGING));
    } catch (error) {
      await client.end();
      throw storeError(error, address);
    }
  }

  /** Sessions of Hone's on this database beside this one: `hone up`, or a command. */
  async others(): Promise<number> {
    const { rows } = await this.#client.query(
      `SELECT count(*)::int AS n FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'hone%'`,
    );
    return rows[0].n as number;
  }

  /** Whether the home schema has tables. */
  async isEmpty(): Promise<boolean> {
    const { rows } = await this.#client.query(
      'SELECT count(*)::int AS n FROM pg_tables WHERE schemaname = $1',
      [this.#home],
    );
    return rows[0].n === 0;
  }

  tables(): Promise<string[]> {
    return ownTables(this.#client);
  }

  /** Replaces what the migrations put there. */
  async fill(table: string, rows: AsyncIterable<Uint8Array>): Promise<void> {
    const name = this.#client.escapeIdentifier(table);
    try {
      if (table === 'store_migrations') await this.#client.query(`DELETE FROM ${name}`);
      await copyIn(this.#client, `COPY ${name} FROM STDIN`, rows);
      await this.#goOnCounting(table);
    } catch (error) {
      throw error instanceof pg.DatabaseError ? storeError(error, this.#address) : error;
    }
  }

  /** What is given out next is larger than what came back. */
  async #goOnCounting(table: string): Promise<void> {
    const { rows } = await this.#client.query(
      `SELECT column_name AS name FROM information_schema.columns
       WHERE table_schema = current_schema() AND table_name = $1 AND is_identity = 'YES'`,
      [table],
    );
    const name = this.#client.escapeIdentifier(table);
    for (const { name: column } of rows) {
      const identity = this.#client.escapeIdentifier(column as string);
      await this.#client.query(
        `SELECT setval(pg_get_serial_sequence($1, $2), coalesce(max(${identity}), 0) + 1, false) FROM ${name}`,
        [name, column],
      );
    }
  }

  /** What was put back takes its place; what was there is kept in the schema `kept`. */
  async swap(kept: string): Promise<void> {
    const client = this.#client;
    const [home, old] = [this.#home, kept].map((name) => client.escapeIdentifier(name));
    try {
      await client.query('BEGIN');
      if (!(await this.isEmpty())) {
        await client.query(`CREATE SCHEMA ${old}`);
        await this.#move(this.#home, kept);
      }
      await this.#move(STAGING, this.#home);
      await client.query(`DROP SCHEMA ${STAGING}`);
      await client.query('COMMIT');
      await client.query(`SET search_path TO ${home}`);
    } catch (error) {
      await client.query('ROLLBACK');
      throw storeError(error, this.#address);
    }
  }

  /** Indexes, triggers and counters go with their tables. */
  async #move(from: string, to: string): Promise<void> {
    const client = this.#client;
    const { rows } = await client.query(
      `SELECT format('ALTER TABLE %I.%I SET SCHEMA %I', schemaname, tablename, $2::text) AS sql
       FROM pg_tables WHERE schemaname = $1
       UNION ALL
       SELECT format('ALTER FUNCTION %s SET SCHEMA %I', p.oid::regprocedure, $2::text)
       FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
       WHERE n.nspname = $1 AND p.proname ~ '^(store|ledger|proposal)_'`,
      [from, to],
    );
    for (const { sql } of rows) await client.query(sql as string);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.#client.query(`DROP SCHEMA IF EXISTS ${STAGING} CASCADE`);
    } catch {
      // The next restore drops it.
    } finally {
      await this.#client.end();
    }
  }
}

/** The same database, with another schema to work in. */
function inSchema(url: string, schema: string): string {
  const parts = new URL(url.replace('@/', '@localhost/'));
  const before = parts.searchParams.get('options');
  const option = `-c search_path=${schema}`;
  const options = encodeURIComponent(before === null ? option : `${before} ${option}`);
  const rest = url.includes('?') ? url.replace(/([?&])options=[^&]*&?/, '$1') : `${url}?`;
  return `${rest}${/[?&]$/.test(rest) ? '' : '&'}options=${options}`;
}

/** Said where another restore is at it. */
export function otherRestore(location: string): StoreError {
  return new StoreError('busy', `Another restore is running on ${location}.`, {
    hint: 'Wait for it to end, or end that process.',
  });
}
