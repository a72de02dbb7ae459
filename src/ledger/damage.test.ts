/** Reading a ledger that somebody changed past the triggers, where `verify` is not the one who reads. */

import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { breakIn, type Intruder, placeAll } from '../../test/ledger.ts';
import { openTestStore } from '../../test/stores.ts';
import { storePerTest } from '../../test/timed-store.ts';
import type { CleanText } from '../base/index.ts';
import { type EntryDraft, SYSTEM } from '../facts/index.ts';
import type { Store } from '../store/index.ts';
import {
  type ExportPage,
  exportLedger,
  generateKey,
  keysToJoin,
  LedgerView,
  latestCheckpoint,
  makeCheckpoint,
  planKey,
  Replay,
} from './index.ts';

const SIZE = 5;
const KEY = generateKey('example.org/hone');
const entry = (at: number): EntryDraft => ({
  type: 'policy.resumed',
  actor: SYSTEM,
  subject: 'hone:stop',
  data: { reason: `number ${at}` as CleanText },
});

describe.each(['file', 'postgres'] as const)('a damaged ledger on %s', (kind) => {
  const open = storePerTest(kind);
  const commit = (...entries: EntryDraft[]) => open().store.commit({ entries });

  const damagedBy = async (crime: (intruder: Intruder) => Promise<void>) => {
    await commit(...Array.from({ length: SIZE }, (_, at) => entry(at)));
    await placeAll(open().store);
    const { store, place } = open();
    const intruder = await breakIn(store.engine, place);
    await crime(intruder);
    await intruder[Symbol.asyncDispose]();
    return new LedgerView(store);
  };
  const sql = (text: string, parameters?: readonly bigint[]) => (intruder: Intruder) =>
    intruder.run(text, parameters);

  /** As another process does, which has to find the ledger's end first. */
  const append = async () => {
    const other = await open().open();
    await other.commit({ entries: [entry(99)] });
    await placeAll(other);
  };

  // Entry 3 holds the peak over the first four, entry 4 the last one and the chain.
  test.each([
    ['an entry that is gone', 'DELETE FROM ledger_entries WHERE idx = 3', 'Entry 3 is missing.'],
    [
      'hashes cut off',
      `UPDATE ledger_entries SET hashes = substr(hashes, 1, 96) WHERE idx = 3`,
      'The hashes of entry 3 cannot be read.',
    ],
    [
      'no hashes at the end',
      `UPDATE ledger_entries SET hashes = substr(hashes, 1, 0) WHERE idx = 4`,
      'The hashes of entry 4 cannot be read.',
    ],
  ])('%s: nothing is signed, proven or appended', async (_, crime, message) => {
    const view = await damagedBy(sql(crime));
    const refused = { code: 'damaged', message };
    expect(await view.size()).toBe(SIZE);
    await expect(view.head()).rejects.toMatchObject(refused);
    await expect(view.rootAt(SIZE)).rejects.toMatchObject(refused);
    await expect(makeCheckpoint(open().store, KEY, undefined)).rejects.toMatchObject(refused);
    await expect(append()).rejects.toMatchObject(refused);
    expect(await view.size()).toBe(SIZE);
  });

  test.each([2n ** 63n - 1n, BigInt(Number.MAX_SAFE_INTEGER), 2n ** 53n + 1n])(
    'an entry at a place beyond counting (%i) is not counted, and nothing is appended',
    async (place) => {
      const view = await damagedBy(sql('UPDATE ledger_entries SET idx = ? WHERE idx = 4', [place]));
      expect(await view.size()).toBe(4);
      expect(await view.entries({ limit: 9, newestFirst: true })).toHaveLength(4);
      const refused = /There is an entry at an impossible place/;
      await expect(view.head()).rejects.toThrow(refused);
      await expect(append()).rejects.toThrow(refused);
    },
  );

  test('what cannot be read is told apart, and does not hide the others', async () => {
    const view = await damagedBy(async (intruder) => {
      await intruder.run(`UPDATE ledger_entries SET body = 'garbage' WHERE idx = 1`);
      await intruder.run('DELETE FROM ledger_entries WHERE idx = 2');
    });
    const read = await view.read({ limit: 9 });
    expect(read.map(({ index, entry }) => [index, entry?.data['reason']])).toEqual([
      [0, 'number 0'],
      [1, undefined],
      [3, 'number 3'],
      [4, 'number 4'],
    ]);
    await expect(view.entries({ limit: 9 })).rejects.toMatchObject({ code: 'unreadable_entry' });
    await expect(view.entry(1)).rejects.toMatchObject({ code: 'unreadable_entry' });
    await expect(view.entry(2)).rejects.toMatchObject({ code: 'damaged' });
    await expect(view.entry(SIZE)).rejects.toMatchObject({ code: 'out_of_range' });
    await expect(view.leafHash(2)).rejects.toMatchObject({ code: 'damaged' });
  });

  test('the export is the exact bytes, and marks what is no line or is gone', async () => {
    const newer = `replace(body, '"policy.resumed"', '"policy.unheard_of"')`;
    const view = await damagedBy(async (intruder) => {
      await intruder.run(`UPDATE ledger_entries SET body = ${newer} WHERE idx = 0`);
      await intruder.run(`UPDATE ledger_entries SET body = ? WHERE idx = 1`, ['{\n}']);
      await intruder.run('DELETE FROM ledger_entries WHERE idx IN (2, 3)');
    });
    const pages = await exported(open().store);
    const lines = pages.flatMap(({ lines }) => lines.trimEnd().split('\n'));
    expect(JSON.parse(lines[0]!)).toMatchObject({ type: 'policy.unheard_of' });
    expect(lines.slice(1)).toEqual([
      '{"unreadable":{"index":1,"base64":"ewp9"}}',
      '{"missing":{"from":2,"to":3}}',
      (await view.entry(4)).body,
    ]);
    const rest = { done: SIZE, size: SIZE, entries: 3, damaged: [0, 1, 2] };
    expect(pages).toMatchObject([rest]);
  });

  test('an export passes over any number of missing entries, in pages', async () => {
    const far = 1_000_000_000_000_000;
    await damagedBy(sql(`UPDATE ledger_entries SET idx = ${far} WHERE idx = 4`));
    const pages = await exported(open().store);
    expect(pages).toMatchObject([{ entries: SIZE, damaged: [4], done: far + 1, size: far + 1 }]);
  });

  test('tables are not made from a ledger with a gap', async () => {
    await damagedBy(sql('DELETE FROM ledger_entries WHERE idx = 2'));
    await using scratch = await openTestStore('memory');
    const { store } = open();
    const placePending = () => placeAll(store);
    const replay = new Replay({ store, scratch: scratch.store, projections: [], placePending });
    await expect(replay.look()).rejects.toMatchObject({ code: 'damaged' });
  });

  test('a ledger whose beginning was taken out is not begun anew', async () => {
    const { store, place } = open();
    expect(await keysToJoin(store)).toEqual([]);
    await store.commit(planKey(KEY, SYSTEM, false));
    expect(await keysToJoin(store)).toHaveLength(1);
    await using intruder = await breakIn(store.engine, place);
    await intruder.run('DELETE FROM ledger_entries');
    await expect(keysToJoin(store)).rejects.toMatchObject({ code: 'damaged' });
  });
});

