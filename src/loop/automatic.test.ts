/** Changes that no person decides: switched on, limited, paused by a rollback, forbidden by a policy. */
import { describe, expect, test } from 'vitest';
import { OPERATOR } from '../../test/proposals.ts';
import { type AutomaticTier, Rights, readAutomatic, setAutomatic } from '../policy/index.ts';
import { latestDecision } from '../proposal/index.ts';
import type { TargetRunner } from '../validate/index.ts';
import { switchedOn } from './automatic.ts';
import { callBack, type LoopPorts } from './index.ts';
import { HOUR_MS, MINUTE_MS, traffic, type World, worldPerTest } from './loop.test-support.ts';

describe('APP-1 tiers that decide by themselves', () => {
  const makeWorld = worldPerTest('memory');

  async function turn({ store }: World, ...on: AutomaticTier[]) {
    const before = await readAutomatic(store);
    const next = { on, sinceMs: await store.nowMs() };
    const about = { before, actor: OPERATOR, reason: 'a steady fleet', also: {} };
    expect(await setAutomatic(store, next, about)).toEqual({ set: true });
  }

  const newestDecision = async (world: World) => {
    const { attestations, proposal } = await world.single();
    return latestDecision(attestations, proposal.digest);
  };

  test('off as shipped: a person is asked', async () => {
    const world = await makeWorld();
    expect((await world.propose()).proposal.state).toBe('pending');
  });

  test('auto: deployed without a person, decided by Hone itself and by a policy', async () => {
    const world = await makeWorld();
    await turn(world, 'auto');
    expect((await world.propose()).proposal.state).toBe('monitoring');
    const decision = await newestDecision(world);
    expect(decision).toMatchObject({
      verdict: 'approved',
      tier: 'auto',
      actor: { kind: 'system', id: 'hone' },
    });
    const told = await world.store.all('SELECT payload AS text FROM outbox_effects');
    expect(told.some(({ text }) => String(text).includes('asked for a decision'))).toBe(false);
  });

  describe('a change whose tests pass, and of which nothing shows that it helps', () => {
    const well = { output: Buffer.alloc(0), messages: Buffer.alloc(0), kept: {} as never };
    const runner: TargetRunner = {
      runTool: async () => undefined,
      probe: async () => ({ available: true, version: '0', kept: {} as never }),
      open: async () => ({
        run: async () => ({ ended: 'exited', exitCode: 0, wallMs: 1, memoryBytes: 1, ...well }),
        [Symbol.asyncDispose]: async () => {},
      }),
    };

    async function proposed(on: AutomaticTier) {
      const world = await makeWorld();
      world.config = world.configured({ validate: { test: ['true'] } });
      await turn(world, on);
      const { proposal } = await world.propose(world.loop({ replay: undefined, runner }));
      return { world, state: proposal.state };
    }

    test('is left to a person where only auto is on', async () => {
      expect((await proposed('auto')).state).toBe('pending');
    });

    test('is deployed where notify is on, and people are told that it was', async () => {
      const { world, state } = await proposed('notify');
      expect(state).toBe('monitoring');
      expect(await newestDecision(world)).toMatchObject({
        ...{ verdict: 'approved', tier: 'notify', actor: { kind: 'system', id: 'hone' } },
      });
      const told = [
        ...(await world.store.all('SELECT payload AS text FROM outbox_effects')),
        ...(await world.store.all('SELECT title AS text FROM notify_pending')),
      ].map(({ text }) => String(text));
      const words = told.join('\n');
      expect(words).toContain('Approved at tier notify: Raise timeout_ms');
      expect(words).toContain('Deployed: Raise timeout_ms');
      // Watched like any other, and taken back when it hurts.
      world.clock.advance(HOUR_MS);
      const untilMs = world.clock.nowMs();
      world.files.text += traffic({ untilMs, overMs: 50 * MINUTE_MS, failEvery: 2 });
      await world.run();
      expect((await world.single()).proposal.state).toBe('reverted');
      expect((await switchedOn(world.store)).tiers).toEqual([]);
    });
  });

  test('only the tier that is on: notify alone leaves an auto change to a person', async () => {
    const world = await makeWorld();
    await turn(world, 'notify');
    expect((await world.propose()).proposal.state).toBe('pending');
  });

  test('PROP-7 beyond the limit of a day a person is asked, and stays asked the next day', async () => {
    const world = await makeWorld();
    world.config = world.configured({ limits: { automaticChanges: 0 } });
    await turn(world, 'auto');
    expect((await world.propose()).proposal.state).toBe('pending');
    world.config = world.configured({});
    world.clock.advance(25 * HOUR_MS);
    await world.run();
    expect(await newestDecision(world)).toBeUndefined();
  });

  test('APP-2 a policy of the team keeps a change from being decided without a person', async () => {
    const world = await makeWorld();
    await turn(world, 'auto');
    const text =
      'forbid (principal is System, action == Action::"decide_alone", resource) when { resource.folders.contains("agents") };';
    const rights = new Rights(async () => [{ path: 'policies/team.cedar', text }]);
    const loop = world.loop({ rights } satisfies Partial<LoopPorts>);
    expect((await world.propose(loop)).proposal.state).toBe('pending');
  });

  test('APP-2 what has an owner in the repository is asked about, whatever is switched on', async () => {
    const world = await makeWorld();
    await world.commit('CODEOWNERS', '/agents/ ann@example.org\n');
    world.config = world.configured({ approve: { codeOwners: true } });
    await turn(world, 'auto', 'notify');
    expect((await world.propose()).proposal.state).toBe('pending');
    expect(await newestDecision(world)).toBeUndefined();
  });

  test('PROP-7 a rollback for harm pauses both until an operator resets it', async () => {
    const world = await makeWorld();
    await turn(world, 'auto', 'notify');
    await world.propose();
    world.clock.advance(HOUR_MS);
    const untilMs = world.clock.nowMs();
    world.files.text += traffic({ untilMs, overMs: 50 * MINUTE_MS, failEvery: 2 });
    await world.run();
    expect((await world.single()).proposal.state).toBe('reverted');
    expect((await switchedOn(world.store)).tiers).toEqual([]);
    // An operator looked, and says so.
    world.clock.advance(1);
    await turn(world, 'auto', 'notify');
    expect((await switchedOn(world.store)).tiers).toEqual(['auto', 'notify']);
  });

  test('a rollback that a person asked for pauses nothing', async () => {
    const world = await makeWorld();
    await turn(world, 'auto');
    const { id } = (await world.propose()).proposal;
    await callBack(id, 'another plan', { actor: OPERATOR, ports: world.ports() });
    await world.run();
    expect((await world.single()).proposal.state).toBe('reverted');
    expect((await switchedOn(world.store)).tiers).toEqual(['auto']);
  });

  test('switched off between the decision and the deployment, a person is asked', async () => {
    const world = await makeWorld();
    await turn(world, 'auto');
    const loop = world.loop();
    await loop.startCycle('human');
    // Nobody deploys to a branch that somebody has checked out: it is approved, and waits.
    world.workingTrees.set('refs/heads/main', '/home/somebody/agents');
    await world.run(loop);
    expect((await world.single()).proposal.state).toBe('approved');
    world.workingTrees.clear();
    world.clock.advance(HOUR_MS);
    await turn(world);
    await world.run();
    const { proposal } = await world.single();
    expect(proposal.state).toBe('pending');
    expect((await newestDecision(world))?.actor.kind).toBe('system');
  });

  test('a row that no entry of the ledger made lets nothing pass', async () => {
    const world = await makeWorld();
    await turn(world, 'notify');
    await world.store.commit({
      writes: [{ update: 'policy_automatic', where: { id: 1 }, set: { auto_on: 1 } }],
    });
    const { proposal } = await world.propose();
    expect(proposal.state).toBe('approved');
    const waiting = await world.store.all('SELECT data FROM loop_works');
    expect(JSON.stringify(waiting)).toContain('policy_automatic has a row about hone:automatic');
  });
});
