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

export interface AnswerTimes {
  readonly answered: number;
  /** Those that were over before anybody answered. */
  readonly unanswered: number;
  /** Half of all were answered within this; null where fewer than half were answered at all, or none was asked. */
  readonly medianMs: number | null;
}

/** More than people answer in a month; of more, the newest count. */
const TIMED_MAX = 10_000;

/** Of the questions asked since then, but for those that still wait. Without those that nobody answered it would flatter. */
export async function answerTimes(
  store: Store,
  { sinceMs, nowMs }: { sinceMs: number; nowMs: number },
): Promise<AnswerTimes> {
  const rows = await store.all(
    `SELECT asked_at_ms, answered_at_ms FROM ${ASKS}
     WHERE asked_at_ms >= ? AND (answered_at_ms IS NOT NULL OR expires_at_ms <= ?)
     ORDER BY id DESC LIMIT ?`,
    [sinceMs, nowMs, TIMED_MAX],
  );
  const waits = rows
    .flatMap(({ asked_at_ms: asked, answered_at_ms: answered }) =>
      answered === null ? [] : [Number(answered) - Number(asked)],
    )
    .sort((a, b) => a - b);
  return {
    answered: waits.length,
    unanswered: rows.length - waits.length,
    medianMs: waits[Math.floor((rows.length - 1) / 2)] ?? null,
  };
}

export async function countWaitingAsks(store: Store, nowMs: number): Promise<number> {
  const [row] = await store.all(
    `SELECT COUNT(*) AS waiting FROM ${ASKS} WHERE state = 'waiting' AND expires_at_ms > ?`,
    [nowMs],
  );
  return Number(row!['waiting']);
}
