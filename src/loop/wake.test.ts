/** What a forge's webhook does: it makes Hone look, on time, late, or for nothing. It decides nothing. */
import { expect, test } from 'vitest';
import { recorded } from '../../test/ledger.ts';
import { OPERATOR } from '../../test/proposals.ts';
import { setAsideByHand, wakeProposal } from './index.ts';
import { worldPerTest } from './loop.test-support.ts';

const open = worldPerTest('memory');

test('a proposal that waits is looked at now, and nothing else changes', async () => {
  const world = await open();
  const loop = world.loop();
  const { proposal } = await world.propose(loop);
  const entries = (await recorded(world.store)).length;
  expect(await loop.nextDueMs()).toBeGreaterThan(world.clock.nowMs());
  for (let twice = 0; twice < 2; twice++)
    expect(await wakeProposal(world.store, proposal.id)).toBe(true);
  expect(await loop.nextDueMs()).toBe(world.clock.nowMs());
  await world.run(loop);
  expect((await world.single()).proposal).toEqual(proposal);
  expect(await recorded(world.store)).toHaveLength(entries);
});

test('one that comes late, or for a proposal that there is not, changes nothing', async () => {
  const world = await open();
  const { proposal } = await world.propose();
  const given = { act: 'abort', reason: 'the tool goes away' } as const;
  await setAsideByHand(proposal.id, given, { actor: OPERATOR, ports: world.ports() });
  await world.run();
  const over = await world.single();
  expect(over.proposal.state).toBe('aborted');
  expect(await wakeProposal(world.store, 'p_none')).toBe(false);
  await wakeProposal(world.store, proposal.id);
  await world.run();
  expect(await world.single()).toEqual(over);
});
