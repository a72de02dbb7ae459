/**
 * How far collecting came, in one row that every batch moves on. A batch expects the row as it was read,
 * so batches of all collectors, whatever files they read, come one after the other: numbers are dense,
 * and what was read before the batch is still true when it commits.
 */
import type { Expectation, Store, Write } from '../store/index.ts';
import { type KeptMiner, loadMiner } from './miner-store.ts';
import { SeriesNumbers } from './series.ts';

const TABLE = 'observe_progress';

export interface Progress {
  /** False before the first batch. */
  readonly isKnown: boolean;
  readonly batch: number;
  readonly nextEvent: number;
  readonly nextSeries: number;
  readonly nextAside: number;
  /** As of this batch. It learns while a batch is made: once a batch failed, it is loaded anew. */
  readonly kept: KeptMiner;
  /** The same: its numbers are only true when the batch that gave them was committed. */
  readonly series: SeriesNumbers;
}

export async function loadProgress(store: Store): Promise<Progress> {
  // The row before everything else: what comes later can only be newer, and then the commit is refused.
  const [row] = await store.all(
    `SELECT batch, next_event, next_series, next_aside FROM ${TABLE} WHERE id = 1`,
  );
  const kept = await loadMiner(store);
  return {
    isKnown: row !== undefined,
    batch: (row?.['batch'] as number | undefined) ?? 0,
    nextEvent: (row?.['next_event'] as number | undefined) ?? 1,
    nextSeries: (row?.['next_series'] as number | undefined) ?? 1,
    nextAside: (row?.['next_aside'] as number | undefined) ?? 1,
    kept,
    series: new SeriesNumbers(),
  };
}

/** An insert where there was no row, so that of two on PostgreSQL the second collides. */
export function planProgress(
  before: Progress,
  after: Progress,
): { expect: Expectation; write: Write } {
  const row = {
    batch: after.batch,
    next_event: after.nextEvent,
    next_series: after.nextSeries,
    next_aside: after.nextAside,
  };
  return before.isKnown
    ? {
        expect: { table: TABLE, where: { id: 1, batch: before.batch } },
        write: { update: TABLE, where: { id: 1 }, set: row },
      }
    : {
        expect: { table: TABLE, where: { id: 1 }, exists: false },
        write: { insert: TABLE, row: { id: 1, ...row } },
      };
}
