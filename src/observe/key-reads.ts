/**
 * Reads of many rows by key in few statements. Lists have a few fixed lengths and are filled up with
 * their last key: a text for each length would never be prepared twice.
 */
import type { Row, Store, Value } from '../store/index.ts';

const LENGTHS = [1, 4, 16, 64] as const;
const LENGTH_MAX = 64;

/** Rows of `table` whose `keys` (whole numbers all) equal one of the given tuples. */
export async function readByKeys(
  store: Store,
  table: { readonly name: string; readonly keys: readonly string[]; readonly columns: string },
  tuples: readonly (readonly number[])[],
): Promise<Row[]> {
  const marks = `(${table.keys.map(() => 'CAST(? AS BIGINT)').join(', ')})`;
  const on = table.keys.map((key, at) => `t.${key} = wanted.k${at}`).join(' AND ');
  const names = table.keys.map((_, at) => `k${at}`).join(', ');
  const found: Row[] = [];
  for (const chunk of chunks(tuples)) {
    const list = Array(chunk.length).fill(marks).join(', ');
    const sql = `WITH wanted (${names}) AS (SELECT DISTINCT * FROM (VALUES ${list}) AS given)
      SELECT ${table.columns} FROM wanted JOIN ${table.name} t ON ${on}`;
    found.push(...(await store.all(sql, chunk.flat())));
  }
  return found;
}

/** `?, ?, …` and its values, filled up; for `IN (…)`. At most `LENGTH_MAX` values in one list. */
export function inLists<T extends Value>(values: readonly T[]): { marks: string; values: T[] }[] {
  return chunks(values).map((chunk) => ({
    marks: Array(chunk.length).fill('?').join(', '),
    values: chunk,
  }));
}

function chunks<T>(all: readonly T[]): T[][] {
  const result: T[][] = [];
  for (let at = 0; at < all.length; at += LENGTH_MAX) {
    const chunk = all.slice(at, at + LENGTH_MAX);
    const length = LENGTHS.find((one) => one >= chunk.length) ?? LENGTH_MAX;
    while (chunk.length < length) chunk.push(chunk[chunk.length - 1]!);
    result.push(chunk);
  }
  return result;
}
