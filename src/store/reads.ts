/** Kysely over the store's own `all`, for reads only: writes go through `commit`. */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { onlyReads } from './read-only.ts';
import type { Engine, Row, Value } from './types.ts';

/** Runs a query whose placeholders are already the engine's own. */
export type ReadAll = (sql: string, parameters: readonly Value[]) => Promise<Row[]>;

class ReadConnection implements DatabaseConnection {
  readonly #all: ReadAll;

  constructor(all: ReadAll) {
    this.#all = all;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (query.query.kind !== 'SelectQueryNode') {
      throw onlyReads('reads()');
    }
    return { rows: (await this.#all(query.sql, query.parameters as Value[])) as R[] };
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new TypeError('page by key: an open cursor would hold back what the engine cleans up');
  }
}

function readDriver(all: ReadAll): Driver {
  const connection = new ReadConnection(all);
  const refuse = () => Promise.reject(new TypeError('reads() has no transactions'));
  return {
    init: () => Promise.resolve(),
    acquireConnection: () => Promise.resolve(connection),
    releaseConnection: () => Promise.resolve(),
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    destroy: () => Promise.resolve(),
  };
}

export function kyselyReads<Tables>(engine: Engine, all: ReadAll): Kysely<Tables> {
  const createDriver = () => readDriver(all);
  if (engine === 'postgres') {
    return new Kysely<Tables>({
      dialect: {
        createDriver,
        createAdapter: () => new PostgresAdapter(),
        createIntrospector: (db) => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    });
  }
  return new Kysely<Tables>({
    dialect: {
      createDriver,
      createAdapter: () => new SqliteAdapter(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}
