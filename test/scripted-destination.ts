/**
 * A destination for tests: each send follows a script, and what really happened there is counted by
 * key. It honours keys or can be asked exactly as its kind says; a `once` destination can do neither.
 * What happens late happens at the last moment that the outbox takes for possible.
 */
import assert from 'node:assert';
import type { ManualClock } from '../src/base/index.ts';
import type { DestinationKind } from '../src/facts/index.ts';
import type { Destination, Effect, Sent } from '../src/outbox/index.ts';
import { LIMITS } from './outbox.ts';

const LATE_MS = 2 * LIMITS.sendTimeoutMs;

interface Script {
  readonly happens: boolean | 'late';
  /** `nothing`: the sender waits until it gives up. */
  readonly hears: Sent | 'nothing';
}

/** What a send does: whether it happens there, and what the sender hears. */
export const SEND_SCRIPTS = {
  delivers: { happens: true, hears: { outcome: 'delivered' } },
  'answer lost': { happens: true, hears: { outcome: 'failed', error: 'no answer' } },
  'fails, maybe done': { happens: false, hears: { outcome: 'failed', error: 'server error' } },
  'not reached': {
    happens: false,
    hears: { outcome: 'failed', error: 'connection refused', notDone: true },
  },
  refuses: {
    happens: false,
    hears: { outcome: 'failed', error: 'no such channel', permanent: true },
  },
  'happens after the timeout': { happens: 'late', hears: 'nothing' },
  'cut off, happens later': {
    happens: 'late',
    hears: { outcome: 'failed', error: 'connection reset' },
  },
  'never answers': { happens: false, hears: 'nothing' },
} as const satisfies Record<string, Script>;
export type SendScript = keyof typeof SEND_SCRIPTS;

export class ScriptedDestination {
  readonly name: string;
  readonly kind: DestinationKind;
  /** How often each key took effect there. */
  readonly happened = new Map<string, number>();
  /** Every send that reached it, in order. */
  readonly sends: string[] = [];
  readonly finds: string[] = [];
  /** Needed by scripts in which time passes. */
  readonly #clock: ManualClock | undefined;
  #script: readonly SendScript[] = [];

  constructor(kind: DestinationKind, name: string = kind, clock?: ManualClock) {
    this.kind = kind;
    this.name = name;
    this.#clock = clock;
  }

  /** The next sends, in order; after them everything is delivered. */
  plan(...script: readonly SendScript[]): void {
    this.#script = script;
  }

  get destination(): Destination {
    const { name, kind } = this;
    const send = async (effect: Effect, signal: AbortSignal): Promise<Sent> => {
      const [next = 'delivers', ...rest] = this.#script;
      this.#script = rest;
      this.sends.push(effect.key);
      const { happens, hears } = SEND_SCRIPTS[next];
      if (happens === 'late') void this.#happenLate(effect.key);
      else if (happens) this.#happen(effect.key);
      return hears === 'nothing' ? this.#waitUntilGivenUp(signal) : hears;
    };
    if (kind !== 'findable') return { name, kind, send };
    const find = async (effect: Effect) => {
      this.finds.push(effect.key);
      return this.happened.has(effect.key);
    };
    return { name, kind, send, find };
  }

  async #happenLate(key: string): Promise<void> {
    assert(this.#clock !== undefined, 'what happens late needs a clock');
    await this.#clock.sleep(LATE_MS);
    this.#happen(key);
  }

  #waitUntilGivenUp(signal: AbortSignal): Promise<never> {
    assert(this.#clock !== undefined, 'a timeout needs a clock');
    const { promise, reject } = Promise.withResolvers<never>();
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    this.#clock.advance(LIMITS.sendTimeoutMs);
    return promise;
  }

  #happen(key: string): void {
    const before = this.happened.get(key) ?? 0;
    if (this.kind === 'keyed' && before > 0) return; // it knows the key
    this.happened.set(key, before + 1);
  }
}
