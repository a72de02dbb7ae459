import { describe, expect, test } from 'vitest';
import { placeAll, recorded } from '../../test/ledger.ts';
import { runStoreWorkers } from '../../test/processes.ts';
import { openTestStore } from '../../test/stores.ts';
import { verifyLedger } from '../ledger/index.ts';

const PLANS = 60;

describe.each(['file', 'postgres'] as const)('STORE-1 STORE-2 four processes on one %s', (kind) => {
  test('everything that was acknowledged is there, once, and the ledger verifies', async () => {
    await using opened = await openTestStore(kind);
    const { store } = opened;
    await store.commit({
      writes: [{ insert: 'ledger_cursors', row: { consumer: 'all', position: 0 } }],
    });
    const names = ['a', 'b', 'c', 'd'];
    const heard = await runStoreWorkers(opened.place, names, PLANS);
    expect(heard.map(({ code, errors }) => ({ code, errors }))).toEqual(
      names.map(() => ({ code: 0, errors: '' })),
    );
    const keys = names.flatMap((name) => Array.from({ length: PLANS }, (_, at) => `${name}/${at}`));
    const acknowledged = heard.flatMap(({ lines }) => lines.slice(1));
    expect(acknowledged.toSorted()).toEqual(keys.toSorted());
    const entries = (await recorded(store)).map(({ data }) => data['reason'] as string);
    expect(entries.toSorted()).toEqual(keys.toSorted());
    const effects = await store.all('SELECT key FROM outbox_effects');
    expect(effects.map((row) => row['key'] as string).toSorted()).toEqual(keys.toSorted());
    const [all] = await store.all(`SELECT position FROM ledger_cursors WHERE consumer = 'all'`);
    expect(all!['position']).toBe(keys.length);
    await placeAll(store);
    expect(await verifyLedger(store, { known: [] })).toMatchObject({ ok: true, size: keys.length });
  });
});
