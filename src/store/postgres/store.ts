/**
 * The store for teams and many machines. A plan costs one round trip: as one statement where its writes
 * do not depend on each other, else as a transaction sent in one go (pipelined). An expectation that
 * fails raises inside the server: the statement, or the COMMIT behind it, becomes a rollback.
 */
import pg from 'pg';
import { type Clock, type Random, systemClock, systemRandom } from '../../base/index.ts';
import { StoreError } from '../errors.ts';
import { migratePostgres } from '../migrations/migrate-postgres.ts';
import type { MigrationSet } from '../migrations/types.ts';
import {
  claimStatement,
  expectationStatement,
  numberedParameters,
  type Statement,
  writeStatements,
} from '../plan-sql.ts';
import { assertReads } from '../read-only.ts';
import type {
  Claim,
  CommitParts,
  CommitResult,
  Expectation,
  Plan,
  Reading,
  Row,
  Store,
  Value,
} from '../types.ts';
import { type Address, readAddress } from './address.ts';
import {
  isCollision,
  isUniqueViolation,
  refusedExpectation,
  storeError,
  unclearAddress,
} from './faults.ts';
import { Listener } from './listener.ts';
import { expectCall, oneStatement } from './one-statement.ts';

const INT8 = 20;
const ATTEMPTS_MAX = 8;
const RETRY_MS = 5;
/** Longer plans (the sequencer's batches) are pipelined: their texts would never repeat. */
const STATEMENTS_IN_ONE_MAX = 20;

export interface PostgresStoreOptions {
  readonly url: string;
  readonly migrations: MigrationSet;
  readonly parts?: CommitParts;
  readonly connectionsMax?: number;
  /** How long a server may take to answer a new connection. */
  readonly connectMsMax?: number;
  /** Stamps entries. Times that are compared come from the server: see `nowMs`. */
  readonly clock?: Clock;
  readonly random?: Random;
}

/** int8 as a number: every int8 of ours is a count or milliseconds. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8
      ? (text: string) => Number(text)
      : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
};

const CONNECT_MS_MAX = 10_000;

/** A server that takes a connection and says nothing is given up; waiting for the pool's turn is not. */
function clientFor(connectMsMax: number): NonNullable<pg.PoolConfig['Client']> {
  return class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionTimeoutMillis: connectMsMax });
    }
  };
}

export async function openPostgres(options: PostgresStoreOptions): Promise<Store> {
  const address = readAddress(options.url);
  if (!address.isClear) throw unclearAddress();
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connectionsMax ?? 10,
    application_name: 'hone',
    pipeline: true,
    types,
    Client: clientFor(options.connectMsMax ?? CONNECT_MS_MAX),
  });
  // A connection that breaks while idle is replaced by the pool; whoever needs one hears of it then.
  pool.on('error', () => {});
  try {
    const client = await pool.connect();
    try {
      await migratePostgres(client, options.migrations, address.shown);
    } finally {
      client.release();
    }
  } catch (error) {
    await pool.end();
    throw storeError(error, address);
  }
  return new PostgresStore(pool, address, options);
}

class PostgresStore implements Store {
  readonly engine = 'postgres';
  readonly location: string;
  readonly #pool: pg.Pool;
  readonly #address: Address;
  readonly #options: PostgresStoreOptions;
  readonly #random: Random;
  readonly #names = new Map<string, string>();
  /** Texts that are known to read. */
  readonly #reads = new Set<string>();
  readonly #listener: Listener;
  #asking: Promise<string> | undefined;
  #closed = false;

