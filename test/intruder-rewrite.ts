/** What somebody with access to the database and knowledge of the format can do: make it fit again. */
import { hashLeaf } from '../src/ledger/merkle.ts';
import { emptyTip, grow, rowHashes } from '../src/ledger/tip.ts';
import type { Store } from '../src/store/index.ts';
import type { Intruder } from './ledger.ts';

/** Computes the hashes of every row anew, so that the ledger is consistent in itself. */
export async function recompute(store: Store, intruder: Intruder): Promise<void> {
  const rows = await store.all(
    'SELECT idx, body FROM ledger_entries WHERE idx IS NOT NULL ORDER BY idx',
  );
  let tip = emptyTip();
  for (const row of rows) {
    const grown = grow(tip, hashLeaf(Buffer.from(row['body'] as string)));
    tip = grown.tip;
    await intruder.run('UPDATE ledger_entries SET hashes = ? WHERE idx = ?', [
      rowHashes(grown),
      row['idx'] as number,
    ]);
  }
}
