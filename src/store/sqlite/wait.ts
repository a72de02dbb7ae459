/** Waits for another process without blocking the event loop. */
import { type Random, systemClock } from '../../base/index.ts';
import { isBusy } from './faults.ts';

const WAIT_MS_MAX = 30_000;
const RETRY_MS_MAX = 8;

/** Tries again, with a growing jittered pause, while another process holds the lock. */
export async function whenFree<T>(random: Random, attempt: () => T): Promise<T> {
  const startMs = systemClock.monotonicMs();
  for (let tries = 1; ; tries++) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || systemClock.monotonicMs() - startMs > WAIT_MS_MAX) throw error;
      await systemClock.sleep(random.next() * Math.min(RETRY_MS_MAX, tries));
    }
  }
}
