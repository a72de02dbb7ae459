/** What every store promises, on every engine. */

import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestStore, STORE_KINDS, type TestStore } from '../../test/stores.ts';
import type { CleanText } from '../base/index.ts';
import { SYSTEM } from '../facts/index.ts';
import { LedgerView, placeEntries } from '../ledger/index.ts';
import { type Plan, type Store, StoreError } from './index.ts';

const token = (reason: string): NonNullable<Plan['entries']>[number] => ({
  type: 'policy.resumed',
  actor: SYSTEM,
  subject: 'hone:stop',
  data: { reason: reason as CleanText },
});

/** Places what PostgreSQL has not placed yet; SQLite places at once. */
async function settled(store: Store): Promise<number> {
  if (store.engine === 'postgres') {
    const lease = { token: 1, holder: 'test', expires_at_ms: 0, ttl_ms: 0, contended: 0 };
    await store.commit({ writes: [{ upsert: 'lease_leases', key: { name: 'seq' }, row: lease }] });
    await placeEntries(store, { table: 'lease_leases', where: { name: 'seq', token: 1 } });
  }
  return new LedgerView(store).size();
}

const cursor = (consumer: string, position: number) => ({
  insert: 'ledger_cursors',
  row: { consumer, position },
});
const positions = async (store: Store) =>
  (await store.all('SELECT consumer, position FROM ledger_cursors ORDER BY consumer')).map(
    (row) => ({
      ...row,
    }),
  );

