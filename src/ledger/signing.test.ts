import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { recompute } from '../../test/intruder-rewrite.ts';
import { breakIn, placeAll, withCommit } from '../../test/ledger.ts';
import { storePerTest } from '../../test/timed-store.ts';
import type { CleanText } from '../base/index.ts';
import { type EntryDraft, SYSTEM } from '../facts/index.ts';
import type { Store } from '../store/index.ts';
import {
  generateKey,
  knownRoot,
  knownRoots,
  latestCheckpoint,
  makeCheckpoint,
  type SignedCheckpoint,
  verifyLedger,
  type Witness,
} from './index.ts';

const KEY = generateKey('example.org/hone');
const entry = (reason: string): EntryDraft => ({
  type: 'policy.resumed',
  actor: SYSTEM,
  subject: 'hone:stop',
  data: { reason: reason as CleanText },
});

/** What would put another row in the place of one that is there. */
const REPLACING = {
  sqlite: [
    `INSERT OR REPLACE INTO ledger_checkpoints VALUES (5, 'forged')`,
    `REPLACE INTO ledger_checkpoints VALUES (5, 'forged')`,
    `UPDATE OR REPLACE ledger_checkpoints SET note = 'forged'`,
    `INSERT INTO ledger_checkpoints VALUES (5, 'forged') ON CONFLICT DO UPDATE SET note = 'forged'`,
    `INSERT OR REPLACE INTO ledger_entries SELECT 4, subject, body, hashes FROM ledger_entries WHERE idx = 2`,
    `INSERT OR REPLACE INTO ledger_entries (rowid, subject, body, hashes) SELECT 0, subject, body, hashes FROM ledger_entries WHERE idx = 2`,
    `UPDATE OR REPLACE ledger_entries SET idx = 3 WHERE idx = 4`,
    `INSERT INTO ledger_entries SELECT * FROM ledger_entries WHERE idx = 4 ON CONFLICT DO UPDATE SET body = 'x'`,
  ],
  postgres: [
    `INSERT INTO ledger_checkpoints VALUES (5, 'forged') ON CONFLICT (size) DO UPDATE SET note = 'forged'`,
    `MERGE INTO ledger_checkpoints c USING (SELECT 5 AS size) n ON c.size = n.size
     WHEN MATCHED THEN UPDATE SET note = 'forged'`,
    `MERGE INTO ledger_checkpoints c USING (SELECT 5 AS size) n ON c.size = n.size WHEN MATCHED THEN DELETE`,
    `INSERT INTO ledger_entries (idx, subject, body, hashes) SELECT idx, subject, body, hashes FROM ledger_entries
     WHERE idx = 4 ON CONFLICT (idx) WHERE idx IS NOT NULL DO UPDATE SET body = 'x'`,
    'TRUNCATE ledger_checkpoints',
    'TRUNCATE ledger_entries',
  ],
};

/** As somebody with the file or the password has it, every trigger in place. */
async function connect(engine: Store['engine'], place: string) {
  if (engine === 'sqlite') {
    const database = new DatabaseSync(place, { timeout: 5000 });
    const rows = async (sql: string) => database.prepare(sql).all();
    return { rows, close: async () => database.close() };
  }
  const client = new pg.Client({ connectionString: place });
  await client.connect();
  return { rows: async (sql: string) => (await client.query(sql)).rows, close: () => client.end() };
}

function memoryWitness(): Witness & { readonly notes: string[] } {
  const notes: string[] = [];
  return {
    name: 'the witness',
    notes,
    append: async (note) => {
      notes.push(note);
    },
    read: async () => notes,
  };
}

