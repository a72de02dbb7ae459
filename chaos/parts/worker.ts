/**
 * The process that is killed, cut off and failed: makes changes and says on standard output what it
 * was promised, one line each, written when `commit` has resolved and not before:
 *
 *   started <pid> · open · ack <id> · refused <id> <code> · closed · failed <code> <message>
 *
 * A store's fault is said and ends in exit 1; anything else is a crash, with its stack. For the
 * negative controls one protection can be taken out.
 */
import { writeSync } from 'node:fs';
import { type SqliteStoreOptions, type Store, StoreError } from '../../src/store/index.ts';
import { changeId, changePlan, openChanges } from './changes.ts';

/** What the process does without: one plan for everything; waiting for `commit`; believing its no. */
export type Removed = 'atomicity' | 'waiting' | 'refusals';

export interface WorkerOptions {
  readonly path: string;
  readonly writer: string;
  readonly synchronous?: SqliteStoreOptions['synchronous'];
  /** How often the store is opened, written and closed. */
  readonly lives?: number;
  /** How many changes are handed in together, one number after the other, per life. */
  readonly bursts: readonly number[];
  /** Goes through the bursts until somebody ends the process. */
  readonly forever?: boolean;
  readonly paddingBytes?: number;
  readonly removed?: Removed;
}

const say = (line: string) => writeSync(1, `${line}\n`);

async function work(options: WorkerOptions): Promise<void> {
  let made = 0;
  for (let life = 0; life < (options.lives ?? 1); life++) {
    const store = await openChanges(options.path, options.synchronous);
    say('open');
    do {
      for (const burst of options.bursts) {
        const numbers = Array.from({ length: burst }, () => ++made);
        await Promise.all(numbers.map((number) => change(store, options, number)));
      }
    } while (options.forever === true);
    await store.close();
    say('closed');
  }
}

async function change(store: Store, options: WorkerOptions, number: number): Promise<void> {
  const id = changeId(options.writer, number);
  const plan = changePlan(options.writer, number, '.'.repeat(options.paddingBytes ?? 0));
  if (options.removed === 'waiting') say(`ack ${id}`);
  try {
    if (options.removed === 'atomicity') {
      await store.commit({ writes: plan.writes });
      await store.commit({ entries: plan.entries, effects: plan.effects });
    } else {
      await store.commit(plan);
    }
    if (options.removed !== 'waiting') say(`ack ${id}`);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    say(options.removed === 'refusals' ? `ack ${id}` : `refused ${id} ${error.code}`);
  }
}

say(`started ${process.pid}`);
try {
  await work(JSON.parse(process.argv[2]!) as WorkerOptions);
} catch (error) {
  if (!(error instanceof StoreError)) throw error;
  say(`failed ${error.code} ${error.message}`);
  process.exitCode = 1;
}
