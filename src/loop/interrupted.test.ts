/** What is stopped, what fails, and what holds up nobody else. */
import { describe, expect, test } from 'vitest';
import { recorded } from '../../test/ledger.ts';
import { CODER, OPERATOR } from '../../test/proposals.ts';
import { ManualClock, nextTurn } from '../base/index.ts';
import type { SourceFiles } from '../observe/index.ts';
import type { Plan } from '../store/index.ts';
import { callBack, listCycles, readReport, troubledWorks } from './index.ts';
import {
  AGENT,
  HOUR_MS,
  isStep,
  MINUTE_MS,
  traffic,
  type World,
  withCommit,
  worldPerTest,
} from './loop.test-support.ts';

import { claimById, readWork } from './works.ts';

const signal = new AbortController().signal;
const CLAIMS = 'SELECT token FROM loop_works ORDER BY id';

describe.each(['memory', 'postgres'] as const)('the kill switch on %s', (kind) => {
  const open = worldPerTest(kind);

  test('stops a cycle and a deployment before anything of them happens, until it is lifted', async () => {
    const world = await open();
    const { proposal } = await world.propose();
    await world.approve(proposal.id);
    await world.loop().startCycle('human');
    await world.killSwitch.stop(CODER, 'enough', 'command');
    const before = await recorded(world.store);
    const head = await world.head();
    const taken = await world.run();
    expect(taken.map(({ step, outcome }) => [step, outcome]).sort()).toEqual([
      ['deploy', 'stopped'],
      ['observe', 'stopped'],
    ]);
    expect(await recorded(world.store)).toEqual(before);
    expect(await world.head()).toBe(head);
    expect(await troubledWorks(world.store)).toEqual([]);
    // What is stopped is not even claimed, however often somebody looks.
    const tokens = async () => (await world.store.all(CLAIMS)).map(({ token }) => token);
    const claimed = await tokens();
    for (let times = 0; times < 3; times++) await world.run();
    expect(await tokens()).toEqual(claimed);

    await world.killSwitch.resume(OPERATOR, 'go on');
    await world.run();
    expect((await world.single()).proposal.state).toBe('monitoring');
    expect(await world.loop().startCycle('human')).toMatchObject({ started: true });
  });

  test('never stops the watch or a rollback; what is learnt from it waits', async () => {
    const world = await open();
    const { proposal } = await world.deployed();
    await world.killSwitch.stop(CODER, 'enough', 'command');
    world.clock.advance(HOUR_MS);
    world.files.text += traffic({
      untilMs: world.clock.nowMs(),
      overMs: 50 * MINUTE_MS,
      failEvery: 2,
    });
    const taken = await world.run();
    expect(taken.map(({ step, outcome }) => [step, outcome])).toEqual([
      ['monitor', 'taken'],
      ['rollback', 'taken'],
      ['rollback', 'taken'],
      ['learn', 'stopped'],
    ]);
    expect((await world.single()).proposal).toMatchObject({ id: proposal.id, state: 'reverted' });
    expect(await world.fileAt(await world.head())).toBe(AGENT);
    await world.killSwitch.resume(OPERATOR, 'go on');
    expect(await world.run()).toMatchObject([{ step: 'learn', outcome: 'taken' }]);
  });

  test('stops a deployment also when it is pulled between the look and the commit', async () => {
    const world = await open();
    const { proposal } = await world.propose();
    await world.approve(proposal.id);
    const store = withCommit(world.store, async (plan, real) => {
      if (isStep(plan)) await world.killSwitch.stop(CODER, 'just in time', 'http');
      return real();
    });
    const taken = await world.run(world.loop({ store }));
    expect(taken.map(({ step, outcome }) => [step, outcome])).toEqual([
      ['deploy', 'refused'],
      ['deploy', 'stopped'],
    ]);
    expect((await world.single()).proposal.state).toBe('approved');
    expect(await world.fileAt(await world.head())).toBe(AGENT);
  });

  test('a change is rolled back by hand while everything is stopped', async () => {
    const world = await open();
    const { proposal } = await world.deployed();
    await world.killSwitch.stop(CODER, 'enough', 'command');
    const options = { actor: OPERATOR, ports: world.ports() };
    expect(await callBack(proposal.id, 'it hurts', options)).toMatchObject({ done: true });
    await world.run();
    expect((await world.single()).proposal.state).toBe('reverted');
    expect(await world.fileAt(await world.head())).toBe(AGENT);
  });
});

