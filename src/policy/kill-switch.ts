/**
 * The kill switch: pulled by anybody at the machine, by command or file, and over HTTP by an approver, it
 * halts every automatic step at once, on every machine, over restarts; only a human lifts it, an operator
 * once there is one. Watching and rolling back go on.
 */
import type { CleanText } from '../base/index.ts';
import {
  type Actor,
  STEP_KINDS,
  type StepKind,
  SYSTEM,
  UNSTOPPABLE_STEPS,
} from '../facts/index.ts';
import type { Expectation, Plan, Store } from '../store/index.ts';

const TABLE = 'policy_stops';

export interface StopState {
  readonly stopped: boolean;
  readonly reason: string;
  readonly actor: string;
  readonly changedAtMs: number;
}

/** Whether the stop file exists. It is asked each time: a file must work when all else hangs. */
export type StopFile = () => boolean;

/** `restore`: a restored installation stays stopped until a person has looked. */
type StoppedBy = 'command' | 'http' | 'file' | 'restore';

export type Resumed =
  | { readonly resumed: true }
  | { readonly resumed: false; readonly why: 'not_human' | 'file' | 'held' | 'changed' };

export class KillSwitch {
  readonly #store: Store;
  readonly #stopFile: StopFile;
  /** Why this process may only watch and roll back; undefined where it may do everything. */
  readonly held: string | undefined;

  constructor(store: Store, stopFile: StopFile, held?: string) {
    this.#store = store;
    this.#stopFile = stopFile;
    this.held = held;
  }

  async state(): Promise<StopState> {
    const [row] = await this.#store.all(
      `SELECT stopped, reason, actor, changed_at_ms FROM ${TABLE} WHERE id = 1`,
    );
    const stopped = row !== undefined && row['stopped'] === 1;
    if (!stopped && this.#stopFile()) return this.#noticeFile();
    if (!stopped && this.held !== undefined) {
      return { stopped: true, reason: this.held, actor: SYSTEM.id, changedAtMs: 0 };
    }
    return {
      stopped,
      reason: (row?.['reason'] as string | undefined) ?? '',
      actor: (row?.['actor'] as string | undefined) ?? '',
      changedAtMs: (row?.['changed_at_ms'] as number | undefined) ?? 0,
    };
  }

  /** Goes into a plan that must not happen once somebody stopped everything. */
  notStopped(): Expectation {
    return { table: TABLE, where: { id: 1, stopped: 1 }, exists: false, name: 'stop' };
  }

  /** Steps that may act now. A store that cannot be read stops everything that can be stopped. */
  async allowedSteps(): Promise<readonly StepKind[]> {
    try {
      return (await this.state()).stopped ? UNSTOPPABLE_STEPS : STEP_KINDS;
    } catch {
      return UNSTOPPABLE_STEPS;
    }
  }

  /** Twice is once: who pulled it first stays recorded. */
  async stop(actor: Actor, given: string, by: StoppedBy): Promise<void> {
    const reason = await recorded(given);
    for (;;) {
      const [row] = await this.#store.all(`SELECT stopped FROM ${TABLE} WHERE id = 1`);
      if (row?.['stopped'] === 1) return;
      const plan = stopPlan(row !== undefined, actor, {
        reason,
        by,
        atMs: await this.#store.nowMs(),
      });
      // Refused: somebody pulled or lifted it meanwhile. Whatever it is now, it must end stopped.
      if ((await this.#store.commit(plan)).committed) return;
    }
  }

  /** `expect`: what makes the actor one who may; `changed` when it no longer holds. */
  async resume(
    actor: Actor,
    reason: string,
    expect: readonly Expectation[] = [],
  ): Promise<Resumed> {
    if (actor.kind !== 'human') return { resumed: false, why: 'not_human' };
    if (this.#stopFile()) return { resumed: false, why: 'file' };
    if (this.held !== undefined) return { resumed: false, why: 'held' };
    const changedAtMs = await this.#store.nowMs();
    const text = await recorded(reason);
    const result = await this.#store.commit({
      expect: [{ table: TABLE, where: { id: 1, stopped: 1 }, name: 'stop' }, ...expect],
      writes: [
        {
          update: TABLE,
          where: { id: 1 },
          set: { stopped: 0, reason: text, actor: actor.id, changed_at_ms: changedAtMs },
        },
      ],
      entries: [
        {
          type: 'policy.resumed',
          actor,
          subject: 'hone:stop',
          data: { reason: text },
          atMs: changedAtMs,
        },
      ],
    });
    // Not stopped any more is what was asked for.
    if (result.committed || result.refused.name === 'stop') return { resumed: true };
    return { resumed: false, why: 'changed' };
  }

  /** A file is a pull by somebody who could write it: recorded, and lasting once seen. */
  async #noticeFile(): Promise<StopState> {
    try {
      await this.stop(SYSTEM, 'the stop file exists', 'file');
    } catch {
      // A store that takes nothing does not make it less of a stop; the next look records it.
    }
    return { stopped: true, reason: 'the stop file exists', actor: SYSTEM.id, changedAtMs: 0 };
  }
}

/** Loaded by whoever acts: `hone status` only asks. */
async function recorded(reason: string): Promise<CleanText> {
  const { recordedText } = await import('../sanitise/index.ts');
  return recordedText(reason);
}

/** An insert where there was no row, so that of two on PostgreSQL the second collides. */
function stopPlan(
  known: boolean,
  actor: Actor,
  { reason, by, atMs }: { reason: CleanText; by: StoppedBy; atMs: number },
): Plan {
  const row = { stopped: 1, reason, actor: actor.id, changed_at_ms: atMs };
  return {
    expect: [
      known
        ? { table: TABLE, where: { id: 1, stopped: 0 } }
        : { table: TABLE, where: { id: 1 }, exists: false },
    ],
    writes: [
      known
        ? { update: TABLE, where: { id: 1 }, set: row }
        : { insert: TABLE, row: { id: 1, ...row } },
    ],
    entries: [{ type: 'policy.stopped', actor, subject: 'hone:stop', data: { reason, by }, atMs }],
  };
}
