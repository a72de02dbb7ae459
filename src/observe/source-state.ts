/**
 * A source's own row: how many batches it had, what they brought, and the numbers that its next one assigns.
 * Every batch expects the row as it was read and updates it. So batches of one source come one after the other, whoever
 * reads it, and one that is committed twice counts once; batches of different sources do not wait for each other.
 *
 *   unknown ──first reading──► registered, batch 0 ──each batch──► batch + 1
 */
import { assert } from '../base/index.ts';
import type { Expectation, Store, Write } from '../store/index.ts';
import { type KeptMiner, loadMiner } from './miner-store.ts';
import type { Overhead } from './overhead.ts';
import { SeriesBook } from './series.ts';
import { DAY_MS } from './units.ts';

const TABLE = 'observe_sources';
/** Numbers of one source: a thousand events a second fill them in 139 years. */
const NUMBERS = 2 ** 42;
/** Ever, so that every number is exact in JavaScript. */
const SOURCES_MAX = 2 ** 11;

export interface SourceState {
  readonly source: string;
  /** Its index among all sources there ever were, from 0: its range of numbers follows from it. */
  readonly number: number;
  readonly batch: number;
  readonly events: number;
  readonly series: number;
  readonly aside: number;
  /** Events that were counted under `(other)`: see `series.ts`. */
  readonly folded: number;
  /** Events that were counted, and not kept: see `overhead.ts`. */
  readonly sampled: number;
  readonly overhead: Overhead;
  /** The time of its newest event; null when there was none. */
  readonly lastEventMs: number | null;
  /** As of this batch. It learns while a batch is made: after a failed batch it is loaded again. */
  readonly kept: KeptMiner;
  /** The same: its numbers are valid only if the batch that assigned them was committed. */
  readonly book: SeriesBook;
  readonly loadedMs: number;
}

/** The `nth` number of a source, from 1, for its events, its series or what it set aside. No other source gives it. */
export function numberIn({ number }: Pick<SourceState, 'number'>, nth: number): number {
  return number * NUMBERS + nth;
}

/** What counts as new for the bounds of series is as of its loading, so it is loaded again every day. */
export function isStale({ loadedMs }: SourceState, nowMs: number): boolean {
  return nowMs - loadedMs > DAY_MS;
}

export async function loadSource(store: Store, source: string): Promise<SourceState> {
  const loadedMs = await store.nowMs();
  // The row is read first: later reads can only be newer, and then the commit is refused.
  for (;;) {
    const [row] = await store.all(
      `SELECT number, batch, events, series, aside, folded, sampled, cost_ms, observed_ms, last_event_ms
       FROM ${TABLE} WHERE source = ?`,
      [source],
    );
    if (row === undefined) {
      await register(store, source);
      continue;
    }
    const { number, batch, events, series, aside, folded, sampled } = row as unknown as SourceState;
    const lastEventMs = row['last_event_ms'] as number | null;
    return {
      ...{ source, number, batch, events, series, aside, folded, sampled, lastEventMs, loadedMs },
      overhead: {
        costMs: row['cost_ms'] as number,
        observedMs: row['observed_ms'] as number,
      },
      kept: await loadMiner(store, number),
      book: await SeriesBook.load(store, {
        source,
        nowMs: loadedMs,
        size: series,
        numberOf: (nth) => numberIn({ number }, nth),
      }),
    };
  }
}

/** If two want the same number at once, one is refused and tries again. */
async function register(store: Store, source: string): Promise<void> {
  const [row] = await store.all(`SELECT COALESCE(MAX(number), -1) + 1 AS number FROM ${TABLE}`);
  const number = row!['number'] as number;
  assert(number < SOURCES_MAX, 'there were too many sources');
  const counts = { batch: 0, events: 0, series: 0, aside: 0, folded: 0, sampled: 0 };
  const nothing = { ...counts, cost_ms: 0, observed_ms: 0, last_read_ms: 0 };
  await store.commit({
    expect: [
      { table: TABLE, where: { source }, exists: false },
      { table: TABLE, where: { number }, exists: false },
    ],
    writes: [{ insert: TABLE, row: { source, number, ...nothing } }],
  });
}

export function planSource(
  before: SourceState,
  after: SourceState,
  nowMs: number,
): { expect: Expectation; write: Write } {
  const where = { source: before.source, batch: before.batch };
  const { batch, events, series, aside, folded, sampled, overhead, lastEventMs } = after;
  const counts = { batch, events, series, aside, folded, sampled };
  const cost = { cost_ms: overhead.costMs, observed_ms: overhead.observedMs };
  const set = { ...counts, ...cost, last_event_ms: lastEventMs, last_read_ms: nowMs };
  return { expect: { table: TABLE, where }, write: { update: TABLE, where, set } };
}
