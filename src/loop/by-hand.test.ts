/** What people do to proposals, and what others do to the target meanwhile. */
import { describe, expect, test } from 'vitest';
import { recorded } from '../../test/ledger.ts';
import { BOB, CODER, OPERATOR } from '../../test/proposals.ts';
import { type Actor, SYSTEM } from '../facts/index.ts';
import { listFixes } from '../learn/index.ts';
import { listEffects } from '../outbox/index.ts';
import { callBack, decideByHand, troubledWorks } from './index.ts';
import {
  AGENT,
  FILE,
  HOUR_MS,
  traffic,
  type World,
  withCommit,
  worldPerTest,
} from './loop.test-support.ts';

describe.each(['memory', 'postgres'] as const)('by hand on %s', (kind) => {
  const open = worldPerTest(kind);
  const by = (world: World, actor: Actor) => ({ actor, ports: world.ports() });

  test.each([
    ['an agent', CODER],
    ['Hone itself', SYSTEM],
  ])('%s neither decides nor calls back', async (_, actor) => {
    const world = await open();
    const { proposal } = await world.propose();
    const before = await recorded(world.store);
    for (const verdict of ['approved', 'rejected'] as const) {
      const decided = await decideByHand(proposal.id, { verdict, reason: 'x' }, by(world, actor));
      expect(decided).toMatchObject({ done: false, why: expect.stringContaining('person') });
    }
    expect(await callBack(proposal.id, 'x', by(world, actor))).toEqual({
      done: false,
      why: 'Only a person may take a change back.',
    });
    expect(await recorded(world.store)).toEqual(before);
    expect((await world.single()).proposal).toEqual(proposal);
  });

  test('what is not at the target cannot be called back', async () => {
    const world = await open();
    const { proposal } = await world.propose();
    expect(await callBack(proposal.id, 'x', by(world, OPERATOR))).toEqual({
      done: false,
      why: 'It is pending: it is not deployed.',
    });
    await decideByHand(proposal.id, { verdict: 'rejected', reason: 'no' }, by(world, BOB));
    expect(await callBack(proposal.id, 'x', by(world, OPERATOR))).toMatchObject({ done: false });
  });

  test('called back twice it is taken back once, and cannot be called back again', async () => {
    const world = await open();
    const { proposal } = await world.deployed();
    const reason = `it hurts\ud800 ${'x'.repeat(5000)}`;
    const calls = [1, 2].map(() => callBack(proposal.id, reason, by(world, BOB)));
    expect((await Promise.all(calls)).filter(({ done }) => done).length).toBeGreaterThan(0);
    await world.run();
    expect((await world.single()).proposal.state).toBe('reverted');
    expect(await world.fileAt(await world.head())).toBe(AGENT);
    const entries = await recorded(world.store);
    expect(entries.filter(({ type }) => type === 'deploy.reverted')).toHaveLength(1);
    expect(await callBack(proposal.id, 'x', by(world, BOB))).toMatchObject({ done: false });
    const [fix] = await listFixes(world.store, (await world.single()).content.patternId!);
    expect(fix).toMatchObject({ outcome: 'withdrawn' });
  });

  test('a rejection is remembered with its reason', async () => {
    const world = await open();
    const { proposal, content } = await world.propose();
    const decision = { verdict: 'rejected', reason: 'the tool is going away' } as const;
    expect(await decideByHand(proposal.id, decision, by(world, BOB))).toMatchObject({ done: true });
    await world.run();
    expect(await listFixes(world.store, content.patternId!)).toMatchObject([
      { outcome: 'rejected', reason: 'rejected by bob@example.org: the tool is going away' },
    ]);
  });

  test('of two decisions at the same moment one counts', async () => {
    const world = await open();
    const { proposal } = await world.propose();
    const decided = await Promise.all(
      (['approved', 'rejected'] as const).map((verdict) =>
        decideByHand(proposal.id, { verdict, reason: 'so' }, by(world, OPERATOR)),
      ),
    );
    expect(decided.filter(({ done }) => done)).toHaveLength(1);
    const entries = await recorded(world.store);
    const decisions = entries.filter(({ data }) => (data as { kind?: string }).kind === 'decision');
    expect(decisions).toHaveLength(1);
  });

  test('a worker that looks at the same moment does not undo a decision', async () => {
    const world = await open();
    const { proposal } = await world.propose();
    let looks = 0;
    const store = withCommit(world.store, async (plan, real) => {
      if ((plan.entries ?? []).length > 0 && looks++ === 0) {
        const where = { subject: proposal.id };
        const set = { version: { add: 1 } };
        await world.store.commit({ writes: [{ update: 'loop_works', where, set }] });
      }
      return real();
    });
    const options = { actor: OPERATOR, ports: world.ports({ store }) };
    const decision = { verdict: 'approved', reason: '' } as const;
    expect(await decideByHand(proposal.id, decision, options)).toMatchObject({ done: true });
    expect(looks).toBe(2);
    await world.run();
    expect((await world.single()).proposal.state).toBe('monitoring');
  });

  test('PROP-5 every change of a proposal is one page, with its state', async () => {
    const world = await open();
    const { proposal } = await world.deployed();
    await callBack(proposal.id, 'it hurts', by(world, OPERATOR));
    await world.run();
    const pages = (await listEffects(world.store, { limit: 100 }))
      .filter(({ destination }) => destination === 'proposals-branch')
      .map(({ payload }) => payload as { version: number; state: string })
      .sort((one, other) => one.version - other.version);
    expect(pages.map(({ state }) => state)).toEqual([
      'draft',
      'vetted',
      'validating',
      'validated',
      'pending',
      'approved',
      'deploying',
      'monitoring',
      'monitoring',
      'reverted',
    ]);
    expect(pages.at(-1)!.version).toBe((await world.single()).proposal.version);
  });
});

