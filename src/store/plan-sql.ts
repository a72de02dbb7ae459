/**
 * Turns the data of a plan into SQL. Table and column names come from our own code and are checked
 * all the same; values are always parameters. The text depends on a write's shape alone (which table,
 * which columns, which of them NULL), so it is written and prepared once per shape.
 */
import { assert } from '../base/index.ts';
import { bulkStatements, isBulk } from './bulk-sql.ts';
import { name, type Statement, textOf } from './sql-text.ts';
import type {
  BulkWrite,
  Claim,
  Engine,
  Expectation,
  Match,
  Merged,
  Value,
  Write,
} from './types.ts';

export type { Statement } from './sql-text.ts';

/** What is done for a write, in this order. */
export function writeStatements(write: Write, engine: Engine): Iterable<Statement> {
  return isBulk(write) ? bulkStatements(write, engine) : [writeStatement(write, engine)];
}

export type SingleWrite = Exclude<Write, BulkWrite>;

export function writeStatement(write: SingleWrite, engine: Engine): Statement {
  if ('insert' in write) return insertStatement(write, engine);
  if ('update' in write) return updateStatement(write, engine);
  if ('upsert' in write) return upsertStatement(write, engine);
  const sql = textOf(engine, `delete ${write.delete} ${matchShape(write.where)}`, (mark) => {
    return `DELETE FROM ${name(write.delete)} WHERE ${matchText(write.where, mark)}`;
  });
  return { sql, parameters: matchValues(write.where) };
}

function insertStatement(write: Extract<Write, { insert: string }>, engine: Engine): Statement {
  const columns = Object.keys(write.row);
  const shape = `insert ${write.insert} ${write.onConflict ?? ''} ${columns.join()}`;
  const sql = textOf(engine, shape, (mark) => {
    const ignore = write.onConflict === 'ignore' ? ' ON CONFLICT DO NOTHING' : '';
    return insertText(write.insert, columns, mark) + ignore;
  });
  return { sql, parameters: Object.values(write.row) };
}

function updateStatement(write: Extract<Write, { update: string }>, engine: Engine): Statement {
  const shape = `update ${write.update} ${mergedShape(write.set)} ${matchShape(write.where)}`;
  const sql = textOf(engine, shape, (mark) => {
    const set = setText(write.update, write.set, mark);
    return `UPDATE ${name(write.update)} SET ${set} WHERE ${matchText(write.where, mark)}`;
  });
  return {
    sql,
    parameters: [...Object.values(write.set).map(givenValue), ...matchValues(write.where)],
  };
}

/**
 * A lookup for each match, the later ones only where the earlier found nothing: each reads the first row of a
 * range of an index. One ORDER BY over all of them would read every row of the first match that is not ready.
 */
export function claimStatement(claim: Claim, engine: Engine): Statement {
  const { table, key, anyOf, by, upTo, set } = claim;
  assert(anyOf.length > 0, 'a claim without a match would mean no row');
  const matches = anyOf.map(matchShape).join('|');
  const shape = `claim ${table} ${key} ${by} ${mergedShape(set)} ${matches}`;
  const sql = textOf(engine, shape, (mark) => {
    const skip = engine === 'postgres' ? ' FOR NO KEY UPDATE SKIP LOCKED' : '';
    const changes = setText(table, set, mark);
    const found = anyOf.map(
      (match) =>
        `(SELECT ${name(key)} FROM ${table} WHERE ${matchText(match, mark)} AND ${name(by)} <= ${mark()} ` +
        `ORDER BY ${by}, ${key} LIMIT 1${skip})`,
    );
    const first = found.length === 1 ? found[0] : `coalesce(${found.join(', ')})`;
    return `UPDATE ${name(table)} SET ${changes} WHERE ${key} = ${first} RETURNING *`;
  });
  const looked = anyOf.flatMap((match) => [...matchValues(match), upTo]);
  return { sql, parameters: [...Object.values(set).map(givenValue), ...looked] };
}

function upsertStatement(write: Extract<Write, { upsert: string }>, engine: Engine): Statement {
  const keys = Object.keys(write.key);
  const columns = Object.keys(write.row);
  const shape = `upsert ${write.upsert} ${keys.join()} ${mergedShape(write.row)}`;
  const sql = textOf(engine, shape, (mark) => {
    const set = Object.entries(write.row).map(([column, value]) =>
      merged({ table: write.upsert, column, value, given: `excluded.${column}` }),
    );
    const insert = insertText(write.upsert, [...keys, ...columns], mark);
    return `${insert} ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${set.join(', ')}`;
  });
  const row = Object.values(write.row).map(givenValue);
  return { sql, parameters: [...Object.values(write.key), ...row] };
}

