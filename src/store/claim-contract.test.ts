/** What a claim promises, on every engine. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestStore, STORE_KINDS, type TestStore } from '../../test/stores.ts';
import type { Claim, Match, Store } from './types.ts';

const TABLE = 'lease_leases';
/** A row of a table that is there anyway; `holder` stands for what is matched, `expires_at_ms` for when it is ready. */
const row = (name: string, holder: string, readyAt: number) => ({
  insert: TABLE,
  row: { name, token: 1, holder, expires_at_ms: readyAt, ttl_ms: 0, contended: 0 },
});

function claimOf(anyOf: readonly Match[], upTo = 100): Claim {
  const set = { token: { add: 1 }, ttl_ms: 7, expires_at_ms: 1000 };
  return { table: TABLE, key: 'name', anyOf, by: 'expires_at_ms', upTo, set };
}

describe.each(STORE_KINDS)('STORE-1 a claim on %s', (kind) => {
  let opened: TestStore;
  let store: Store;
  beforeAll(async () => {
    opened = await openTestStore(kind);
    store = opened.store;
  });
  afterAll(() => opened[Symbol.asyncDispose]());

  const nameOf = async (claim: Claim) => (await store.claim(claim))?.['name'];

  test('takes the first match that has a ready row, of its rows the longest ready, of equals the first', async () => {
    await store.commit({
      writes: [
        row('order/late', 'first', 101),
        row('order/d', 'second', 90),
        row('order/c', 'second', 80),
        row('order/b', 'second', 80),
        row('order/a', 'third', 1),
      ],
    });
    const claim = claimOf([{ holder: 'first' }, { holder: 'second' }, { holder: 'third' }]);
    const names = [];
    for (let at = 0; at < 5; at++) names.push(await nameOf(claim));
    expect(names).toEqual(['order/b', 'order/c', 'order/d', 'order/a', undefined]);
    expect(await nameOf({ ...claim, upTo: 101 })).toBe('order/late');
  });

  test('gives the row as it is after the change, and leaves the others', async () => {
    await store.commit({ writes: [row('whole/a', 'whole', 1), row('whole/b', 'whole', 2)] });
    const taken = await store.claim(claimOf([{ holder: 'whole' }]));
    const after = { name: 'whole/a', token: 2, holder: 'whole', expires_at_ms: 1000, ttl_ms: 7 };
    expect({ ...taken }).toEqual({ ...after, contended: 0 });
    const kept = await store.all(`SELECT * FROM ${TABLE} WHERE name = ?`, ['whole/a']);
    expect({ ...kept[0] }).toEqual({ ...taken });
    expect(await store.all(`SELECT token FROM ${TABLE} WHERE name = 'whole/b'`)).toMatchObject([
      { token: 1 },
    ]);
  });

  test('by its key, only if it is ready', async () => {
    await store.commit({ writes: [row('one', 'key', 50)] });
    expect(await nameOf(claimOf([{ name: 'one' }], 49))).toBeUndefined();
    expect(await nameOf(claimOf([{ name: 'one' }], 50))).toBe('one');
    expect(await nameOf(claimOf([{ name: 'one' }], 50))).toBeUndefined();
  });

  test('gives each row to one of many that claim at once, from two connections', async () => {
    const rows = Array.from({ length: 30 }, (_, at) => row(`many/${at}`, 'many', at));
    await store.commit({ writes: rows });
    const other = kind === 'memory' ? store : await opened.open();
    const claims = Array.from({ length: 40 }, (_, at) =>
      (at % 2 === 0 ? store : other).claim(claimOf([{ holder: 'many' }])),
    );
    let taken = (await Promise.all(claims)).flatMap((one) => (one ? [one['name']] : []));
    // One that passed over a locked row may have found no other; the row is still there to be taken.
    for (;;) {
      const left = await nameOf(claimOf([{ holder: 'many' }]));
      if (left === undefined) break;
      taken = [...taken, left];
    }
    expect(taken.sort()).toEqual(rows.map(({ row: { name } }) => name).sort());
    if (other !== store) await other.close();
  });

  test('is not undone by a faulty plan of the same moment', async () => {
    await store.commit({ writes: [row('beside', 'beside', 1)] });
    const [faulty, claimed] = await Promise.allSettled([
      store.commit({ writes: [row('beside', 'x', 1)] }),
      store.claim(claimOf([{ holder: 'beside' }])),
    ]);
    expect(faulty.status).toBe('rejected');
    expect(claimed).toMatchObject({ status: 'fulfilled', value: { token: 2 } });
    const [kept] = await store.all(`SELECT token FROM ${TABLE} WHERE name = 'beside'`);
    expect(kept).toMatchObject({ token: 2 });
  });

  test('passes over a row that somebody is changing, without waiting', async () => {
    if (store.engine !== 'postgres') return; // SQLite has one writer at a time
    await store.commit({ writes: [row('locked/a', 'locked', 1), row('locked/b', 'locked', 2)] });
    const client = new pg.Client({ connectionString: opened.place });
    await client.connect();
    try {
      await client.query('BEGIN');
      await client.query(`UPDATE ${TABLE} SET contended = 1 WHERE name = 'locked/a'`);
      expect(await nameOf(claimOf([{ holder: 'locked' }]))).toBe('locked/b');
      expect(await nameOf(claimOf([{ holder: 'locked' }]))).toBeUndefined();
    } finally {
      await client.query('ROLLBACK');
      await client.end();
    }
    expect(await nameOf(claimOf([{ holder: 'locked' }]))).toBe('locked/a');
  });
});
