/** Why a proposal stays where it is, for whoever looks hours later. */
import { describe, expect, test } from 'vitest';
import { OPERATOR } from '../../test/proposals.ts';
import { listFixes } from '../learn/index.ts';
import { listEffects } from '../outbox/index.ts';
import { latest } from '../proposal/index.ts';
import { decideByHand, proposalsThatNeedAPerson, waitingProposals } from './index.ts';
import { HOUR_MS, type World, worldPerTest } from './loop.test-support.ts';

describe.each(['memory', 'postgres'] as const)('what waits, on %s', (kind) => {
  const open = worldPerTest(kind);
  const reasons = async (world: World, stopped = false) => {
    const nowMs = await world.store.nowMs();
    const waiting = await waitingProposals(world.store, { nowMs, stopped });
    return waiting.map(({ state, why, failing }) => [state, why, failing]);
  };

  test('whoever is asked hears where it goes, that it is whole, and what is in the way', async () => {
    const world = await open();
    world.workingTrees.set('refs/heads/main', '/somewhere/agents');
    await world.propose();
    const asked = (await listEffects(world.store, { limit: 50 }))
      .filter(({ key }) => key.includes('/approve/'))
      .map(({ payload }) => (payload as { text: string }).text.split('\n'));
    expect(asked).toEqual([
      [
        expect.stringContaining('hone proposals show'),
        expect.stringContaining('the branch main of the target repository'),
        expect.stringContaining('everything at once'),
        expect.stringContaining('checked out at /somewhere/agents'),
      ],
    ]);
  });

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
      ['approved', expect.stringMatching(/^its next step has been due since .*"hone up"/), false],
    ]);
  });

  test('a watch that ends without enough traffic is inconclusive by itself, and that is told once', async () => {
    const world = await open();
    const { proposal, content } = await world.deployed();
    for (let days = 0; days < 30; days++) {
      expect((await world.single()).proposal.state).toBe(days < 28 ? 'monitoring' : 'implemented');
      world.clock.advance(24 * HOUR_MS);
      await world.run();
    }
    const { attestations } = await world.single();
    expect(latest(attestations, 'monitoring', proposal.digest)?.verdict).toBe('inconclusive');
    expect(await listFixes(world.store, content.patternId!)).toMatchObject([
      { outcome: 'inconclusive' },
    ]);
    expect(await proposalsThatNeedAPerson(world.store)).toEqual([]);
    const told = (await listEffects(world.store, { limit: 100 }))
      .map(({ payload }) => payload as { title?: string; text?: string })
      .filter(({ title }) => title?.startsWith('Kept, not judged'));
    expect(told).toMatchObject([{ text: expect.stringContaining(`hone rollback ${proposal.id}`) }]);
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
