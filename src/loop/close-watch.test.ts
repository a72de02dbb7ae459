/** A person ends a watch. */
import { describe, expect, test } from 'vitest';
import { recorded } from '../../test/ledger.ts';
import { BOB, CODER, OPERATOR } from '../../test/proposals.ts';
import type { Actor } from '../facts/index.ts';
import { listFixes } from '../learn/index.ts';
import { readProbation } from '../monitor/index.ts';
import { latest } from '../proposal/index.ts';
import { callBack, closeWatch } from './index.ts';
import { HOUR_MS, traffic, type World, worldPerTest } from './loop.test-support.ts';

const close = (world: World, id: string, actor: Actor = OPERATOR) =>
  closeWatch(id, ' nobody calls it any more ', { actor, ports: world.ports() });

describe.each(['memory', 'postgres'] as const)('ending a watch on %s', (kind) => {
  const open = worldPerTest(kind);

  test('the close one: the change stays, as not judged, and can still be taken back', async () => {
    const world = await open();
    const { proposal, content } = await world.deployed();
    expect(await close(world, proposal.id)).toMatchObject({
      done: true,
      did: 'its watch was ended by operator@example.org: nobody calls it any more',
    });
    await world.run();
    const { attestations, proposal: after } = await world.single();
    expect(after.state).toBe('implemented');
    expect(latest(attestations, 'monitoring', proposal.digest)).toMatchObject({
      verdict: 'closed',
      actor: { id: OPERATOR.id },
    });
    expect(await listFixes(world.store, content.patternId!)).toMatchObject([
      { outcome: 'inconclusive', reason: expect.stringContaining('nobody calls it any more') },
    ]);
    expect(await close(world, proposal.id)).toMatchObject({
      done: false,
      why: expect.stringContaining('nothing to end'),
    });
    const before = await world.fileAt(content.baseCommit);
    await callBack(proposal.id, 'it hurts', { actor: BOB, ports: world.ports() });
    await world.run();
    expect((await world.single()).proposal.state).toBe('reverted');
    expect(await world.fileAt(await world.head())).toBe(before);
  });

  test('a probation: it is over, with who ended it and why', async () => {
    const world = await open();
    const { proposal } = await world.deployed();
    world.clock.advance(25 * HOUR_MS);
    const untilMs = world.clock.nowMs();
    world.files.text += traffic({ untilMs, overMs: 24 * HOUR_MS, failEvery: 100 });
    await world.run();
    expect((await world.single()).proposal.state).toBe('implemented');
    expect(await close(world, proposal.id)).toMatchObject({ done: true });
    expect((await readProbation(world.store, proposal.id))?.endedAtMs).toBe(world.clock.nowMs());
    const ended = (await recorded(world.store)).filter(
      ({ type }) => type === 'monitor.probation_ended',
    );
    expect(ended).toMatchObject([
      { actor: { id: OPERATOR.id }, data: { why: expect.stringContaining('nobody calls it') } },
    ]);
    world.clock.advance(2 * HOUR_MS);
    await world.run();
    expect((await recorded(world.store)).at(-1)?.type).not.toBe('monitor.extended');
  });

  test('not by agents, not without proof, not where it is to be taken back, not where none is', async () => {
    const world = await open();
    const { proposal } = await world.propose();
    const refused = (why: string) => ({ done: false, why: expect.stringContaining(why) });
    expect(await close(world, proposal.id)).toMatchObject(refused('it is not watched'));
    await world.approve(proposal.id);
    await world.run();
    const before = await recorded(world.store);
    expect(await close(world, proposal.id, CODER)).toMatchObject(refused('Only a person'));
    expect(await close(world, proposal.id, BOB)).toMatchObject(refused('HONE_TOKEN'));
    expect(await recorded(world.store)).toEqual(before);
    await callBack(proposal.id, 'it hurts', { actor: BOB, ports: world.ports() });
    expect(await close(world, proposal.id)).toMatchObject(refused('to be taken back'));
  });
});
