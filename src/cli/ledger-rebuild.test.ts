/** `hone ledger rebuild` as a process. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Installation, makeInstallation } from '../../test/cli.ts';
import { freshDatabase } from '../../test/stores.ts';
import * as contracts from '../contracts/index.ts';

describe('hone ledger rebuild', () => {
  let here: Installation;
  let stateDir: string;
  beforeAll(async () => {
    here = makeInstallation({ inProcess: true });
    stateDir = await here.stateDir();
    await here.honeAsOperator('switch', 'set', 'vetting', 'observe', '--reason', 'a trial');
  });
  afterAll(() => here[Symbol.dispose]());

  const damage = (sql: string) => {
    const database = new DatabaseSync(join(stateDir, 'control.db'));
    database.exec(sql);
    database.close();
  };
  const rows = (sql: string) => {
    const database = new DatabaseSync(join(stateDir, 'control.db'));
    const found = database.prepare(sql).all();
    database.close();
    return found;
  };
  const counts = (found: { json(): unknown }) => {
    const shown = contracts.ledgerRebuildJson.parse(found.json());
    const tables = shown.tables
      .filter(({ missing, altered, extra }) => missing + altered + extra > 0)
      .map(({ table, missing, altered, extra }) => [table, missing, altered, extra]);
    return { ...shown, tables };
  };

  test('says that everything is as it should be', async () => {
    const text = await here.hone('ledger', 'rebuild');
    expect(text).toMatchObject({ exit: 0, err: '' });
    expect(text.out).toMatch(/^Every table matches the ledger: \d+ tables from \d+ entries\.\n$/);
    const json = await here.hone('ledger', 'rebuild', '--dry-run', '--json');
    expect(counts(json)).toMatchObject({ written: false, equal: true, tables: [] });
    expect((await here.honeAsOperator('ledger', 'rebuild', '--write')).exit).toBe(0);
  });

  test('says which tables differ, and changes nothing by itself', async () => {
    damage(`UPDATE policy_switches SET mode = 'off'`);
    const text = await here.hone('ledger', 'rebuild');
    expect(text.exit).toBe(1);
    expect(text.out).toMatch(/^policy_switches +1 +0 +1 +0$/m);
    expect(text.out).toContain('Nothing was changed.');
    expect(counts(await here.hone('ledger', 'rebuild', '--json'))).toMatchObject({
      written: false,
      equal: false,
      tables: [['policy_switches', 0, 1, 0]],
    });
    expect(rows('SELECT mode FROM policy_switches')).toMatchObject([{ mode: 'off' }]);
  });

  test('writes for an operator, never for an agent, and records it', async () => {
    const stranger = await here.hone('ledger', 'rebuild', '--write');
    expect(stranger).toMatchObject({ exit: 1 });
    expect(stranger.err).toContain('Only an operator may do this');
    here.environment['CLAUDECODE'] = '1';
    const agent = await here.honeAsOperator('ledger', 'rebuild', '--write', '--json');
    delete here.environment['CLAUDECODE'];
    expect(agent.exit).toBe(1);
    expect(contracts.errorJson.parse(agent.json()).error.code).toBe('refused');
    expect((await here.hone('ledger', 'rebuild', '--write', '--dry-run')).exit).toBe(2);
    expect(rows('SELECT mode FROM policy_switches')).toMatchObject([{ mode: 'off' }]);

    const write = ['ledger', 'rebuild', '--write', '--reason', 'a bad disk', '--json'];
    const written = await here.honeAsOperator(...write);
    expect(written.exit).toBe(0);
    expect(counts(written)).toMatchObject({
      written: true,
      equal: true,
      tables: [['policy_switches', 0, 1, 0]],
    });
    expect(rows('SELECT mode FROM policy_switches')).toMatchObject([{ mode: 'observe' }]);
    const shown = contracts.ledgerShowJson.parse(
      (await here.hone('ledger', 'show', '--limit', '1', '--json')).json(),
    );
    expect(shown.entries[0]).toMatchObject({
      type: 'ledger.rebuilt',
      actor: { kind: 'human', verified: 'token' },
      data: { tables: ['policy_switches'], alteredRows: 1, reason: 'a bad disk' },
    });
    expect((await here.hone('ledger', 'verify')).exit).toBe(0);
  });

  test('brings back what was accepted, without which nothing else opens', async () => {
    const before = rows('SELECT * FROM config_pins');
    damage('DELETE FROM config_pins');
    expect((await here.hone('status')).exit).not.toBe(0);
    expect((await here.hone('ledger', 'rebuild')).out).toMatch(/^config_pins +1 +1 +0 +0$/m);
    const text = await here.honeAsOperator('ledger', 'rebuild', '--write');
    expect(text.exit).toBe(0);
    expect(text.out).toContain('Replaced. Every table matches the ledger now.');
    expect(rows('SELECT * FROM config_pins')).toEqual(before);
    expect((await here.hone('status')).exit).toBe(0);
  });

  test('makes nothing from a ledger that does not verify', async () => {
    damage(`DROP TRIGGER ledger_entries_no_update;
      UPDATE ledger_entries SET body = replace(body, 'a trial', 'a trick');
      UPDATE policy_switches SET mode = 'off'`);
    const refused = await here.honeAsOperator('ledger', 'rebuild', '--write');
    expect(refused.exit).toBe(1);
    expect(refused.err).toMatch(
      /The ledger does not verify, so the tables cannot be rebuilt from\s+it/,
    );
    expect(rows('SELECT mode FROM policy_switches')).toMatchObject([{ mode: 'off' }]);
  });
});

test('hone ledger rebuild on PostgreSQL, where entries still wait for their place', async () => {
  using here = makeInstallation({ inProcess: true });
  const database = await freshDatabase({ empty: true });
  here.environment['HONE_DATABASE_URL'] = database.url;
  writeFileSync(join(here.repository, 'hone.yaml'), 'store:\n  url: env:HONE_DATABASE_URL\n');
  await here.stateDir();
  await here.honeAsOperator('switch', 'set', 'vetting', 'observe', '--reason', 'a trial');
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const before = (await client.query('SELECT * FROM policy_switches')).rows;
  await client.query(`UPDATE policy_switches SET mode = 'off'`);
  await client.query(
    `INSERT INTO policy_switches SELECT 'limits', mode, reason, 5 FROM policy_switches`,
  );
  const written = await here.honeAsOperator('ledger', 'rebuild', '--write', '--json');
  expect(written.exit).toBe(0);
  const { tables } = contracts.ledgerRebuildJson.parse(written.json());
  expect(tables.find(({ table }) => table === 'policy_switches')).toEqual({
    table: 'policy_switches',
    rows: 1,
    missing: 0,
    altered: 1,
    extra: 1,
  });
  expect((await client.query('SELECT * FROM policy_switches')).rows).toEqual(before);
  expect((await here.hone('ledger', 'rebuild')).exit).toBe(0);
  await client.end();
  await database.drop();
});
