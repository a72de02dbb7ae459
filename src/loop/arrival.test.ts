/** DEP-8 through the loop: between the branch and the watch, and between a rollback and what is learnt of it. */
import { expect, test } from 'vitest';
import { OPERATOR } from '../../test/proposals.ts';
import type { DeployRunner } from '../deploy/index.ts';
import { listFixes } from '../learn/index.ts';
import { readWatch } from '../monitor/index.ts';
import { callBack } from './index.ts';
import { FILE, MINUTE_MS, traffic, worldPerTest } from './loop.test-support.ts';

const open = worldPerTest('memory');

async function agentsOf(deployed: object = { command: ['ask'] }, more: object = {}) {
  const world = await open();
  world.config = world.configured({
    deploy: {
      hooks: [{ paths: ['agents/**'], run: ['reload'] }],
      deployed: { timeout: '10m', ...deployed },
      smoke: { command: ['smoke'] },
      ...more,
    },
  });
  const agents = { runs: '', ran: [] as string[], smoke: 0 };
  const runner: DeployRunner = {
    async run([program], { variables }) {
      if (program === 'ask') return { how: 'done', code: 0, output: agents.runs };
      agents.ran.push(`${program} ${variables['HONE_EVENT']}`);
      const code = { smoke: agents.smoke, verify: 1 }[program!] ?? 0;
      return { how: code === 0 ? 'done' : 'failed', code, output: '' };
    },
    get: async () => ({ why: 'nobody' }),
  };
  const loop = world.loop({ deployRunner: () => runner });
  const run = async () => {
    world.clock.advance(MINUTE_MS);
    await world.run(loop);
    return world.single();
  };
  const { proposal } = await world.propose(loop);
  await world.approve(proposal.id);
  return { world, agents, run, id: proposal.id };
}

test('the watch starts when the agents run it, and not before', async () => {
  const { world, agents, run, id } = await agentsOf();
  expect((await run()).proposal.state).toBe('monitoring');
  const movedAtMs = world.clock.nowMs();
  await run();
  expect(await readWatch(world.store, id)).toBeUndefined();
  world.clock.advance(3 * MINUTE_MS);
  agents.runs = await world.head();
  await run();
  const { startedAtMs } = (await readWatch(world.store, id))!;
  expect(startedAtMs - movedAtMs).toBeGreaterThanOrEqual(4 * MINUTE_MS);
  expect(agents.ran).toEqual(['reload deployed', 'smoke deployed']);
});

test('the version in their telemetry tells, too', async () => {
  const { world, agents, run, id } = await agentsOf({ telemetry: true });
  await run();
  expect(await readWatch(world.store, id)).toBeUndefined();
  const version = (await world.head()).slice(0, 12);
  const lines = traffic({ untilMs: world.clock.nowMs() + MINUTE_MS, overMs: MINUTE_MS, calls: 4 });
  world.files.text += lines.replaceAll('"agent"', `"version":"2.1-${version}","agent"`);
  world.clock.advance(MINUTE_MS);
  await run();
  expect(await readWatch(world.store, id)).toBeDefined();
  expect(agents.ran).toContain('smoke deployed');
});

test('a failed smoke test takes it back, and the agents get the old version before it is learnt from', async () => {
  const { world, agents, run, id } = await agentsOf();
  agents.smoke = 1;
  await run();
  agents.runs = await world.head();
  const back = await run();
  expect(back.proposal.state).toBe('reverted');
  expect(await listFixes(world.store, back.content.patternId!)).toEqual([]);
  agents.smoke = 0;
  agents.runs = await world.head();
  await run();
  expect(await listFixes(world.store, back.content.patternId!)).toHaveLength(1);
  expect(agents.ran).toEqual([
    'reload deployed',
    'smoke deployed',
    'reload reverted',
    'smoke reverted',
  ]);
  expect(await readWatch(world.store, id)).toBeUndefined();
});

test('DEP-3 what the verify command refuses is restored, byte for byte, before anything loads it', async () => {
  const { world, agents, run } = await agentsOf(undefined, { verify: { command: ['verify'] } });
  const before = await world.fileAt(await world.head(), FILE);
  await run();
  const back = await run();
  expect(back.proposal.state).toBe('reverted');
  expect(await world.fileAt(await world.head(), FILE)).toBe(before);
  expect(agents.ran.filter((one) => one.endsWith(' deployed'))).toEqual(['verify deployed']);
});

test('a person takes it back while it is on its way', async () => {
  const { world, agents, run, id } = await agentsOf();
  await run();
  const called = await callBack(id, 'wrong day', { actor: OPERATOR, ports: world.ports() });
  expect(called.done).toBe(true);
  const back = await run();
  expect(back.proposal.state).toBe('reverted');
  expect(agents.ran.at(-1)).toBe('reload reverted');
});
