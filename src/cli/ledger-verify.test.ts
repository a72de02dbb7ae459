/** What `hone ledger verify` says of a ledger that is not the one `hone init` made, and of honest ones. */

import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Installation, makeInstallation } from '../../test/cli.ts';
import { recompute } from '../../test/intruder-rewrite.ts';
import { breakIn } from '../../test/ledger.ts';
import { freshDatabase, parts } from '../../test/stores.ts';
import { ownWords } from '../base/index.ts';
import * as contracts from '../contracts/index.ts';
import { SYSTEM } from '../facts/index.ts';
import { formatVerifier, generateKey } from '../ledger/index.ts';
import { controlMigrations, openSqlite } from '../store/index.ts';

const verify = async (here: Installation, ...more: string[]) => {
  const run = await here.hone('ledger', 'verify', '--json', ...more);
  return { exit: run.exit, ...contracts.ledgerVerifyJson.parse(run.json()) };
};

const openControl = (path: string) =>
  openSqlite({ path, synchronous: 'off', migrations: controlMigrations, parts });

const wipe = (stateDir: string) => {
  for (const name of readdirSync(stateDir)) {
    if (name.startsWith('control.db')) rmSync(join(stateDir, name));
  }
};

describe('a ledger that is not the one that was made here', () => {
  test('one that was wiped is a finding, with what it means and what to do', async () => {
    using here = makeInstallation({ inProcess: true });
    const stateDir = await here.stateDir();
    wipe(stateDir);
    const text = await here.hone('ledger', 'verify');
    expect(text.exit).toBe(1);
    expect(text.out).toMatch(/^NOT VERIFIED\nThe ledger is empty, although Hone is set up here/);
    expect(text.out).toMatch(/Restore a backup of the database/);
    expect(text.out).not.toContain('covered');
    expect(await verify(here)).toMatchObject({
      exit: 1,
      ok: false,
      problem: { kind: 'beginning', index: 0 },
    });
    // Whatever is recorded next does not make it the ledger again.
    const store = await openControl(join(stateDir, 'control.db'));
    const data = { reason: ownWords('x'), by: 'command' } as const;
    await store.commit({
      entries: [{ type: 'policy.stopped', actor: SYSTEM, subject: 'hone:stop', data }],
    });
    await store.close();
    const later = await verify(here);
    expect(later).toMatchObject({ exit: 1, problem: { kind: 'beginning' } });
    expect(later.problem!.message).toContain('does not begin with the record of its own making');
  });

  test('one whose entries alone were taken out is a finding, and is not signed', async () => {
    using here = makeInstallation({ inProcess: true });
    const path = join(await here.stateDir(), 'control.db');
    {
      await using intruder = await breakIn('sqlite', path);
      await intruder.run('DELETE FROM ledger_entries');
    }
    expect(await verify(here)).toMatchObject({ exit: 1, problem: { kind: 'beginning', index: 0 } });
    const signed = await here.hone('ledger', 'checkpoint');
    expect(signed).toMatchObject({ exit: 2, out: '' });
    expect(signed.err).toContain('This ledger names no key');
  });

  test('a checkpoint that was kept says how much of a wiped one is gone', async () => {
    using here = makeInstallation({ inProcess: true });
    const stateDir = await here.stateDir();
    const kept = join(here.repository, 'kept.txt');
    writeFileSync(kept, (await here.hone('ledger', 'checkpoint')).out);
    wipe(stateDir);
    const { exit, problem } = await verify(here, '--against', kept);
    expect({ exit, kind: problem!.kind }).toEqual({ exit: 1, kind: 'truncated' });
    expect(problem!.message).toContain('ends after 0 entries, but');
  });

  test('the database of another installation is a finding', async () => {
    using here = makeInstallation({ inProcess: true });
    using other = makeInstallation({ inProcess: true });
    const [mine, theirs] = [await here.stateDir(), await other.stateDir()];
    await other.hone('ledger', 'checkpoint');
    wipe(mine);
    copyFileSync(join(theirs, 'control.db'), join(mine, 'control.db'));
    const { exit, problem } = await verify(here);
    expect({ exit, kind: problem!.kind }).toEqual({ exit: 1, kind: 'key' });
    expect(problem!.message).toContain('ledger.key');
  });

  test('a record of its making that cannot be read, in a ledger that fits, is a finding', async () => {
    using here = makeInstallation({ inProcess: true });
    const path = join(await here.stateDir(), 'control.db');
    const alter = `UPDATE ledger_entries SET body = replace(body, '"v":1}', '"v":2}') WHERE idx = 0`;
    const database = new DatabaseSync(path);
    database.exec(`DROP TRIGGER ledger_entries_no_update; ${alter}`);
    database.close();
    expect(await verify(here)).toMatchObject({ exit: 1, problem: { kind: 'entry', index: 0 } });
    expect((await here.hone('ledger', 'checkpoint')).exit).toBe(1);
    const store = await openControl(path);
    {
      await using intruder = await breakIn('sqlite', path);
      // Listed under its subject as `verify` asks, and no entry all the same.
      const hide = `UPDATE ledger_entries SET body = replace(replace(body, '"v":2}', '"v":1}'), '"at":', '"et":') WHERE idx = 0`;
      await intruder.run(hide);
      await recompute(store, intruder);
    }
    await store.close();
    expect(await verify(here)).toMatchObject({ exit: 1, problem: { kind: 'key', index: 0 } });
  });
});

