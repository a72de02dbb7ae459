import { describe, expect, test } from 'vitest';
import { recorded } from '../../test/ledger.ts';
import { storePerTest } from '../../test/timed-store.ts';
import { isoTime, nextTurn } from '../base/index.ts';
import { type Actor, STEP_KINDS, UNSTOPPABLE_STEPS } from '../facts/index.ts';
import { Leases } from '../lease/index.ts';
import { KillSwitch } from '../policy/index.ts';
import { type Store, withClock } from '../store/index.ts';
import {
  lastFailed,
  listSchedules,
  nextTime,
  runIfDue,
  type Schedule,
  type SchedulePorts,
  scheduleStates,
} from './index.ts';

const OPERATOR: Actor = { kind: 'human', id: 'operator@example.org', verified: 'local' };
const HOUR_MS = 3_600_000;

describe.each(['memory', 'postgres'] as const)('SCHED-1 on %s', (kind) => {
  const open = storePerTest(kind);
  const ports = (holder = 'one'): SchedulePorts => ({
    store: open().store,
    leases: new Leases(open().store),
    clock: open().clock,
    holder,
    allowedSteps: () => new KillSwitch(open().store, () => false).allowedSteps(),
  });
  /** Every hour; counts its runs. */
  const hourly = (changes: Partial<Schedule> = {}) => {
    const runs: string[] = [];
    const schedule: Schedule = {
      name: 'hourly',
      cron: '0 * * * *',
      timeZone: 'UTC',
      timeoutMs: 60_000,
      step: 'observe',
      run: async () => {
        runs.push(isoTime(open().clock.nowMs()).slice(11, 16));
        return undefined;
      },
      ...changes,
    };
    return { runs, schedule };
  };
  const ran = async () => (await recorded(open().store)).map(({ data }) => data);
  /** To half past the next hour: the store’s clock starts at midnight. */
  const started = async (schedule: Schedule) => {
    const first = await runIfDue(schedule, ports());
    const nowMs = open().clock.nowMs();
    expect(first).toEqual({
      ran: false,
      why: 'not_due',
      dueAtMs: nowMs - (nowMs % HOUR_MS) + HOUR_MS,
    });
    open().clock.advance(HOUR_MS - (nowMs % HOUR_MS));
  };

  test('new, it waits for its next time; due, it runs once; then it waits again', async () => {
    const { schedule, runs } = hourly();
    await started(schedule);
    const dueAtMs = open().clock.nowMs();
    expect(await runIfDue(schedule, ports())).toEqual({ ran: true, outcome: 'done', missed: 0 });
    expect(await runIfDue(schedule, ports())).toEqual({
      ran: false,
      why: 'not_due',
      dueAtMs: dueAtMs + HOUR_MS,
    });
    expect(runs).toHaveLength(1);
    expect(await ran()).toEqual([
      {
        schedule: 'hourly',
        dueAtMs,
        outcome: 'done',
        missed: 0,
        step: 'observe',
        error: null,
      },
    ]);
    expect(await listSchedules(open().store)).toMatchObject([
      { name: 'hourly', nextDueMs: dueAtMs + HOUR_MS, lastDueMs: dueAtMs, lastOutcome: 'done' },
    ]);
  });

  test('times that passed while nothing ran are caught up by one run, and counted', async () => {
    const { schedule, runs } = hourly();
    await started(schedule);
    open().clock.advance(5 * HOUR_MS + 1);
    expect(await runIfDue(schedule, ports())).toEqual({ ran: true, outcome: 'done', missed: 5 });
    expect(await runIfDue(schedule, ports())).toMatchObject({ ran: false, why: 'not_due' });
    expect(runs).toHaveLength(1);
    expect((await ran())[0]).toMatchObject({ missed: 5 });
  });

  test('a clock that was far ahead and is right again holds nothing up', async () => {
    const { schedule, runs } = hourly();
    await started(schedule);
    const aheadMs = 74 * 365 * 24 * HOUR_MS;
    open().clock.advance(aheadMs);
    await runIfDue(schedule, ports());
    expect(await runIfDue(schedule, ports())).toMatchObject({ ran: false, why: 'not_due' });
    open().clock.advance(-aheadMs);
    const dueAtMs = nextTime(schedule, open().clock.nowMs());
    const [shown] = await scheduleStates([schedule], open().store);
    expect(shown!.nextDueMs).toBe(dueAtMs);
    expect(await runIfDue(schedule, ports())).toEqual({ ran: false, why: 'not_due', dueAtMs });
    expect(await listSchedules(open().store)).toMatchObject([{ nextDueMs: dueAtMs }]);
    open().clock.advance(HOUR_MS);
    expect(await runIfDue(schedule, ports())).toEqual({ ran: true, outcome: 'done', missed: 0 });
    expect(runs).toHaveLength(2);
  });

  test('a clock set back by a moment does not run again what was just done', async () => {
    const { schedule, runs } = hourly();
    await started(schedule);
    const dueAtMs = open().clock.nowMs();
    await runIfDue(schedule, ports());
    open().clock.advance(-2000);
    const notDue = { ran: false, why: 'not_due', dueAtMs: dueAtMs + HOUR_MS };
    expect(await runIfDue(schedule, ports())).toEqual(notDue);
    open().clock.advance(2000);
    expect(await runIfDue(schedule, ports())).toEqual(notDue);
    expect(runs).toHaveLength(1);
  });

  test('who is to be told is told with the outcome, in one commit', async () => {
    const { schedule } = hourly({
      run: () => Promise.reject(new Error('no disk')),
      notices: ({ name, outcome, missed, error }) =>
        outcome === 'done'
          ? []
          : [
              {
                key: `${name}-failed`,
                destination: 'operator',
                step: 'notify',
                payload: { outcome, missed, error },
              },
            ],
    });
    await started(schedule);
    await runIfDue(schedule, ports());
    const rows = await open().store.all('SELECT destination, payload FROM outbox_effects');
    expect(rows.map((row) => ({ ...row }))).toEqual([
      { destination: 'operator', payload: '{"error":"no disk","missed":0,"outcome":"failed"}' },
    ]);
  });

  test('two runners never overlap, and one due time is one run', async () => {
    let release = () => {};
    const { schedule, runs } = hourly();
    const slow: Schedule = {
      ...schedule,
      run: async (signal) => {
        await schedule.run(signal, 0);
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        return undefined;
      },
    };
    await started(slow);
    const first = runIfDue(slow, ports('one'));
    while (runs.length === 0) await nextTurn();
    expect(await runIfDue(slow, ports('two'))).toMatchObject({ ran: false, why: 'running' });
    release();
    expect(await first).toMatchObject({ ran: true });
    expect(await runIfDue(slow, ports('two'))).toMatchObject({ ran: false, why: 'not_due' });
    expect(runs).toHaveLength(1);
  });

  test('many runners that come at the same moment run it once', async () => {
    const { schedule, runs } = hourly();
    const all = () =>
      Promise.all(['a', 'b', 'c', 'd'].map((who) => runIfDue(schedule, ports(who))));
    await all(); // new to all of them
    open().clock.advance(2 * HOUR_MS);
    await all();
    await all();
    expect(runs).toHaveLength(1);
    expect(await ran()).toHaveLength(1);
  });

  test('a run that takes too long is aborted, recorded, and not tried again before its next time', async () => {
    let aborted = false;
    const { schedule } = hourly({
      run: (signal) => {
        signal.addEventListener('abort', () => {
          aborted = true;
        });
        queueMicrotask(() => open().clock.advance(60_000));
        return new Promise(() => {}); // and ignores it
      },
    });
    await started(schedule);
    expect(await runIfDue(schedule, ports())).toMatchObject({ ran: true, outcome: 'timed_out' });
    expect(aborted).toBe(true);
    expect(await ran()).toMatchObject([
      { outcome: 'timed_out', error: 'took longer than 60000 ms' },
    ]);
    expect(await runIfDue(schedule, ports())).toMatchObject({ ran: false, why: 'not_due' });
  });

  test.each([
    ['rejects', () => Promise.reject(new Error(`broken ${'x'.repeat(2000)}`))],
    [
      'throws',
      () => {
        throw new Error('broken');
      },
    ],
  ])(
    'a run that %s is recorded as failed, with its error, and the schedule goes on',
    async (_, run) => {
      const { schedule } = hourly({ run });
      await started(schedule);
      expect(await runIfDue(schedule, ports())).toMatchObject({ ran: true, outcome: 'failed' });
      expect((await ran())[0]).toMatchObject({
        outcome: 'failed',
        error: expect.stringMatching(/^broken/),
      });
      open().clock.advance(HOUR_MS);
      expect(await runIfDue(schedule, ports())).toMatchObject({ ran: true, missed: 0 });
    },
  );

  test('a changed expression or time zone starts anew, from now', async () => {
    const { schedule } = hourly();
    await started(schedule);
    const daily = { ...schedule, cron: '30 12 * * *' };
    const today = Date.parse('2026-01-01T12:30Z');
    const days = Math.ceil((open().clock.nowMs() - today) / (24 * HOUR_MS));
    const dueAtMs = today + Math.max(days, 0) * 24 * HOUR_MS;
    expect(await runIfDue(daily, ports())).toEqual({ ran: false, why: 'not_due', dueAtMs });
    expect(await runIfDue({ ...daily, timeZone: 'Asia/Tokyo' }, ports())).toMatchObject({
      ran: false,
      why: 'not_due',
    });
    expect(await listSchedules(open().store)).toHaveLength(1);
  });

  test('killed half-way, it is run again by whoever is there when its lease has run out', async () => {
    const { schedule, runs } = hourly();
    await started(schedule);
    // Dies inside the run: the promise never ends, nothing of it is ever committed.
    let begun = false;
    const run = () => {
      begun = true;
      return new Promise<never>(() => {});
    };
    void runIfDue({ ...schedule, run }, { ...ports('dead'), clock: FROZEN });
    while (!begun) await nextTurn();
    expect(await runIfDue(schedule, ports('two'))).toMatchObject({ ran: false, why: 'running' });
    open().clock.advance(schedule.timeoutMs + 30_000);
    expect(await runIfDue(schedule, ports('two'))).toEqual({
      ran: true,
      outcome: 'done',
      missed: 0,
    });
    expect(runs).toHaveLength(1);
    expect(await ran()).toHaveLength(1);
  });

  test('a runner that slept through its lease does not record what another has done since', async () => {
    const { schedule, runs } = hourly();
    await started(schedule);
    const sleepy = {
      ...schedule,
      run: async () => {
        open().clock.advance(schedule.timeoutMs + 30_000);
        expect(await runIfDue(schedule, ports('two'))).toMatchObject({ ran: true });
        return undefined;
      },
    };
    const outcome = await runIfDue(sleepy, { ...ports('one'), clock: FROZEN });
    expect(outcome).toMatchObject({ ran: false, why: 'running' });
    expect(runs).toHaveLength(1);
    expect(await ran()).toHaveLength(1);
  });

  test('what a run wants committed is there with its outcome, once, also when it is killed in between', async () => {
    const effect = (dueAtMs: number) => ({
      key: `told/${dueAtMs}`,
      destination: 'operator',
      step: 'notify' as const,
      payload: {},
    });
    const { schedule } = hourly({
      run: async (_, dueAtMs) => ({
        outcome: 'done',
        parts: {
          effects: [effect(dueAtMs)],
          writes: [
            {
              insert: 'policy_switches',
              row: { gate: 'x', mode: 'off', reason: '', changed_at_ms: 0 },
            },
          ],
        },
      }),
    });
    await started(schedule);
    const dueAtMs = open().clock.nowMs();
    const dead: SchedulePorts = { ...ports('dead'), store: withoutOutcomes(open().store) };
    await expect(runIfDue(schedule, dead)).rejects.toThrow('killed');
    const told = () => open().store.all('SELECT key FROM outbox_effects');
    expect(await told()).toEqual([]);
    open().clock.advance(schedule.timeoutMs + 30_000);
    expect(await runIfDue(schedule, ports('two'))).toMatchObject({ ran: true });
    expect((await told()).map((row) => row['key'])).toEqual([`told/${dueAtMs}`]);
    expect(await open().store.all('SELECT gate FROM policy_switches')).toHaveLength(1);
    expect(await ran()).toHaveLength(1);
  });

  test('a run with nothing to do moves its time on without an entry, unless times were missed', async () => {
    const { schedule } = hourly({ run: async () => ({ outcome: 'done', quiet: true }) });
    await started(schedule);
    expect(await runIfDue(schedule, ports())).toMatchObject({ ran: true, outcome: 'done' });
    expect(await ran()).toEqual([]);
    expect(await listSchedules(open().store)).toMatchObject([{ lastOutcome: 'done' }]);
    open().clock.advance(3 * HOUR_MS);
    await runIfDue(schedule, ports());
    expect(await ran()).toMatchObject([{ outcome: 'done', missed: 2 }]);
  });

  test('a run that a limit forbids is recorded as skipped, with why', async () => {
    const { schedule } = hourly({ run: async () => ({ outcome: 'skipped', why: '4 ran today' }) });
    await started(schedule);
    expect(await runIfDue(schedule, ports())).toMatchObject({ ran: true, outcome: 'skipped' });
    expect(await ran()).toMatchObject([{ outcome: 'skipped', error: '4 ran today' }]);
    expect(await runIfDue(schedule, ports())).toMatchObject({ why: 'not_due' });
  });

  test('one that is postponed comes again a little later, not at its next time', async () => {
    let busy = true;
    const { schedule } = hourly({
      run: async () => (busy ? { outcome: 'postponed', againInMs: 60_000 } : undefined),
    });
    await started(schedule);
    const dueAtMs = open().clock.nowMs() + 60_000;
    expect(await runIfDue(schedule, ports())).toEqual({ ran: false, why: 'postponed', dueAtMs });
    expect(await runIfDue(schedule, ports())).toMatchObject({ why: 'not_due', dueAtMs });
    expect(await ran()).toEqual([]);
    busy = false;
    open().clock.advance(60_000);
    expect(await runIfDue(schedule, ports())).toMatchObject({ ran: true, outcome: 'done' });
    expect(await ran()).toHaveLength(1);
  });

  test('how late it began is told to whoever is to be told', async () => {
    const late: number[] = [];
    const { schedule } = hourly({
      notices: ({ lateMs }) => {
        late.push(lateMs);
        return [];
      },
    });
    await started(schedule);
    await runIfDue(schedule, ports());
    open().clock.advance(HOUR_MS + 20 * 60_000);
    await runIfDue(schedule, ports());
    expect(late).toEqual([0, 20 * 60_000]);
  });

  test('the configured ones are listed, also before a runner has seen them; the last that failed is named', async () => {
    const { schedule } = hourly();
    const weekly = { name: 'weekly', cron: '0 6 * * 0', timeZone: 'UTC' };
    const states = () => scheduleStates([weekly, schedule], open().store);
    const nowMs = open().clock.nowMs();
    const never = { lastDueMs: null, lastOutcome: null, lastFinishedMs: null };
    expect(await states()).toMatchObject([
      { name: 'weekly', nextDueMs: nextTime(weekly, nowMs), ...never },
      { name: 'hourly', nextDueMs: nextTime(schedule, nowMs), ...never },
    ]);
    expect(await lastFailed(['hourly'], open().store)).toBeUndefined();
    await started(schedule);
    await runIfDue({ ...schedule, run: () => Promise.reject(new Error('x')) }, ports());
    expect((await states())[1]).toMatchObject({ name: 'hourly', lastOutcome: 'failed' });
    expect(await lastFailed(['weekly', 'hourly'], open().store)).toMatchObject({ name: 'hourly' });
    expect(await lastFailed(['weekly'], open().store)).toBeUndefined();
    const changed = { ...schedule, cron: '30 * * * *' };
    const [state] = await scheduleStates([changed], open().store);
    expect(state!.nextDueMs).toBe(nextTime(changed, open().clock.nowMs()));
    open().clock.advance(HOUR_MS);
    await runIfDue(schedule, ports());
    expect(await lastFailed(['hourly'], open().store)).toBeUndefined();
  });

  test.each(STEP_KINDS)('KILL-1 the kill switch and a schedule of %s', async (step) => {
    const { schedule, runs } = hourly({ step, name: step });
    await started(schedule);
    const killSwitch = new KillSwitch(open().store, () => false);
    await killSwitch.stop(OPERATOR, 'wait', 'command');
    const result = await runIfDue(schedule, ports());
    if (UNSTOPPABLE_STEPS.includes(step)) {
      expect(result).toMatchObject({ ran: true });
      return;
    }
    expect(result).toMatchObject({ ran: false, why: 'stopped' });
    open().clock.advance(3 * HOUR_MS);
    await killSwitch.resume(OPERATOR, 'go');
    expect(await runIfDue(schedule, ports())).toMatchObject({ ran: true, missed: 3 });
    expect(runs).toHaveLength(1);
  });
});

/** The store of a process that is killed when it is about to record a run. */
function withoutOutcomes(store: Store): Store {
  const commit: Store['commit'] = (plan) =>
    plan.entries?.some(({ type }) => type === 'schedule.ran')
      ? Promise.reject(new Error('killed'))
      : store.commit(plan);
  return { ...withClock(store, FROZEN), nowMs: () => store.nowMs(), commit };
}

/** The timers of a process that does not run: they never fire. */
const FROZEN = {
  nowMs: () => 0,
  monotonicMs: () => 0,
  sleep: (_ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve())),
};
