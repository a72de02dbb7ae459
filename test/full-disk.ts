/** A disk that is full for a while, and what a store was told to write meanwhile. */
import type { CleanText } from '../src/base/index.ts';
import type { Plan, Store } from '../src/store/index.ts';
import { recorded } from './ledger.ts';

export interface Disk {
  fill(): void;
  free(): void;
}

export interface Story {
  readonly acknowledged: readonly string[];
  readonly refused: readonly unknown[];
}

const TRIES_MAX = 1000;

/** One row in each of three tables: what is half-written shows as one without the others. */
export function planOf(key: string): Plan {
  return {
    writes: [{ insert: 'ledger_cursors', row: { consumer: key, position: 1 } }],
    entries: [
      {
        type: 'policy.resumed',
        actor: { kind: 'system', id: 'test', verified: 'local' },
        subject: 'hone:stop',
        data: { reason: key as CleanText },
      },
    ],
    effects: [{ key, destination: 'd', payload: { text: 'x'.repeat(2000) }, step: 'notify' }],
  };
}

/** Writes while there is room, one by one until there is none, many at once without, and again with room. */
export async function writeThrough(store: Pick<Store, 'commit'>, disk: Disk): Promise<Story> {
  const acknowledged: string[] = [];
  const refused: unknown[] = [];
  const attempt = async (key: string) => {
    try {
      await store.commit(planOf(key));
      acknowledged.push(key);
    } catch (error) {
      refused.push(error);
    }
  };
  await attempt('before');
  disk.fill();
  for (let at = 0; refused.length === 0 && at < TRIES_MAX; at++) await attempt(`full-${at}`);
  await Promise.all(Array.from({ length: 9 }, (_, at) => attempt(`full-at-once-${at}`)));
  disk.free();
  await attempt('after');
  await Promise.all(Array.from({ length: 9 }, (_, at) => attempt(`after-at-once-${at}`)));
  return { acknowledged, refused };
}

/** The keys that each table and the ledger have. */
export async function written(store: Store) {
  const rows = async (sql: string) =>
    (await store.all(sql)).map(({ key }) => key as string).toSorted();
  return {
    rows: await rows('SELECT consumer AS key FROM ledger_cursors'),
    effects: await rows('SELECT key FROM outbox_effects'),
    entries: (await recorded(store)).map(({ data }) => data['reason'] as string).toSorted(),
  };
}
