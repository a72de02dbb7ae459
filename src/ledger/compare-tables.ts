/**
 * Compares a table with the same table as the ledger says it is, to the byte. What is there may be
 * damaged or altered: numbers beyond what a number holds, bytes that are not text. So
 * whole numbers are read as text and text as bytes, on both engines.
 */
import type { Engine, Row, Store, Value } from '../store/index.ts';
import { bytesText } from './stored-bytes.ts';

const PAGE_ROWS = 500;

interface Column {
  readonly name: string;
  readonly type: 'TEXT' | 'INTEGER' | 'REAL';
}

export interface Shape {
  readonly table: string;
  readonly columns: readonly Column[];
  readonly key: Column;
}

/** Rows as the store is given them. */
export interface Differences {
  readonly shape: Shape;
  /** How many the ledger says there are. */
  readonly rows: number;
  readonly missing: readonly Row[];
  readonly altered: readonly { readonly is: Row; readonly should: Row }[];
  readonly extra: readonly Row[];
}

/** Asked of SQLite, where the tables are rebuilt; PostgreSQL has the same ones. */
export async function tableShape(scratch: Store, table: string): Promise<Shape> {
  const rows = await scratch.all('SELECT name, type, pk FROM pragma_table_info(?) ORDER BY cid', [
    table,
  ]);
  const columns = rows.map((row) => ({ name: row['name'], type: row['type'] }) as Column);
  const key = columns[rows.findIndex((row) => row['pk'] === 1)];
  if (key === undefined) throw new TypeError(`no table with a key: ${table}`);
  return { table, columns, key };
}

/** `is` may be on either engine; `should` is the scratch one. */
export async function compareTable(is: Store, should: Store, shape: Shape): Promise<Differences> {
  const seen = new Set<string>();
  const keyOf = (row: Row) => asText(row[shape.key.name]!);
  const kept = (row: Row) => storedRow(shape, row);
  const missing: Row[] = [];
  const altered: { is: Row; should: Row }[] = [];
  const extra: Row[] = [];
  for await (const page of pagesOf(is, shape)) {
    const others = new Map((await sameKeys(should, shape, page)).map((row) => [keyOf(row), row]));
    for (const row of page) {
      const other = others.get(keyOf(row));
      if (other === undefined) extra.push(kept(row));
      else if (!isSame(shape, row, other)) altered.push({ is: kept(row), should: kept(other) });
    }
    for (const key of others.keys()) seen.add(key);
  }
  let rows = 0;
  for await (const page of pagesOf(should, shape)) {
    rows += page.length;
    for (const row of page) if (!seen.has(keyOf(row))) missing.push(kept(row));
  }
  return { shape, rows, missing, altered, extra };
}

/** By key, not by an open cursor: a table of any size, beside a store that goes on being written. */
async function* pagesOf(store: Store, shape: Shape): AsyncGenerator<Row[]> {
  const { table, key } = shape;
  const select = `SELECT ${columnsText(shape, store.engine)} FROM ${table}`;
  const order = `ORDER BY ${table}.${key.name} LIMIT ${PAGE_ROWS}`;
  const next = `${select} WHERE ${table}.${key.name} > ${marked(key, store.engine)} ${order}`;
  let page = await store.all(`${select} ${order}`);
  while (page.length > 0) {
    yield page;
    if (page.length < PAGE_ROWS) return;
    page = await store.all(next, [page.at(-1)![key.name]!]);
  }
}

/** The scratch store's rows with these keys, by one statement whatever the page's length. */
function sameKeys(scratch: Store, shape: Shape, page: readonly Row[]): Promise<Row[]> {
  const { table, key } = shape;
  const marks = Array(PAGE_ROWS).fill(marked(key, 'sqlite')).join(', ');
  const keys = Array.from({ length: PAGE_ROWS }, (_, at) => (page[at] ?? page[0])![key.name]!);
  const where = `WHERE ${table}.${key.name} IN (${marks})`;
  return scratch.all(`SELECT ${columnsText(shape, 'sqlite')} FROM ${table} ${where}`, keys);
}

function columnsText({ table, columns }: Shape, engine: Engine): string {
  const texts = columns.map(({ name, type }) => {
    if (type === 'REAL') return name;
    if (type === 'INTEGER') return `CAST(${table}.${name} AS TEXT) AS ${name}`;
    return `${bytesText(name, engine)} AS ${name}`;
  });
  return texts.join(', ');
}

/** A parameter that was read here, as what it stands for. */
function marked({ type }: Column, engine: Engine): string {
  if (type === 'INTEGER') return `CAST(? AS ${engine === 'sqlite' ? 'INTEGER' : 'BIGINT'})`;
  return engine === 'sqlite' ? 'CAST(? AS TEXT)' : `convert_from(?, 'UTF8')`;
}

function isSame({ columns }: Shape, one: Row, other: Row): boolean {
  return columns.every(({ name }) => {
    const [left, right] = [one[name]!, other[name]!];
    if (left instanceof Uint8Array && right instanceof Uint8Array) {
      return Buffer.compare(left, right) === 0;
    }
    return Object.is(left, right);
  });
}

const asText = (key: Value) =>
  key instanceof Uint8Array ? Buffer.from(key).toString('latin1') : String(key);

/** The row as the store is given it. A whole number beyond what a number holds stays text. */
function storedRow({ columns }: Shape, row: Row): Row {
  const values = columns.map(({ name, type }) => [name, storedValue(type, row[name]!)] as const);
  return Object.fromEntries(values);
}

function storedValue(type: Column['type'], value: Value): Value {
  if (value === null || type === 'REAL') return value;
  if (type === 'TEXT') return Buffer.from(value as Uint8Array).toString();
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}
