import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { breakIn, placeAll, recorded } from '../../test/ledger.ts';
import { openTestStore } from '../../test/stores.ts';
import { storePerTest } from '../../test/timed-store.ts';
import { idMaker, seededRandom, systemRandom } from '../base/index.ts';
import { type Actor, mayActAs, ROLES, type Role } from '../facts/index.ts';
import { type Expectation, type Store, withClock } from '../store/index.ts';
import { type Asking, type Denied, type Made, planFirstToken, Tokens } from './index.ts';

const OPERATOR: Actor = { kind: 'human', id: 'operator@example.org', verified: 'local' };
const AGENT: Actor = { kind: 'agent', id: 'coder', verified: 'local' };
const UNKNOWN: Denied = { granted: false, why: 'unknown_token' };
const ALONE: Asking = { local: OPERATOR, secret: undefined };

describe.each(['memory', 'postgres'] as const)('ID-1 tokens on %s', (kind) => {
  const open = storePerTest(kind);
  const random = seededRandom(11);
  const newId = idMaker({ nowMs: () => 1 } as never, random);
  const tokens = () => new Tokens(open().store);
  const ask = (name: string, role: Role, asking: Asking, of = tokens()) =>
    of.add({ name, role, asking, random, newId });
  const made = async (answer: Promise<Made | Denied>): Promise<Made> => {
    const given = await answer;
    if (!given.granted) throw new Error(given.why);
    return given;
  };
  /** The first operator, and what they ask with. */
  const first = async (name = 'boss') => {
    const { secret } = await made(ask(name, 'operator', ALONE));
    return { secret, asking: { local: OPERATOR, secret } };
  };
  const valid = async () =>
    (await tokens().list()).filter((one) => one.revokedAtMs === null).map(({ name }) => name);
  const types = async () => (await recorded(open().store)).map(({ type }) => type);

  test.each(ROLES)('a secret opens as its token, with the role %s', async (role) => {
    const { asking } = await first();
    const { secret, token } = await made(ask('ci', role, asking));
    expect(token).toMatchObject({ name: 'ci', role, revokedAtMs: null });
    expect(secret).toMatch(/^hone_[a-z2-7]{32}$/);
    expect(await tokens().bearer(secret)).toEqual({
      actor: { kind: 'human', id: 'token:ci', verified: 'token' },
      role,
    });
  });

  test('a token that an agent is known by is an agent’s', async () => {
    const { asking } = await first();
    const { secret } = await made(ask('robot', 'approver', asking));
    const knowing = new Tokens(open().store, [{ name: 'robot', matches: ['Token:Robot'] }]);
    expect(await knowing.bearer(secret)).toMatchObject({ actor: { kind: 'agent' } });
  });

  test('who asks is told with the role of the token they show; an agent stays one', async () => {
    expect(await tokens().who(ALONE)).toEqual({ actor: OPERATOR, role: undefined, unchanged: [] });
    const { secret, asking } = await first();
    const { secret: lesser } = await made(ask('ci', 'approver', asking));
    const ci = { kind: 'human', id: 'token:ci', verified: 'token' };
    expect(await tokens().who({ local: OPERATOR, secret: lesser })).toMatchObject({
      actor: ci,
      role: 'approver',
    });
    expect(await tokens().who({ local: OPERATOR, secret: 'x' })).toMatchObject({
      why: 'unknown_token',
    });
    expect(await tokens().who({ local: AGENT, secret })).toMatchObject({
      actor: AGENT,
      role: undefined,
    });
  });

  test('what gives a right no longer holds once there is an operator, or the token is revoked', async () => {
    const before = await tokens().operators();
    expect(before).toMatchObject({ are: 'never' });
    const { asking } = await first();
    expect(await tokens().operators()).toEqual({ are: 'some' });
    const { store } = open();
    const commits = async (expect: readonly Expectation[]) =>
      (await store.commit({ expect })).committed;
    const none = before.are === 'never' ? [before.none] : [];
    const boss = await tokens().who(asking);
    const unchanged = 'why' in boss ? [] : boss.unchanged;
    expect([await commits(none), await commits(unchanged)]).toEqual([false, true]);
    const second = await made(ask('other', 'operator', asking));
    await tokens().revoke('boss', { local: OPERATOR, secret: second.secret });
    expect(await commits(unchanged)).toBe(false);
  });

  test('any other secret is nobody’s', async () => {
    const { secret } = await first();
    const flipped = secret.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
    for (const wrong of ['', 'hone_', flipped, secret.toUpperCase(), `${secret} `, `${secret}a`])
      expect(await tokens().bearer(wrong)).toEqual(UNKNOWN);
  });

  test('a revoked secret is nobody’s, at once and for good; twice is once', async () => {
    const { asking, secret: bosss } = await first();
    const { secret } = await made(ask('ci', 'viewer', asking));
    await tokens().revoke('ci', asking);
    await tokens().revoke('ci', asking);
    expect(await tokens().bearer(secret)).toEqual(UNKNOWN);
    expect(await tokens().bearer(bosss)).toHaveProperty('actor');
    expect((await tokens().list()).map(({ name, revokedAtMs }) => [name, revokedAtMs])).toEqual(
      expect.arrayContaining([
        ['ci', open().clock.nowMs()],
        ['boss', null],
      ]),
    );
    const entries = await recorded(open().store);
    expect(entries.map(({ type, actor, data }) => [type, actor.id, data['how']])).toEqual([
      ['identity.token_added', OPERATOR.id, 'first'],
      ['identity.token_added', 'token:boss', 'granted'],
      ['identity.token_revoked', 'token:boss', undefined],
    ]);
  });

  test('revoked by many at once it is recorded once', async () => {
    const { asking } = await first();
    await made(ask('ci', 'viewer', asking));
    await Promise.all(Array.from({ length: 8 }, () => tokens().revoke('ci', asking)));
    expect(await recorded(open().store)).toHaveLength(3);
  });

  test('a name is used once, also after it was revoked, also by many at once', async () => {
    const { asking } = await first();
    const add = () => ask('ci', 'viewer', asking);
    const results = await Promise.allSettled(Array.from({ length: 8 }, add));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await tokens().revoke('ci', asking);
    await expect(add()).rejects.toMatchObject({ code: 'name_taken' });
  });

  test.each(['', 'A', 'a b', 'a/b', '-a', 'x'.repeat(64), 'ü', 'a\n'])(
    '%j is no name',
    async (name) => {
      await expect(ask(name, 'operator', ALONE)).rejects.toMatchObject({ code: 'bad_name' });
    },
  );

  test('an unknown name cannot be revoked', async () => {
    const { asking } = await first();
    await expect(tokens().revoke('nobody', asking)).rejects.toMatchObject({ code: 'unknown' });
  });

  describe('who makes and revokes them', () => {
    test('the first is an operator’s, and is recorded as the first', async () => {
      for (const role of ['viewer', 'approver'] as const)
        expect(await ask('ci', role, ALONE)).toEqual({ granted: false, why: 'first_is_operator' });
      expect(await ask('boss', 'operator', ALONE)).toMatchObject({ granted: true, how: 'first' });
      const [entry, ...rest] = await recorded(open().store);
      expect(entry).toMatchObject({ data: { how: 'first', role: 'operator' }, actor: OPERATOR });
      expect(rest).toEqual([]);
    });

    test('of many first ones at once, whatever their names, there is one', async () => {
      const names = Array.from({ length: 12 }, (_, at) => `boss-${at}`);
      const answers = await Promise.all(names.map((name) => ask(name, 'operator', ALONE)));
      expect(answers.filter(({ granted }) => granted)).toHaveLength(1);
      for (const answer of answers) if (!answer.granted) expect(answer.why).toBe('needs_operator');
      expect(await recorded(open().store)).toHaveLength(1);
    });

    test('every other takes an operator’s token, of whatever role it is', async () => {
      const { asking } = await first();
      const { secret } = await made(ask('ok', 'approver', asking));
      const { secret: gone } = await made(ask('gone', 'operator', asking));
      await tokens().revoke('gone', asking);
      const before = await types();
      for (const role of ROLES) {
        expect(await ask('x', role, ALONE)).toEqual({ granted: false, why: 'needs_operator' });
        const approver = { local: OPERATOR, secret };
        expect(await ask('x', role, approver)).toEqual({ granted: false, why: 'needs_operator' });
        for (const wrong of [gone, 'hone_x'])
          expect(await ask('x', role, { local: OPERATOR, secret: wrong })).toEqual({
            granted: false,
            why: 'unknown_token',
          });
      }
      expect(await types()).toEqual(before);
      for (const role of ROLES)
        expect(await ask(`by-${role}`, role, asking)).toMatchObject({ how: 'granted' });
    });

    test('an operator’s token that is revoked before it is used makes and revokes nothing', async () => {
      const { asking } = await first();
      const second = await made(ask('second', 'operator', asking));
      const racing = { local: OPERATOR, secret: second.secret };
      // Between what was read and what is committed, somebody revokes it.
      const late: Store = {
        ...withClock(open().store, open().clock),
        commit: async (plan) => {
          await tokens().revoke('second', asking);
          return open().store.commit(plan);
        },
      };
      const answer = await ask('late', 'approver', racing, new Tokens(late));
      expect(answer).toEqual({ granted: false, why: 'unknown_token' });
      const third = await made(ask('third', 'operator', asking));
      const stale: Store = {
        ...late,
        commit: async (plan) => {
          await tokens().revoke('third', asking);
          return open().store.commit(plan);
        },
      };
      const revoking = new Tokens(stale).revoke('boss', { local: OPERATOR, secret: third.secret });
      expect(await revoking).toEqual({ granted: false, why: 'changed' });
      expect(await valid()).toEqual(['boss']);
    });

    test('a token is revoked by an operator or by its holder, by nobody else', async () => {
      const { asking } = await first();
      const own = await made(ask('own', 'viewer', asking));
      const other = await made(ask('other', 'approver', asking));
      for (const secret of [undefined, other.secret])
        expect(await tokens().revoke('own', { local: OPERATOR, secret })).toEqual({
          granted: false,
          why: 'needs_operator',
        });
      const byItself = { local: OPERATOR, secret: own.secret };
      expect(await tokens().revoke('own', byItself)).toEqual({ granted: true });
      expect(await tokens().revoke('other', asking)).toEqual({ granted: true });
      expect(await valid()).toEqual(['boss']);
    });

    test('the last operator’s stays, also when two revoke each other at once', async () => {
      const one = await first();
      expect(await tokens().revoke('boss', one.asking)).toEqual({
        granted: false,
        why: 'last_operator',
      });
      const two = await made(ask('two', 'operator', one.asking));
      await Promise.all([
        tokens().revoke('two', one.asking),
        tokens().revoke('boss', { local: OPERATOR, secret: two.secret }),
      ]);
      expect(await valid()).toHaveLength(1);
    });

    test('the last operator’s stays, also where an agent’s token has the role', async () => {
      const knowing = new Tokens(open().store, [{ name: 'robot', matches: ['token:robot'] }]);
      const { asking } = await first();
      await made(ask('robot', 'operator', asking));
      expect(await knowing.revoke('boss', asking)).toEqual({
        granted: false,
        why: 'last_operator',
      });
    });

    test('an agent does none of it, whatever secret it shows', async () => {
      const agents = [{ name: 'robot', matches: ['token:robot'] }];
      const knowing = new Tokens(open().store, agents);
      const no = { granted: false, why: 'agent' };
      expect(await ask('x', 'operator', { local: AGENT, secret: undefined })).toEqual(no);
      const { asking, secret } = await first();
      const robot = await made(ask('robot', 'operator', asking));
      const before = await types();
      const reset = { name: 'x', reason: 'x', effects: () => [], random, newId };
      for (const shown of [undefined, secret]) {
        const agent = { local: AGENT, secret: shown };
        expect(await ask('x', 'viewer', agent)).toEqual(no);
        expect(await tokens().revoke('boss', agent)).toEqual(no);
      }
      expect(await tokens().reset({ ...reset, local: AGENT })).toEqual(no);
      const known = { local: OPERATOR, secret: robot.secret };
      expect(await ask('x', 'viewer', known, knowing)).toEqual(no);
      expect(await knowing.revoke('boss', known)).toEqual(no);
      expect(await types()).toEqual(before);
    });
  });

  describe('when every operator’s token is lost', () => {
    const reset = (name: string, more: Partial<Parameters<Tokens['reset']>[0]> = {}) =>
      tokens().reset({
        name,
        reason: 'the laptop is gone',
        local: OPERATOR,
        effects: () => [],
        random,
        newId,
        ...more,
      });

    test('the old ones are revoked, a new one is made, and it is recorded as a reset', async () => {
      const { asking, secret } = await first();
      const approver = await made(ask('ok', 'approver', asking));
      const told: (readonly string[])[] = [];
      const answer = await reset('new', {
        effects: (names) => {
          told.push(names);
          const [key, destination] = ['notice/reset', 'terminal'];
          return [{ key, destination, payload: {}, step: 'monitor' }];
        },
      });
      if (!answer.granted) throw new Error(answer.why);
      expect(answer.revoked).toEqual(['boss']);
      expect(told).toEqual([['boss']]);
      expect(await tokens().bearer(secret)).toEqual(UNKNOWN);
      expect(await tokens().bearer(approver.secret)).toHaveProperty('actor');
      expect(await tokens().bearer(answer.secret)).toMatchObject({ role: 'operator' });
      expect((await recorded(open().store)).at(-1)).toMatchObject({
        type: 'identity.tokens_reset',
        actor: OPERATOR,
        subject: 'hone:tokens',
        data: { name: 'new', reason: 'the laptop is gone', revokedNames: ['boss'] },
      });
      const rows = await open().store.all('SELECT key FROM outbox_effects');
      expect(rows).toEqual([{ key: 'notice/reset' }]);
    });

    test('a name that was used is not used again, and nothing is reset', async () => {
      const { secret } = await first();
      await expect(reset('boss')).rejects.toMatchObject({ code: 'name_taken' });
      expect(await tokens().bearer(secret)).toHaveProperty('actor');
    });

    test('of several at once one operator is left, and the others are told', async () => {
      await first();
      const names = ['one', 'two', 'three', 'four'];
      const answers = await Promise.all(names.map((name) => reset(name)));
      expect(answers.some(({ granted }) => granted)).toBe(true);
      for (const answer of answers) if (!answer.granted) expect(answer.why).toBe('changed');
      expect(await valid()).toHaveLength(1);
    });

    test('a first token is no way around it', async () => {
      await first();
      const { id } = (await tokens().list())[0]!;
      const set = { revoked_at_ms: 5 };
      await open().store.commit({ writes: [{ update: 'identity_tokens', where: { id }, set }] });
      expect(await ask('again', 'operator', ALONE)).toEqual({
        granted: false,
        why: 'operators_lost',
      });
      const { plan } = planFirstToken({ name: 'again', actor: OPERATOR, random, nowMs: 1 });
      expect((await open().store.commit(plan)).committed).toBe(false);
    });
  });
});

