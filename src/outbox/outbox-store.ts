/** The outbox's rows. */
import { assert, canonicalJson, type Json } from '../base/index.ts';
import type { EffectDraft, EffectResult, EffectState, Lane, StepKind } from '../facts/index.ts';
import type { EffectWriter, Row, Store, Value, Write } from '../store/index.ts';
import type { Effect } from './types.ts';

const TABLE = 'outbox_effects';
const READ = `SELECT id, key, destination, step, lane, state, attempts, due_at_ms, payload, error,
  result, changed_at_ms FROM ${TABLE}`;

/** Its end is recorded under `effect:<key>`: a key that the ledger refuses could never be settled. */
const KEY = /^[^\s\p{Cc}\p{Cs}]{1,250}$/u;
/** Due since ever. `nowMs` is the writer's clock; due times are compared with the store's. */
const AT_ONCE_MS = 0;

/** Queues effects with the plan that decided them. A key that is there already stays as it is. */
export const effectWriter: EffectWriter = (drafts, nowMs) =>
  drafts.map((draft) => {
    assert(
      KEY.test(draft.key),
      'an effect key has 1 to 250 characters, none of them a space or a control',
    );
    return {
      insert: TABLE,
      row: {
        key: draft.key,
        destination: draft.destination,
        step: draft.step,
        lane: laneOf(draft),
        state: 'queued',
        attempts: 0,
        due_at_ms: draft.dueAtMs ?? AT_ONCE_MS,
        payload: canonicalJson(draft.payload),
        error: null,
        result: null,
        changed_at_ms: nowMs,
      },
      onConflict: 'ignore',
    };
  });

function laneOf({ lane, step }: EffectDraft): Lane {
  if (lane !== undefined) return lane;
  if (step === 'rollback' || step === 'monitor') return 'rollback';
  return step === 'approve' || step === 'deploy' ? 'decision' : 'news';
}

export function effectChange(
  effect: Effect,
  nowMs: number,
  set: {
    state: EffectState;
    attempts?: number;
    dueAtMs?: number;
    error?: string | null;
    result?: EffectResult;
  },
): Write {
  return {
    update: TABLE,
    where: { id: effect.id },
    set: {
      state: set.state,
      attempts: set.attempts ?? effect.attempts,
      due_at_ms: set.dueAtMs ?? effect.dueAtMs,
      error: set.error === undefined ? effect.error : set.error,
      ...(set.result === undefined ? {} : { result: canonicalJson(set.result) }),
      changed_at_ms: nowMs,
    },
  };
}

/** The state this decision was made on; anybody who changed it meanwhile refuses the plan. */
export function effectUnchanged(effect: Effect) {
  return {
    table: TABLE,
    where: { id: effect.id, state: effect.state, attempts: effect.attempts },
    name: 'effect',
  };
}

export interface Turn {
  readonly destination: string;
  readonly lane: Lane;
  readonly steps: readonly StepKind[];
}

/**
 * The oldest open effect of a lane among these steps: its turn, due or not. Only in the lane of rollbacks one that is
 * not due is passed over: each is independent, and none waits behind another that fails.
 */
export async function nextEffect(
  store: Store,
  { destination, lane, steps }: Turn,
): Promise<Effect | undefined> {
  const marks = steps.map(() => '?').join(', ');
  const isOrdered = lane !== 'rollback';
  const first = isOrdered ? '' : 'CASE WHEN due_at_ms <= ? THEN 0 ELSE due_at_ms END, ';
  const [row] = await store.all(
    `${READ} WHERE destination = ? AND lane = ? AND state IN ('queued', 'sending')
     AND step IN (${marks}) ORDER BY ${first}id LIMIT 1`,
    [destination, lane, ...steps, ...(isOrdered ? [] : [await store.nowMs()])],
  );
  return row === undefined ? undefined : effectOf(row);
}

export async function readEffect(store: Store, key: string): Promise<Effect | undefined> {
  const [row] = await store.all(`${READ} WHERE key = ?`, [key]);
  return row === undefined ? undefined : effectOf(row);
}

export async function listEffects(
  store: Store,
  filter: { states?: readonly EffectState[]; before?: string | undefined; limit: number },
): Promise<Effect[]> {
  const states = filter.states ?? [];
  const before = filter.before === undefined ? [] : [filter.before];
  const conditions = [
    ...(states.length === 0 ? [] : [`state IN (${states.map(() => '?').join(', ')})`]),
    ...before.map(() => `id < (SELECT id FROM ${TABLE} WHERE key = ?)`),
  ];
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const parameters: Value[] = [...states, ...before, filter.limit];
  return (await store.all(`${READ} ${where} ORDER BY id DESC LIMIT ?`, parameters)).map(effectOf);
}

export async function countEffects(store: Store): Promise<Partial<Record<EffectState, number>>> {
  const rows = await store.all(`SELECT state, count(*) AS n FROM ${TABLE} GROUP BY state`);
  return Object.fromEntries(rows.map((row) => [row['state'], row['n']]));
}

/** Those of a destination that were queued or sent since then and are not given up, the oldest first. */
export async function effectsSince(
  store: Store,
  destination: string,
  sinceMs: number,
): Promise<{ readonly key: string; readonly atMs: number }[]> {
  const rows = await store.all(
    `SELECT key, changed_at_ms FROM ${TABLE}
     WHERE destination = ? AND changed_at_ms >= ? AND state <> 'dead' ORDER BY changed_at_ms, id`,
    [destination, sinceMs],
  );
  return rows.map((row) => ({
    key: row['key'] as string,
    atMs: row['changed_at_ms'] as number,
  }));
}

function effectOf(row: Row): Effect {
  return {
    id: row['id'] as number,
    key: row['key'] as string,
    destination: row['destination'] as string,
    step: row['step'] as StepKind,
    lane: row['lane'] as Lane,
    state: row['state'] as EffectState,
    attempts: row['attempts'] as number,
    dueAtMs: row['due_at_ms'] as number,
    payload: JSON.parse(row['payload'] as string) as Json,
    error: row['error'] as string | null,
    result: resultOf(row['result'] as string | null),
    changedAtMs: row['changed_at_ms'] as number,
  };
}

const resultOf = (text: string | null) =>
  text === null ? null : (JSON.parse(text) as EffectResult);
