/** An outbox on a given store and clock, as `main.ts` would build it. */
import { type Random, seededRandom } from '../src/base/index.ts';
import { STEP_KINDS, type StepKind } from '../src/facts/index.ts';
import { Leases } from '../src/lease/index.ts';
import type { DeliverPorts, OutboxLimits } from '../src/outbox/index.ts';
import type { Store } from '../src/store/index.ts';
import type { TimedStore } from './timed-store.ts';

export const LIMITS: OutboxLimits = {
  attemptsMax: 4,
  backoffMs: 1000,
  backoffMaxMs: 60_000,
  sendTimeoutMs: 5000,
  leaseMs: 10_000,
};

export function outboxPorts(
  { store, clock }: Pick<TimedStore, 'store' | 'clock'>,
  options: { holder?: string; random?: Random; steps?: () => readonly StepKind[] } = {},
): DeliverPorts {
  return {
    store,
    leases: new Leases(store),
    clock,
    random: options.random ?? seededRandom(1),
    allowedSteps: () => Promise.resolve(options.steps?.() ?? STEP_KINDS),
    holder: options.holder ?? 'worker',
    limits: LIMITS,
  };
}

/**
 * A store through which a process sees its own death: from the given commit on nothing it writes
 * arrives, and nothing it waits for ends.
 */
export class MortalStore {
  /** How many commits still arrive; after them the process is dead. */
  commitsLeft = Number.POSITIVE_INFINITY;
  readonly store: Store;

  constructor(store: Store) {
    this.store = {
      ...store,
      engine: store.engine,
      location: store.location,
      commit: (plan) => {
        if (this.commitsLeft <= 0) return Promise.reject(new ProcessDied());
        this.commitsLeft -= 1;
        return store.commit(plan);
      },
    };
  }
}

export class ProcessDied extends Error {}
