/**
 * A clock that is wrong for one command: three days ahead or behind, and right again afterwards. Whatever that
 * command wrote, harm is found in time, and nothing is called stable that nobody watched.
 */
import { afterAll, describe, expect, test } from 'vitest';
import { clockDoubts } from '../../src/app/clock-doubts.ts';
import type { Opened } from '../../src/app/context.ts';
import { ManualClock, ownWords, silentLog, systemClock } from '../../src/base/index.ts';
import { foundationWorkers } from '../../src/compose/workers.ts';
import { statusJson } from '../../src/contracts/index.ts';
import { Leases } from '../../src/lease/index.ts';
import {
  HOUR_MS,
  MINUTE_MS,
  traffic,
  type World,
  worldPerTest,
} from '../../src/loop/loop.test-support.ts';
import { countDue } from '../../src/loop/works.ts';
import { readWatch } from '../../src/monitor/index.ts';
import { deliverNext } from '../../src/outbox/index.ts';
import { makeInstallation } from '../cli.ts';
import { outboxPorts } from '../outbox.ts';
import { OPERATOR } from '../proposals.ts';
import { ScriptedDestination } from '../scripted-destination.ts';
import { openTimedStore } from '../timed-store.ts';

const DAY_MS = 24 * HOUR_MS;
/** "Harm is taken back": a few looks of the close watch. */
const IN_TIME_MS = 30 * MINUTE_MS;

/** Minute by minute, as `hone up` does; the state it ends in and how long that took. */
async function liveWithHarm(world: World): Promise<{ state: string; tookMs: number }> {
  const fromMs = world.clock.nowMs();
  for (;;) {
    const { state } = (await world.single()).proposal;
    const tookMs = world.clock.nowMs() - fromMs;
    if (state === 'reverted' || tookMs > 2 * HOUR_MS) return { state, tookMs };
    world.clock.advance(MINUTE_MS);
    const untilMs = world.clock.nowMs();
    world.files.text += traffic({ untilMs, overMs: MINUTE_MS, calls: 20, failEvery: 2 });
    await world.run();
  }
}

async function atAnotherTime<T>(world: World, byMs: number, command: () => Promise<T>): Promise<T> {
  world.clock.advance(byMs);
  try {
    return await command();
  } finally {
    world.clock.advance(-byMs);
  }
}

/** The hours between proposal and deployment are on record, as in any installation that runs. */
async function approvedHoursLater(world: World): Promise<string> {
  const { proposal } = await world.propose();
  world.clock.advance(3 * HOUR_MS);
  world.files.text += traffic({ untilMs: world.clock.nowMs(), overMs: 3 * HOUR_MS, calls: 360 });
  await world.run();
  await world.approve(proposal.id);
  return proposal.id;
}

describe.each(['memory', 'postgres'] as const)('one command at the wrong time, on %s', (kind) => {
  const open = worldPerTest(kind);

  test.each([3 * DAY_MS, -3 * DAY_MS, 400 * DAY_MS])(
    'MON-3 a look %i ms off does not put off the next one: harm is taken back in time',
    async (byMs) => {
      const world = await open();
      await world.deployed();
      await atAnotherTime(world, byMs, () => world.run());
      if (byMs > 0) expect(await countDue(world.store, world.clock.nowMs())).toBe(1);
      const { state, tookMs } = await liveWithHarm(world);
      expect(state).toBe('reverted');
      expect(tookMs).toBeLessThanOrEqual(IN_TIME_MS);
    },
  );

  test.each([3 * DAY_MS, -3 * DAY_MS, -30 * DAY_MS])(
    'MON-3 a deployment %i ms off is watched from when it can have happened',
    async (byMs) => {
      const world = await open();
      const id = await approvedHoursLater(world);
      await atAnotherTime(world, byMs, () => world.run());
      const nowMs = world.clock.nowMs();
      world.clock.advance(MINUTE_MS);
      await world.run();
      expect((await world.single()).proposal.state).toBe('monitoring');
      const { startedAtMs, untilMs } = (await readWatch(world.store, id))!;
      expect(startedAtMs).toBeLessThanOrEqual(nowMs);
      expect(startedAtMs).toBeGreaterThan(nowMs - 4 * HOUR_MS);
      expect(untilMs).toBeGreaterThanOrEqual(nowMs + world.config.monitor.duration);
      const { state, tookMs } = await liveWithHarm(world);
      expect(state).toBe('reverted');
      expect(tookMs).toBeLessThanOrEqual(IN_TIME_MS);
    },
  );

  test('a decision asked for while the clock was ahead is asked for again in time', async () => {
    const world = await open();
    await atAnotherTime(world, 3 * DAY_MS, () => {
      world.files.text += traffic({ untilMs: world.clock.nowMs() });
      return world.propose();
    });
    await world.run();
    const askAgainMs = world.config.approve.askAgainAfter;
    world.clock.advance(askAgainMs + MINUTE_MS);
    expect(await countDue(world.store, world.clock.nowMs())).toBe(1);
  });

  test('a lease of a process that died while the clock was ahead is free at once', async () => {
    const { store, ...world } = await open();
    const leases = new Leases(store);
    world.clock.advance(3 * DAY_MS);
    await leases.acquire('work', 'died', MINUTE_MS);
    world.clock.advance(-3 * DAY_MS);
    expect(await leases.acquire('work', 'next', MINUTE_MS)).toMatchObject({ acquired: true });
    // Held: a clock that is set right by a few seconds takes nobody's lease away.
    world.clock.advance(-5_000);
    expect(await leases.acquire('work', 'other', MINUTE_MS)).toMatchObject({ acquired: false });
  });

  test('news that failed while the clock was ahead are sent again soon, and only once', async () => {
    const { store, clock } = await open();
    const there = new ScriptedDestination('findable', 'findable', clock);
    there.plan('answer lost');
    const ports = outboxPorts({ store, clock });
    const draft = { key: 'news', destination: 'findable', payload: {}, step: 'notify' } as const;
    await store.commit({ effects: [draft] });
    clock.advance(3 * DAY_MS);
    await deliverNext(there.destination, ports);
    clock.advance(-3 * DAY_MS);
    // Not at once: what was sent may still be under way.
    expect(await deliverNext(there.destination, ports)).toMatchObject({ why: 'not_due' });
    clock.advance(MINUTE_MS);
    expect(await deliverNext(there.destination, ports)).toMatchObject({ did: 'delivered' });
    expect([...there.happened]).toEqual([['news', 1]]);
  });
});

