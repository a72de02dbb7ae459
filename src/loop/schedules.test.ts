/** The six schedules with the real rooms behind them, on both engines. */
import { describe, expect, test } from 'vitest';
import { recorded } from '../../test/ledger.ts';
import { OPERATOR } from '../../test/proposals.ts';
import { statementText } from '../facts/index.ts';
import { Leases } from '../lease/index.ts';
import { listEffects } from '../outbox/index.ts';
import { nextTime, runIfDue, type Schedule, type ScheduleRun } from '../schedule/index.ts';
import type { Store } from '../store/index.ts';
import { callBack, type LoopPorts, listCycles, readReport } from './index.ts';
import {
  AGENT,
  FILE,
  HOUR_MS,
  MINUTE_MS,
  traffic,
  type World,
  worldPerTest,
} from './loop.test-support.ts';
import { loopSchedules, type Scheduled, type ScheduleName } from './schedules.ts';
import { newWork } from './works.ts';

const DAY_MS = 24 * HOUR_MS;
const signal = new AbortController().signal;
const by = (world: World) => ({ actor: OPERATOR, ports: world.ports() });

function opened(world: World, changes: Partial<LoopPorts> = {}): Scheduled {
  return { loop: world.loop(changes), ports: world.ports(changes) };
}

const schedule = (world: World, name: ScheduleName, changes: Partial<LoopPorts> = {}): Schedule =>
  loopSchedules(opened(world, changes)).find((one) => one.name === name)!;

function runOf(world: World, one: Schedule, store: Store = world.store): Promise<ScheduleRun> {
  return runIfDue(one, {
    store,
    leases: new Leases(store),
    clock: world.clock,
    holder: 'one',
    allowedSteps: () => world.killSwitch.allowedSteps(),
  });
}

/** To its next time, and then it is run. */
async function ranNext(
  world: World,
  name: ScheduleName,
  changes: Partial<LoopPorts> = {},
): Promise<ScheduleRun> {
  const one = schedule(world, name, changes);
  const first = await runOf(world, one);
  if (first.ran || first.why !== 'not_due') return first;
  world.clock.advance(first.dueAtMs - world.clock.nowMs());
  return runOf(world, one);
}

type Told = { to: string; severity: string; title: string; text: string };
const told = async ({ store }: World): Promise<Told[]> =>
  (await listEffects(store, { limit: 100 }))
    .filter(({ destination }) => destination === 'terminal')
    .map(({ payload }) => payload as unknown as Told);
const titles = async (world: World) => (await told(world)).map(({ title }) => title);
const waiting = async ({ store }: World) =>
  (await store.all('SELECT title FROM notify_pending ORDER BY title')).map((row) => row['title']);

