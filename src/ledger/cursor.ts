/**
 * Consumers read placed entries in order, each with its own cursor. The cursor moves in the commit
 * that keeps what the entries led to, so an entry is consumed exactly once in its effect.
 */
import type { Expectation, Store, Write } from '../store/index.ts';
import { LedgerView, type PlacedEntry } from './ledger-view.ts';

export interface Cursor {
  readonly consumer: string;
  /** Index of the next entry to read. */
  readonly position: number;
}

export async function readCursor(store: Store, consumer: string): Promise<Cursor> {
  const [row] = await store.all('SELECT position FROM ledger_cursors WHERE consumer = ?', [
    consumer,
  ]);
  return { consumer, position: row === undefined ? 0 : (row['position'] as number) };
}

export function readNext(store: Store, cursor: Cursor, limit: number): Promise<PlacedEntry[]> {
  return new LedgerView(store).entries({ from: cursor.position, limit });
}

/** What a plan needs so that it moves the cursor, and is refused if somebody else moved it first. */
export function advanceCursor(
  cursor: Cursor,
  position: number,
): { expect: Expectation; write: Write } {
  const { consumer } = cursor;
  const expect: Expectation =
    cursor.position === 0
      ? { table: 'ledger_cursors', where: { consumer }, exists: false, name: 'cursor' }
      : { table: 'ledger_cursors', where: { consumer, position: cursor.position }, name: 'cursor' };
  return { expect, write: { upsert: 'ledger_cursors', key: { consumer }, row: { position } } };
}
