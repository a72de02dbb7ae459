/**
 * Consumers read placed entries in order, each with its own cursor. The cursor moves in the commit
 * that keeps what the entries led to, so an entry is consumed exactly once in its effect.
 */
import type { Expectation, Store, Write } from '../store/index.ts';
import { LedgerView, type PlacedEntry } from './ledger-view.ts';

const TABLE = 'ledger_cursors';

export interface Cursor {
  readonly consumer: string;
  /** Index of the next entry to read. */
  readonly position: number;
}

export async function readCursor(store: Store, consumer: string): Promise<Cursor> {
  const [row] = await store.all(`SELECT position FROM ${TABLE} WHERE consumer = ?`, [consumer]);
  return { consumer, position: row === undefined ? 0 : (row['position'] as number) };
}

export function readNext(store: Store, cursor: Cursor, limit: number): Promise<PlacedEntry[]> {
  return new LedgerView(store).entries({ from: cursor.position, limit });
}

/**
 * What a plan needs so that it moves the cursor, and is refused if somebody else moved it first. The
 * first move is an insert, not an upsert: on PostgreSQL nothing locks a row that is not there, so of
 * two that found none the second must collide (and is then refused), not overwrite.
 */
export function advanceCursor(
  cursor: Cursor,
  position: number,
): { expect: Expectation; write: Write } {
  const { consumer } = cursor;
  if (cursor.position === 0) {
    return {
      expect: { table: TABLE, where: { consumer }, exists: false, name: 'cursor' },
      write: { insert: TABLE, row: { consumer, position } },
    };
  }
  return {
    expect: { table: TABLE, where: { consumer, position: cursor.position }, name: 'cursor' },
    write: { update: TABLE, where: { consumer }, set: { position } },
  };
}
