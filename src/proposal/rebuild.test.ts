import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { history, play } from '../../test/kernel-histories.ts';
import { asRebuild, recorded } from '../../test/ledger.ts';
import { openTimedStore } from '../../test/timed-store.ts';
import { idMaker, seededRandom } from '../base/index.ts';
import type { Store } from '../store/index.ts';
import { PROJECTED_TABLES, projectEntry, type Versions } from './index.ts';

/** Every byte of the tables, in a fixed order. */
async function dump(store: Store): Promise<string> {
  const tables = await Promise.all(
    PROJECTED_TABLES.map(async (table) => [
      table,
      await store.all(`SELECT * FROM ${table} ORDER BY id`),
    ]),
  );
  return JSON.stringify(tables, null, 1);
}

describe.each([
  ['memory', 60],
  ['postgres', 15],
] as const)('LEDGER-4 on %s', (kind, histories) => {
  test('the kernel’s tables, dropped and folded from the ledger, are byte-equal', async () => {
    const opened = await openTimedStore(kind);
    const { store, clock } = opened;
    const world = {
      store,
      newId: idMaker(clock, seededRandom(5)),
      advanceMs: (ms: number) => clock.advance(ms),
    };
    for (const one of fc.sample(history, histories)) await play(world, one);
    const before = await dump(store);
    expect(before.length).toBeGreaterThan(histories * 1000);

    for (const table of PROJECTED_TABLES) {
      for (const row of await store.all(`SELECT id FROM ${table}`)) {
        const gone = { delete: table, where: { id: row['id']! } };
        await store.commit({ writes: asRebuild(table, [gone]) });
      }
    }
    expect(await dump(store)).not.toContain('"id"');

    const versions: Versions = new Map();
    for (const entry of await recorded(store)) {
      await store.commit({ writes: projectEntry(entry, versions) });
    }
    expect(await dump(store)).toBe(before);
    await opened[Symbol.asyncDispose]();
  });
});
