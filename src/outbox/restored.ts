/**
 * Effects that were not sent when a backup was taken may have been sent since. After a restore nobody knows, so
 * each is uncertain: a person looks at the destination and settles it, and nothing is sent twice by itself.
 */
import { SYSTEM } from '../facts/index.ts';
import type { Store } from '../store/index.ts';
import { effectChange, effectUnchanged, listEffects } from './outbox-store.ts';

const BATCH = 200;
const WHY = 'restored from a backup: it may have been sent after the backup was taken';

/** How many there were. */
export async function leaveUnsentUncertain(store: Store): Promise<number> {
  for (let count = 0; ; ) {
    const open = await listEffects(store, { states: ['queued', 'sending'], limit: BATCH });
    if (open.length === 0) return count;
    const nowMs = await store.nowMs();
    const { committed } = await store.commit({
      expect: open.map(effectUnchanged),
      writes: open.map((effect) => effectChange(effect, nowMs, { state: 'uncertain', error: WHY })),
      entries: open.map(({ key, destination }) => ({
        type: 'outbox.left_uncertain',
        actor: SYSTEM,
        subject: `effect:${key}`,
        data: { key, destination },
      })),
    });
    if (committed) count += open.length;
  }
}