describe.each(['file', 'postgres'] as const)('the first token on %s', (kind) => {
  test('is one, however many are made at one moment, under whatever names', async () => {
    for (let round = 0; round < 3; round++) {
      await using opened = await openTestStore(kind);
      const stores = await Promise.all(Array.from({ length: 12 }, () => opened.open()));
      const results = await Promise.all(
        stores.map((store, at) => {
          const who = { actor: OPERATOR, random: systemRandom, nowMs: 1 };
          return store.commit(planFirstToken({ name: `boss-${at}`, ...who }).plan);
        }),
      );
      expect(results.filter(({ committed }) => committed)).toHaveLength(1);
      expect(await recorded(opened.store)).toHaveLength(1);
    }
  });
});

describe('ID-1 secrets at rest', () => {
  test('the secret stands nowhere in the database file', async () => {
    await using opened = await openTestStore('file');
    const { plan, secret } = planFirstToken({
      name: 'boss',
      actor: OPERATOR,
      random: systemRandom,
      nowMs: 1,
    });
    await opened.store.commit(plan);
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

describe.each(['file', 'postgres'] as const)('ID-1 whoever asks many times, on %s', (kind) => {
  const open = storePerTest(kind);
  const made = async (of: Tokens, name: string, role: Role, asking: Asking) => {
    const newId = idMaker({ nowMs: () => 1 } as never, systemRandom);
    const given = await of.add({ name, role, asking, random: systemRandom, newId });
    if (!given.granted) throw new Error(given.why);
    return given.secret;
  };

  test('is known without a second look at the ledger where the store can say that nothing changed', async () => {
    const { store } = open();
    let reads = 0;
    const counting: Store = {
      ...withClock(store, open().clock),
      all: (sql, values) => {
        reads += 1;
        return store.all(sql, values);
      },
    };
    const tokens = new Tokens(counting);
    const secret = await made(tokens, 'boss', 'operator', ALONE);
    const first = await tokens.bearer(secret);
    reads = 0;
    expect(await tokens.bearer(secret)).toEqual(first);
    expect(reads).toBe(0);
  });

  test('is shut out the moment their token is revoked or its row altered by another process', async () => {
    const { store, place } = open();
    const tokens = new Tokens(store);
    const boss = await made(tokens, 'boss', 'operator', ALONE);
    const asking = { local: OPERATOR, secret: boss };
    const [viewer, other] = [
      await made(tokens, 'viewer', 'viewer', asking),
      await made(tokens, 'other', 'viewer', asking),
    ];
    for (const secret of [viewer, other])
      expect(await tokens.bearer(secret)).toMatchObject({ role: 'viewer' });
    await tokens.revoke('other', asking);
    expect(await tokens.bearer(other)).toEqual(UNKNOWN);
    expect(await tokens.bearer(viewer)).toMatchObject({ role: 'viewer' });
    await using intruder = await breakIn(store.engine, place);
    await intruder.run("UPDATE identity_tokens SET role = 'operator' WHERE name = 'viewer'");
    expect(await tokens.bearer(viewer)).toEqual({ granted: false, why: 'not_recorded' });
  });
});
