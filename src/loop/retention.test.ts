import { expect, test } from 'vitest';
import { OPERATOR } from '../../test/proposals.ts';
import { Purse, purses } from '../model/index.ts';
import { readProposal } from '../proposal/index.ts';
import { runRetention, setAsideByHand } from './index.ts';
import { worldPerTest } from './loop.test-support.ts';

const open = worldPerTest('memory');

test('STORE-4 what a validation spent on a model is kept until it cannot be repeated', async () => {
  const world = await open();
  const { proposal } = await world.propose();
  const { digest } = await readProposal(world.store, proposal.id);
  const purse = new Purse(world.store, digest, 1);
  expect(await purse.take(0.8)).toBe(true);
  expect(await new Purse(world.store, 'sha256:of another base', 1).take(0.1)).toBe(true);
  await runRetention(world.ports(), new AbortController().signal);
  expect(await purses(world.store)).toEqual([digest]);
  expect(await purse.take(0.8)).toBe(false);

  const why = { act: 'abort', reason: 'by hand instead' } as const;
  await setAsideByHand(proposal.id, why, { actor: OPERATOR, ports: world.ports() });
  await world.run();
  await runRetention(world.ports(), new AbortController().signal);
  expect(await purses(world.store)).toEqual([]);
});
