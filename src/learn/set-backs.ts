/** Whether there is anything that could pause a generator or a category. Loads nothing, for `hone status`. */
import type { Store } from '../store/index.ts';

export async function wasSetBackSince(store: Store, sinceMs: number): Promise<boolean> {
  const rows = await store.all(
    `SELECT 1 AS one FROM learn_fixes
     WHERE at_ms >= ? AND outcome IN ('rejected', 'failed', 'undeployed') LIMIT 1`,
    [sinceMs],
  );
  return rows.length > 0;
}
