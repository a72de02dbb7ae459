/**
 * The queue: units of work as rows with a due time, the kind of their next step and its urgency. It is not in the
 * ledger; what steps do is. A worker claims a row (`src/lease/claims.ts`), takes one step and changes the row, which
 * ends the claim; anybody else who changes it leaves the claim alone.
 */
import { CLOCK_SLACK_MS, canonicalJson, isDatedAhead, type Json } from '../base/index.ts';
import type { StepKind } from '../facts/index.ts';
import { claimChange, type RowClaim, releaseClaim } from '../lease/index.ts';
import { namedById } from '../proposal/at-start.ts';
import type { Expectation, Match, Row, Store, Value, Write } from '../store/index.ts';
import type { Work, WorkKind } from './types.ts';
import { urgencyOf } from './urgency.ts';

const TABLE = 'loop_works';
const READ = `SELECT id, kind, subject, version, step, due_at_ms, ready_at_ms, token, holder, attempts, active_ms,
  error, data, changed_at_ms FROM ${TABLE}`;

/** The first step of each kind of unit. */
const FIRST_STEPS: Readonly<Record<WorkKind, StepKind>> = { cycle: 'observe', proposal: 'vet' };

export const workId = (kind: WorkKind, subject: string) => `${kind}/${subject}`;

export function newWork(options: {
  kind: WorkKind;
  subject: string;
  dueAtMs: number;
  data: Json;
  nowMs: number;
}): Write {
  const { kind, subject, dueAtMs, data, nowMs } = options;
  const step = FIRST_STEPS[kind];
  return {
    insert: TABLE,
    row: {
      id: workId(kind, subject),
      kind,
      subject,
      version: 1,
      step,
      urgency: urgencyOf(step),
      due_at_ms: dueAtMs,
      ready_at_ms: dueAtMs,
      token: 0,
      holder: null,
      attempts: 0,
      active_ms: 0,
      error: null,
      data: canonicalJson(data),
      changed_at_ms: nowMs,
    },
  };
}

/** Includes the holder: a change that overlooked a claim would make the row ready while somebody holds it. */
const sameAs = ({ id, version, token, holder }: Work): Match => ({ id, version, token, holder });

export function unchanged(work: Work): Expectation {
  return { table: TABLE, where: sameAs(work), name: 'work' };
}

interface WorkChange {
  readonly dueAtMs: number | null;
  /** The kind of the next step; unchanged unless given. */
  readonly step?: StepKind | undefined;
  readonly attempts?: number;
  readonly activeMs?: number;
  readonly error?: string | null;
  readonly data?: Json;
}

/** From outside. While somebody holds the row, it stays theirs until they release it. */
export function changeWork(work: Work, set: WorkChange, nowMs: number): Write {
  const ready = work.holder === null ? { ready_at_ms: set.dueAtMs } : {};
  return { update: TABLE, where: sameAs(work), set: { ...changes(work, set, nowMs), ...ready } };
}

/** By its holder: the same change releases it. */
export function giveBack(work: ClaimedWork, set: WorkChange, nowMs: number): Write {
  const free = { holder: null, ready_at_ms: set.dueAtMs };
  return { update: TABLE, where: sameAs(work), set: { ...changes(work, set, nowMs), ...free } };
}

function changes(work: Work, set: WorkChange, nowMs: number): Record<string, Value> {
  const step = set.step ?? work.step;
  return {
    version: work.version + 1,
    step,
    urgency: urgencyOf(step),
    due_at_ms: set.dueAtMs,
    attempts: set.attempts ?? 0,
    active_ms: Math.round(work.activeMs + (set.activeMs ?? 0)),
    error: set.error ?? null,
    ...(set.data === undefined ? {} : { data: canonicalJson(set.data) }),
    changed_at_ms: nowMs,
  };
}

/** A unit that this worker holds. */
export interface ClaimedWork extends Work {
  readonly holder: string;
}

export interface Claimer {
  readonly holder: string;
  readonly ttlMs: number;
}

/** The most urgent unit that is due and free, the longest waiting first; found and claimed in one statement. */
export async function claimDue(
  store: Store,
  urgencies: readonly number[],
  by: Claimer,
): Promise<ClaimedWork | undefined> {
  if (urgencies.length === 0) return undefined;
  return claim(
    store,
    urgencies.map((urgency) => ({ urgency })),
    by,
  );
}

