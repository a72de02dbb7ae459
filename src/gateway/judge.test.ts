import { describe, expect, test } from 'vitest';
import { recorded } from '../../test/ledger.ts';
import { storePerTest } from '../../test/timed-store.ts';
import { ownWords } from '../base/index.ts';
import type { Actor, TaskContext } from '../facts/index.ts';
import type { Store } from '../store/index.ts';
import { answerPlan } from './ask-store.ts';
import { answerTimes, findAsks } from './asks-view.ts';
import { CALLER, CONTEXT, call, contract, judgeOn, SETTINGS } from './gateway.test-support.ts';
import type { Call } from './types.ts';

const PERSON: Actor = { kind: 'human', id: 'token:ann', verified: 'token' };

describe.each(['memory', 'postgres'] as const)('the gateway on %s', (kind) => {
  const open = storePerTest(kind);
  const answer = async (id: string, verdict: 'approved' | 'rejected') => {
    const { store, clock } = open();
    const [ask] = await findAsks(store, id, clock.nowMs());
    const said = { actor: PERSON, reason: ownWords('seen'), nowMs: clock.nowMs() };
    return store.commit(answerPlan(ask!, verdict, said));
  };

  test('GATE-2 the ladder: a read passes, a write is recorded, a risky call waits, a blocked one never passes', async () => {
    const judge = judgeOn(open());
    const levels = [];
    for (const name of ['files/read', 'shop/cart', 'shop/refund', 'shop/drop_all']) {
      const { passes, level } = await judge.judge(call(name), CALLER);
      levels.push([name, level, passes]);
    }
    expect(levels).toEqual([
      ['files/read', 0, true],
      ['shop/cart', 1, true],
      ['shop/refund', 2, false],
      ['shop/drop_all', 3, false],
    ]);
    expect((await recorded(open().store)).map(({ type, subject }) => [type, subject])).toEqual([
      ['gateway.passed', 'task:task_1'],
      ['gateway.asked', 'task:task_1'],
      ['gateway.refused', 'task:task_1'],
    ]);
  });

  test('GATE-2 a decision is recorded with its reasons, and one that is not recorded does not pass', async () => {
    await judgeOn(open()).judge(call('shop/cart'), CALLER);
    await judgeOn(open()).judge(call('shop/drop_all'), CALLER);
    expect((await recorded(open().store)).map(({ data }) => data)).toMatchObject([
      { level: 1, codes: ['logged'], why: 'Its contract says that shop/cart is low.' },
      {
        level: 3,
        codes: expect.arrayContaining(['blocked']),
        why: expect.stringContaining('blocked'),
      },
    ]);
    const store = {
      ...open().store,
      nowMs: () => open().store.nowMs(),
      all: (...asked: Parameters<Store['all']>) => open().store.all(...asked),
      commit: async () => ({ committed: false, refused: 'switch' }) as never,
    };
    const judge = judgeOn({ ...open(), store });
    expect((await judge.judge(call('shop/cart'), CALLER)).passes).toBe(false);
    expect((await judge.judge(call('files/read'), CALLER)).passes).toBe(true);
  });

  test('an approval is for these arguments, for this task, once, and expires', async () => {
    const { clock } = open();
    const judge = judgeOn(open());
    const refund = (eur: number, caller = CALLER) =>
      judge.judge(call('shop/refund', { eur }), caller);
    const { ask } = await refund(5);
    expect((await refund(5)).ask!.id).toBe(ask!.id);
    await answer(ask!.id, 'approved');
    expect((await refund(6)).passes).toBe(false);
    const other = { ...CALLER, task: 'task_2' };
    const elsewhere = judgeOn(open(), { context: { ...CONTEXT, taskId: 'task_2' } });
    expect((await elsewhere.judge(call('shop/refund', { eur: 5 }), other)).passes).toBe(false);
    expect((await refund(5)).passes).toBe(true);
    const again = await refund(5);
    expect([again.passes, again.ask!.id === ask!.id]).toEqual([false, false]);
    await answer(again.ask!.id, 'approved');
    clock.advance(SETTINGS.askExpires);
    expect((await refund(5)).passes).toBe(false);
  });

  test('GATE-2 how long answers take is measured, with those that never came', async () => {
    const { store, clock } = open();
    const judge = judgeOn(open());
    const startMs = clock.nowMs();
    const times = () => answerTimes(store, { sinceMs: startMs, nowMs: clock.nowMs() });
    const ask = async (eur: number) =>
      (await judge.judge(call('shop/refund', { eur }), CALLER)).ask!;
    expect(await times()).toEqual({ answered: 0, unanswered: 0, medianMs: null });
    for (const waitMs of [60_000, 120_000, 600_000]) {
      const { id } = await ask(waitMs);
      clock.advance(waitMs);
      await answer(id, waitMs === 120_000 ? 'rejected' : 'approved');
    }
    await ask(1);
    expect(await times()).toEqual({ answered: 3, unanswered: 0, medianMs: 120_000 });
    for (let eur = 2; eur < 5; eur++) await ask(eur);
    clock.advance(SETTINGS.askExpires);
    expect(await times()).toEqual({ answered: 3, unanswered: 4, medianMs: null });
    const since = { sinceMs: clock.nowMs(), nowMs: clock.nowMs() };
    expect((await answerTimes(store, since)).unanswered).toBe(0);
  });

  test('GATE-3 an approval is for what goes beside the arguments too', async () => {
    const judge = judgeOn(open());
    const refund = (beside?: Call['beside']) =>
      judge.judge(call('shop/refund', { eur: 5 }, { beside }), CALLER);
    await answer((await refund({ note: 'a' })).ask!.id, 'approved');
    expect([(await refund({ note: 'b' })).passes, (await refund()).passes]).toEqual([false, false]);
    expect((await refund({ note: 'a' })).passes).toBe(true);
  });

  test('two calls at once use one approval once', async () => {
    const judge = judgeOn(open());
    const { ask } = await judge.judge(call('shop/refund'), CALLER);
    await answer(ask!.id, 'approved');
    const both = await Promise.all([0, 1].map(() => judge.judge(call('shop/refund'), CALLER)));
    expect(both.filter(({ passes }) => passes)).toHaveLength(1);
  });

  test('a row that says approved opens nothing without its entry; a no holds', async () => {
    const judge = judgeOn(open(), { ports: { isAnswered: async () => false } });
    const { ask } = await judge.judge(call('shop/refund'), CALLER);
    await answer(ask!.id, 'approved');
    expect((await judge.judge(call('shop/refund'), CALLER)).passes).toBe(false);
    const cart = judgeOn(open());
    const asked = await cart.judge(call('shop/refund', { eur: 1 }), CALLER);
    await answer(asked.ask!.id, 'rejected');
    const refused = await cart.judge(call('shop/refund', { eur: 1 }), CALLER);
    expect([refused.passes, refused.reasons[0]!.code]).toEqual([false, 'rejected']);
  });

  test('GATE-1 a secret that was read, then a tool that sends: refused in that session, and where none is known', async () => {
    const judge = judgeOn(open());
    const send = (session: string | undefined) =>
      judge.judge(call('mail/send', { to: 'a@example.org' }), { ...CALLER, session });
    expect((await send('s1')).passes).toBe(true);
    await judge.judge(call('files/read', { path: 'app/.env' }), CALLER);
    const refused = await send('s1');
    expect([refused.level, refused.reasons[0]!.code]).toEqual([3, 'combination']);
    expect((await send(undefined)).level).toBe(3);
    expect((await send('s2')).passes).toBe(true);
    open().clock.advance(SETTINGS.remember + 1);
    expect((await send('s1')).passes).toBe(true);
  });

  test('what was read counts, not its path: a secret in an output marks the session', async () => {
    const judge = judgeOn(open());
    await judge.noteOutput(CALLER, 'nothing to see here');
    expect((await judge.judge(call('mail/send'), CALLER)).passes).toBe(true);
    await judge.noteOutput(
      CALLER,
      `AWS_SECRET_ACCESS_KEY=${'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'}`,
    );
    expect((await judge.judge(call('mail/send'), CALLER)).level).toBe(3);
  });

  test('what observes lets pass and says what it would have done; a contract may enforce by itself', async () => {
    const judge = judgeOn(open(), {
      mode: 'observe',
      settings: {
        contracts: [
          contract('a/x', { risk: 'blocked' }),
          contract('a/y', { risk: 'blocked', mode: 'enforce' }),
        ],
      },
    });
    expect(await judge.judge(call('a/x'), CALLER)).toMatchObject({
      passes: true,
      level: 3,
      observed: true,
    });
    expect((await judge.judge(call('a/y'), CALLER)).passes).toBe(false);
    expect((await recorded(open().store)).map(({ type }) => type)).toEqual([
      'gateway.let_pass',
      'gateway.refused',
    ]);
  });

  test('GATE-2 closed on failure: no context, no store and no record mean no', async () => {
    const down = () => Promise.reject(new Error('gone'));
    const noTasks = judgeOn(open(), { ports: { contexts: { ofTask: down, ofSession: down } } });
    expect((await noTasks.judge(call('files/read'), CALLER)).reasons[0]!.code).toBe('undecided');
    const noStore = judgeOn({ ...open(), store: { ...open().store, commit: down } });
    expect((await noStore.judge(call('shop/cart'), CALLER)).passes).toBe(false);
  });

  test('GATE-1 a question shows neither a secret nor what the contract redacts', async () => {
    const { store, clock } = open();
    const given = {
      card: '4111 1111 1111 1111',
      note: 'token ghp_0123456789abcdefghijABCDEFGHIJ456789',
    };
    const { ask } = await judgeOn(open()).judge(call('shop/refund', given), CALLER);
    const [row] = await findAsks(store, ask!.id, clock.nowMs());
    expect(row!.shown).toContain('(redacted)');
    expect(JSON.stringify([row, await recorded(store)])).not.toMatch(/4111|ghp_0123/);
  });
});

describe('without a store', () => {
  const open = storePerTest('memory');

  test('without a task only read-only tools pass; a phase and a persona narrow what does', async () => {
    const under = async (name: string, context: TaskContext | undefined) => {
      const verdict = await judgeOn(open(), { context }).judge(call(name), CALLER);
      return verdict.passes ? 'passes' : verdict.reasons[0]!.code;
    };
    expect(await under('files/read', undefined)).toBe('passes');
    expect(await under('shop/cart', undefined)).toBe('no_task');
    expect(await under('new/thing', undefined)).toBe('no_task');
    const plan = { ...CONTEXT, phase: 'plan', phaseRisk: 'read_only' } as const;
    expect(await under('shop/cart', plan)).toBe('wrong_phase');
    expect(await under('shop/cart', { ...plan, phaseTools: ['shop/*'] })).toBe('passes');
    expect(await under('shop/cart', { ...CONTEXT, personaTools: ['files/*'] })).toBe(
      'not_in_persona',
    );
    expect(await under('files/read', { ...CONTEXT, personaTools: ['files/*'] })).toBe('passes');
  });
});