describe.each(['file', 'postgres'] as const)('LEDGER-3 checkpoints on %s', (kind) => {
  const open = storePerTest(kind);
  const grow = async (count: number, word = 'honest', store = open().store) => {
    const entries = Array.from({ length: count }, (_, at) => entry(`${word} ${at}`));
    await store.commit({ entries });
    await placeAll(store);
  };
  const checkpoint = (witness?: Witness) => makeCheckpoint(open().store, KEY, witness);
  const intrude = async (sql: readonly string[], refit = true) => {
    await using intruder = await breakIn(open().store.engine, open().place);
    for (const statement of sql) await intruder.run(statement);
    if (refit) await recompute(open().store, intruder);
  };
  const verify = async (witness?: Witness) => {
    const known = await knownRoots(open().store, [KEY], witness);
    if (!known.ok) return `${known.source}: ${known.reason}`;
    const result = await verifyLedger(open().store, { known: known.roots });
    return result.ok
      ? `covered ${result.coveredSize}`
      : `${result.problem.kind} ${result.problem.index}`;
  };
  const FORGET = 'DELETE FROM ledger_checkpoints';
  const ALTER = `UPDATE ledger_entries SET body = replace(body, 'honest', 'forged') WHERE idx = 7`;

  test('one per size, kept in the database and at the witness', async () => {
    const witness = memoryWitness();
    await grow(5);
    const first = await checkpoint(witness);
    expect(first).toMatchObject({ size: 5, isNew: true });
    expect(await checkpoint(witness)).toEqual({ ...first, isNew: false });
    await grow(3);
    const second = await checkpoint(witness);
    expect(witness.notes).toEqual([first.note, second.note]);
    expect(await latestCheckpoint(open().store)).toEqual({ size: 8, note: second.note });
    await grow(1);
    expect(await verify(witness)).toBe('covered 8');
  });

  test('a witness that was not reached hears of it the next time', async () => {
    const witness = memoryWitness();
    await grow(5);
    const { note } = await checkpoint();
    await checkpoint(witness);
    await checkpoint(witness);
    expect(witness.notes).toEqual([note]);
  });

  /** Lets somebody else do something right before our next commits. */
  const overtaken = (times: number, meanwhile: () => Promise<unknown>): Store => {
    const { store } = open();
    let left = times;
    return withCommit(store, async (plan) => {
      if (left-- > 0) await meanwhile();
      return store.commit(plan);
    });
  };

  test('of two that sign at once, the one that comes late takes what the other signed', async () => {
    const witness = memoryWitness();
    await grow(5);
    let theirs: SignedCheckpoint | undefined;
    const longer = overtaken(1, async () => {
      await grow(3);
      theirs = await checkpoint(witness);
    });
    expect(await makeCheckpoint(longer, KEY, witness)).toEqual({ ...theirs, isNew: false });
    expect(theirs).toMatchObject({ size: 8, isNew: true });
    await grow(1);
    const same = overtaken(1, async () => {
      theirs = await checkpoint(witness);
    });
    expect(await makeCheckpoint(same, KEY, witness)).toEqual({ ...theirs, isNew: false });
    expect(theirs).toMatchObject({ size: 9, isNew: true });
    expect(witness.notes).toHaveLength(2);
    expect(await verify(witness)).toBe('covered 9');
  });

  test('one that always comes late gives up after some times, with the newest', async () => {
    await grow(1);
    let times = 0;
    const always = overtaken(100, async () => {
      times += 1;
      await grow(1);
      await checkpoint();
    });
    expect(await makeCheckpoint(always, KEY, undefined)).toMatchObject({ isNew: false });
    expect(times).toBeLessThan(10);
  });

  test('what cannot be written for another reason is thrown', async () => {
    await grow(1);
    const broken = withCommit(open().store, () => Promise.reject(new Error('the disk is gone')));
    await expect(makeCheckpoint(broken, KEY, undefined)).rejects.toThrow('the disk is gone');
  });

  test('nobody replaces a checkpoint or an entry, by whatever statement', async () => {
    const { store, place } = open();
    await grow(5);
    const { note } = await checkpoint();
    const { rows, close } = await connect(store.engine, place);
    for (const statement of REPLACING[store.engine]) {
      await expect(rows(statement), statement).rejects.toThrow(/append-only|only grow/);
    }
    // The same once more is no change.
    if (store.engine === 'sqlite') {
      await rows(`INSERT OR REPLACE INTO ledger_checkpoints VALUES (5, '${note}')`);
    }
    await close();
    expect(await store.all('SELECT size, note FROM ledger_checkpoints')).toEqual([
      { size: 5, note },
    ]);
    expect(await verify()).toBe('covered 5');
  });

  test('an entry altered and everything recomputed is consistent, and found by a checkpoint', async () => {
    await grow(6);
    await checkpoint();
    await grow(6);
    await checkpoint();
    await grow(2);
    await intrude([ALTER]);
    expect((await verifyLedger(open().store, { known: [] })).ok).toBe(true); // nobody knows
    expect(await verify()).toBe('rewritten 6'); // between the checkpoints of 6 and of 12
  });

  test('a cut end is found by a checkpoint', async () => {
    await grow(12);
    await checkpoint();
    await intrude(['DELETE FROM ledger_entries WHERE idx >= 9'], false);
    expect(await verify()).toBe('truncated 9');
  });

  test.each([
    ['truncation', 'DELETE FROM ledger_entries WHERE idx >= 9', 'truncated 9'],
    ['rewriting', ALTER, 'rewritten 0'],
  ])(
    '%s is found by the witness when the stored checkpoints are gone too',
    async (_, sql, found) => {
      const witness = memoryWitness();
      await grow(12);
      await checkpoint(witness);
      await intrude([sql, FORGET]);
      expect(await verify()).toBe('covered 0');
      expect(await verify(witness)).toBe(found);
    },
  );

  test('a fork, grown longer than what was witnessed, is found by the witness', async () => {
    const witness = memoryWitness();
    await grow(8);
    await checkpoint(witness);
    await grow(4, 'real');
    await checkpoint(witness);
    await intrude(['DELETE FROM ledger_entries WHERE idx >= 8', FORGET]);
    // The intruder's guard-less table is grown by a process that did not see the real one.
    await grow(20, 'forked', await open().open());
    await checkpoint();
    expect(await verify()).toBe('covered 28');
    expect(await verify(witness)).toBe('rewritten 8');
  });

  test('a checkpoint of another key, another ledger, or altered, is a finding', async () => {
    await grow(4);
    const { note } = await checkpoint();
    const other = generateKey('example.org/other');
    const namesake = generateKey(KEY.name);
    const reason = (key: typeof KEY, text = note) => {
      const known = knownRoot(text, 'a file', [key]);
      return known.ok ? 'fine' : known.reason;
    };
    expect(reason(KEY)).toBe('fine');
    expect(reason(other)).toBe('note_not_signed_by_key');
    expect(reason(namesake)).toBe('note_not_signed_by_key');
    expect(reason(KEY, note.replace('\n4\n', '\n5\n'))).toBe('note_signature_wrong');
    await intrude(
      [`UPDATE ledger_checkpoints SET note = replace(note, 'example', 'exbmple')`],
      false,
    );
    expect(await verify()).toContain('the stored checkpoint of 4 entries');
  });

  test('a checkpoint kept under another size is a finding, however large', async () => {
    await grow(4);
    await checkpoint();
    await intrude(['UPDATE ledger_checkpoints SET size = 3'], false);
    expect(await verify()).toBe('the stored checkpoint of 3 entries: wrong_size');
    await intrude([`UPDATE ledger_checkpoints SET size = ${2n ** 60n}`], false);
    expect(await verify()).toBe(`the stored checkpoint of ${2n ** 60n} entries: wrong_size`);
  });

  test('an empty ledger has a checkpoint too, and everything follows from it', async () => {
    expect(await checkpoint()).toMatchObject({ size: 0, isNew: true });
    await grow(3);
    expect(await verify()).toBe('covered 0');
  });
});