/** This unit, if it is due and nobody holds it. */
export function claimById(store: Store, id: string, by: Claimer): Promise<ClaimedWork | undefined> {
  return claim(store, [{ id }], by);
}

async function claim(
  store: Store,
  anyOf: readonly Match[],
  { holder, ttlMs }: Claimer,
): Promise<ClaimedWork | undefined> {
  const nowMs = await store.nowMs();
  const row = await store.claim({
    table: TABLE,
    key: 'id',
    anyOf,
    by: 'ready_at_ms',
    upTo: nowMs,
    set: claimChange({ holder, nowMs, ttlMs }),
  });
  return row === undefined ? undefined : { ...workOf(row), holder };
}

export const claimOf = ({ id, token, holder }: ClaimedWork): RowClaim => ({
  table: TABLE,
  id,
  token,
  holder,
});

/** Releases a unit for which nothing was written. */
export function release(store: Store, work: ClaimedWork): Promise<void> {
  return releaseClaim(store, claimOf(work));
}

export async function readWork(store: Store, id: string): Promise<Work | undefined> {
  const [row] = await store.all(`${READ} WHERE id = ?`, [id]);
  return row === undefined ? undefined : workOf(row);
}

/**
 * A due time counts from when its row was written. A row written later than now comes from a clock that was
 * ahead: its due time could leave a watch unattended for days, so it is due at once.
 */
const DUE = '(due_at_ms <= ? OR (due_at_ms IS NOT NULL AND changed_at_ms > ?))';
const dueAt = (nowMs: number) => [nowMs, nowMs + CLOCK_SLACK_MS];

function isDue({ dueAtMs, changedAtMs }: Work, nowMs: number): boolean {
  return dueAtMs !== null && (dueAtMs <= nowMs || isDatedAhead(changedAtMs, nowMs));
}

/** Makes units ready that were written, or claimed, while the clock was ahead. */
export async function dateAgain(store: Store): Promise<void> {
  const nowMs = await store.nowMs();
  const rows = await store.all(
    `${READ} WHERE due_at_ms IS NOT NULL AND changed_at_ms > ? ORDER BY id LIMIT 1000`,
    [nowMs + CLOCK_SLACK_MS],
  );
  for (const work of rows.map(workOf)) {
    const dueAtMs = Math.min(work.dueAtMs!, nowMs);
    const { attempts, error } = work;
    const change = changes(work, { dueAtMs, attempts, error }, nowMs);
    // Even if it has a live holder, whose commit is then refused as if its claim had expired.
    const set = { ...change, holder: null, ready_at_ms: dueAtMs };
    await store.commit({
      expect: [unchanged(work)],
      writes: [{ update: TABLE, where: sameAs(work), set }],
    });
  }
}

/** Units of these urgencies that are due and free, the longest waiting first. */
export async function dueWorks(
  store: Store,
  urgencies: readonly number[],
  limit: number,
): Promise<Work[]> {
  const nowMs = await store.nowMs();
  const found = await Promise.all(
    urgencies.map((urgency) =>
      store.all(`${READ} WHERE urgency = ? AND ready_at_ms <= ? ORDER BY ready_at_ms, id LIMIT ?`, [
        urgency,
        nowMs,
        limit,
      ]),
    ),
  );
  return found.flat().map(workOf);
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

/** Proposals with work left to do, the longest waiting first. */
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

/** Makes retries and waiting approved changes due now, so that a person who asks for a cycle need not wait. */
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
  // One by one: a unit that somebody else has changed needs no waking.
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
    step: row['step'] as StepKind,
    dueAtMs: row['due_at_ms'] as number | null,
    readyAtMs: row['ready_at_ms'] as number | null,
    token: row['token'] as number,
    holder: row['holder'] as string | null,
    attempts: row['attempts'] as number,
    activeMs: row['active_ms'] as number,
    error: row['error'] as string | null,
    data: JSON.parse(row['data'] as string) as Json,
    changedAtMs: row['changed_at_ms'] as number,
  };
}
