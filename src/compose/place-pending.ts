/**
 * Places waiting entries while no server does: commands that read the ledger do it first. On SQLite nothing
 * ever waits.
 */
import { Leases } from '../lease/index.ts';
import { LedgerView, placeEntries } from '../ledger/index.ts';
import type { Store } from '../store/index.ts';

/** True if nothing waits any more; false if another process is doing it. */
export async function placePending(
  store: Store,
  holder: string,
  ttlMs: number,
  signal?: AbortSignal,
): Promise<boolean> {
  if (store.engine === 'sqlite') return true;
  // Looks before it takes the lease: taking and releasing it are two commits, four times a second.
  if (!(await new LedgerView(store).hasUnplaced())) return true;
  const leases = new Leases(store);
  const got = await leases.acquire('ledger/sequencer', holder, ttlMs);
  if (!got.acquired) return false;
  let lease = got.lease;
  try {
    while (signal?.aborted !== true) {
      const result = await placeEntries(store, lease.fence);
      if ('refused' in result) return false;
      if (result.placed === 0) return true;
      const renewed = await leases.renew(lease, ttlMs);
      if (renewed === undefined) return false;
      lease = renewed;
    }
    return false;
  } finally {
    await leases.release(lease);
  }
}