describe.each(['memory', 'postgres'] as const)('SCHED-1 the schedules on %s', (kind) => {
  const open = worldPerTest(kind);

  test('all are there, with the expressions, time zones and timeouts of the configuration', async () => {
    const world = await open();
    const listed = loopSchedules(opened(world));
    expect(listed.map(({ name, cron, timeoutMs, step }) => [name, cron, timeoutMs, step])).toEqual([
      ['telemetry', '0 1 * * *', 5 * MINUTE_MS, 'observe'],
      ['retention', '30 3 * * *', 30 * MINUTE_MS, 'observe'],
      ['criticalNotices', '*/5 * * * *', 2 * MINUTE_MS, 'monitor'],
      ['highNotices', '0 * * * *', 5 * MINUTE_MS, 'notify'],
      ['digest', '0 9 * * *', 5 * MINUTE_MS, 'notify'],
      ['stalledTasks', '*/10 * * * *', 2 * MINUTE_MS, 'notify'],
      ['selfEvaluation', '0 2 * * *', 10 * MINUTE_MS, 'diagnose'],
      ['enhancementScan', '0 6 * * 0', 15 * MINUTE_MS, 'diagnose'],
    ]);
    expect(new Set(listed.map(({ timeZone }) => timeZone))).toEqual(new Set(['UTC']));
    const mine = { cron: '30 4 * * 1', timezone: 'Europe/Berlin', timeout: '7m' };
    const names = listed.map(({ name }) => name);
    const schedules = Object.fromEntries(names.map((name) => [name, mine]));
    world.config = world.configured({ schedules });
    for (const { cron, timeZone, timeoutMs } of loopSchedules(opened(world)))
      expect([cron, timeZone, timeoutMs]).toEqual(['30 4 * * 1', 'Europe/Berlin', 7 * MINUTE_MS]);
  });

  test('by the clock, events are read and a cycle is begun', async () => {
    const world = await open();
    expect(await ranNext(world, 'telemetry')).toMatchObject({ ran: true, outcome: 'done' });
    expect(await world.loop().collect(signal)).toMatchObject({ events: 0 });
    expect(await ranNext(world, 'selfEvaluation')).toMatchObject({ ran: true, outcome: 'done' });
    expect(await listCycles(world.store, 9)).toMatchObject([{ trigger: 'periodic' }]);
  });

  test('while a cycle runs the next waits a minute; after the day’s are used up it is skipped', async () => {
    const world = await open();
    world.config = world.configured({ limits: { cyclesPerDay: 1 } });
    world.files.text = '';
    await world.loop().startCycle('human');
    expect(await ranNext(world, 'selfEvaluation')).toMatchObject({ ran: false, why: 'postponed' });
    await world.run();
    world.clock.advance(MINUTE_MS);
    expect(await ranNext(world, 'selfEvaluation')).toMatchObject({ ran: true, outcome: 'done' });
    await world.run();
    world.clock.advance(HOUR_MS);
    const scan = schedule(world, 'enhancementScan');
    const result = await scan.run(signal, world.clock.nowMs());
    expect(result).toEqual({
      outcome: 'skipped',
      why: '1 automatic cycles ran in 24 hours; the limit is 1',
    });
  });

  test('the weekly scan finds what is too rare for the nightly look, and proves it on all those days', async () => {
    const world = await open();
    const week = { overMs: 6.5 * DAY_MS, calls: 65 };
    world.files.text = traffic({ untilMs: world.clock.nowMs(), ...week });
    const begin = async (name: ScheduleName) => {
      await schedule(world, name).run(signal, world.clock.nowMs());
      await world.run();
      const [cycle] = await listCycles(world.store, 1);
      world.clock.advance(MINUTE_MS);
      return (await readReport(world.store, cycle!.id))!;
    };
    const nightly = await begin('selfEvaluation');
    expect(nightly.toMs - nightly.fromMs).toBe(DAY_MS);
    expect(nightly.findings).toMatchObject([{ did: 'passed_over' }]);
    const weekly = await begin('enhancementScan');
    expect(weekly.toMs - weekly.fromMs).toBe(7 * DAY_MS);
    expect(weekly.findings).toMatchObject([{ did: 'proposed' }]);
    const { attestations } = await world.single();
    expect(attestations.map(statementText)).toEqual([
      'vetting passed',
      'validation by diff passed',
      'validation by policy passed',
      'validation by syntax passed',
      'validation by replay passed',
    ]);
  });

  test.each([
    ['error', { outcome: 'failed' }],
    ['timeout', { outcome: 'timed_out' }],
    ['missed', { outcome: 'done', missed: 2 }],
  ] as const)('on %s its rules name who is told', async (on, expected) => {
    const world = await open();
    const notify = [
      { on, to: 'viewer' },
      { on, to: 'night-watch@example.org' },
    ];
    world.config = world.configured({ schedules: { telemetry: { notify } } });
    const one = schedule(world, 'telemetry');
    const broken: Schedule = {
      ...one,
      run: async () => {
        if (on === 'error') throw new Error('no disk');
        if (on === 'timeout') {
          queueMicrotask(() => world.clock.advance(one.timeoutMs));
          return new Promise<never>(() => {});
        }
        return undefined;
      },
    };
    await runOf(world, broken);
    const due = nextTime(one, world.clock.nowMs()) + (on === 'missed' ? 2 * DAY_MS : 0);
    world.clock.advance(due - world.clock.nowMs());
    expect(await runOf(world, broken)).toMatchObject({ ran: true, ...expected });
    const recipients = (await told(world)).map(({ to }) => to).sort();
    expect(recipients).toEqual(['night-watch@example.org', 'viewer']);
  });

  test('what its cycle proposed is told with the digest, to everybody but the approver, who is asked', async () => {
    const world = await open();
    const notify = ['approver', 'operator', 'lead@example.org'].map((to) => ({
      on: 'proposal_created',
      to,
    }));
    world.config = world.configured({ schedules: { selfEvaluation: { notify } } });
    await schedule(world, 'selfEvaluation').run(signal, 0);
    await world.run();
    const { content } = await world.single();
    const asked = { to: 'approver', title: `Decision needed: ${content.title}` };
    expect(await told(world)).toMatchObject([asked]);
    await ranNext(world, 'digest');
    const after = (await told(world)).filter(({ title }) => title !== asked.title);
    expect(after.map(({ to }) => to).sort()).toEqual(['lead@example.org', 'operator']);
    for (const { text } of after)
      expect(text).toBe(`1 change proposed by selfEvaluation: ${content.title}`);
  });

  test('a cycle that proposes nothing, or that a person began, tells nobody', async () => {
    const world = await open();
    const notify = [{ on: 'proposal_created', to: 'operator' }];
    world.config = world.configured({ schedules: { selfEvaluation: { notify } } });
    await world.propose();
    expect(await waiting(world)).toEqual([]);
    world.clock.advance(MINUTE_MS);
    await schedule(world, 'selfEvaluation').run(signal, 0);
    await world.run();
    expect(await waiting(world)).toEqual([]);
  });

  test('APP-5 news wait for their batch and are told once, also when two processes look or one is killed', async () => {
    const world = await open();
    const { content } = await world.deployed();
    expect(await waiting(world)).toEqual([`Deployed: ${content.title}`]);
    const before = await titles(world);
    const second = await world.openSecond();
    const digests = [schedule(world, 'digest'), schedule(world, 'digest', { store: second })];
    const [one, other] = digests as [Schedule, Schedule];
    await Promise.all([runOf(world, one), runOf(world, other, second)]);
    world.clock.advance(nextTime(one, world.clock.nowMs()) - world.clock.nowMs());

    const dying: Store = {
      ...world.store,
      nowMs: () => world.store.nowMs(),
      all: (sql, parameters) => world.store.all(sql, parameters),
      commit: (plan) =>
        plan.entries?.some(({ type }) => type === 'schedule.ran')
          ? Promise.reject(new Error('killed'))
          : world.store.commit(plan),
    };
    await expect(runOf(world, one, dying)).rejects.toThrow('killed');
    expect(await titles(world)).toEqual(before);
    world.clock.advance(one.timeoutMs + MINUTE_MS);
    const runs = await Promise.all([runOf(world, one), runOf(world, other, second)]);
    expect(runs.filter(({ ran }) => ran)).toHaveLength(1);
    const news = (await told(world)).filter(({ title }) => !before.includes(title));
    expect(news).toMatchObject([
      { to: 'operator', severity: 'medium', title: '1 thing to know (digest)' },
    ]);
    expect(news[0]!.text).toContain(`Deployed: ${content.title}: `);
    expect(await waiting(world)).toEqual([]);
    await ranNext(world, 'digest');
    expect(await titles(world)).toHaveLength(before.length + 1);
  });

  test('APP-5 what is held back is told within the hour', async () => {
    const world = await open();
    await world.commit(FILE, AGENT.replace('too tight', 'too tight \u202eevil'));
    await world.propose();
    expect((await world.single()).proposal.state).toBe('quarantined');
    const title = `Held back: ${(await world.single()).content.title}`;
    expect(await waiting(world)).toEqual([title]);
    await ranNext(world, 'digest');
    expect(await waiting(world)).toEqual([title]);
    expect(await ranNext(world, 'highNotices')).toMatchObject({ ran: true });
    expect(await told(world)).toMatchObject([
      { severity: 'high', title: '1 thing to know (highNotices)' },
    ]);
  });

  test('a change that is taken back is told at once', async () => {
    const world = await open();
    const { proposal, content } = await world.deployed();
    await callBack(proposal.id, 'it hurts', by(world));
    await world.run();
    expect(await titles(world)).toContain(`Taken back: ${content.title}`);
  });

  test('runs that find nothing to tell leave no entry', async () => {
    const world = await open();
    for (const name of ['criticalNotices', 'highNotices', 'digest'] as const)
      expect(await ranNext(world, name)).toMatchObject({ ran: true, outcome: 'done' });
    expect(await recorded(world.store)).toEqual([]);
  });

  test('STORE-4 old events go by schedule, but for the evidence of a proposal', async () => {
    const world = await open();
    const loop = world.loop();
    await loop.startCycle('human');
    await world.run(loop);
    const { content } = await world.single();
    const telemetry = opened(world).ports.telemetry;
    const ids = async () =>
      (await telemetry.all('SELECT id FROM observe_events')).map(({ id }) => `event:${id}`);
    const named = content.evidence.filter((one) => one.startsWith('event:'));
    expect(named.length).toBeGreaterThan(0);
    expect((await ids()).length).toBeGreaterThan(named.length);
    const retention = schedule(world, 'retention');
    await runOf(world, retention);
    world.clock.advance(32 * DAY_MS);
    expect(await runOf(world, retention)).toMatchObject({ ran: true });
    expect((await ids()).sort()).toEqual([...new Set(named)].sort());
  });

  test('the kill switch stops them all but what belongs to watching; each is caught up once', async () => {
    const world = await open();
    const all = loopSchedules(opened(world));
    for (const one of all) await runOf(world, one);
    world.clock.advance(8 * DAY_MS);
    await world.killSwitch.stop(OPERATOR, 'wait', 'command');
    const results: Record<string, string> = {};
    for (const one of all) {
      const run = await runOf(world, one);
      results[one.name] = run.ran ? 'ran' : run.why;
    }
    expect(results).toEqual({
      telemetry: 'stopped',
      retention: 'stopped',
      selfEvaluation: 'stopped',
      criticalNotices: 'ran',
      highNotices: 'stopped',
      digest: 'stopped',
      stalledTasks: 'stopped',
      enhancementScan: 'stopped',
    });
    expect(await listCycles(world.store, 9)).toEqual([]);
    await world.killSwitch.resume(OPERATOR, 'go');
    const missed: Record<string, unknown> = {};
    for (const one of all) {
      const run = await runOf(world, one);
      missed[one.name] = run.ran ? run.missed : run.why;
      expect(await runOf(world, one)).toMatchObject({ ran: false });
      await world.run();
    }
    expect(missed).toEqual({
      telemetry: 7,
      retention: 7,
      selfEvaluation: 7,
      criticalNotices: 'not_due',
      highNotices: 191,
      digest: 7,
      stalledTasks: 1000,
      enhancementScan: expect.any(Number),
    });
    expect(await listCycles(world.store, 9)).toHaveLength(2);
  });

  test('both cycles that were missed are caught up, one after the other', async () => {
    const world = await open();
    const both = [schedule(world, 'selfEvaluation'), schedule(world, 'enhancementScan')];
    for (const one of both) await runOf(world, one);
    world.clock.advance(8 * DAY_MS);
    const runs = [await runOf(world, both[0]!), await runOf(world, both[1]!)];
    expect(runs).toMatchObject([{ ran: true }, { ran: false, why: 'postponed' }]);
    await world.run();
    world.clock.advance(MINUTE_MS);
    expect(await runOf(world, both[1]!)).toMatchObject({ ran: true, outcome: 'done' });
  });
});

