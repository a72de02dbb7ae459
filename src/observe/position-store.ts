/** The reading position of each stream of each source: stored as the source gave it, found again by its marks. */
import { canonicalJson, type Json } from '../base/index.ts';
import type { Store, Write } from '../store/index.ts';
import { inLists } from './key-reads.ts';
import type { Positions, StreamPosition } from './types.ts';

/** As many files as a log makes that rotates every minute for a week. */
const FOUND_MAX = 10_000;

/** Those of one source, as of a batch. */
export function storedPositions(store: Store, source: string, batch: number): Positions {
  return {
    batch,
    async find(marks) {
      const found = new Map<string, Json>();
      for (const { marks: list, values } of inLists(marks)) {
        const rows = await store.all(
          `SELECT p.stream, p.value FROM observe_positions p
           WHERE p.source = ? AND p.stream IN
             (SELECT stream FROM observe_marks WHERE source = ? AND mark IN (${list}))
           ORDER BY p.batch DESC LIMIT ${FOUND_MAX}`,
          [source, source, ...values],
        );
        for (const row of rows)
          found.set(row['stream'] as string, JSON.parse(row['value'] as string) as Json);
      }
      return [...found.values()];
    },
  };
}

export function writePosition(
  source: string,
  { stream, marks, value }: StreamPosition,
  batch: number,
): Write[] {
  return [
    {
      upsert: 'observe_positions',
      key: { source, stream },
      row: { batch, value: canonicalJson(value) },
    },
    ...marks.map(
      (mark): Write => ({
        insert: 'observe_marks',
        row: { source, mark, stream },
        onConflict: 'ignore',
      }),
    ),
  ];
}

/** Those of one source that were written after a batch, oldest first. */
export async function positionsSince(
  store: Store,
  source: string,
  batch: number,
): Promise<{ readonly stream: string; readonly value: Json; readonly batch: number }[]> {
  const rows = await store.all(
    'SELECT stream, value, batch FROM observe_positions WHERE source = ? AND batch > ? ORDER BY batch',
    [source, batch],
  );
  return rows.map((row) => ({
    stream: row['stream'] as string,
    value: JSON.parse(row['value'] as string) as Json,
    batch: row['batch'] as number,
  }));
}

export async function readPosition(
  store: Store,
  source: string,
  stream: string,
): Promise<Json | undefined> {
  const [row] = await store.all(
    'SELECT value FROM observe_positions WHERE source = ? AND stream = ?',
    [source, stream],
  );
  return row === undefined ? undefined : (JSON.parse(row['value'] as string) as Json);
}
