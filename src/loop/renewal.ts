/** Renews a lease or a claim while long work runs. */
import { type Clock, errorMessage, type Log } from '../base/index.ts';

export interface RenewalPorts {
  /** What is held. */
  readonly name: string;
  /** False: somebody else has it. */
  readonly renew: (ttlMs: number) => Promise<boolean>;
  readonly ttlMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** `work` gets a signal that aborts if the lease or claim is lost. */
export async function whileRenewed<T>(
  ports: RenewalPorts,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const lost = new AbortController();
  const renewing = keep(ports, { stop: stop.signal, lost });
  try {
    return await work(lost.signal);
  } finally {
    stop.abort();
    await renewing;
  }
}

async function keep(
  { name, renew, ttlMs, clock, log }: RenewalPorts,
  { stop, lost }: { stop: AbortSignal; lost: AbortController },
): Promise<void> {
  for (;;) {
    await clock.sleep(ttlMs / 3, stop);
    if (stop.aborted) return;
    try {
      if (!(await renew(ttlMs))) return lost.abort();
    } catch (error) {
      // The store is unreachable for a moment: two more tries before the lease expires.
      log.warn('could not renew a lease', { lease: name, error: errorMessage(error) });
    }
  }
}
