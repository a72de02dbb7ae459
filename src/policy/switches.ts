/**
 * Modes of Hone's gates. What is configured holds until somebody sets a mode by hand; `off` needs a
 * human, and every change is recorded.
 *
 *   enforce   refuses
 *   observe   judges, records what it would have refused, lets it pass
 *   off       does not judge; `identity` still records what it would have refused
 */
import { type Actor, SHIPPED_MODES, SWITCH_MODES, type SwitchMode } from '../facts/index.ts';
import type { Expectation, Plan, Store } from '../store/index.ts';

const TABLE = 'policy_switches';

/** What no mode weakens, and why. These cannot be switched, whatever a row or a file says. */
export const FIXED_GATES: ReadonlyMap<string, string> = new Map([
  [
    'deploy',
    'nothing reaches the target without validation, a decision and a backup, whatever is configured',
  ],
  ['constitution', 'its rules hold in every mode'],
  ['kill-switch', 'anybody can stop everything at any time'],
]);

/** Whether a mode holds less than another. */
export function isWeaker(mode: SwitchMode, than: SwitchMode): boolean {
  return SWITCH_MODES.indexOf(mode) < SWITCH_MODES.indexOf(than);
}

/** Weaker than shipped. A gate that only observes as shipped is not worth reporting. */
export function isWeakened(gate: string, mode: SwitchMode): boolean {
  const shipped = (SHIPPED_MODES as Readonly<Record<string, SwitchMode>>)[gate] ?? 'enforce';
  return isWeaker(mode, shipped);
}

/** What is committed with a new mode: the expectations, and the notices. */
export type WithSwitch = Pick<Plan, 'expect' | 'effects'>;

export interface SwitchState {
  readonly gate: string;
  readonly mode: SwitchMode;
  /** Where the mode comes from. */
  readonly source: 'default' | 'set';
}

/** A gate's mode at the moment of a judgement. */
export interface Switched {
  readonly mode: SwitchMode;
  /**
   * Goes into the plan of what a weaker mode let pass: set back to `enforce` before that plan is
   * committed, the gate is closed after all. Empty where it enforces.
   */
  readonly unchanged: readonly Expectation[];
}

export const ENFORCED: Switched = { mode: 'enforce', unchanged: [] };

export type SwitchSet =
  | { readonly set: true; readonly previous: SwitchMode }
  | { readonly set: false; readonly why: 'unknown_gate' | 'fixed' | 'not_human' | 'changed' };

export class Switches {
  readonly #store: Store;
  readonly #defaults: ReadonlyMap<string, SwitchMode>;

  /** `defaults`: every gate there is, with the mode the configuration gives it. */
  constructor(store: Store, defaults: Readonly<Record<string, SwitchMode>>) {
    this.#store = store;
    this.#defaults = new Map(Object.entries(defaults).filter(([gate]) => !FIXED_GATES.has(gate)));
  }

  async list(): Promise<SwitchState[]> {
    const rows = await this.#store.all(`SELECT gate, mode FROM ${TABLE}`);
    const set = new Map(rows.map((row) => [row['gate'] as string, row['mode'] as SwitchMode]));
    return [...this.#defaults].map(([gate, mode]) => {
      const chosen = set.get(gate);
      return { gate, mode: chosen ?? mode, source: chosen === undefined ? 'default' : 'set' };
    });
  }

  async mode(gate: string): Promise<SwitchMode> {
    return (await this.read(gate)).mode;
  }

  /**
   * Read at each judgement, never cached. An unknown gate (a misspelt name must not open anything), an invalid
   * mode and one that cannot be read count as enforced.
   */
  async read(gate: string): Promise<Switched> {
    try {
      return await this.readFrom(this.#store, gate);
    } catch {
      return ENFORCED;
    }
  }

  /** The same for whoever keeps what they read (`KeptReads`): there a fault must not be taken for a mode. */
  async readFrom(store: Pick<Store, 'all'>, gate: string): Promise<Switched> {
    const configured = this.#defaults.get(gate);
    if (configured === undefined) return ENFORCED;
    const [row] = await store.all(`SELECT mode FROM ${TABLE} WHERE gate = ?`, [gate]);
    const mode = SWITCH_MODES.find((one) => one === (row?.['mode'] ?? configured));
    if (mode === undefined || mode === 'enforce') return ENFORCED;
    const known = row !== undefined;
    const where = known ? { gate, mode } : { gate };
    return { mode, unchanged: [{ table: TABLE, where, exists: known, name: 'switch' }] };
  }

  async set(
    gate: string,
    mode: SwitchMode,
    actor: Actor,
    reason: string,
    also: WithSwitch = {},
  ): Promise<SwitchSet> {
    if (FIXED_GATES.has(gate)) return { set: false, why: 'fixed' };
    if (!this.#defaults.has(gate)) return { set: false, why: 'unknown_gate' };
    // Anything that weakens a gate is a human's decision; an agent may only make it stricter.
    if (mode !== 'enforce' && actor.kind !== 'human') return { set: false, why: 'not_human' };
    const [row] = await this.#store.all(`SELECT mode FROM ${TABLE} WHERE gate = ?`, [gate]);
    const previous = (row?.['mode'] as SwitchMode | undefined) ?? this.#defaults.get(gate)!;
    const atMs = await this.#store.nowMs();
    const { recordedText } = await import('../sanitise/index.ts');
    const text = recordedText(reason);
    const set = { mode, reason: text, changed_at_ms: atMs };
    const result = await this.#store.commit({
      // An insert where there was no row: of two on PostgreSQL the second then collides.
      expect: [
        ...(also.expect ?? []),
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
          data: { gate, mode, previousMode: previous, reason: text },
          atMs,
        },
      ],
      effects: also.effects ?? [],
    });
    return result.committed ? { set: true, previous } : { set: false, why: 'changed' };
  }
}
