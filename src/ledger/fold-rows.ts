/** A few rows as their entries make them, in memory, compared with those in the store. */
import { canonicalJson } from '../base/index.ts';
import type { Expectation, Row, Write } from '../store/index.ts';

export interface StoredRow {
  readonly table: string;
  readonly row: Row;
}

/** What inserts and updates leave. A projection makes no other writes for one subject. */
export function foldRows(writes: readonly Write[]): StoredRow[] {
  const rows: StoredRow[] = [];
  for (const write of writes) {
    if ('insert' in write) rows.push({ table: write.insert, row: write.row });
    else if ('update' in write) {
      for (const [at, { table, row }] of rows.entries()) {
        const isMeant = Object.entries(write.where).every(([name, value]) => row[name] === value);
        if (table !== write.update || !isMeant) continue;
        rows[at] = { table, row: { ...row, ...(write.set as Row) } };
      }
    } else throw new TypeError('a projection only inserts and updates');
  }
  return rows;
}

/** Whether these are the same rows, to the byte, in whatever order. */
export function sameRows(some: readonly StoredRow[], others: readonly StoredRow[]): boolean {
  const asText = ({ table, row }: StoredRow) => canonicalJson([table, { ...row } as never]);
  const [left, right] = [some.map(asText).sort(), others.map(asText).sort()];
  return left.length === right.length && left.every((text, at) => text === right[at]);
}

/** Every one of the rows is still as it was read. */
export function unchangedRows(rows: readonly StoredRow[]): Expectation[] {
  return rows.map(({ table, row }) => ({ table, where: row, name: 'record' }));
}