describe.each(['memory', 'postgres'] as const)('a step that fails on %s', (kind) => {
  const open = worldPerTest(kind);

  test('is shown with its error, tried again later and later up to a bound, and recovers', async () => {
    const world = await open();
    const loop = world.loop();
    await loop.startCycle('human');
    world.files.broken = new Error(`the disk \u001b[31m is gone\ud800 ${'x'.repeat(5000)}`);
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 10; attempt++) {
      expect(await world.run(loop)).toMatchObject([{ step: 'observe', outcome: 'failed' }]);
      expect(await world.run(loop)).toEqual([]);
      const [trouble] = await troubledWorks(world.store);
      expect(trouble).toMatchObject({ kind: 'cycle', attempts: attempt });
      expect(trouble!.error).toMatch(/^the disk .{900,}$/u);
      expect(trouble!.error!.length).toBeLessThanOrEqual(1000);
      const dueMs = (await loop.nextDueMs())!;
      waits.push((dueMs - world.clock.nowMs()) / 1000);
      world.clock.advance(dueMs - world.clock.nowMs());
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 900, 900]);
    world.files.broken = undefined;
    await world.run(loop);
    expect(await troubledWorks(world.store)).toEqual([]);
    expect((await world.single()).proposal.state).toBe('pending');
  });

  test('of a watch is tried again within half a minute, however often it failed', async () => {
    const world = await open();
    await world.deployed();
    world.clock.advance(MINUTE_MS);
    world.files.broken = new Error('gone');
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 5; attempt++) {
      expect(await world.run()).toMatchObject([{ step: 'monitor', outcome: 'failed' }]);
      waits.push(((await world.loop().nextDueMs())! - world.clock.nowMs()) / 1000);
      world.clock.advance(waits.at(-1)! * 1000);
    }
    expect(waits).toEqual([5, 10, 20, 30, 30]);
    world.files.broken = undefined;
    expect(await world.run()).toMatchObject([{ step: 'monitor', outcome: 'taken' }]);
  });

  test('is tried again at once when a person asks for a cycle', async () => {
    const world = await open();
    const loop = world.loop();
    const first = await loop.startCycle('periodic');
    world.files.broken = new Error('gone');
    await world.run(loop);
    world.files.broken = undefined;
    expect(await loop.startCycle('periodic')).toMatchObject({ started: false });
    expect(await world.run(loop)).toEqual([]);
    expect(await loop.startCycle('human')).toEqual({
      started: false,
      why: 'a cycle is already running',
      cycle: first.cycle,
    });
    await world.run(loop);
    expect((await world.single()).proposal.state).toBe('pending');
  });

  test('in its commit is that unit’s trouble, and no other’s', async () => {
    const world = await open();
    const { proposal } = await world.deployed();
    await world.loop().startCycle('human');
    world.clock.advance(MINUTE_MS);
    const store = withCommit(world.store, (plan, real) => {
      const isCycle = plan.expect?.some(({ where }) => String(where['id']).startsWith('cycle/'));
      if (isCycle && plan.entries !== undefined) throw new Error('no entry may be that large');
      return real();
    });
    const taken = await world.run(world.loop({ store }));
    expect(taken.map(({ step, outcome }) => [step, outcome])).toEqual([
      ['monitor', 'taken'],
      ['observe', 'taken'],
      ['diagnose', 'failed'],
    ]);
    expect(await troubledWorks(world.store)).toMatchObject([
      { kind: 'cycle', error: 'no entry may be that large' },
    ]);
    expect((await world.single()).proposal.id).toBe(proposal.id);
  });

  test('because its proposal cannot be read holds up nothing else', async () => {
    const world = await open();
    const { proposal } = await world.propose();
    await world.store.commit({
      writes: [
        {
          update: 'artifact_blobs',
          where: { digest: proposal.digest },
          set: { media_type: 'x', content: Buffer.from('{}') },
        },
        {
          update: 'loop_works',
          where: { subject: proposal.id },
          set: { due_at_ms: 1, ready_at_ms: 1 },
        },
      ],
    });
    const started = await world.loop().startCycle('human');
    const taken = await world.run();
    expect(taken[0]).toMatchObject({ subject: proposal.id, outcome: 'failed' });
    expect(taken[0]!.did).toContain('do not match its id');
    expect(taken).toContainEqual(
      expect.objectContaining({ subject: started.cycle, step: 'diagnose' }),
    );
  });

  test('because it was told to stop has not failed', async () => {
    const world = await open();
    const stop = new AbortController();
    const loop = world.loop({
      replay: {
        commands: [],
        run: async () => {
          stop.abort();
          return [];
        },
      },
    });
    await loop.startCycle('human');
    await loop.run(stop.signal);
    expect((await world.single()).proposal.state).toBe('validating');
    expect(await troubledWorks(world.store)).toEqual([]);
    await world.run();
    expect((await world.single()).proposal.state).toBe('pending');
  });

  test('told to stop while it reads events, it reads the rest before it judges', async () => {
    const world = await open();
    const stop = new AbortController();
    const files: SourceFiles = {
      open: world.files.open,
      list: (path, extension) => {
        stop.abort();
        return world.files.list(path, extension);
      },
    };
    const loop = world.loop({ files });
    const started = await loop.startCycle('human');
    expect(await loop.run(stop.signal)).toEqual([]);
    await world.run();
    const report = await readReport(world.store, started.cycle!);
    expect(report).toMatchObject({ collected: { events: 120 } });
  });

  test('goes on while its claim cannot be renewed for a moment', async () => {
    const world = await open();
    let renewals = 0;
    const store = withCommit(world.store, (plan, real) => {
      if (isRenewal(plan) && ++renewals === 1) throw new Error('the database is away');
      return real();
    });
    const files: SourceFiles = {
      open: world.files.open,
      list: async (path, extension) => {
        for (let tens = 0; tens < 6; tens++) await passing(world, 10_000);
        return world.files.list(path, extension);
      },
    };
    const loop = world.loop({ store, files });
    const started = await loop.startCycle('human');
    expect(await loop.step(`cycle/${started.cycle}`, signal)).toMatchObject({ outcome: 'taken' });
    expect(renewals).toBeGreaterThan(1);
  });
});

