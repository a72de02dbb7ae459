/**
 * A destination for tests: each send follows a script, and what really happened there is counted by
 * key. It honours keys or can be asked exactly as its kind says; a `once` destination can do neither.
 */
import type { DestinationKind } from '../src/facts/index.ts';
import type { Destination, Effect, Sent } from '../src/outbox/index.ts';

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
} as const satisfies Record<string, { happens: boolean; hears: Sent }>;
export type SendScript = keyof typeof SEND_SCRIPTS;

export class ScriptedDestination {
  readonly name: string;
  readonly kind: DestinationKind;
  /** How often each key took effect there. */
  readonly happened = new Map<string, number>();
  /** Every send that reached it, in order. */
  readonly sends: string[] = [];
  readonly finds: string[] = [];
  #script: readonly SendScript[] = [];

  constructor(kind: DestinationKind, name: string = kind) {
    this.kind = kind;
    this.name = name;
  }

  /** The next sends, in order; after them everything is delivered. */
  plan(...script: readonly SendScript[]): void {
    this.#script = script;
  }

  get destination(): Destination {
    const { name, kind } = this;
    const send = async (effect: Effect): Promise<Sent> => {
      const [next = 'delivers', ...rest] = this.#script;
      this.#script = rest;
      this.sends.push(effect.key);
      const { happens, hears } = SEND_SCRIPTS[next];
      if (happens) this.#happen(effect.key);
      return hears;
    };
    if (kind !== 'findable') return { name, kind, send };
    const find = async (effect: Effect) => {
      this.finds.push(effect.key);
      return this.happened.has(effect.key);
    };
    return { name, kind, send, find };
  }

  #happen(key: string): void {
    const before = this.happened.get(key) ?? 0;
    if (this.kind === 'keyed' && before > 0) return; // it knows the key
    this.happened.set(key, before + 1);
  }
}
