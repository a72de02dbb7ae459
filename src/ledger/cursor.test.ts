import { describe, expect, test } from 'vitest';
import { placeAll } from '../../test/ledger.ts';
import { storePerTest } from '../../test/timed-store.ts';
import type { CleanText } from '../base/index.ts';
import { type EntryDraft, SYSTEM } from '../facts/index.ts';
import type { Store } from '../store/index.ts';
import { advanceCursor, readCursor, readNext } from './index.ts';

const entry = (reason: string): EntryDraft => ({
  type: 'policy.resumed',
  actor: SYSTEM,
  subject: 'hone:stop',
  data: { reason: reason as CleanText },
});

/** Counts what it reads in rows of its own, in the commit that moves its cursor. */
async function consume(store: Store, consumer: string, limit: number): Promise<boolean> {
  const cursor = await readCursor(store, consumer);
  const entries = await readNext(store, cursor, limit);
  if (entries.length === 0) return false;
  const { expect, write } = advanceCursor(cursor, entries.at(-1)!.index + 1);
  const count = (index: number) => ({
    insert: 'lease_leases',
    row: {
      name: `${consumer}/${index}`,
      token: index,
      holder: null,
      expires_at_ms: 0,
      ttl_ms: 0,
      contended: 0,
    },
  });
  await store.commit({
    expect: [expect],
    writes: [write, ...entries.map(({ index }) => count(index))],
  });
  return true;
}

describe.each(['memory', 'postgres'] as const)('LEDGER-1 cursors on %s', (kind) => {
  const open = storePerTest(kind);
  const consumed = async (consumer: string) => {
    const rows = await open().store.all(
      'SELECT token FROM lease_leases WHERE name LIKE ? ORDER BY token',
      [`${consumer}/%`],
    );
    return rows.map((row) => row['token']);
  };

  test('each consumer reads every entry once, in order, however many work for it at once', async () => {
    const { store } = open();
    await store.commit({ entries: Array.from({ length: 20 }, (_, at) => entry(`${at}`)) });
    await placeAll(store);
    const workers = ['slow', 'slow', 'fast', 'fast', 'fast'] as const;
    // A lost race is refused, never a fault: two that consumed the same row would collide.
    for (let busy = true; busy; )
      busy = (await Promise.all(workers.map((who, at) => consume(store, who, at + 1)))).some(
        Boolean,
      );
    const all = Array.from({ length: 20 }, (_, at) => at);
    expect(await consumed('slow')).toEqual(all);
    expect(await consumed('fast')).toEqual(all);
  });

  test('of many who read first exactly one moves the cursor', async () => {
    const { store } = open();
    await store.commit({ entries: [entry('first')] });
    await placeAll(store);
    // Many rounds: the race is between two statements of one short transaction.
    for (let round = 0; round < 40; round++) {
      const cursor = await readCursor(store, `new ${round}`);
      const { expect: unmoved, write } = advanceCursor(cursor, 1);
      const results = await Promise.all(
        Array.from({ length: 10 }, () => store.commit({ expect: [unmoved], writes: [write] })),
      );
      expect(results.filter(({ committed }) => committed)).toHaveLength(1);
    }
    expect(await readCursor(store, 'new 0')).toEqual({ consumer: 'new 0', position: 1 });
  });
});