/** A paused process does not know how late it is: its own clock stands still. */
describe.each(['memory', 'postgres'] as const)('a worker that was overtaken on %s', (kind) => {
  const open = worldPerTest(kind);
  const TOO_LATE_MS = 31_000;

  test('writes nothing under the claim that it lost', async () => {
    const world = await open();
    const started = await world.loop().startCycle('human');
    const work = `cycle/${started.cycle}`;
    const files: SourceFiles = {
      open: world.files.open,
      list: async (path, extension) => {
        world.clock.advance(TOO_LATE_MS);
        const claimer = { holder: 'two', ttlMs: 60_000 };
        expect(await claimById(world.store, work, claimer)).toMatchObject({ holder: 'two' });
        return world.files.list(path, extension);
      },
    };
    const loop = world.loop({ files, clock: new ManualClock() });
    const { version, data } = (await readWork(world.store, work))!;
    expect(await loop.step(work, signal)).toMatchObject({ outcome: 'refused' });
    const after = await readWork(world.store, work);
    expect(after).toMatchObject({ version, data, holder: 'two', token: 2 });
    expect(after!.readyAtMs).toBe(world.clock.nowMs() + 60_000);
  });

  test('begins no cycle beside the one that was begun meanwhile', async () => {
    const world = await open();
    const store = withCommit(world.store, async (plan, real) => {
      if (plan.entries?.[0]?.type === 'loop.cycle_started') {
        world.clock.advance(TOO_LATE_MS);
        expect(await world.loop().startCycle('human')).toMatchObject({ started: true });
      }
      return real();
    });
    expect(await world.loop({ store }).startCycle('periodic')).toMatchObject({ started: false });
    expect(await listCycles(world.store, 9)).toMatchObject([{ trigger: 'human' }]);
  });
});

function isRenewal({ expect: expected, writes }: Plan): boolean {
  const [write] = writes ?? [];
  if (expected?.[0]?.name !== 'claim' || write === undefined || !('update' in write)) return false;
  return Number(write.set['ready_at_ms']) > 0;
}

/** Time passes, and who slept until now gets a turn with the store. */
async function passing(world: World, ms: number): Promise<void> {
  world.clock.advance(ms);
  for (let turn = 0; turn < 3; turn++) {
    await nextTurn();
    await world.store.all('SELECT 1 AS one');
  }
}
