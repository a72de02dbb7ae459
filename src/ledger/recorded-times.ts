/** When entries say that they were recorded, in the order of the ledger: how a clock that jumped is found. */
import type { Store } from '../store/index.ts';
import { INDEX_MAX } from './tip.ts';

export interface RecordedTime {
  readonly index: number;
  readonly atMs: number;
}

/** The newest first; only those before that index, if one is given. What cannot be read says nothing. */
export async function recordedTimes(
  store: Store,
  { before = INDEX_MAX, limit }: { before?: number; limit: number },
): Promise<RecordedTime[]> {
  const rows = await store.all(
    'SELECT idx, body FROM ledger_entries WHERE idx >= 0 AND idx < ? ORDER BY idx DESC LIMIT ?',
    [before, limit],
  );
  return rows.flatMap((row) => {
    const atMs = timeOf(row['body']);
    return Number.isNaN(atMs) ? [] : [{ index: row['idx'] as number, atMs }];
  });
}

function timeOf(body: unknown): number {
  try {
    return Date.parse((JSON.parse(body as string) as { at: string }).at);
  } catch {
    return Number.NaN;
  }
}
