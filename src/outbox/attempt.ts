/**
 * One attempt at a destination: it is looked for first where it may be there already, then sent; all
 * within the send timeout.
 *
 * A request does not end with its sender's patience or life. It is taken to be carried out, if ever,
 * within two send timeouts after it was sent. A destination that can be asked tells the truth only
 * after that: asked earlier it says "not here" of what is still under way, and the effect would be
 * sent a second time. So each attempt says until when it may be under way, and the effect's row
 * carries that as its due time, from the claim on: past a timeout, a death and a person's retry.
 */
import { errorMessage, withTimeout } from '../base/index.ts';
import type { DeliverPorts, Destination, Effect, OutboxLimits, Sent } from './types.ts';

export interface Attempt {
  readonly sent: Sent;
  /** What it sent may be carried out until then; 0 when nothing can be any more. */
  readonly underWayUntilMs: number;
}

const TOO_LATE: Sent = {
  outcome: 'failed',
  error: 'it was not sent: too much time had passed since it was claimed',
  notDone: true,
};

export function carriedOutByMs(sentAtMs: number, { sendTimeoutMs }: OutboxLimits): number {
  return sentAtMs + 2 * sendTimeoutMs;
}

/** When whoever finds this attempt interrupted may look: it sends within its timeout, or not at all. */
export function dueIfInterruptedMs(
  destination: Destination,
  effect: Effect,
  { nowMs, limits }: { nowMs: number; limits: OutboxLimits },
): number {
  if (destination.kind !== 'findable') return effect.dueAtMs;
  return carriedOutByMs(nowMs + limits.sendTimeoutMs, limits);
}

/** `effect` is claimed. A destination that ignores its signal is still given up. */
export async function attempt(
  destination: Destination,
  effect: Effect,
  ports: Pick<DeliverPorts, 'store' | 'clock' | 'limits'>,
): Promise<Attempt> {
  let underWayUntilMs = 0;
  const lookAndSend = async (signal: AbortSignal): Promise<Sent> => {
    if (destination.kind === 'findable') {
      const mayBeThere = effect.attempts > 1;
      const found = mayBeThere && (await destination.find(effect, signal));
      if (found === true) return { outcome: 'delivered' };
      if (found !== false) return { outcome: 'delivered', result: found.result };
      const untilMs = carriedOutByMs(await ports.store.nowMs(), ports.limits);
      if (untilMs > effect.dueAtMs) return TOO_LATE; // the next one may look before it has ended
      signal.throwIfAborted(); // given up while it looked: sending now would be one attempt too many
      underWayUntilMs = untilMs;
    }
    return destination.send(effect, signal);
  };
  const sent = await withTimeout(ports.clock, ports.limits.sendTimeoutMs, (signal) =>
    Promise.race([lookAndSend(signal), aborted(signal)]),
  ).catch((error: unknown): Sent => ({ outcome: 'failed', error: errorMessage(error) }));
  return { sent, underWayUntilMs: mayHappenLater(sent) ? underWayUntilMs : 0 };
}

function mayHappenLater(sent: Sent): boolean {
  return sent.outcome === 'failed' && sent.notDone !== true && sent.permanent !== true;
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
