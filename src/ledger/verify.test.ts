import { describe, expect, test } from 'vitest';
import { breakIn, type Intruder, placeAll } from '../../test/ledger.ts';
import { storePerTest } from '../../test/timed-store.ts';
import type { CleanText } from '../base/index.ts';
import { type EntryDraft, SYSTEM } from '../facts/index.ts';
import { verifyLedger } from './index.ts';
import { hashLeaf } from './merkle.ts';

const SIZE = 13;
const entry = (at: number): EntryDraft => ({
  type: 'policy.resumed',
  actor: SYSTEM,
  subject: `hone:${at}`,
  data: { reason: `number ${at}, once said \ufffd` as CleanText },
});

describe.each(['file', 'postgres'] as const)('LEDGER-2 verify on %s', (kind) => {
  const open = storePerTest(kind);
  const verify = () => verifyLedger(open().store, { known: [] });

  /** Does something to a good ledger, past every guard, and verifies it. */
  const foundAfter = async (crime: (intruder: Intruder) => Promise<void>) => {
    const { store, place } = open();
    await store.commit({ entries: Array.from({ length: SIZE }, (_, at) => entry(at)) });
    await placeAll(store);
    expect(await verify()).toMatchObject({ ok: true, size: SIZE, coveredSize: 0 });
    const intruder = await breakIn(store.engine, place);
    await crime(intruder);
    await intruder[Symbol.asyncDispose]();
    const result = await verify();
    return result.ok ? 'nothing' : `${result.problem.kind} ${result.problem.index}`;
  };

  const move = (from: number, to: number) => (intruder: Intruder) =>
    intruder.run('UPDATE ledger_entries SET idx = ? WHERE idx = ?', [to, from]);

  test('an altered entry is named', async () => {
    const sql = `UPDATE ledger_entries SET body = replace(body, 'number', 'lumber') WHERE idx = 7`;
    expect(await foundAfter((intruder) => intruder.run(sql))).toBe('entry 7');
  });

  test('an altered entry whose own hash was made to fit is named', async () => {
    const crime = async (intruder: Intruder) => {
      const [row] = await open().store.all('SELECT body, hashes FROM ledger_entries WHERE idx = 6');
      const body = (row!['body'] as string).replace('number', 'lumber');
      const hashes = Buffer.from(row!['hashes'] as Uint8Array);
      hashes.set(hashLeaf(Buffer.from(body)), 0);
      const sql = 'UPDATE ledger_entries SET body = ?, hashes = ? WHERE idx = 6';
      await intruder.run(sql, [body, hashes]);
    };
    expect(await foundAfter(crime)).toBe('entry 6');
  });

  test.each([0, 5, SIZE - 2])('a removed entry is named (%i)', async (at) => {
    const sql = `DELETE FROM ledger_entries WHERE idx = ${at}`;
    expect(await foundAfter((intruder) => intruder.run(sql))).toBe(`missing ${at}`);
  });

  test('a removed entry is named when those behind it were moved up', async () => {
    const crime = async (intruder: Intruder) => {
      await intruder.run('DELETE FROM ledger_entries WHERE idx = 4');
      for (let at = 5; at < SIZE; at++) await move(at, at - 1)(intruder);
    };
    expect(await foundAfter(crime)).toBe('entry 4');
  });

  test('two entries that changed places are named by the first of them', async () => {
    const crime = async (intruder: Intruder) => {
      for (const [from, to] of [
        [3, 99],
        [8, 3],
        [99, 8],
      ] as const)
        await move(from, to)(intruder);
    };
    expect(await foundAfter(crime)).toBe('entry 3');
  });

  test('an inserted entry is named', async () => {
    const crime = async (intruder: Intruder) => {
      for (let at = SIZE - 1; at >= 5; at--) await move(at, at + 1)(intruder);
      await intruder.run(
        `INSERT INTO ledger_entries (idx, subject, body, hashes)
         SELECT 5, subject, body, hashes FROM ledger_entries WHERE idx = 4`,
      );
    };
    expect(await foundAfter(crime)).toBe('entry 5');
  });

  test('an entry added at the end is named', async () => {
    const sql = `INSERT INTO ledger_entries (idx, subject, body, hashes)
      SELECT ${SIZE}, subject, body, hashes FROM ledger_entries WHERE idx = 4`;
    expect(await foundAfter((intruder) => intruder.run(sql))).toBe(`entry ${SIZE}`);
  });

  test('an entry that is listed under another subject is named', async () => {
    const sql = `UPDATE ledger_entries SET subject = 'hone:9' WHERE idx = 2`;
    expect(await foundAfter((intruder) => intruder.run(sql))).toBe('entry 2');
  });

  test.each([
    ['shortened', 'substr(hashes, 1, 32)'],
    ['emptied', 'substr(hashes, 1, 0)'],
  ])('hashes that were %s are named', async (_, change) => {
    const sql = `UPDATE ledger_entries SET hashes = ${change} WHERE idx = 7`;
    expect(await foundAfter((intruder) => intruder.run(sql))).toBe('entry 7');
  });

  test('hashes that were taken away are named', async () => {
    if (open().store.engine === 'sqlite') return; // NOT NULL there
    const sql = 'UPDATE ledger_entries SET hashes = NULL WHERE idx = 7';
    expect(await foundAfter((intruder) => intruder.run(sql))).toBe('entry 7');
  });

  test('places that no ledger has are found: negative, and beyond what numbers can count', async () => {
    const put = (idx: bigint) => (intruder: Intruder) =>
      intruder.run('UPDATE ledger_entries SET idx = ? WHERE idx = ?', [idx, SIZE - 1]);
    expect(await foundAfter(put(2n ** 60n))).toBe(`missing ${SIZE - 1}`);
  });

  test('an entry hidden before the first is found', async () => {
    const sql = `INSERT INTO ledger_entries (idx, subject, body, hashes)
      SELECT -3, subject, body, hashes FROM ledger_entries WHERE idx = 4`;
    expect(await foundAfter((intruder) => intruder.run(sql))).toBe('entry -3');
  });

  test.each(['body', 'subject'])(
    'bytes that read as the same text are not the same (%s)',
    async (column) => {
      if (open().store.engine === 'postgres') return; // the server takes valid UTF-8 only
      // U+FFFD is EF BF BD; the broken F0 BF BD is read as U+FFFD too.
      const { store } = open();
      const odd: EntryDraft = { ...entry(0), subject: 'hone:\ufffd!' };
      await store.commit({ entries: [odd] });
      const sql = `UPDATE ledger_entries SET ${column} =
      CAST(replace(CAST(${column} AS BLOB), x'efbfbd', x'f0bfbd') AS TEXT) WHERE idx = 0`;
      await using intruder = await breakIn('sqlite', open().place);
      await intruder.run(sql);
      expect(await verify()).toMatchObject({ ok: false, problem: { kind: 'entry', index: 0 } });
    },
  );

  test('reading in pages finds what stands behind the first page, and tells how far it is', async () => {
    const { store, place } = open();
    for (let page = 0; page < 3; page++) {
      await store.commit({ entries: Array.from({ length: 900 }, (_, at) => entry(at)) });
    }
    await placeAll(store);
    const progress: number[] = [];
    const result = await verifyLedger(store, { known: [], onProgress: (at) => progress.push(at) });
    expect(result).toMatchObject({ ok: true, size: 2700 });
    expect(progress).toEqual([2000, 2700]);
    await using intruder = await breakIn(store.engine, place);
    await intruder.run(`UPDATE ledger_entries SET body = replace(body, 'n', 'm') WHERE idx = 2345`);
    expect(await verify()).toMatchObject({ ok: false, problem: { index: 2345 } });
  });

  test('an empty ledger verifies', async () => {
    expect(await verify()).toMatchObject({ ok: true, size: 0 });
  });
});