describe.each(STORE_KINDS)('STORE-1 STORE-2 %s', (kind) => {
  let opened: TestStore;
  let store: Store;
  beforeAll(async () => {
    opened = await openTestStore(kind);
    store = opened.store;
  });
  afterAll(() => opened[Symbol.asyncDispose]());

  test('a plan of nothing is done at once', async () => {
    for (const plan of [{}, { writes: [], entries: [], effects: [], expect: [] }])
      expect(await store.commit(plan)).toEqual({ committed: true });
  });

  test('a revision names the content: it stays while nothing changes, whoever changes it', async () => {
    const stays = async () => {
      const before = await store.revision!();
      await store.all('SELECT * FROM ledger_cursors');
      return (await store.revision!()) === before;
    };
    // On PostgreSQL other databases of the same server count too, and other tests write there at the same time.
    let isKept = await stays();
    for (let tries = 1; !isKept && kind === 'postgres' && tries < 100; tries++)
      isKept = await stays();
    expect(isKept).toBe(true);
    const before = await store.revision!();
    await store.commit({ writes: [cursor(`revision-${before}`, 1)] });
    const after = await store.revision!();
    expect(after).not.toBe(before);
    if (kind !== 'file') return;
    using other = new DatabaseSync(opened.place, { timeout: 5000 });
    other.exec('UPDATE ledger_cursors SET position = 2');
    expect(await store.revision!()).not.toBe(after);
  });

  test('several reads at once give what each gives by itself, and only read', async () => {
    if (store.allOf === undefined) return expect(kind).not.toBe('postgres');
    await store.commit({ writes: [cursor('at once', 3)] });
    const sql = 'SELECT position FROM ledger_cursors WHERE consumer = ?';
    const given = await store.allOf([
      { sql, parameters: ['at once'] },
      { sql, parameters: ['nobody'] },
    ]);
    expect(given.map((rows) => rows.map((row) => ({ ...row })))).toEqual([[{ position: 3 }], []]);
    const write = { sql: 'DELETE FROM ledger_cursors', parameters: [] };
    await expect(store.allOf([write])).rejects.toThrow('only reads');
    return undefined;
  });

  test('a plan writes its rows, entries and effects together', async () => {
    const before = await settled(store);
    const result = await store.commit({
      writes: [cursor('together', 7)],
      entries: [token('together')],
      effects: [{ key: 'k-together', destination: 'd', payload: { a: 1 }, step: 'notify' }],
    });
    expect(result).toEqual({ committed: true });
    expect(await positions(store)).toContainEqual({ consumer: 'together', position: 7 });
    expect(await settled(store)).toBe(before + 1);
    const [effect] = await store.all('SELECT payload, state FROM outbox_effects WHERE key = ?', [
      'k-together',
    ]);
    expect({ ...effect }).toEqual({ payload: '{"a":1}', state: 'queued' });
  });

  test('a refused expectation leaves nothing of the plan, and is named', async () => {
    const before = await settled(store);
    const missing = { table: 'ledger_cursors', where: { consumer: 'nobody' }, name: 'cursor' };
    const result = await store.commit({
      expect: [{ table: 'ledger_cursors', where: { consumer: 'nobody' }, exists: false }, missing],
      writes: [cursor('refused', 1)],
      entries: [token('refused')],
      effects: [{ key: 'k-refused', destination: 'd', payload: null, step: 'notify' }],
    });
    expect(result).toEqual({ committed: false, refused: missing });
    expect(await positions(store)).not.toContainEqual({ consumer: 'refused', position: 1 });
    expect(await settled(store)).toBe(before);
    expect(await store.all('SELECT 1 FROM outbox_effects WHERE key = ?', ['k-refused'])).toEqual(
      [],
    );
  });

  test('a plan that breaks a constraint fails alone, its neighbours commit', async () => {
    await store.commit({ writes: [cursor('taken', 1)] });
    const before = await settled(store);
    const results = await Promise.allSettled([
      store.commit({ writes: [cursor('left', 1)], entries: [token('left')] }),
      store.commit({ writes: [cursor('taken', 2)], entries: [token('taken')] }),
      store.commit({ writes: [cursor('right', 1)], entries: [token('right')] }),
    ]);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const fault = (results[1] as PromiseRejectedResult).reason;
    expect(fault).toBeInstanceOf(StoreError);
    expect(fault.code).toBe('constraint');
    expect(await settled(store)).toBe(before + 2);
  });

  test('of many that expect the same version exactly one wins', async () => {
    await store.commit({ writes: [cursor('contended', 0)] });
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        store.commit({
          expect: [{ table: 'ledger_cursors', where: { consumer: 'contended', position: 0 } }],
          writes: [
            {
              update: 'ledger_cursors',
              where: { consumer: 'contended' },
              set: { position: index + 1 },
            },
          ],
        }),
      ),
    );
    expect(results.filter((result) => result.committed)).toHaveLength(1);
  });

  test('an update of the very row that is expected proves it: once for many, nothing when it is gone', async () => {
    await store.commit({ writes: [cursor('guarded', 0)] });
    const before = await settled(store);
    const where = { consumer: 'guarded', position: 0 };
    const guard = { table: 'ledger_cursors', where, name: 'guard' };
    const plan = (index: number): Plan => ({
      expect: [guard],
      writes: [{ update: 'ledger_cursors', where, set: { position: index + 1 } }],
      entries: [token(`guarded ${index}`)],
      effects: [{ key: `k-guarded-${index}`, destination: 'd', payload: null, step: 'notify' }],
    });
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) => store.commit(plan(index))),
    );
    const lost = results.filter((result) => !result.committed);
    expect(lost).toEqual(Array.from({ length: 19 }, () => ({ committed: false, refused: guard })));
    expect(await store.commit(plan(99))).toEqual({ committed: false, refused: guard });
    expect(await settled(store)).toBe(before + 1);
    const effects = `SELECT key FROM outbox_effects WHERE key LIKE 'k-guarded-%'`;
    expect(await store.all(effects)).toHaveLength(1);
  });

  test('an update that proves one expectation does not hide its row from another', async () => {
    await store.commit({ writes: [cursor('asked twice', 1)] });
    const table = 'ledger_cursors';
    const exact = { table, where: { consumer: 'asked twice', position: 1 } };
    const any = { table, where: { consumer: 'asked twice' } };
    const set = { position: { add: 0 } };
    for (const expect_ of [
      [exact, any],
      [any, exact],
      [exact, exact],
    ]) {
      const writes = [{ update: table, where: exact.where, set }];
      expect(await store.commit({ expect: expect_, writes })).toEqual({ committed: true });
    }
    const gone = { ...any, where: { consumer: 'nobody' } };
    const writes = [{ update: table, where: exact.where, set: { position: 2 } }];
    expect(await store.commit({ expect: [exact, gone, any], writes })).toEqual({
      committed: false,
      refused: gone,
    });
    expect(await positions(store)).toContainEqual({ consumer: 'asked twice', position: 1 });
  });

  test('an expectation is about what was there before the plan', async () => {
    await store.commit({ writes: [cursor('order', 1)] });
    const where = { consumer: 'order', position: 2 };
    const result = await store.commit({
      expect: [{ table: 'ledger_cursors', where }],
      writes: [
        { update: 'ledger_cursors', where: { consumer: 'order' }, set: { position: 2 } },
        { update: 'ledger_cursors', where, set: { position: 3 } },
      ],
    });
    expect(result.committed).toBe(false);
    expect(await positions(store)).toContainEqual({ consumer: 'order', position: 1 });
  });

  test('a guarded update is undone with the rest of its plan', async () => {
    await store.commit({ writes: [cursor('undone', 1)] });
    const where = { consumer: 'undone', position: 1 };
    const guarded = (more: Plan['writes']): Plan => ({
      expect: [
        { table: 'ledger_cursors', where },
        { table: 'ledger_cursors', where: { consumer: 'nobody' }, exists: false },
      ],
      writes: [{ update: 'ledger_cursors', where, set: { position: 2 } }, ...more!],
    });
    const bad = { insert: 'policy_stops', row: { id: 2, stopped: 0, reason: '', actor: '' } };
    const results = await Promise.allSettled([
      store.commit(guarded([{ ...bad, row: { ...bad.row, changed_at_ms: 0 } }])),
      store.commit({ writes: [cursor('undone neighbour', 1)] }),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(await positions(store)).toContainEqual({ consumer: 'undone', position: 1 });
    const refused = guarded([]).expect![0]!;
    const gone = { ...refused, where: { consumer: 'nobody' } };
    expect(await store.commit({ ...guarded([]), expect: [refused, gone] })).toEqual({
      committed: false,
      refused: gone,
    });
    expect(await positions(store)).toContainEqual({ consumer: 'undone', position: 1 });
    expect(await store.commit(guarded([]))).toEqual({ committed: true });
    expect(await positions(store)).toContainEqual({ consumer: 'undone', position: 2 });
  });

  test('of many that expect a row to be absent exactly one inserts it', async () => {
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        store.commit({
          expect: [{ table: 'ledger_cursors', where: { consumer: 'absent' }, exists: false }],
          writes: [cursor('absent', index)],
        }),
      ),
    );
    expect(results.filter((result) => result.committed)).toHaveLength(1);
  });

  test('add adds, upsert replaces, ignore keeps, delete deletes, null matches null', async () => {
    await store.commit({ writes: [cursor('a', 1), cursor('b', 1)] });
    await store.commit({
      writes: [
        { update: 'ledger_cursors', where: { consumer: 'a' }, set: { position: { add: 41 } } },
        { upsert: 'ledger_cursors', key: { consumer: 'c' }, row: { position: 3 } },
        { upsert: 'ledger_cursors', key: { consumer: 'c' }, row: { position: 4 } },
        { insert: 'ledger_cursors', row: { consumer: 'a', position: 9 }, onConflict: 'ignore' },
        { delete: 'ledger_cursors', where: { consumer: 'b' } },
      ],
    });
    const rows = (await positions(store)).filter((row) =>
      'abc'.includes(row['consumer'] as string),
    );
    expect(rows).toEqual([
      { consumer: 'a', position: 42 },
      { consumer: 'c', position: 4 },
    ]);
    const lease = { name: 'n', token: 1, holder: null, expires_at_ms: 0, ttl_ms: 0, contended: 0 };
    await store.commit({ writes: [{ insert: 'lease_leases', row: lease }] });
    const where = { name: 'n', holder: null };
    const result = await store.commit({ expect: [{ table: 'lease_leases', where }], writes: [] });
    expect(result.committed).toBe(true);
  });

  test('an upsert adds, keeps the least and the most, and inserts them where nothing was', async () => {
    const key = { name: 'counted' };
    const row = { holder: null, contended: 0 };
    for (const n of [5, 2, 9, 2]) {
      const counts = { token: { add: n }, expires_at_ms: { least: n }, ttl_ms: { most: n } };
      await store.commit({ writes: [{ upsert: 'lease_leases', key, row: { ...row, ...counts } }] });
    }
    const sql = "SELECT token, expires_at_ms, ttl_ms FROM lease_leases WHERE name = 'counted'";
    expect(await store.all(sql)).toEqual([{ token: 18, expires_at_ms: 2, ttl_ms: 9 }]);
    const add = {
      upsert: 'lease_leases',
      key,
      row: { ...row, token: { add: 1 }, expires_at_ms: 0, ttl_ms: 0 },
    };
    await Promise.all(Array.from({ length: 20 }, () => store.commit({ writes: [add] })));
    expect(await store.all(sql)).toEqual([{ token: 38, expires_at_ms: 0, ttl_ms: 0 }]);
  });

  test('rows in bulk are all there, whatever their number, and merge with those that stand', async () => {
    for (const length of [0, 1, 5, 32, 37, 101]) {
      const consumers = Array.from({ length }, (_, at) => `bulk-${length}-${at}`);
      const values = consumers.flatMap((consumer, at) => [consumer, at]);
      const columns = ['consumer', 'position'];
      const insertRows = { insertRows: 'ledger_cursors', columns, values };
      await store.commit({ writes: [insertRows] });
      await store.commit({ writes: [{ ...insertRows, onConflict: 'ignore' }] });
      const merge = { position: 'add' } as const;
      const add = { upsertRows: 'ledger_cursors', key: ['consumer'], merge, values };
      await store.commit({ writes: [add] });
      const own = (await positions(store)).filter(({ consumer }) =>
        String(consumer).startsWith(`bulk-${length}-`),
      );
      const expected = consumers.map((consumer, at) => ({ consumer, position: at * 2 }));
      expect(own).toEqual(expected.toSorted((a, b) => (a.consumer < b.consumer ? -1 : 1)));
    }
    const merge = {
      token: 'add',
      expires_at_ms: 'least',
      ttl_ms: 'most',
      contended: 'replace',
    } as const;
    const upsert = (...numbers: number[]) => ({
      upsertRows: 'lease_leases',
      key: ['name'],
      merge,
      values: ['merged', ...numbers],
    });
    await store.commit({ writes: [upsert(5, 7, 7, 1)] });
    await store.commit({ writes: [upsert(2, 3, 9, 0)] });
    await store.commit({ writes: [upsert(1, 8, 1, 2)] });
    const sql = `SELECT token, expires_at_ms, ttl_ms, contended FROM lease_leases WHERE name = 'merged'`;
    expect(await store.all(sql)).toEqual([{ token: 8, expires_at_ms: 3, ttl_ms: 9, contended: 2 }]);
  });

  test('bytes and text come back as they went in', async () => {
    const content = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const text = 'a\u{1F600}\u0001"\\ ü — \u200b';
    await store.commit({
      writes: [
        {
          insert: 'artifact_blobs',
          row: { digest: 'x', media_type: text, size_bytes: 256, content, created_at_ms: 2 ** 52 },
        },
      ],
    });
    const [row] = await store.all('SELECT media_type, content, created_at_ms FROM artifact_blobs');
    expect(row!['media_type']).toBe(text);
    expect(Buffer.compare(row!['content'] as Uint8Array, content)).toBe(0);
    expect(row!['created_at_ms']).toBe(2 ** 52);
  });

  test.each([
    `INSERT INTO ledger_cursors (consumer, position) VALUES ('sneaked', 1)`,
    `INSERT INTO ledger_cursors (consumer, position) VALUES ('sneaked', 1) RETURNING position`,
    `-- SELECT\n/* SELECT */ insert INTO ledger_cursors (consumer, position) VALUES ('sneaked', 1)`,
    `UPDATE ledger_cursors SET position = 99`,
    `DELETE FROM ledger_cursors RETURNING consumer`,
    `WITH one AS (SELECT 1) DELETE FROM ledger_cursors`,
    `WITH gone AS (DELETE FROM ledger_cursors RETURNING consumer) SELECT * FROM gone`,
    `EXPLAIN ANALYZE DELETE FROM ledger_cursors`,
    `SELECT * INTO TEMPORARY copied FROM ledger_cursors`,
    `SELECT consumer FROM ledger_cursors FOR UPDATE`,
    `SELECT 1; DELETE FROM ledger_cursors`,
    `CREATE TABLE sneaked (a INTEGER)`,
    `PRAGMA user_version = 7`,
    `BEGIN`,
    ``,
  ])('all() refuses what does not only read: %s', async (sql) => {
    const before = await positions(store);
    for (let time = 0; time < 2; time++) {
      await expect(store.all(sql)).rejects.toThrow(
        new TypeError('all() only reads: writes go through store.commit'),
      );
    }
    expect(await positions(store)).toEqual(before);
  });

  test('all() refuses the very text that a plan was written with', async () => {
    const sql = 'INSERT INTO ledger_cursors (consumer, position) VALUES (?, ?)';
    await store.commit({ writes: [cursor('text 1', 1), cursor('text 2', 2)] });
    await expect(store.all(sql, ['text 3', 3])).rejects.toThrow(TypeError);
    expect(await positions(store)).not.toContainEqual({ consumer: 'text 3', position: 3 });
  });

  test.each([
    [`SELECT 'INSERT INTO a' AS "delete", 1 AS b -- UPDATE`, { delete: 'INSERT INTO a', b: 1 }],
    [`/* DELETE */ select replace('it''s update', 'update', 'so') as b`, { b: `it's so` }],
    [`WITH updated (b) AS (SELECT 1) SELECT b FROM updated`, { b: 1 }],
    [`(SELECT 1 AS b)`, { b: 1 }],
  ])('all() reads: %s', async (sql, row) => {
    if (sql.startsWith('(') && store.engine === 'sqlite') return; // SQLite knows no such form
    expect((await store.all(sql)).map((one) => ({ ...one }))).toEqual([row]);
  });

  test('two stores on the same data see each other’s commits', async () => {
    if (kind === 'memory') return; // each has a memory of its own
    const other = await opened.open();
    const before = await settled(store);
    for (let round = 0; round < 5; round++) {
      await store.commit({ entries: [token(`one ${round}`)] });
      await other.commit({ entries: [token(`two ${round}`)] });
    }
    expect(await settled(other)).toBe(before + 10);
    await other.close();
  });

  test('the engine refuses to change or remove ledger rows', async () => {
    await store.commit({ entries: [token('kept')] });
    const size = await settled(store);
    const where = { idx: size - 1 };
    const attempts: Plan['writes'] = [
      { update: 'ledger_entries', where, set: { body: 'x' } },
      { update: 'ledger_entries', where, set: { idx: size + 5 } },
      { delete: 'ledger_entries', where },
    ];
    for (const write of attempts ?? []) {
      await expect(store.commit({ writes: [write] })).rejects.toThrow(/append-only/);
    }
    expect(await settled(store)).toBe(size);
  });

  test('all who listen hear a notify, also those who begin at the same moment, until they stop', async () => {
    const heard: string[] = [];
    /** Resolves with the next one that is woken. */
    const hearing = (name: string, channel: string) => {
      let told = Promise.withResolvers<void>();
      const wake = () => {
        heard.push(name);
        told.resolve();
      };
      return {
        begin: () => store.listen(channel, wake),
        woken: async () => {
          await told.promise;
          told = Promise.withResolvers<void>();
        },
      };
    };
    const first = hearing('first', 'news');
    const [second, third] = [hearing('second', 'other news'), hearing('third', 'other news')];
    const stops = [await first.begin()];
    stops.push(...(await Promise.all([second.begin(), third.begin(), third.begin()])));
    await store.notify('other news');
    await Promise.all([second.woken(), third.woken()]);
    await store.notify('news');
    await first.woken();
    expect(heard.toSorted()).toEqual(['first', 'second', 'third', 'third']);
    await stops[1]!();
    await stops[2]!();
    await stops[2]!();
    await store.notify('other news');
    await third.woken();
    await store.notify('news');
    await first.woken();
    expect(heard.toSorted()).toEqual(['first', 'first', 'second', 'third', 'third', 'third']);
    for (const stop of stops) await stop();
  });

  test('a closed store says so', async () => {
    const { store: own, ...rest } = await openTestStore(kind);
    await own.close();
    await expect(own.listen('news', () => {})).rejects.toMatchObject({ code: 'closed' });
    await expect(own.notify('news')).rejects.toMatchObject({ code: 'closed' });
    await expect(own.commit({ writes: [] })).rejects.toMatchObject({ code: 'closed' });
    await expect(own.all('SELECT 1')).rejects.toMatchObject({ code: 'closed' });
    await rest[Symbol.asyncDispose]();
  });
});
