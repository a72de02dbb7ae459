/** Work that may take longer than its lease, or its claim, keeps it. */
import { type Clock, errorMessage, type Log } from '../base/index.ts';

export interface RenewalPorts {
  /** What is held. */
  readonly name: string;
  /** False: it has passed on. */
  readonly renew: (ttlMs: number) => Promise<boolean>;
  readonly ttlMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** `work` is given a signal that aborts when what is held is lost meanwhile. */
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
      // The store is away for a moment: there are two more tries before the lease runs out.
      log.warn('could not renew a lease', { lease: name, error: errorMessage(error) });
    }
  }
}
