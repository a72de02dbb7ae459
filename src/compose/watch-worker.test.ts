/** Watching and taking back wait behind nothing: the worker of their own in `hone up`, on a real loop. */
import { describe, expect, test } from 'vitest';
import { OPERATOR } from '../../test/proposals.ts';
import type { OpenLoop } from '../app/context.ts';
import { silentLog } from '../base/index.ts';
import { callBack, Loop } from '../loop/index.ts';
import { AGENT, worldPerTest } from '../loop/loop.test-support.ts';
import { readWork } from '../loop/works.ts';
import { listProposals, readProposal } from '../proposal/index.ts';
import { loopWorkers } from './loop-workers.ts';

const signal = new AbortController().signal;

/** A promise, and how it is settled from outside. */
function later() {
  let settle = () => {};
  const promise = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { promise, settle };
}

describe.each(['memory', 'postgres'] as const)('one machine on %s', (kind) => {
  const openWorld = worldPerTest(kind);

  test('a validation that hangs keeps no watch and no rollback waiting', async () => {
    const world = await openWorld();
    const { proposal } = await world.deployed();
    await world.addClerk();
    const [hung, released] = [later(), later()];
    const real = world.replay();
    const replay: typeof real = {
      commands: [],
      run: async (...given) => {
        hung.settle();
        await released.promise;
        return real.run(...given);
      },
    };
    const ports = world.ports({ replay });
    const loop = new Loop(ports);
    const open = { loop, ports, deliver: async () => 0 } as unknown as OpenLoop;
    const workers = loopWorkers(open, { clock: world.clock, log: silentLog });
    const worker = (name: string) => workers.find((one) => one.name === name)!.run(signal);

    await loop.startCycle('human');
    const validating = worker('loop');
    await hung.promise;
    const stateOf = async (id: string) => (await readProposal(world.store, id)).state;
    // The first look takes the baseline; the next one is due in a minute, and looks.
    world.clock.advance(60_000);
    const dueMs = (await readWork(world.store, `proposal/${proposal.id}`))!.dueAtMs!;
    expect(dueMs).toBeLessThanOrEqual(world.clock.nowMs());
    await worker('watch');
    expect((await readWork(world.store, `proposal/${proposal.id}`))!.dueAtMs).toBeGreaterThan(
      dueMs,
    );

    await callBack(proposal.id, 'it hurts', { actor: OPERATOR, ports });
    await worker('watch');
    expect(await stateOf(proposal.id)).toBe('reverted');
    expect(await world.fileAt(await world.head())).toBe(AGENT);
    const others = await listProposals(world.store, { states: ['validating'], limit: 9 });
    expect(others).toHaveLength(1);

    released.settle();
    await validating;
    await worker('loop');
    expect(await stateOf(others[0]!.id)).toBe('pending');
  });

  test('the worker that watches does nothing else', async () => {
    const world = await openWorld();
    await world.deployed();
    const loop = world.loop();
    await loop.startCycle('human');
    world.clock.advance(60_000);
    const taken = await loop.run(signal, 'watching');
    expect(taken.map(({ step }) => step)).toEqual(['monitor']);
    expect((await loop.run(signal)).map(({ step }) => step)).toContain('observe');
  });
});