describe.each(['memory', 'postgres'] as const)('SCHED-1 reminders on %s', (kind) => {
  const open = worldPerTest(kind);
  const reminded = async (world: World) =>
    (await titles(world)).filter((title) => title.startsWith('Still'));

  /** The lines of the change are somebody else's by now: it cannot be taken back. */
  const stuck = async (world: World) => {
    const { proposal, content } = await world.deployed();
    await world.commit(FILE, AGENT.replace('800', '77'));
    await callBack(proposal.id, 'it hurts', by(world));
    await world.run();
    expect((await world.single()).proposal.state).toBe('monitoring');
    return content.title;
  };

  test('a change that could not be taken back is told of every hour, also while everything is stopped', async () => {
    const world = await open();
    const title = await stuck(world);
    expect(await titles(world)).toContain(`NOT taken back; a person has to do it: ${title}`);
    await world.killSwitch.stop(OPERATOR, 'wait', 'command');
    const counts: number[] = [];
    for (let at = 0; at < 25; at++) {
      await ranNext(world, 'criticalNotices');
      if (at % 12 === 11) counts.push((await reminded(world)).length);
    }
    expect(counts).toEqual([expect.any(Number), counts[0]! + 1]);
    expect(counts[0]).toBeLessThanOrEqual(1);
    expect((await reminded(world))[0]).toBe(
      `Still NOT taken back; a person has to do it: ${title}`,
    );
    const runs = (await recorded(world.store)).filter(({ type }) => type === 'schedule.ran');
    expect(runs).toHaveLength((await reminded(world)).length);
  });

  test('a proposal that cannot be read holds up no other’s reminder', async () => {
    const world = await open();
    const title = await stuck(world);
    const nowMs = world.clock.nowMs();
    const lost = newWork({ kind: 'proposal', subject: 'p_0', dueAtMs: 0, data: {}, nowMs });
    await world.store.commit({ writes: [lost] });
    world.clock.advance(HOUR_MS);
    expect(await ranNext(world, 'criticalNotices')).toMatchObject({ ran: true, outcome: 'done' });
    expect(await reminded(world)).toEqual([
      `Still NOT taken back; a person has to do it: ${title}`,
    ]);
  });

  test('a critical proposal is asked about again every six hours, not while stopped; others are not', async () => {
    const world = await open();
    world.files.text = traffic({ untilMs: world.clock.nowMs(), failEvery: 2 });
    const { content } = await world.propose();
    expect(content.severity).toBe('critical');
    const title = `Still waiting for a decision: ${content.title}`;
    const look = async (afterMs: number) => {
      world.clock.advance(afterMs);
      await ranNext(world, 'criticalNotices');
      return reminded(world);
    };
    expect(await look(0)).toEqual([]);
    expect(await look(5 * HOUR_MS)).toEqual([]);
    await world.killSwitch.stop(OPERATOR, 'wait', 'command');
    expect(await look(HOUR_MS)).toEqual([]);
    await world.killSwitch.resume(OPERATOR, 'go');
    expect(await look(0)).toEqual([title]);
    expect(await look(HOUR_MS)).toEqual([title]);
    expect(await look(6 * HOUR_MS)).toEqual([title, title]);
    await world.approve((await world.single()).proposal.id);
    expect(await look(7 * HOUR_MS)).toHaveLength(2);
  });

  test('what is not critical is left to the asking again of approve', async () => {
    const world = await open();
    const { content } = await world.propose();
    expect(content.severity).not.toBe('critical');
    world.clock.advance(2 * DAY_MS);
    await ranNext(world, 'criticalNotices');
    expect(await reminded(world)).toEqual([]);
  });
});
