/** The record of cycles. Every row can be folded from the ledger (`rebuild.ts`). */
import type { Row, Store } from '../store/index.ts';

export const CYCLES = 'loop_cycles';

export interface Cycle {
  readonly id: string;
  readonly trigger: string;
  readonly outcome: 'proposed' | 'nothing_to_do' | 'failed' | null;
  /** The digest of its report; null while it runs. */
  readonly reportDigest: string | null;
  readonly patterns: number;
  readonly proposals: number;
  readonly activeMs: number;
  readonly startedAtMs: number;
  readonly finishedAtMs: number | null;
}

const READ = `SELECT id, trigger_by, outcome, report_digest, patterns, proposals, active_ms,
  started_at_ms, finished_at_ms FROM ${CYCLES}`;

export async function readCycle(store: Store, id: string): Promise<Cycle | undefined> {
  const [row] = await store.all(`${READ} WHERE id = ?`, [id]);
  return row === undefined ? undefined : cycleOf(row);
}

/** The newest first; only those older than `before`, where it is given. */
export async function listCycles(store: Store, limit: number, before?: string): Promise<Cycle[]> {
  const older =
    before === undefined
      ? ''
      : `WHERE (started_at_ms, id) < (SELECT started_at_ms, id FROM ${CYCLES} WHERE id = ?)`;
  const rows = await store.all(`${READ} ${older} ORDER BY started_at_ms DESC, id DESC LIMIT ?`, [
    ...(before === undefined ? [] : [before]),
    limit,
  ]);
  return rows.map(cycleOf);
}

/** When cycles began by themselves since then, the oldest first. */
export async function automaticCycles(
  store: Store,
  sinceMs: number,
): Promise<{ readonly atMs: number }[]> {
  const rows = await store.all(
    `SELECT started_at_ms FROM ${CYCLES} WHERE started_at_ms > ? AND trigger_by <> 'human'
     ORDER BY started_at_ms`,
    [sinceMs],
  );
  return rows.map((row) => ({ atMs: row['started_at_ms'] as number }));
}

export async function openCycle(store: Store): Promise<Cycle | undefined> {
  const [row] = await store.all(`${READ} WHERE finished_at_ms IS NULL ORDER BY id LIMIT 1`);
  return row === undefined ? undefined : cycleOf(row);
}

function cycleOf(row: Row): Cycle {
  return {
    id: row['id'] as string,
    trigger: row['trigger_by'] as string,
    outcome: row['outcome'] as Cycle['outcome'],
    reportDigest: row['report_digest'] as string | null,
    patterns: row['patterns'] as number,
    proposals: row['proposals'] as number,
    activeMs: row['active_ms'] as number,
    startedAtMs: row['started_at_ms'] as number,
    finishedAtMs: row['finished_at_ms'] as number | null,
  };
}
