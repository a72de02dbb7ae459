/**
 * What was accepted last: a row of the store, so that every machine sees it, and the ledger entry of the same
 * commit. Both are read at each start, because a row can be changed where an entry cannot.
 */
import type { Digest } from '../base/index.ts';
import type { Actor, EntryPayload } from '../facts/index.ts';
import { CONFIG_SUBJECT, newestState } from '../ledger/at-start.ts';
import type { Plan, Store } from '../store/index.ts';

export const PINS = 'config_pins';

export interface Acceptance {
  /** Of what the text means. */
  readonly digest: Digest;
  /** Of the accepted file's bytes. */
  readonly file: Digest;
}

export interface AcceptedLast {
  /** The row's digest; null where nothing was accepted yet. */
  readonly pinned: Digest | null;
  /** From the newest entry; null where there is none that says it. */
  readonly recorded: Acceptance | null;
}

export async function acceptedLast(store: Pick<Store, 'all' | 'engine'>): Promise<AcceptedLast> {
  // In this order: of an acceptance between the two looks the row is the older one, and a plan that expects it
  // is refused.
  const [row] = await store.all(`SELECT digest FROM ${PINS} WHERE id = 1`);
  const body = (await newestState(store, CONFIG_SUBJECT))?.body;
  return {
    pinned: (row?.['digest'] as Digest | undefined) ?? null,
    recorded: body === undefined ? null : acceptanceOf(body),
  };
}

/** When the newest configuration was accepted, by its entry; null where there is none. */
export async function acceptedAtMs(store: Pick<Store, 'all' | 'engine'>): Promise<number | null> {
  const body = (await newestState(store, CONFIG_SUBJECT))?.body;
  if (body === undefined) return null;
  const atMs = Date.parse(String((JSON.parse(body) as { at?: unknown }).at));
  // What names no time was accepted before nothing.
  return Number.isNaN(atMs) ? Number.POSITIVE_INFINITY : atMs;
}

/** Whether the row and its entry both say that this was accepted last. */
export function isAcceptedLast({ pinned, recorded }: AcceptedLast, digest: Digest): boolean {
  return pinned === digest && recorded?.digest === digest;
}

type Accepted = EntryPayload<'config.accepted'>;

/** Without the entries' schemas: a body that says something else names no digest. */
function acceptanceOf(body: string): Acceptance | null {
  try {
    const { type, data } = JSON.parse(body) as { type: unknown; data: Accepted };
    const { configDigest: digest, fileDigest: file } = data;
    return type === 'config.accepted' ? { digest: digest as Digest, file: file as Digest } : null;
  } catch {
    return null;
  }
}

/** Expects what was pinned when the person was shown the changes. */
export function planAccept(
  options: Acceptance & { previous: Digest | null; actor: Actor; nowMs: number },
): Plan {
  const { previous, digest, file, actor, nowMs } = options;
  return {
    expect: [
      previous === null
        ? { table: PINS, where: { id: 1 }, exists: false }
        : { table: PINS, where: { id: 1, digest: previous } },
    ],
    // The first is an insert: of two at once on PostgreSQL the second then collides.
    writes: [
      previous === null
        ? { insert: PINS, row: { id: 1, digest, accepted_at_ms: nowMs } }
        : { update: PINS, where: { id: 1 }, set: { digest, accepted_at_ms: nowMs } },
    ],
    entries: [
      {
        type: 'config.accepted',
        actor,
        subject: CONFIG_SUBJECT,
        data: { configDigest: digest, fileDigest: file, previousDigest: previous },
        atMs: nowMs,
      },
    ],
  };
}
