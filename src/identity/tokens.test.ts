import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { placeAll, recorded } from '../../test/ledger.ts';
import { openTestStore } from '../../test/stores.ts';
import { storePerTest } from '../../test/timed-store.ts';
import { idMaker, seededRandom, systemRandom } from '../base/index.ts';
import { type Actor, mayActAs, ROLES, type Role } from '../facts/index.ts';
import { Tokens } from './index.ts';

const OPERATOR: Actor = { kind: 'human', id: 'operator@example.org', verified: 'local' };

describe.each(['memory', 'postgres'] as const)('ID-1 tokens on %s', (kind) => {
  const open = storePerTest(kind);
  const random = seededRandom(11);
  const tokens = () => new Tokens(open().store);
  const add = (name: string, role: Role = 'viewer') =>
    tokens().add({ name, role, actor: OPERATOR, random, newId: idMaker(open().clock, random) });

  test.each(ROLES)('a secret opens as its token, with the role %s', async (role) => {
    const { secret, token } = await add('ci', role);
    expect(token).toMatchObject({ name: 'ci', role, revokedAtMs: null });
    expect(secret).toMatch(/^hone_[a-z2-7]{32}$/);
    expect(await tokens().bearer(secret)).toEqual({
      actor: { kind: 'human', id: 'token:ci', verified: 'token' },
      role,
    });
  });

  test('a token that an agent is known by is an agent’s', async () => {
    const { secret } = await add('robot', 'approver');
    const knowing = new Tokens(open().store, [{ name: 'robot', matches: ['Token:Robot'] }]);
    expect((await knowing.bearer(secret))?.actor.kind).toBe('agent');
  });

  test('any other secret is nobody’s', async () => {
    const { secret } = await add('ci');
    const flipped = secret.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
    for (const wrong of ['', 'hone_', flipped, secret.toUpperCase(), `${secret} `, `${secret}a`])
      expect(await tokens().bearer(wrong)).toBeUndefined();
  });

  test('a revoked secret is nobody’s, at once and for good; twice is once', async () => {
    const { secret } = await add('ci');
    const other = await add('other');
    await tokens().revoke('ci', OPERATOR);
    await tokens().revoke('ci', OPERATOR);
    expect(await tokens().bearer(secret)).toBeUndefined();
    expect(await tokens().bearer(other.secret)).toBeDefined();
    expect((await tokens().list()).map(({ name, revokedAtMs }) => [name, revokedAtMs])).toEqual(
      expect.arrayContaining([
        ['ci', open().clock.nowMs()],
        ['other', null],
      ]),
    );
    expect((await recorded(open().store)).map(({ type, actor }) => [type, actor.id])).toEqual([
      ['identity.token_added', OPERATOR.id],
      ['identity.token_added', OPERATOR.id],
      ['identity.token_revoked', OPERATOR.id],
    ]);
  });

  test('revoked by many at once it is recorded once', async () => {
    await add('ci');
    await Promise.all(Array.from({ length: 8 }, () => tokens().revoke('ci', OPERATOR)));
    expect(await recorded(open().store)).toHaveLength(2);
  });

  test('a name is used once, also after it was revoked, also by many at once', async () => {
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => add('ci')));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await tokens().revoke('ci', OPERATOR);
    await expect(add('ci')).rejects.toMatchObject({ code: 'name_taken' });
  });

  test.each(['', 'A', 'a b', 'a/b', '-a', 'x'.repeat(64), 'ü', 'a\n'])(
    '%j is no name',
    async (name) => {
      await expect(add(name)).rejects.toMatchObject({ code: 'bad_name' });
    },
  );

  test('an unknown name cannot be revoked', async () => {
    await expect(tokens().revoke('nobody', OPERATOR)).rejects.toMatchObject({ code: 'unknown' });
  });
});

describe('ID-1 secrets at rest', () => {
  test('the secret stands nowhere in the database file', async () => {
    await using opened = await openTestStore('file');
    const newId = idMaker({ nowMs: () => 1 } as never, systemRandom);
    const options = {
      name: 'ci',
      role: 'operator' as const,
      actor: OPERATOR,
      random: systemRandom,
      newId,
    };
    const { secret } = await new Tokens(opened.store).add(options);
    await placeAll(opened.store);
    const files = [opened.place, `${opened.place}-wal`].map((path) => readFileSync(path));
    const bytes = Buffer.concat(files);
    expect(bytes.includes('identity.token_added')).toBe(true);
    for (const form of [
      secret,
      secret.slice('hone_'.length),
      Buffer.from(secret).toString('base64').slice(0, 30),
    ])
      expect(bytes.includes(form)).toBe(false);
  });
});

test('ID-1 a role may do what the roles before it may', () => {
  const table = ROLES.map((held) => ROLES.filter((needed) => mayActAs(held, needed)));
  expect(table).toEqual([['viewer'], ['viewer', 'approver'], ['viewer', 'approver', 'operator']]);
});
