/** What somebody who knows the format does to a whole ledger, so that it fits in itself again. */
import type { DatabaseSync } from 'node:sqlite';
import { entryBody } from '../../src/ledger/entry-body.ts';
import { hashLeaf } from '../../src/ledger/merkle.ts';
import { emptyTip, grow, rowHashes } from '../../src/ledger/tip.ts';
import { draft, SIZE } from './tampered-ledger.ts';

export const CRIMES = ['truncation', 'rewriting', 'fork'] as const;
export type Crime = (typeof CRIMES)[number];

/** Commits it at this entry: everything before it stays as it was. */
export function commitCrime(crime: Crime, from: number, database: DatabaseSync): void {
  database.exec('BEGIN');
  if (crime === 'rewriting') {
    const sql = `UPDATE ledger_entries SET body = replace(body, 'entry', 'forged') WHERE idx = ?`;
    database.prepare(sql).run(from);
  } else {
    database.prepare('DELETE FROM ledger_entries WHERE idx >= ?').run(from);
  }
  if (crime === 'fork') addOthers(from, database);
  if (crime !== 'truncation') refit(database);
  database.exec('COMMIT');
}

function addOthers(from: number, database: DatabaseSync): void {
  const insert = database.prepare(
    `INSERT INTO ledger_entries (idx, subject, body, hashes) VALUES (?, ?, ?, x'00')`,
  );
  for (let idx = from; idx < SIZE + 8; idx++) {
    const other = draft(idx, 'other');
    insert.run(idx, other.subject, entryBody(other, 0));
  }
}

function refit(database: DatabaseSync): void {
  const rows = database.prepare('SELECT idx, body FROM ledger_entries ORDER BY idx').all();
  const update = database.prepare('UPDATE ledger_entries SET hashes = ? WHERE idx = ?');
  let tip = emptyTip();
  for (const { idx, body } of rows as { idx: number; body: string }[]) {
    const grown = grow(tip, hashLeaf(body));
    tip = grown.tip;
    update.run(rowHashes(grown), idx);
  }
}
