/**
 * Which tiers decide without a person: none, until an operator switches one on. One row for both, so that whoever judges
 * reads one state, and the row is proven from its ledger entry before a deployment like the stop.
 *
 *   asks a person ──on: an operator, a stable baseline or a reason──► decides by itself
 *        ▲                                                               │
 *        ├── off: anybody ───────────────────────────────────────────────┤
 *        └── paused: a change was taken back for harm since `sinceMs`,   ┘ until an operator resets it
 */
import type { Actor } from '../facts/index.ts';
import { AUTOMATIC_SUBJECT } from '../ledger/at-start.ts';
import type { Expectation, Plan, Store } from '../store/index.ts';

const TABLE = 'policy_automatic';

export const AUTOMATIC_TIERS = ['auto', 'notify'] as const;
export type AutomaticTier = (typeof AUTOMATIC_TIERS)[number];

export interface AutomaticState {
  /** Those that are switched on. */
  readonly on: readonly AutomaticTier[];
  /** Rollbacks since then pause both: when one was switched on, or a person reset the pause. */
  readonly sinceMs: number;
  /** What must still hold when something is decided by it. */
  readonly unchanged: readonly Expectation[];
}

export type AutomaticSet =
  | { readonly set: true }
  | { readonly set: false; readonly why: 'changed' };

/** Read at each judgement. A row that cannot be read, or says anything but yes, means no. */
export async function readAutomatic(store: Store): Promise<AutomaticState> {
  const where = { id: 1 };
  const [row] = await store.all(
    `SELECT auto_on, notify_on, since_ms, changed_at_ms FROM ${TABLE} WHERE id = 1`,
  );
  if (row === undefined) {
    return { on: [], sinceMs: 0, unchanged: [{ table: TABLE, where, exists: false }] };
  }
  const { auto_on, notify_on, since_ms, changed_at_ms } = row;
  return {
    on: [
      ...(auto_on === 1 ? (['auto'] as const) : []),
      ...(notify_on === 1 ? (['notify'] as const) : []),
    ],
    sinceMs: since_ms as number,
    unchanged: [{ table: TABLE, where: { ...where, auto_on, notify_on, changed_at_ms } as never }],
  };
}

/** What the row becomes; the caller has asked whether they may. */
export async function setAutomatic(
  store: Store,
  next: { readonly on: readonly AutomaticTier[]; readonly sinceMs: number },
  about: {
    readonly before: AutomaticState;
    readonly actor: Actor;
    readonly reason: string;
    readonly also: Pick<Plan, 'expect' | 'effects'>;
  },
): Promise<AutomaticSet> {
  const { before, actor, also } = about;
  const atMs = await store.nowMs();
  const { recordedText } = await import('../sanitise/index.ts');
  const reason = recordedText(about.reason);
  const { sinceMs } = next;
  const [auto, notify] = AUTOMATIC_TIERS.map((tier) => next.on.includes(tier)) as [
    boolean,
    boolean,
  ];
  const row = automaticRow({ auto, notify, sinceMs, reason }, { actor: actor.id, atMs });
  const { committed } = await store.commit({
    expect: [...(also.expect ?? []), ...before.unchanged],
    writes: [{ upsert: TABLE, key: { id: 1 }, row }],
    entries: [
      {
        type: 'policy.automatic_set',
        actor,
        subject: AUTOMATIC_SUBJECT,
        data: { auto, notify, sinceMs, reason },
        atMs,
      },
    ],
    effects: also.effects ?? [],
  });
  return committed ? { set: true } : { set: false, why: 'changed' };
}

/** The row that an entry makes. */
export function automaticRow(
  data: { auto: boolean; notify: boolean; sinceMs: number; reason: string },
  { actor, atMs }: { actor: string; atMs: number },
) {
  return {
    auto_on: data.auto ? 1 : 0,
    notify_on: data.notify ? 1 : 0,
    since_ms: data.sinceMs,
    reason: data.reason,
    actor,
    changed_at_ms: atMs,
  };
}