describe('honest ledgers', () => {
  let here: Installation;
  let stateDir: string;
  let verifierKey: string;
  beforeAll(async () => {
    here = makeInstallation({ inProcess: true });
    const made = contracts.initJson.parse((await here.hone('init', '--json')).json());
    stateDir = made.stateDir;
    verifierKey = made.verifierKey;
    return () => here[Symbol.dispose]();
  });

  test('just after init nothing is covered, and it says so', async () => {
    const shown = await verify(here);
    expect(shown).toMatchObject({ exit: 0, ok: true, coveredSize: 0, checkpoints: 0, unplaced: 0 });
    const text = (await here.hone('ledger', 'verify')).out;
    expect(text).toContain('None of them is covered by a checkpoint;');
  });

  test('the key that init printed is the one; another is not', async () => {
    await here.hone('ledger', 'checkpoint');
    const own = await verify(here, '--key', verifierKey);
    expect(own).toMatchObject({ exit: 0, checkpoints: 1, coveredSize: own.size });
    const stranger = formatVerifier(generateKey('example.org/hone'));
    const other = await verify(here, '--key', stranger);
    expect(other).toMatchObject({ exit: 1, problem: { kind: 'key' } });
    expect(other.problem!.message).toContain('the one that you gave');
  });

  test('a key that was lost and replaced; its old checkpoints still count', async () => {
    const old = readFileSync(join(stateDir, 'ledger.key'));
    rmSync(join(stateDir, 'ledger.key'));
    expect((await here.hone('init')).exit).toBe(0);
    await here.hone('ledger', 'checkpoint');
    const shown = await verify(here);
    expect(shown).toMatchObject({ exit: 0, checkpoints: 2, coveredSize: shown.size });
    writeFileSync(join(stateDir, 'ledger.key'), old);
    expect(await verify(here)).toMatchObject({ exit: 1, problem: { kind: 'key' } });
  });

  test('on PostgreSQL, while another process is about to place the first entries', async () => {
    using machine = makeInstallation({ inProcess: true });
    const database = await freshDatabase({ empty: true });
    machine.environment['HONE_DATABASE_URL'] = database.url;
    const file = join(machine.repository, 'hone.yaml');
    writeFileSync(file, 'store:\n  url: env:HONE_DATABASE_URL\n');
    await machine.stateDir();
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    // For an hour of the server's time, as long as it says that it is.
    const untilMs = 'extract(epoch FROM now()) * 1000 + 3600000';
    const hold = `INSERT INTO lease_leases VALUES ('ledger/sequencer', 1, 'another', ${untilMs}, 3600000, 0)`;
    await client.query(hold);
    const waiting = await verify(machine);
    expect(waiting).toMatchObject({ exit: 0, ok: true, size: 0, checkpoints: 0 });
    expect(waiting.unplaced).toBeGreaterThan(0);
    const text = (await machine.hone('ledger', 'verify')).out;
    expect(text).toContain('have no place in the ledger yet');
    expect(text).toContain('None of them is covered');
    await client.query(`DELETE FROM lease_leases`);
    expect(await verify(machine)).toMatchObject({ exit: 0, size: waiting.unplaced, unplaced: 0 });
    await client.end();
    await database.drop();
  });
});
