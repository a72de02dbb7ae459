/**
 * What a restored store must have before anybody works on it. It has forgotten what happened since the backup:
 *
 * - effects that were not sent then may have been sent since: they become uncertain;
 * - leases given out since are unknown to it: every fencing token rises above them;
 * - steps it would take may have been taken: everything automatic is stopped until a person resumes.
 *
 * All of it is recorded in the ledger, which goes on from the backup's end.
 */
import type { Actor } from '../facts/index.ts';
import { raisedFences } from '../lease/index.ts';
import { leaveUnsentUncertain } from '../outbox/index.ts';
import { KillSwitch } from '../policy/index.ts';
import type { Store } from '../store/index.ts';
import type { Backup } from './container.ts';

export async function prepareRestored(
  store: Store,
  { digest, manifest }: Pick<Backup, 'digest' | 'manifest'>,
  actor: Actor,
): Promise<{ readonly uncertain: number }> {
  const { takenAt, ledger } = manifest;
  const uncertain = await leaveUnsentUncertain(store);
  await store.commit({
    writes: await raisedFences(store),
    entries: [
      {
        type: 'backup.restored',
        actor,
        subject: 'hone:store',
        data: {
          manifestDigest: digest,
          takenAtMs: Date.parse(takenAt),
          treeSize: ledger.size,
          rootHash: ledger.root,
          uncertainEffects: uncertain,
        },
      },
    ],
  });
  const reason = `restored from the backup of ${takenAt}; look at what happened since, then resume`;
  await new KillSwitch(store, () => false).stop(actor, reason, 'restore');
  return { uncertain };
}
