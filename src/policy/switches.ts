/**
 * Modes of Hone's gates. What is configured holds until somebody sets a mode by hand; `off` needs a
 * human, and every change is recorded.
 */
import type { Actor, SwitchMode } from '../facts/index.ts';
import type { Store } from '../store/index.ts';

const TABLE = 'policy_switches';

export interface SwitchState {
  readonly gate: string;
  readonly mode: SwitchMode;
  /** Where the mode comes from. */
  readonly source: 'default' | 'set';
}

export type SwitchSet =
  | { readonly set: true; readonly previous: SwitchMode }
  | { readonly set: false; readonly why: 'unknown_gate' | 'not_human' | 'changed' };

export class Switches {
  readonly #store: Store;
  readonly #defaults: ReadonlyMap<string, SwitchMode>;

  /** `defaults`: every gate there is, with the mode the configuration gives it. */
  constructor(store: Store, defaults: Readonly<Record<string, SwitchMode>>) {
    this.#store = store;
    this.#defaults = new Map(Object.entries(defaults));
  }

  async list(): Promise<SwitchState[]> {
    const rows = await this.#store.all(`SELECT gate, mode FROM ${TABLE}`);
    const set = new Map(rows.map((row) => [row['gate'] as string, row['mode'] as SwitchMode]));
    return [...this.#defaults].map(([gate, mode]) => {
      const chosen = set.get(gate);
      return { gate, mode: chosen ?? mode, source: chosen === undefined ? 'default' : 'set' };
    });
  }

  /** A gate nobody knows is enforced: a misspelt name must not open anything. */
  async mode(gate: string): Promise<SwitchMode> {
    const [row] = await this.#store.all(`SELECT mode FROM ${TABLE} WHERE gate = ?`, [gate]);
    const chosen = row?.['mode'] as SwitchMode | undefined;
    return chosen ?? this.#defaults.get(gate) ?? 'enforce';
  }

  async set(gate: string, mode: SwitchMode, actor: Actor, reason: string): Promise<SwitchSet> {
    if (!this.#defaults.has(gate)) return { set: false, why: 'unknown_gate' };
    // Anything that weakens a gate is a human's decision; an agent may only make it stricter.
    if (mode !== 'enforce' && actor.kind !== 'human') return { set: false, why: 'not_human' };
    const [row] = await this.#store.all(`SELECT mode FROM ${TABLE} WHERE gate = ?`, [gate]);
    const previous = (row?.['mode'] as SwitchMode | undefined) ?? this.#defaults.get(gate)!;
    const atMs = await this.#store.nowMs();
    const text = reason.slice(0, 1000).toWellFormed();
    const set = { mode, reason: text, changed_at_ms: atMs };
    const result = await this.#store.commit({
      // An insert where there was no row: of two on PostgreSQL the second then collides.
      expect: [
        row === undefined
          ? { table: TABLE, where: { gate }, exists: false }
          : { table: TABLE, where: { gate, mode: previous } },
      ],
      writes: [
        row === undefined
          ? { insert: TABLE, row: { gate, ...set } }
          : { update: TABLE, where: { gate }, set },
      ],
      entries: [
        {
          type: 'policy.switch_set',
          actor,
          subject: `switch:${gate}`,
          data: { gate, mode, previous, reason: text },
          atMs,
        },
      ],
    });
    return result.committed ? { set: true, previous } : { set: false, why: 'changed' };
  }
}
