/** The accepted configuration's digest in the store, so that every machine sees what was accepted. */
import type { Digest } from '../base/index.ts';
import type { Actor } from '../facts/index.ts';
import type { Plan, Store } from '../store/index.ts';

export const PINS = 'config_pins';

export async function pinnedDigest(store: Store): Promise<Digest | null> {
  const [row] = await store.all(`SELECT digest FROM ${PINS} WHERE id = 1`);
  return (row?.['digest'] as Digest | undefined) ?? null;
}

/** Expects what was pinned when the person was shown the changes. */
export function planAccept(options: {
  previous: Digest | null;
  digest: Digest;
  actor: Actor;
  nowMs: number;
}): Plan {
  const { previous, digest, actor, nowMs } = options;
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
        subject: 'config:hone.yaml',
        data: { digest, previous },
        atMs: nowMs,
      },
    ],
  };
}