describe.each(['memory', 'postgres'] as const)('a target that moves on, on %s', (kind) => {
  const open = worldPerTest(kind);

  test('DEP-1 the change is applied to the new head, validated and decided again', async () => {
    const world = await open();
    const { proposal, content } = await world.propose();
    await world.approve(proposal.id);
    const head = await world.commit(FILE, `${AGENT}notes: none\n`);
    await world.run();
    const moved = await world.single();
    expect(moved.proposal).toMatchObject({ id: proposal.id, state: 'pending' });
    expect(moved.proposal.digest).not.toBe(proposal.digest);
    expect(moved.content).toEqual({
      ...content,
      baseCommit: head,
      diffDigest: expect.stringMatching(/^sha256:/),
    });
    expect(await world.head()).toBe(head);

    await world.approve(proposal.id);
    await world.run();
    expect((await world.single()).proposal.state).toBe('monitoring');
    const file = await world.fileAt(await world.head());
    expect(file).toBe(`${AGENT.replace('800', '1500')}notes: none\n`);
    const states = (await recorded(world.store)).flatMap(({ type, data }) => {
      if (type === 'proposal.amended') return ['draft'];
      return type === 'proposal.advanced' ? [(data as { to: string }).to] : [];
    });
    const again = ['vetted', 'validating', 'validated', 'pending', 'approved'];
    expect(states).toEqual([...again, 'draft', ...again, 'deploying', 'monitoring']);
  });

  test('a change whose failure ended by itself is withdrawn, also after its approval', async () => {
    const world = await open();
    const { proposal } = await world.propose();
    const head = await world.head();
    await world.approve(proposal.id);
    world.clock.advance(6 * HOUR_MS);
    const quiet = { calls: 400, failEvery: 1000 };
    world.files.text += traffic({ untilMs: world.clock.nowMs(), ...quiet });
    await world.loop().startCycle('human');
    await world.run();
    const { proposal: now } = await world.single();
    expect(now.state).toBe('superseded');
    expect(await world.head()).toBe(head);
    const said = (await recorded(world.store)).map(({ data }) => JSON.stringify(data)).join(' ');
    expect(said).not.toContain('deploy.prepared');
  });

  test('a change that no longer applies is superseded, and nothing is deployed', async () => {
    const world = await open();
    const { proposal } = await world.propose();
    await world.approve(proposal.id);
    const other = AGENT.replace('800', '900');
    const head = await world.commit(FILE, other);
    await world.run();
    expect((await world.single()).proposal.state).toBe('superseded');
    expect(await world.head()).toBe(head);
    expect(await world.fileAt(head)).toBe(other);
    expect(await world.loop().nextDueMs()).toBeNull();
    expect(await troubledWorks(world.store)).toEqual([]);
  });

  test('a branch that is checked out is left alone until it no longer is', async () => {
    const world = await open();
    const { proposal } = await world.propose();
    world.workingTrees.set('refs/heads/main', '/somewhere/agents');
    await world.approve(proposal.id);
    const [taken] = await world.run();
    expect(taken).toMatchObject({ step: 'deploy', moved: false, outcome: 'taken' });
    expect(taken!.did).toContain('checked out at /somewhere/agents');
    expect((await world.single()).proposal.state).toBe('approved');
    expect(await world.fileAt(await world.head())).toBe(AGENT);
    world.workingTrees.clear();
    world.clock.advance(60_000);
    await world.run();
    expect((await world.single()).proposal.state).toBe('monitoring');
  });

  test('what had to wait for its branch goes on at once when a person asks for a cycle', async () => {
    const world = await open();
    const { proposal } = await world.propose();
    world.workingTrees.set('refs/heads/main', '/somewhere/agents');
    await world.approve(proposal.id);
    await world.run();
    world.workingTrees.clear();
    await world.run();
    expect((await world.single()).proposal.state).toBe('approved');
    await world.loop().startCycle('human');
    await world.run();
    expect((await world.single()).proposal.state).toBe('monitoring');
  });
});
