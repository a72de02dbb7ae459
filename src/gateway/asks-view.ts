/** What people ask about questions: the list, one of them, how many wait, and how long answers take. */
import type { Store } from '../store/index.ts';
import { ASKS, askOf } from './ask-store.ts';
import type { Ask } from './types.ts';

export async function listAsks(
  store: Store,
  { nowMs, limit, waitingOnly }: { nowMs: number; limit: number; waitingOnly: boolean },
): Promise<Ask[]> {
  const only = waitingOnly ? `WHERE state = 'waiting' AND expires_at_ms > ?` : '';
  const rows = await store.all(
    `SELECT * FROM ${ASKS} ${only} ORDER BY id DESC LIMIT ?`,
    waitingOnly ? [nowMs, limit] : [limit],
  );
  return rows.map((row) => askOf(row, nowMs));
}

/** By its id or the beginning of it. */
export async function findAsks(store: Store, given: string, nowMs: number): Promise<Ask[]> {
  const rows = await store.all(
    `SELECT * FROM ${ASKS} WHERE id >= ? AND id < ? ORDER BY id LIMIT 3`,
    [given, `${given}~`],
  );
  return rows.map((row) => askOf(row, nowMs));
}

export async function countWaitingAsks(store: Store, nowMs: number): Promise<number> {
  const [row] = await store.all(
    `SELECT COUNT(*) AS waiting FROM ${ASKS} WHERE state = 'waiting' AND expires_at_ms > ?`,
    [nowMs],
  );
  return Number(row!['waiting']);
}
