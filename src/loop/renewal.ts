/** Work that may take longer than its lease keeps it. */
import { type Clock, errorMessage, type Log } from '../base/index.ts';
import type { Lease, Leases } from '../lease/index.ts';

export interface RenewalPorts {
  readonly leases: Leases;
  readonly ttlMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** `work` is given a signal that aborts when the lease is lost meanwhile. */
export async function whileRenewed<T>(
  lease: Lease,
  ports: RenewalPorts,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const lost = new AbortController();
  const renewing = renew(lease, ports, { stop: stop.signal, lost });
  try {
    return await work(lost.signal);
  } finally {
    stop.abort();
    await renewing;
  }
}

async function renew(
  lease: Lease,
  { leases, ttlMs, clock, log }: RenewalPorts,
  { stop, lost }: { stop: AbortSignal; lost: AbortController },
): Promise<void> {
  for (;;) {
    await clock.sleep(ttlMs / 3, stop);
    if (stop.aborted) return;
    try {
      if ((await leases.renew(lease, ttlMs)) === undefined) return lost.abort();
    } catch (error) {
      // The store is away for a moment: there are two more tries before the lease runs out.
      log.warn('a lease was not renewed', { lease: lease.name, error: errorMessage(error) });
    }
  }
}
