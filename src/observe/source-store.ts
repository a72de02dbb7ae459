/** What each source brought, counted for ever; written with every batch. */
import type { Store, Write } from '../store/index.ts';

const TABLE = 'observe_sources';

export interface Brought {
  readonly events: number;
  readonly aside: number;
  /** 0 when there was no event. */
  readonly lastEventMs: number;
  readonly nowMs: number;
}

/** Reads and adds: batches come one after the other, so what is read is still true when it commits. */
export async function countSource(store: Store, source: string, more: Brought): Promise<Write> {
  const [row] = await store.all(
    `SELECT events, aside, last_event_ms FROM ${TABLE} WHERE source = ?`,
    [source],
  );
  const lastMs = Math.max((row?.['last_event_ms'] as number | null) ?? 0, more.lastEventMs);
  return {
    upsert: TABLE,
    key: { source },
    row: {
      events: ((row?.['events'] as number | undefined) ?? 0) + more.events,
      aside: ((row?.['aside'] as number | undefined) ?? 0) + more.aside,
      last_event_ms: lastMs === 0 ? null : lastMs,
      last_read_ms: more.nowMs,
    },
  };
}
