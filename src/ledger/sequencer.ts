/**
 * Gives entries their place on PostgreSQL, where transactions commit in no order of their own.
 *
 * Entries are written without an index. One process at a time, the holder of the sequencer's lease,
 * takes those that are committed, oldest id first, and gives them dense indexes and hashes in one
 * commit that expects its fencing token; a stale holder's batch is refused whole. Rejected: indexes
 * from `bigserial`: readers skip an entry that commits after a later number was read.
 */
import type { Expectation, Store, Write } from '../store/index.ts';
import { LedgerView } from './ledger-view.ts';
import { hashLeaf } from './merkle.ts';
import { grow, rowHashes } from './tip.ts';

const BATCH_ROWS = 1000;

/** One batch; how many entries were placed, or that the lease was lost. */
export async function placeEntries(
  store: Store,
  fence: Expectation,
): Promise<{ placed: number } | { refused: true }> {
  const rows = await store.all(
    `SELECT id, body FROM ledger_entries WHERE idx IS NULL ORDER BY id LIMIT ${BATCH_ROWS}`,
  );
  if (rows.length === 0) return { placed: 0 };
  let tip = await new LedgerView(store).tip();
  const writes: Write[] = [];
  for (const row of rows) {
    const idx = tip.frontier.size;
    const grown = grow(tip, hashLeaf(row['body'] as string));
    tip = grown.tip;
    writes.push({
      update: 'ledger_entries',
      where: { id: row['id']!, idx: null },
      set: { idx, hashes: rowHashes(grown) },
    });
  }
  const result = await store.commit({ expect: [fence], writes });
  return result.committed ? { placed: rows.length } : { refused: true };
}