/** One row if such a row exists, none otherwise. On PostgreSQL the row stays locked to the end. */
export function expectationStatement(expectation: Expectation, engine: Engine): Statement {
  const { table, where } = expectation;
  const lock = engine === 'postgres' && expectation.exists !== false ? ' FOR NO KEY UPDATE' : '';
  const sql = textOf(engine, `expect ${table} ${lock} ${matchShape(where)}`, (mark) => {
    return `SELECT 1 FROM ${name(table)} WHERE ${matchText(where, mark)} LIMIT 1${lock}`;
  });
  return { sql, parameters: matchValues(where) };
}

export interface Guard {
  /** Positions in the plan's `expect` and `writes`. */
  readonly expectation: number;
  readonly write: number;
}

/**
 * The first expectation that one of the writes proves by itself: an update of the very rows it names.
 * Such an update is checked by how many rows it changed, which saves asking for them before. One is
 * enough for what rooms do, and if it fails nothing of the plan was written yet.
 */
export function guardOf(
  expect: readonly Expectation[],
  writes: readonly Write[],
): Guard | undefined {
  for (let write = 0; write < writes.length; write++) {
    const update = writes[write]!;
    if (!('update' in update)) continue;
    // It is done first, so nothing before it may refer to the same table.
    if (writes.findIndex((one) => tableOf(one) === update.update) < write) continue;
    const expectation = expect.findIndex(
      (one) =>
        one.exists !== false && one.table === update.update && isSame(one.where, update.where),
    );
    if (expectation >= 0) return { expectation, write };
  }
  return undefined;
}

export function tableOf(write: Write): string {
  if ('insert' in write) return write.insert;
  if ('update' in write) return write.update;
  if ('insertRows' in write) return write.insertRows;
  if ('upsertRows' in write) return write.upsertRows;
  return 'upsert' in write ? write.upsert : write.delete;
}

function isSame(one: Match, other: Match): boolean {
  let left = 0;
  for (const column in one) {
    if (one[column] !== other[column]) return false;
    left += 1;
  }
  for (const _ in other) left -= 1;
  return left === 0;
}

function insertText(table: string, columns: readonly string[], mark: () => string): string {
  const marks = columns.map(mark).join(', ');
  return `INSERT INTO ${name(table)} (${columns.map(name).join(', ')}) VALUES (${marks})`;
}

function matchText(match: Match, mark: () => string): string {
  const columns = Object.entries(match);
  assert(columns.length > 0, 'a match without columns would mean every row');
  return columns
    .map(([column, value]) => `${name(column)} ${value === null ? 'IS NULL' : `= ${mark()}`}`)
    .join(' AND ');
}

function matchShape(match: Match): string {
  let shape = '';
  for (const column in match) shape += match[column] === null ? `${column}~,` : `${column},`;
  return shape;
}

function matchValues(match: Match): Value[] {
  return Object.values(match).filter((value) => value !== null);
}

function setText(table: string, set: Merged, mark: () => string): string {
  return Object.entries(set)
    .map(([column, value]) => merged({ table, column, value, given: mark() }))
    .join(', ');
}

function mergedShape(row: Merged): string {
  let shape = '';
  for (const column in row) shape += `${column}${incrementOf(row[column]!)},`;
  return shape;
}

function incrementOf(value: Merged[string]): '' | '+' | '<' | '>' {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return '';
  return 'add' in value ? '+' : 'least' in value ? '<' : '>';
}

function givenValue(value: Merged[string]): Value {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return 'add' in value ? value.add : 'least' in value ? value.least : value.most;
}

interface Merging {
  readonly table: string;
  readonly column: string;
  readonly value: Merged[string];
  /** How the given value is written: a parameter, or the row that could not be inserted. */
  readonly given: string;
}

/** The lesser one by CASE: the engines' functions for it have other names and another view of NULL. */
function merged({ table, column, value, given }: Merging): string {
  const there = `${table}.${name(column)}`;
  const increment = incrementOf(value);
  if (increment === '') return `${column} = ${given}`;
  if (increment === '+') return `${column} = COALESCE(${there}, 0) + ${given}`;
  return `${column} = CASE WHEN ${there} ${increment} ${given} THEN ${there} ELSE ${given} END`;
}

/** `?` to `$1`, `$2` …; our own SQL has no `?` in strings. */
export function numberedParameters(sql: string): string {
  let count = 0;
  return sql.replace(/\?/g, () => `$${++count}`);
}