describe('a clock that was wrong is said', () => {
  const clock = new ManualClock(Date.UTC(2026, 4, 4));
  const installation = makeInstallation({ inProcess: true, clock });
  const doubts = async () => {
    const shown = statusJson.parse((await installation.hone('status', '--json')).json());
    return shown.clockDoubts.map(({ kind, other }) => [kind, other.slice(0, 10)]);
  };
  const record = (mode: string) =>
    installation.honeAsOperator('switch', 'set', 'vetting', mode, '--reason', 'a test');

  afterAll(() => installation[Symbol.dispose]());

  test('in status with both times, while it is behind and after it was ahead, and when it went back', async () => {
    await installation.stateDir();
    expect(await doubts()).toEqual([]);
    clock.advance(3 * DAY_MS);
    await record('off');
    clock.advance(-3 * DAY_MS);
    expect(await doubts()).toEqual([['ahead', '2026-05-07']]);
    const { out } = await installation.hone('status');
    expect(out).toContain('THE CLOCK WAS OR IS WRONG: it says 2026-05-04 00:00:00 UTC');
    expect(out.replaceAll(/\s+/g, ' ')).toContain('was recorded at 2026-05-07 00:00:00 UTC');
    // Recorded at the right time: the ledger goes back, and that is said as long as it is among the newest.
    await record('enforce');
    clock.advance(4 * DAY_MS);
    expect(await doubts()).toEqual([['back', '2026-05-07']]);
    expect((await installation.hone('cycle')).err).toContain('THE CLOCK WAS WRONG');
  });

  test('entries of another time stay in the ledger, and are not shown for ever', async () => {
    await using opened = await openTimedStore('memory');
    const { store } = opened;
    const entry = {
      type: 'policy.stopped',
      actor: OPERATOR,
      subject: 'hone:stop',
      data: { reason: ownWords('a test'), by: 'command' },
    } as const;
    const at = (atMs: number) => store.commit({ entries: [{ ...entry, atMs }] });
    const nowMs = opened.clock.nowMs();
    await at(nowMs + 400 * DAY_MS);
    expect(await clockDoubts(store, opened.clock)).toMatchObject([{ kind: 'ahead', entry: 0 }]);
    for (let times = 0; times < 200; times++) await at(nowMs);
    expect(await clockDoubts(store, opened.clock)).toEqual([]);
  });

  test('hone up logs a jump and each doubt once', async () => {
    const warned: string[] = [];
    const log = { ...silentLog, warn: (message: string) => void warned.push(message) };
    await using opened = await openTimedStore('memory');
    let monotonicMs = 0;
    const jumping = { ...systemClock, nowMs: () => clock.nowMs(), monotonicMs: () => monotonicMs };
    const worker = foundationWorkers({
      opened: { store: opened.store } as Opened,
      clock: jumping,
      log,
      holder: 'one',
      schedules: [],
    }).find(({ name }) => name === 'clock')!;
    const look = () => worker.run(new AbortController().signal);
    clock.advance(opened.clock.nowMs() - clock.nowMs());
    monotonicMs = clock.nowMs();
    await look();
    warned.length = 0;
    clock.advance(60_000);
    opened.clock.advance(60_000);
    monotonicMs += 60_000;
    await look();
    expect(warned).toEqual([]);
    clock.advance(3 * DAY_MS);
    await look();
    await look();
    expect(warned).toEqual(['the clock jumped', 'the clock is in doubt']);
  });
});
