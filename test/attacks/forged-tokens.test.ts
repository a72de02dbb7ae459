/**
 * Somebody who can write the database, and not the ledger's history, makes themselves an operator: by a row of
 * their own, a raised role, a revocation taken back, or by removing every operator. A token's row proves only
 * what the ledger's entries say; what differs is refused, found by doctor and rebuild, and told.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { authorise } from '../../src/app/authorise.ts';
import { withOpened } from '../../src/app/context.ts';
import { idMaker, seededRandom, sha256Hex } from '../../src/base/index.ts';
import { captureIo } from '../../src/cli/captured-io.ts';
import { makeContext } from '../../src/compose/context.ts';
import { processSurroundings } from '../../src/compose/surroundings.ts';
import * as contracts from '../../src/contracts/index.ts';
import type { Actor, Role } from '../../src/facts/index.ts';
import { type Asking, Tokens } from '../../src/identity/index.ts';
import type { Store } from '../../src/store/index.ts';
import { type Installation, makeInstallation } from '../cli.ts';
import { breakIn, placeAll } from '../ledger.ts';
import { openTestStore } from '../stores.ts';

const LOCAL: Actor = { kind: 'human', id: 'mallory@example.org', verified: 'local' };
const OWN_SECRET = `hone_${'a'.repeat(32)}`;
const OWN_ROW = `INSERT INTO identity_tokens (id, name, role, secret_hash, created_at_ms, revoked_at_ms)
  VALUES ('tok_x', 'mallory', 'operator', '${sha256Hex(OWN_SECRET)}', 1, NULL)`;
const REFUSED = { granted: false, why: 'not_recorded' };

describe.each(['file', 'postgres'] as const)('forged tokens on %s', (kind) => {
  /** An operator `boss`, a viewer `guest`, and `gone`, an operator who was revoked. */
  const make = async () => {
    const opened = await openTestStore(kind);
    const { store } = opened;
    const tokens = new Tokens(store);
    const random = seededRandom(7);
    const chance = { random, newId: idMaker({ nowMs: () => 1 } as never, random) };
    const add = async (name: string, role: Role, secret?: string) => {
      const made = await tokens.add({ name, role, asking: { local: LOCAL, secret }, ...chance });
      if (!made.granted) throw new Error(made.why);
      return made.secret;
    };
    const boss = await add('boss', 'operator');
    const guest = await add('guest', 'viewer', boss);
    const gone = await add('gone', 'operator', boss);
    await tokens.revoke('gone', asks(boss));
    const crime = async (...statements: string[]) => {
      await using intruder = await breakIn(store.engine, opened.place);
      for (const sql of statements) await intruder.run(sql);
    };
    const reset = (name: string) =>
      tokens.reset({ name, reason: 'lost', local: LOCAL, effects: () => [], ...chance });
    return {
      ...{ store, tokens, add, boss, guest, gone, crime, reset },
      [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
    };
  };
  const asks = (secret?: string): Asking => ({ local: LOCAL, secret });

  test.each([
    ['a row of one’s own', OWN_ROW, () => OWN_SECRET],
    [
      'a raised role',
      `UPDATE identity_tokens SET role = 'operator' WHERE name = 'guest'`,
      ({ guest }: { guest: string }) => guest,
    ],
    [
      'a revocation taken back',
      `UPDATE identity_tokens SET revoked_at_ms = NULL WHERE name = 'gone'`,
      ({ gone }: { gone: string }) => gone,
    ],
    [
      'the operator’s row with another secret',
      `UPDATE identity_tokens SET secret_hash = '${sha256Hex(OWN_SECRET)}' WHERE name = 'boss'`,
      () => OWN_SECRET,
    ],
    [
      'a viewer’s row with another name and role',
      `UPDATE identity_tokens SET name = 'chief', role = 'operator' WHERE name = 'guest'`,
      ({ guest }: { guest: string }) => guest,
    ],
  ])('%s proves nothing, and is found', async (_, sql, secretOf) => {
    await using here = await make();
    const { tokens, crime } = here;
    expect(await tokens.agree()).toBe(true);
    await crime(sql);
    const secret = secretOf(here);
    expect(await tokens.bearer(secret)).toEqual(REFUSED);
    expect(await tokens.who(asks(secret))).toEqual(REFUSED);
    expect(await tokens.revoke('guest', asks(secret))).toEqual(REFUSED);
    expect(await tokens.agree()).toBe(false);
    // Neither does it once every entry has its place.
    await placeAll(here.store);
    expect(await tokens.bearer(secret)).toEqual(REFUSED);
  });

  test('others’ tokens count all the while, also before their entries have a place', async () => {
    await using here = await make();
    const { tokens, boss, guest, gone, crime } = here;
    await crime(OWN_ROW);
    expect(await tokens.bearer(boss)).toMatchObject({ role: 'operator' });
    expect(await tokens.bearer(guest)).toMatchObject({ role: 'viewer' });
    expect(await tokens.bearer(gone)).toMatchObject({ why: 'unknown_token' });
    expect(await tokens.who(asks(boss))).toMatchObject({ role: 'operator' });
  });

  test('what is changed while it is looked at is no forgery', async () => {
    await using here = await make();
    const { store, tokens, boss, guest } = here;
    let isFirst = true;
    let changed = 'guest';
    const all: Store['all'] = async (sql, values) => {
      const rows = await store.all(sql, values);
      if (isFirst && sql.includes('FROM identity_tokens')) {
        isFirst = false;
        await tokens.revoke(changed, asks(boss));
      }
      return rows;
    };
    const between = () => new Tokens({ engine: store.engine, all } as Store);
    expect(await between().bearer(guest)).toMatchObject({ why: 'unknown_token' });
    await here.add('late', 'viewer', boss);
    [isFirst, changed] = [true, 'late'];
    expect(await between().agree()).toBe(true);
  });

  test('without the operators’ rows nobody becomes the first operator', async () => {
    await using here = await make();
    const { tokens, boss, crime } = here;
    await crime('DELETE FROM identity_tokens');
    expect(await tokens.operators()).toEqual({ are: 'lost' });
    const random = seededRandom(9);
    const newId = idMaker({ nowMs: () => 1 } as never, random);
    const first = { name: 'me', role: 'operator', asking: asks(), random, newId } as const;
    expect(await tokens.add(first)).toMatchObject({ granted: false });
    expect(await tokens.bearer(boss)).toMatchObject({ why: 'unknown_token' });
  });

  test('a forged operator lets nobody revoke the last real one', async () => {
    await using here = await make();
    const { tokens, boss, crime } = here;
    await crime(OWN_ROW, `UPDATE identity_tokens SET role = 'operator' WHERE name = 'guest'`);
    expect(await tokens.revoke('boss', asks(boss))).toMatchObject({ why: 'last_operator' });
  });

  test('a reset leads back in, and forged rows stay worthless', async () => {
    await using here = await make();
    const { tokens, boss, crime, reset } = here;
    await crime(OWN_ROW, `DELETE FROM identity_tokens WHERE name = 'boss'`);
    const answer = await reset('again');
    if (!answer.granted) throw new Error(answer.why);
    expect(answer.revoked).toEqual(['boss']);
    expect(await tokens.bearer(answer.secret)).toMatchObject({ role: 'operator' });
    expect(await tokens.bearer(OWN_SECRET)).toEqual(REFUSED);
    expect(await tokens.bearer(boss)).toMatchObject({ why: 'unknown_token' });
  });
});