test.each(['file', 'postgres'] as const)(
  'a checkpoint of a size beyond counting keeps others from being signed, in words (%s)',
  async (kind) => {
    // One of its own: the triggers have to be in place, and they let this pass.
    await using opened = await openTestStore(kind);
    const { store, place } = opened;
    await store.commit({ entries: [entry(0)] });
    await placeAll(store);
    const { size } = await makeCheckpoint(store, KEY, undefined);
    await insertStray(store.engine, place);
    expect(await latestCheckpoint(store)).toMatchObject({ size });
    await store.commit({ entries: [entry(1)] });
    await placeAll(store);
    await expect(makeCheckpoint(store, KEY, undefined)).rejects.toMatchObject({ code: 'damaged' });
  },
);

async function insertStray(engine: Store['engine'], place: string): Promise<void> {
  const insert = `INSERT INTO ledger_checkpoints VALUES (9223372036854775807, 'x')`;
  if (engine === 'sqlite') {
    const database = new DatabaseSync(place);
    database.exec(insert);
    database.close();
    return;
  }
  const client = new pg.Client({ connectionString: place });
  await client.connect();
  await client.query(insert);
  await client.end();
}

async function exported(store: Store): Promise<ExportPage[]> {
  const pages: ExportPage[] = [];
  for await (const page of exportLedger(store)) pages.push(page);
  return pages;
}
