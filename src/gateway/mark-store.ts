/**
 * What a session did that makes a later call dangerous. A call whose session nobody knows counts for every session,
 * and is judged by what any of them did: nobody gets rid of a mark by not saying who they are.
 */
import type { Actor, EntryPayload } from '../facts/index.ts';
import type { Plan, Store, Write } from '../store/index.ts';

export const MARKS = 'gateway_marks';

/** `''` stands for a session that is not known. */
export async function marksOf(
  store: Store,
  session: string | undefined,
  sinceMs: number,
): Promise<Set<string>> {
  const rows =
    session === undefined
      ? await store.all(`SELECT DISTINCT mark FROM ${MARKS} WHERE at_ms >= ?`, [sinceMs])
      : await store.all(
          `SELECT DISTINCT mark FROM ${MARKS} WHERE at_ms >= ? AND session_id IN ('', ?)`,
          [sinceMs, session],
        );
  return new Set(rows.map((row) => row['mark'] as string));
}

export function markedWrite(
  { sessionId, mark }: EntryPayload<'gateway.marked'>,
  atMs: number,
): Write {
  const row = { session_id: sessionId ?? '', mark, at_ms: atMs };
  return { upsert: MARKS, key: { id: `${sessionId ?? ''}/${mark}` }, row };
}

export function markPlan(
  session: string | undefined,
  marks: readonly string[],
  { actor, subject, nowMs }: { actor: Actor; subject: string; nowMs: number },
): Required<Pick<Plan, 'writes' | 'entries'>> {
  const all = marks.map((mark) => ({ sessionId: session ?? null, mark }));
  return {
    writes: all.map((data) => markedWrite(data, nowMs)),
    entries: all.map((data) => ({ type: 'gateway.marked', actor, subject, data, atMs: nowMs })),
  };
}
