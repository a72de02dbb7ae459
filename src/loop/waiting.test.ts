/** Why a proposal stays where it is, for whoever looks hours later. */
import { describe, expect, test } from 'vitest';
import { OPERATOR } from '../../test/proposals.ts';
import { decideByHand, waitingProposals } from './index.ts';
import { HOUR_MS, type World, worldPerTest } from './loop.test-support.ts';

describe.each(['memory', 'postgres'] as const)('what waits, on %s', (kind) => {
  const open = worldPerTest(kind);
  const reasons = async (world: World, stopped = false) => {
    const nowMs = await world.store.nowMs();
    const waiting = await waitingProposals(world.store, { nowMs, stopped });
    return waiting.map(({ state, why, failing }) => [state, why, failing]);
  };

  test('a branch that is checked out: said while it is, and no longer', async () => {
    const world = await open();
    const { proposal } = await world.propose();
    world.workingTrees.set('refs/heads/main', '/somewhere/agents');
    await world.approve(proposal.id);
    expect(await reasons(world)).toEqual([]);
    await world.run();
    const told = ['approved', expect.stringContaining('checked out at /somewhere/agents'), false];
    expect(await reasons(world)).toEqual([told]);
    world.workingTrees.clear();
    world.clock.advance(60_000);
    await world.run();
    const [[state, why] = []] = await reasons(world);
    expect(state).toBe('monitoring');
    expect(why).not.toContain('checked out');
  });

  test('everything stopped', async () => {
    const world = await open();
    const { proposal } = await world.propose();
    await world.killSwitch.stop(OPERATOR, 'harm', 'command');
    await world.approve(proposal.id);
    await world.run();
    const why = 'everything automatic is stopped; "hone resume" lifts it';
    expect(await reasons(world, true)).toEqual([['approved', why, false]]);
  });

  test('nobody takes its steps', async () => {
    const world = await open();
    const { proposal } = await world.propose();
    await world.approve(proposal.id);
    world.clock.advance(HOUR_MS);
    expect(await reasons(world)).toEqual([
      ['approved', expect.stringMatching(/^its next step is due since .*"hone up"/), false],
    ]);
  });

  test('a step that keeps failing', async () => {
    const world = await open();
    const { proposal } = await world.propose();
    await world.approve(proposal.id);
    const broken = { ...world.repository, resolve: () => Promise.reject(new Error('no disk')) };
    await world.run(world.loop({ repository: broken }));
    expect(await reasons(world)).toEqual([['approved', 'failed 1 time: no disk', true]]);
    world.clock.advance(60_000);
    await world.run();
    expect((await reasons(world)).map(([, , failing]) => failing)).toEqual([false]);
  });

  test('a decision, and nothing once it is over', async () => {
    const world = await open();
    const { proposal } = await world.propose();
    expect(await reasons(world)).toEqual([['pending', 'waiting for a decision', false]]);
    const decision = { verdict: 'rejected', reason: 'no' } as const;
    await decideByHand(proposal.id, decision, { actor: OPERATOR, ports: world.ports() });
    await world.run();
    expect(await reasons(world)).toEqual([]);
  });
});
