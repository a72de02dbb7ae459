/**
 * Turns the data of a plan into SQL. Table and column names come from our own code and are checked
 * all the same; values are always parameters. The text depends on a write's shape alone, so every
 * shape is prepared once.
 */
import assert from 'node:assert';
import type { Change, Engine, Expectation, Match, Row, Value, Write } from './types.ts';

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly Value[];
}

const NAME = /^[a-z][a-z0-9_]*$/;

function name(text: string): string {
  assert(NAME.test(text), `not a table or column name: ${text}`);
  return text;
}

/** Collects parameters and writes each engine's placeholder for them. */
class Parameters {
  readonly values: Value[] = [];
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  add(value: Value): string {
    this.values.push(value);
    return this.#engine === 'postgres' ? `$${this.values.length}` : '?';
  }
}

function matches(match: Match, parameters: Parameters): string {
  const columns = Object.entries(match);
  assert(columns.length > 0, 'a match without columns would mean every row');
  return columns
    .map(([column, value]) =>
      value === null ? `${name(column)} IS NULL` : `${name(column)} = ${parameters.add(value)}`,
    )
    .join(' AND ');
}

function changes(table: string, change: Change, parameters: Parameters): string {
  return Object.entries(change)
    .map(([column, value]) => {
      if (typeof value === 'object' && value !== null && 'add' in value) {
        return `${name(column)} = ${table}.${column} + ${parameters.add(value.add)}`;
      }
      return `${name(column)} = ${parameters.add(value)}`;
    })
    .join(', ');
}

function insertInto(table: string, row: Row, parameters: Parameters): string {
  const columns = Object.keys(row).map(name).join(', ');
  const values = Object.values(row)
    .map((value) => parameters.add(value))
    .join(', ');
  return `INSERT INTO ${name(table)} (${columns}) VALUES (${values})`;
}

export function writeStatement(write: Write, engine: Engine): Statement {
  const parameters = new Parameters(engine);
  const sql = writeSql(write, parameters);
  return { sql, parameters: parameters.values };
}

function writeSql(write: Write, parameters: Parameters): string {
  if ('insert' in write) {
    const ignore = write.onConflict === 'ignore' ? ' ON CONFLICT DO NOTHING' : '';
    return insertInto(write.insert, write.row, parameters) + ignore;
  }
  if ('update' in write) {
    const set = changes(write.update, write.set, parameters);
    return `UPDATE ${name(write.update)} SET ${set} WHERE ${matches(write.where, parameters)}`;
  }
  if ('upsert' in write) {
    const insert = insertInto(write.upsert, { ...write.key, ...write.row }, parameters);
    const key = Object.keys(write.key).map(name).join(', ');
    const set = Object.keys(write.row).map((column) => `${column} = excluded.${column}`);
    return `${insert} ON CONFLICT (${key}) DO UPDATE SET ${set.join(', ')}`;
  }
  return `DELETE FROM ${name(write.delete)} WHERE ${matches(write.where, parameters)}`;
}

/** One row if such a row exists, none otherwise. On PostgreSQL the row stays locked to the end. */
export function expectationStatement(expectation: Expectation, engine: Engine): Statement {
  const parameters = new Parameters(engine);
  const where = matches(expectation.where, parameters);
  const lock = engine === 'postgres' && expectation.exists !== false ? ' FOR NO KEY UPDATE' : '';
  const sql = `SELECT 1 FROM ${name(expectation.table)} WHERE ${where} LIMIT 1${lock}`;
  return { sql, parameters: parameters.values };
}

/** `?` to `$1`, `$2` …; our own SQL has no `?` in strings. */
export function numberedParameters(sql: string): string {
  let count = 0;
  return sql.replace(/\?/g, () => `$${++count}`);
}
