/**
 * Questions to people about single calls.
 *
 *   waiting ──approved──► approved ──the call is made──► used
 *      └────rejected──► rejected
 *
 * Each is about the digest of one call; an answer counts until `expiresAtMs`, for one call. Only a person answers.
 */
import type { CleanText, Digest } from '../base/index.ts';
import type { Actor, EntryPayload } from '../facts/index.ts';
import type { Plan, Row, Store, Write } from '../store/index.ts';
import type { Ask, AskState } from './types.ts';

export const ASKS = 'gateway_asks';

export function askedWrite(
  subject: string,
  data: EntryPayload<'gateway.asked'>,
  atMs: number,
): Write {
  return {
    insert: ASKS,
    row: {
      id: data.askId,
      subject,
      session_id: data.sessionId,
      task_id: data.taskId,
      agent: data.agent,
      tool: data.tool,
      call_digest: data.callDigest,
      why: data.why,
      shown: data.shown,
      state: 'waiting',
      asked_at_ms: atMs,
      expires_at_ms: data.expiresAtMs,
      answered_by: null,
      verified: null,
      answered_at_ms: null,
    },
  };
}

export function answeredWrite(
  { askId, verdict }: EntryPayload<'gateway.answered'>,
  { id, verified }: Actor,
  atMs: number,
): Write {
  const set = { state: verdict, answered_by: id, verified, answered_at_ms: atMs };
  return { update: ASKS, where: { id: askId }, set };
}

export const usedWrite = (askId: string): Write => ({
  update: ASKS,
  where: { id: askId },
  set: { state: 'used' },
});

export function answerPlan(
  ask: Ask,
  verdict: 'approved' | 'rejected',
  { actor, reason, nowMs }: { actor: Actor; reason: CleanText; nowMs: number },
): Plan {
  const data = { askId: ask.id, callDigest: ask.callDigest, verdict, reason };
  return {
    expect: [{ table: ASKS, where: { id: ask.id, state: 'waiting', call_digest: ask.callDigest } }],
    writes: [answeredWrite(data, actor, nowMs)],
    entries: [{ type: 'gateway.answered', actor, subject: ask.subject, data, atMs: nowMs }],
  };
}

/** Refused where somebody was faster: an approval is used once. */
export function usePlan(ask: Ask, actor: Actor): Plan {
  const { id: askId, callDigest, subject } = ask;
  return {
    expect: [{ table: ASKS, where: { id: askId, state: 'approved', call_digest: callDigest } }],
    writes: [usedWrite(askId)],
    entries: [{ type: 'gateway.approval_used', actor, subject, data: { askId, callDigest } }],
  };
}

/** Questions about this call that still count, the newest first. */
export async function openAsks(
  store: Store,
  { callDigest, subject, nowMs }: { callDigest: Digest; subject: string; nowMs: number },
): Promise<Ask[]> {
  const rows = await store.all(
    `SELECT * FROM ${ASKS} WHERE call_digest = ? AND subject = ? AND expires_at_ms > ? AND state <> 'used' ORDER BY id DESC`,
    [callDigest, subject, nowMs],
  );
  return rows.map((row) => askOf(row, nowMs));
}

export function askOf(row: Row, nowMs: number): Ask {
  const state = row['state'] as AskState;
  const expiresAtMs = Number(row['expires_at_ms']);
  const isOver = expiresAtMs <= nowMs && (state === 'waiting' || state === 'approved');
  const answeredAtMs = row['answered_at_ms'];
  return {
    id: row['id'] as string,
    subject: row['subject'] as string,
    session: row['session_id'] as string | null,
    taskId: row['task_id'] as string | null,
    agent: row['agent'] as string,
    tool: row['tool'] as string,
    callDigest: row['call_digest'] as Digest,
    why: row['why'] as string,
    shown: row['shown'] as string,
    state: isOver ? 'expired' : state,
    askedAtMs: Number(row['asked_at_ms']),
    expiresAtMs,
    answeredBy: row['answered_by'] as string | null,
    verified: row['verified'] as string | null,
    answeredAtMs: answeredAtMs === null ? null : Number(answeredAtMs),
  };
}
