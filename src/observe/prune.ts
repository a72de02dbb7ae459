/**
 * Raw events and active sessions have a retention; their counts stay. A delete names its
 * rows by key, so they are read first; bounded, so that no commit is long.
 */
import type { Store } from '../store/index.ts';

export interface Pruned {
  readonly events: number;
  /** Whether more is older; then call again. */
  readonly more: boolean;
}

/** Deletes at most `limit` events from before `beforeMs`, the oldest first, and as many old minutes. */
export async function pruneEvents(store: Store, beforeMs: number, limit: number): Promise<Pruned> {
  const events = await store.all(
    'SELECT id FROM observe_events WHERE at_ms < ? ORDER BY at_ms LIMIT ?',
    [beforeMs, limit],
  );
  const minutes = await store.all(
    'SELECT DISTINCT minute_ms FROM observe_activity WHERE minute_ms < ? ORDER BY minute_ms LIMIT ?',
    [beforeMs, limit],
  );
  if (events.length + minutes.length === 0) return { events: 0, more: false };
  await store.commit({
    writes: [
      ...events.map((row) => ({ delete: 'observe_events', where: { id: row['id']! } })),
      ...minutes.map((row) => ({
        delete: 'observe_activity',
        where: { minute_ms: row['minute_ms']! },
      })),
    ],
  });
  return { events: events.length, more: events.length === limit || minutes.length === limit };
}
