/**
 * What asks for a cycle, in a queue that people can see. One row for each thing that asks: if it asks again while it
 * waits, that is counted and not queued twice; after a cycle took it, it waits again only if that was a while ago. Like
 * units of work it is not in the ledger; that a cycle began, and why, is.
 *
 *   (none) ──asks──► waiting ──a cycle begins──► taken ──asks later──► waiting
 *                      └─ asks again: counted ─┘    └─ asks soon: counted ─┘
 */
import { URGENCIES, type Urgency } from '../observe/index.ts';
import type { Row, Store, Write } from '../store/index.ts';
import { TRIGGERS } from './trigger-count.ts';

const READ = `SELECT key, kind, urgency, detail, times, first_at_ms, last_at_ms, cycle_id, taken_at_ms FROM ${TRIGGERS}`;
/** What was taken long ago and does not ask any more. */
const FORGOTTEN_AFTER_MS = 30 * 86_400_000;

/** Two looks. */
const STILL_MS = 30 * 60_000;

type TriggerKind = 'threshold' | 'pattern' | 'human' | 'meta';

export interface QueuedTrigger {
  /** What asks: the same thing has the same key. */
  readonly key: string;
  readonly kind: TriggerKind;
  readonly urgency: Urgency;
  /** One plain sentence. */
  readonly detail: string;
  /** How often it asked since it began to wait. */
  readonly times: number;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
  /** The cycle that took it; null while it waits. */
  readonly cycle: string | null;
  readonly takenAtMs: number | null;
}

export type Asked = Pick<QueuedTrigger, 'key' | 'kind' | 'urgency' | 'detail'>;

/** `againAfterMs`: how long after a cycle took it the same thing may begin another one. */
export async function queueTrigger(
  store: Store,
  asked: Asked,
  { nowMs, againAfterMs }: { readonly nowMs: number; readonly againAfterMs: number },
): Promise<void> {
  const { key, kind, urgency, detail } = asked;
  const fresh = { kind, urgency, detail, times: 1, first_at_ms: nowMs, last_at_ms: nowMs };
  const waiting = { cycle_id: null, taken_at_ms: null };
  const row = { key, ...fresh, ...waiting };
  const [known] = (await store.all(`${READ} WHERE key = ?`, [key])).map(triggerOf);
  if (known === undefined) {
    await store.commit({ writes: [{ insert: TRIGGERS, row, onConflict: 'ignore' }] });
    return;
  }
  const { cycle, takenAtMs } = known;
  const isDueAgain = takenAtMs !== null && takenAtMs <= nowMs - againAfterMs;
  const set = isDueAgain
    ? { ...fresh, ...waiting }
    : { urgency, detail, times: { add: 1 }, last_at_ms: nowMs };
  // Where a cycle took it in this moment, nothing is updated, and it asks again at the next look.
  await store.commit({ writes: [{ update: TRIGGERS, where: { key, cycle_id: cycle }, set }] });
}

/** The most urgent first, then the longest waiting; behind them those that were taken, the newest first. */
export async function listTriggers(store: Store): Promise<QueuedTrigger[]> {
  const all = (await store.all(`${READ} ORDER BY first_at_ms, key`)).map(triggerOf);
  const waiting = all.filter(({ cycle }) => cycle === null);
  const taken = all.filter(({ cycle }) => cycle !== null);
  return [
    ...waiting.sort((a, b) => URGENCIES.indexOf(a.urgency) - URGENCIES.indexOf(b.urgency)),
    ...taken.sort((a, b) => b.takenAtMs! - a.takenAtMs!),
  ];
}

export async function waitingTriggers(store: Store): Promise<QueuedTrigger[]> {
  return (await listTriggers(store)).filter(({ cycle }) => cycle === null);
}

/** What telemetry shows is asked for again at every look. If it is not, it has passed, and begins nothing by itself. */
export function stillAsks({ kind, lastAtMs }: QueuedTrigger, nowMs: number): boolean {
  return kind === 'human' || lastAtMs >= nowMs - STILL_MS;
}

/** In the commit that begins the cycle: one cycle looks at everything that waits. */
export function takeTriggers(
  waiting: readonly QueuedTrigger[],
  cycle: string,
  nowMs: number,
): Write[] {
  return waiting.map(({ key }) => ({
    update: TRIGGERS,
    where: { key, cycle_id: null },
    set: { cycle_id: cycle, taken_at_ms: nowMs },
  }));
}

/** Of what was taken and has not asked since; gives how many. */
export async function forgetTriggers(store: Store, nowMs: number): Promise<number> {
  const before = nowMs - FORGOTTEN_AFTER_MS;
  const old = (await listTriggers(store)).filter(
    ({ takenAtMs, lastAtMs }) => takenAtMs !== null && takenAtMs < before && lastAtMs < before,
  );
  await store.commit({
    writes: old.map(({ key, cycle }) => ({ delete: TRIGGERS, where: { key, cycle_id: cycle } })),
  });
  return old.length;
}

function triggerOf(row: Row): QueuedTrigger {
  return {
    key: row['key'] as string,
    kind: row['kind'] as TriggerKind,
    urgency: row['urgency'] as Urgency,
    detail: row['detail'] as string,
    times: row['times'] as number,
    firstAtMs: row['first_at_ms'] as number,
    lastAtMs: row['last_at_ms'] as number,
    cycle: row['cycle_id'] as string | null,
    takenAtMs: row['taken_at_ms'] as number | null,
  };
}