  constructor(pool: pg.Pool, address: Address, options: PostgresStoreOptions) {
    this.#pool = pool;
    this.#address = address;
    this.location = address.shown;
    this.#options = options;
    this.#random = options.random ?? systemRandom;
    // Waiting for the server is real time, even if the rest of the process is simulated.
    this.#listener = new Listener({
      url: options.url,
      connectMsMax: options.connectMsMax ?? CONNECT_MS_MAX,
      clock: systemClock,
      random: this.#random,
    });
  }

  async commit(plan: Plan): Promise<CommitResult> {
    if (this.#closed) throw this.#closedError();
    const loading = this.#options.parts?.entries.load(plan.entries ?? []);
    if (loading !== undefined) await loading;
    const statements = this.#statements(plan);
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#transaction(statements);
        return { committed: true };
      } catch (error) {
        const which = refusedExpectation(error);
        if (which !== undefined) return { committed: false, refused: plan.expect![which]! };
        // A row that appeared after our expectation was checked: checked again, it is refused.
        const again = isCollision(error) || (isUniqueViolation(error) && expectsAbsence(plan));
        if (!again || attempt >= ATTEMPTS_MAX) throw storeError(error, this.#address);
        await systemClock.sleep(this.#random.next() * RETRY_MS * attempt);
      }
    }
  }

  async claim(claim: Claim): Promise<Row | undefined> {
    if (this.#closed) throw this.#closedError();
    try {
      const { rows } = await this.#pool.query(this.#query(claimStatement(claim, 'postgres')));
      return rows[0] as Row | undefined;
    } catch (error) {
      throw storeError(error, this.#address);
    }
  }

  all(sql: string, parameters: readonly Value[] = []): Promise<Row[]> {
    return this.#select(numberedParameters(sql), parameters);
  }

  /** By one connection, sent in one go. */
  async allOf(reads: readonly Reading[]): Promise<Row[][]> {
    if (this.#closed) throw this.#closedError();
    const statements = reads.map(({ sql, parameters }) => ({
      sql: this.#known(numberedParameters(sql)),
      parameters,
    }));
    try {
      return await this.#pipelined(async (client) => {
        const sent = statements.map((one) => client.query(this.#query(one)));
        return (await settled(sent)).map(({ rows }) => rows as Row[]);
      });
    } catch (error) {
      throw storeError(error, this.#address);
    }
  }

  /**
   * Which transactions can be seen: whatever changes anything gets a number, and is in the snapshot once it has
   * committed. Those who ask in one turn of the event loop share the question.
   */
  revision(): Promise<string> {
    if (this.#asking === undefined) {
      this.#asking = this.#select('SELECT pg_current_snapshot()::text AS revision', []).then(
        ([row]) => row!['revision'] as string,
      );
      queueMicrotask(() => {
        this.#asking = undefined;
      });
    }
    return this.#asking;
  }

  async nowMs(): Promise<number> {
    const sql = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms';
    return (await this.#select(sql, []))[0]!['now_ms'] as number;
  }

  async notify(channel: string): Promise<void> {
    await this.#select('SELECT pg_notify($1, $2)', [channel, '']);
  }

  async listen(channel: string, wake: () => void): Promise<() => Promise<void>> {
    if (this.#closed) throw this.#closedError();
    return this.#listener.listen(channel, wake);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#listener.close();
    await this.#pool.end();
  }

  async #select(sql: string, parameters: readonly Value[]): Promise<Row[]> {
    if (this.#closed) throw this.#closedError();
    const known = this.#known(sql);
    try {
      const result = await this.#pool.query(this.#query({ sql: known, parameters }));
      return result.rows as Row[];
    } catch (error) {
      throw storeError(error, this.#address);
    }
  }

  /** The text itself, if it reads. */
  #known(sql: string): string {
    if (!this.#reads.has(sql)) {
      assertReads(sql);
      this.#reads.add(sql);
    }
    return sql;
  }

  #statements(plan: Plan): Statement[] {
    const { parts, clock = systemClock } = this.#options;
    const { expect = [], writes = [], entries = [], effects = [] } = plan;
    const nowMs = clock.nowMs();
    const all = [...writes];
    if (entries.length > 0) all.push(...parts!.entries.unplaced(entries, nowMs));
    if (effects.length > 0) all.push(...parts!.effects(effects, nowMs));
    if (expect.length + all.length === 0) return [];
    if (expect.length + all.length <= STATEMENTS_IN_ONE_MAX) {
      const one = oneStatement(expect, all);
      if (one !== undefined) return [one];
    }
    return [
      ...expect.map(expectStatement),
      ...all.flatMap((write) => [...writeStatements(write, 'postgres')]),
    ];
  }

  async #transaction(statements: readonly Statement[]): Promise<void> {
    const [only] = statements;
    if (only === undefined) return;
    if (statements.length === 1) {
      await this.#pool.query(this.#query(only)); // one statement is its own transaction
      return;
    }
    await this.#pipelined((client) =>
      settled([
        client.query('BEGIN'),
        ...statements.map((statement) => client.query(this.#query(statement))),
        client.query('COMMIT'),
      ]),
    );
  }

  async #pipelined<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let broken: Error | undefined;
    try {
      return await work(client);
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) broken = error as Error;
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** Prepared once per connection, under a short name for its text. */
  #query({ sql, parameters }: Statement): pg.QueryConfig {
    let name = this.#names.get(sql);
    if (name === undefined) {
      name = `s${this.#names.size}`;
      this.#names.set(sql, name);
    }
    return { name, text: sql, values: parameters as Value[] };
  }

  #closedError(): StoreError {
    return new StoreError('closed', `The database ${this.location} was closed.`);
  }
}

/** All of them. The first failure is the cause; what follows it only says that the transaction is aborted. */
async function settled(sent: readonly Promise<pg.QueryResult>[]): Promise<pg.QueryResult[]> {
  const answers = await Promise.allSettled(sent);
  const failure = answers.find((answer) => answer.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
}

/** Fails inside the server, so that the statements already sent behind it have no effect. */
function expectStatement(expectation: Expectation, which: number): Statement {
  const { sql, parameters } = expectationStatement(expectation, 'postgres');
  const call = expectCall('found', expectation, which);
  return { sql: `WITH found AS (${sql}) SELECT ${call}`, parameters };
}

function expectsAbsence(plan: Plan): boolean {
  return plan.expect?.some((expectation) => expectation.exists === false) ?? false;
}
