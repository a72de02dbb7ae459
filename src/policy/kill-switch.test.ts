import { describe, expect, test } from 'vitest';
import { recorded, withCommit } from '../../test/ledger.ts';
import { openTestStore } from '../../test/stores.ts';
import { storePerTest } from '../../test/timed-store.ts';
import { type Actor, STEP_KINDS, SYSTEM, UNSTOPPABLE_STEPS } from '../facts/index.ts';
import { KillSwitch } from './index.ts';

const OPERATOR: Actor = { kind: 'human', id: 'operator@example.org', verified: 'local' };
const AGENT: Actor = { kind: 'agent', id: 'coder', verified: 'token' };
const noFile = () => false;

describe.each(['memory', 'postgres'] as const)('KILL-1 the kill switch on %s', (kind) => {
  const open = storePerTest(kind);
  const make = (stopFile: () => boolean = noFile) => new KillSwitch(open().store, stopFile);
  const types = async () => (await recorded(open().store)).map(({ type }) => type);

  test('never pulled, everything may act', async () => {
    expect(await make().allowedSteps()).toEqual(STEP_KINDS);
    expect(await make().state()).toEqual({ stopped: false, reason: '', actor: '', changedAtMs: 0 });
  });

  test.each([OPERATOR, AGENT, SYSTEM])(
    '$kind pulls it: all but watching and rolling back stops',
    async (actor) => {
      await make().stop(actor, 'odd numbers', 'http');
      expect(await make().allowedSteps()).toEqual(['monitor', 'rollback']);
      expect(await make().state()).toEqual({
        stopped: true,
        reason: 'odd numbers',
        actor: actor.id,
        changedAtMs: open().clock.nowMs(),
      });
      expect(await recorded(open().store)).toMatchObject([
        { type: 'policy.stopped', actor, data: { reason: 'odd numbers', by: 'http' } },
      ]);
    },
  );

  test('a reason that no database keeps as it is holds up neither stopping nor resuming', async () => {
    await make().stop(OPERATOR, 'a\u0000b\u001b[31m \ud800', 'http');
    expect(await make().state()).toMatchObject({ stopped: true, reason: 'a b [31m \ufffd' });
    expect(await make().resume(OPERATOR, '\u0000mended\u0000')).toEqual({ resumed: true });
    const reasons = (await recorded(open().store)).map(({ data }) => data['reason']);
    expect(reasons).toEqual(['a b [31m \ufffd', 'mended']);
  });

  test('only a human lifts it, and that is recorded', async () => {
    await make().stop(OPERATOR, 'wait', 'command');
    for (const actor of [AGENT, SYSTEM]) {
      expect(await make().resume(actor, 'all good')).toEqual({ resumed: false, why: 'not_human' });
    }
    expect((await make().state()).stopped).toBe(true);
    expect(await make().resume(OPERATOR, 'all good')).toEqual({ resumed: true });
    expect(await make().allowedSteps()).toEqual(STEP_KINDS);
    expect(await types()).toEqual(['policy.stopped', 'policy.resumed']);
  });

  test('pulled many times at once it is one stop, and whoever was first stays recorded', async () => {
    for (const round of [1, 2, 3]) {
      await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          make().stop(OPERATOR, `round ${round} ${at}`, 'http'),
        ),
      );
      expect(await types()).toHaveLength(2 * round - 1);
      const { reason } = await make().state();
      expect((await recorded(open().store)).at(-1)!.data['reason']).toBe(reason);
      await make().resume(OPERATOR, 'again');
    }
  });

  test('a stop and a lifting at once leave it as the ledger’s last entry says', async () => {
    await make().stop(OPERATOR, 'first', 'command');
    for (let round = 0; round < 10; round++) {
      await Promise.all([make().resume(OPERATOR, 'lift'), make().stop(OPERATOR, 'pull', 'http')]);
      const last = (await types()).at(-1);
      expect((await make().state()).stopped).toBe(last === 'policy.stopped');
      await make().stop(OPERATOR, 'again', 'command');
    }
  });

  test('a file stops it: recorded once, lasting when the file is gone, not lifted while it is there', async () => {
    let exists = true;
    const byFile = make(() => exists);
    expect(await byFile.allowedSteps()).toEqual(UNSTOPPABLE_STEPS);
    expect(await byFile.allowedSteps()).toEqual(UNSTOPPABLE_STEPS);
    expect(await recorded(open().store)).toMatchObject([
      { type: 'policy.stopped', actor: SYSTEM, data: { by: 'file' } },
    ]);
    expect(await byFile.resume(OPERATOR, 'go')).toEqual({ resumed: false, why: 'file' });
    exists = false;
    expect((await byFile.state()).stopped).toBe(true);
    expect(await byFile.resume(OPERATOR, 'go')).toEqual({ resumed: true });
    expect(await byFile.allowedSteps()).toEqual(STEP_KINDS);
  });

  test('a file stops it also where nothing can be recorded', async () => {
    const { store } = open();
    const full = withCommit(store, () => Promise.reject(new Error('the disk is full')));
    const byFile = new KillSwitch(full, () => true);
    expect(await byFile.state()).toMatchObject({ stopped: true, reason: 'the stop file exists' });
    expect(await recorded(store)).toEqual([]);
  });

  test('a file that cannot be looked for stops what can be stopped', async () => {
    const unreadable = make(() => {
      throw new Error('EACCES');
    });
    expect(await unreadable.allowedSteps()).toEqual(UNSTOPPABLE_STEPS);
  });

  test('held, a process only watches and rolls back, nothing is recorded, and nobody lifts it', async () => {
    const { store } = open();
    const held = new KillSwitch(store, noFile, 'unreadable');
    expect(await held.allowedSteps()).toEqual(UNSTOPPABLE_STEPS);
    expect(await held.state()).toMatchObject({ stopped: true, reason: 'unreadable' });
    expect(await held.resume(OPERATOR, 'go')).toEqual({ resumed: false, why: 'held' });
    expect(await make().state()).toMatchObject({ stopped: false });
    await held.stop(OPERATOR, 'wait', 'command');
    expect(await make().state()).toMatchObject({ stopped: true, reason: 'wait' });
  });

  test('a very long reason is kept short, an odd one well-formed', async () => {
    await make().stop(OPERATOR, `\ud800${'x'.repeat(5000)}`, 'command');
    const { reason } = await make().state();
    expect(reason).toHaveLength(1000);
    expect(reason.isWellFormed()).toBe(true);
  });
});

describe.each(['file', 'postgres'] as const)('KILL-1 over restarts, on %s', (kind) => {
  test('what was stopped is stopped for every process, also one that starts later', async () => {
    await using opened = await openTestStore(kind);
    const other = await opened.open();
    await new KillSwitch(opened.store, noFile).stop(OPERATOR, 'wait', 'command');
    expect((await new KillSwitch(other, noFile).state()).stopped).toBe(true);
    await other.close();
    const restarted = new KillSwitch(await opened.open(), noFile);
    expect(await restarted.allowedSteps()).toEqual(UNSTOPPABLE_STEPS);
    await restarted.resume(OPERATOR, 'go');
    const again = new KillSwitch(await opened.open(), noFile);
    expect(await again.allowedSteps()).toEqual(STEP_KINDS);
  });

  test('a store that cannot be read means only the steps that never stop', async () => {
    await using opened = await openTestStore(kind);
    const store = await opened.open();
    await store.close();
    expect(await new KillSwitch(store, noFile).allowedSteps()).toEqual(UNSTOPPABLE_STEPS);
  });
});