describe('at the command line', () => {
  let here: Installation;
  let place: string;
  beforeAll(async () => {
    here = makeInstallation({ inProcess: true });
    place = join(await here.stateDir(), 'control.db');
    await using intruder = await breakIn('sqlite', place);
    await intruder.run(OWN_ROW);
  });
  afterAll(() => here[Symbol.dispose]());

  const forged = async (...args: string[]) => {
    here.environment['HONE_TOKEN'] = OWN_SECRET;
    try {
      return await here.hone(...args);
    } finally {
      delete here.environment['HONE_TOKEN'];
    }
  };

  test('a forged token weakens nothing and decides nothing; the operators are told once', async () => {
    for (const args of [
      ['switch', 'set', 'vetting', 'off', '--reason', 'x'],
      ['token', 'add', 'more', '--role', 'operator'],
      ['ledger', 'rebuild', '--write'],
    ]) {
      const { exit, err } = await forged(...args);
      expect([exit, err.replace(/\s+/g, ' ')]).toEqual([
        1,
        expect.stringContaining('does not match the ledger'),
      ]);
    }
    const context = makeContext(true, 'test', {
      ...processSurroundings(),
      environment: { ...here.environment, HONE_TOKEN: OWN_SECRET },
      cwd: here.repository,
      io: captureIo().io,
    });
    const told = await withOpened(context, async (opened) => {
      expect(await authorise(context, opened, { action: 'answer' })).toEqual({
        kind: 'forbidden',
        refused: expect.stringContaining('does not match the ledger'),
      });
      return opened.store.all('SELECT payload FROM outbox_effects');
    });
    expect(told.map(({ payload }) => JSON.parse(String(payload)))).toMatchObject([
      { severity: 'critical', title: 'A token was used that the ledger does not have' },
    ]);
  });

  test('doctor and rebuild find the row, and an operator has it removed', async () => {
    const doctor = async () => {
      const { findings } = contracts.doctorJson.parse((await here.hone('doctor', '--json')).json());
      return findings.find(({ check }) => check === 'tokens')?.state;
    };
    expect(await doctor()).toBe('error');
    const found = await here.hone('ledger', 'rebuild');
    expect(found.exit).toBe(1);
    expect(found.out).toMatch(/^identity_tokens +1 +0 +0 +1$/m);
    expect((await here.honeAsOperator('ledger', 'rebuild', '--write')).exit).toBe(0);
    expect(await doctor()).toBe('ok');
    expect((await forged('token', 'add', 'more', '--role', 'viewer')).err).toContain('unknown');
  });
});
