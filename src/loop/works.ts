/** The queue: units of work as rows with a due time. It is not in the ledger; what steps do is. */
import { CLOCK_SLACK_MS, canonicalJson, isDatedAhead, type Json } from '../base/index.ts';
import { namedById } from '../proposal/proposal-counts.ts';
import type { Expectation, Row, Store, Write } from '../store/index.ts';
import type { Work, WorkKind } from './types.ts';

const TABLE = 'loop_works';
const READ = `SELECT id, kind, subject, version, due_at_ms, attempts, active_ms, error, data,
  changed_at_ms FROM ${TABLE}`;

export const workId = (kind: WorkKind, subject: string) => `${kind}/${subject}`;

export function newWork(options: {
  kind: WorkKind;
  subject: string;
  dueAtMs: number;
  data: Json;
  nowMs: number;
}): Write {
  const { kind, subject, dueAtMs, data, nowMs } = options;
  return {
    insert: TABLE,
    row: {
      id: workId(kind, subject),
      kind,
      subject,
      version: 1,
      due_at_ms: dueAtMs,
      attempts: 0,
      active_ms: 0,
      error: null,
      data: canonicalJson(data),
      changed_at_ms: nowMs,
    },
  };
}

export function unchanged(work: Work): Expectation {
  return { table: TABLE, where: { id: work.id, version: work.version }, name: 'work' };
}

export function changeWork(
  work: Work,
  set: {
    dueAtMs: number | null;
    attempts?: number;
    activeMs?: number;
    error?: string | null;
    data?: Json;
  },
  nowMs: number,
): Write {
  return {
    update: TABLE,
    where: { id: work.id },
    set: {
      version: work.version + 1,
      due_at_ms: set.dueAtMs,
      attempts: set.attempts ?? 0,
      active_ms: Math.round(work.activeMs + (set.activeMs ?? 0)),
      error: set.error ?? null,
      ...(set.data === undefined ? {} : { data: canonicalJson(set.data) }),
      changed_at_ms: nowMs,
    },
  };
}

export async function readWork(store: Store, id: string): Promise<Work | undefined> {
  const [row] = await store.all(`${READ} WHERE id = ?`, [id]);
  return row === undefined ? undefined : workOf(row);
}

/**
 * A due time counts from when its row was written. One that was written later than now comes from a clock that
 * was ahead: its time would leave a watch unattended for days, so it is due at once and dated again by its step.
 */
const DUE = '(due_at_ms <= ? OR (due_at_ms IS NOT NULL AND changed_at_ms > ?))';
const dueAt = (nowMs: number) => [nowMs, nowMs + CLOCK_SLACK_MS];

export function isDue({ dueAtMs, changedAtMs }: Work, nowMs: number): boolean {
  return dueAtMs !== null && (dueAtMs <= nowMs || isDatedAhead(changedAtMs, nowMs));
}

/** Due now, the longest waiting first. */
export async function dueWorks(store: Store, nowMs: number, limit: number): Promise<Work[]> {
  const rows = await store.all(`${READ} WHERE ${DUE} ORDER BY due_at_ms, id LIMIT ?`, [
    ...dueAt(nowMs),
    limit,
  ]);
  return rows.map(workOf);
}

/** When the next unit is due; null when none ever is. */
export async function nextDueMs(store: Store): Promise<number | null> {
  const [row] = await store.all(`SELECT min(due_at_ms) AS due FROM ${TABLE}`);
  return (row?.['due'] as number | null | undefined) ?? null;
}

export async function countDue(store: Store, nowMs: number): Promise<number> {
  const [row] = await store.all(`SELECT count(*) AS due FROM ${TABLE} WHERE ${DUE}`, [
    ...dueAt(nowMs),
  ]);
  return Number(row!['due']);
}

/** Proposals that something is still to be done for, the longest waiting first. */
export async function openProposalWorks(store: Store): Promise<Work[]> {
  const rows = await store.all(
    `${READ} WHERE kind = 'proposal' AND due_at_ms IS NOT NULL ORDER BY due_at_ms, id LIMIT 1000`,
  );
  return rows.map(workOf);
}

/** Units whose step keeps failing, with what they say. */
export async function troubledWorks(store: Store): Promise<Work[]> {
  const rows = await store.all(`${READ} WHERE error IS NOT NULL ORDER BY id LIMIT 100`);
  return rows.map(workOf);
}

/** Whoever asks for a cycle need not wait for what is tried again by itself, or was approved and had to wait. */
export async function wakeWaiting(store: Store, nowMs: number): Promise<void> {
  const open = await openProposalWorks(store);
  const named = await namedById(
    store,
    open.map(({ subject }) => subject),
  );
  const approved = new Set(
    named.filter(({ state }) => state === 'approved').map(({ id }) => workId('proposal', id)),
  );
  const waiting = new Map(
    [...(await troubledWorks(store)), ...open.filter(({ id }) => approved.has(id))]
      .filter((work) => work.dueAtMs !== null && !isDue(work, nowMs))
      .map((work) => [work.id, work]),
  );
  // Each by itself: one that somebody else moved on meanwhile needs no waking.
  for (const work of waiting.values())
    await store.commit({
      expect: [unchanged(work)],
      writes: [changeWork(work, { dueAtMs: nowMs }, nowMs)],
    });
}

function workOf(row: Row): Work {
  return {
    id: row['id'] as string,
    kind: row['kind'] as WorkKind,
    subject: row['subject'] as string,
    version: row['version'] as number,
    dueAtMs: row['due_at_ms'] as number | null,
    attempts: row['attempts'] as number,
    activeMs: row['active_ms'] as number,
    error: row['error'] as string | null,
    data: JSON.parse(row['data'] as string) as Json,
    changedAtMs: row['changed_at_ms'] as number,
  };
}
