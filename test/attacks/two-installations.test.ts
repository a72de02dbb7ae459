/** Two installations for one repository that do not know of each other: one is in charge, the other is held. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { initJson } from '../../src/contracts/index.ts';
import { claim, openForge, takeOver } from '../../src/deploy/index.ts';
import { openRepository, type TargetRepository } from '../../src/git/index.ts';
import { formatVerifier, generateKey, planKey } from '../../src/ledger/index.ts';
import { MINUTE_MS, traffic, type World, worldPerTest } from '../../src/loop/loop.test-support.ts';
import { type Installation, makeInstallation, runHere } from '../cli.ts';
import { OPERATOR } from '../proposals.ts';

const forgeOf = (repository: TargetRepository) => openForge('local', { repository });

describe('DEP-3 the loop of an installation that is not in charge', () => {
  const open = worldPerTest('memory');
  const own = generateKey('hone.local/own');
  const other = formatVerifier(generateKey('hone.local/other'));

  async function withLedger(): Promise<World> {
    const world = await open();
    await world.store.commit(planKey(own, OPERATOR, false));
    return world;
  }
  const waitingFor = async (world: World) => {
    const [row] = await world.store.all("SELECT data FROM loop_works WHERE kind = 'proposal'");
    return String(row!['data']);
  };

  test('deploys nothing, says who is in charge, and goes on after a take-over', async () => {
    const world = await withLedger();
    const there = await claim(forgeOf(world.repository), other);
    const before = await world.head();
    await world.approve((await world.propose()).proposal.id);
    await world.run();
    expect((await world.single()).proposal.state).toBe('approved');
    expect(await world.head()).toBe(before);
    expect(await waitingFor(world)).toContain('Another installation of Hone is in charge');
    expect(await takeOver(forgeOf(world.repository), formatVerifier(own), there)).toBe(true);
    expect(await takeOver(forgeOf(world.repository), other, there)).toBe(false);
    world.clock.advance(MINUTE_MS);
    await world.run();
    expect((await world.single()).proposal.state).toBe('monitoring');
  });

  test('still takes back what it deployed', async () => {
    const world = await withLedger();
    await world.deployed();
    const there = await claim(forgeOf(world.repository), 'asked');
    expect(there.key).toBe(formatVerifier(own));
    await takeOver(forgeOf(world.repository), other, there);
    for (let minutes = 0; minutes < 40; minutes++) {
      world.clock.advance(MINUTE_MS);
      const untilMs = world.clock.nowMs();
      world.files.text += traffic({ untilMs, overMs: MINUTE_MS, calls: 20, failEvery: 2 });
      await world.run();
    }
    expect((await world.single()).proposal.state).toBe('reverted');
  });
});

describe('DEP-3 hone init', () => {
  let one: Installation;
  beforeEach(() => {
    one = makeInstallation({ inProcess: true });
  });
  afterEach(() => one[Symbol.dispose]());

  const marker = async () => {
    await using repository = await openRepository({ root: one.repository });
    return (await claim(forgeOf(repository), 'nobody')).key;
  };

  test('claims the repository; a second one is told, and takes over with an operator’s token only', async () => {
    const stateHome = join(one.stateHome, '..', 'second');
    const second = (more: Record<string, string>, ...args: string[]) =>
      runHere(args, one.repository, {
        environment: { ...one.environment, XDG_STATE_HOME: stateHome, ...more },
      });
    const first = initJson.parse((await one.hone('init', '--json')).json());
    expect(await marker()).toBe(first.verifierKey);
    const told = await second({}, 'init', '--json');
    const { token, verifierKey } = initJson.parse(told.json());
    expect(told.err).toContain('Another installation of Hone is in charge');
    expect((await second({}, 'status')).out).toContain('ANOTHER INSTALLATION of Hone is in charge');
    expect((await one.hone('status')).out).not.toContain('ANOTHER INSTALLATION');
    expect(await marker()).toBe(first.verifierKey);
    expect((await second({}, 'init', '--take-over')).exit).toBe(1);
    expect(await marker()).toBe(first.verifierKey);
    const taken = await second({ HONE_TOKEN: token!.secret }, 'init', '--take-over');
    expect(taken).toMatchObject({ exit: 0, err: '' });
    expect(await marker()).toBe(verifierKey);
    expect((await second({}, 'ledger', 'show')).out).toContain('deploy.taken_over');
    expect((await one.hone('init')).err).toContain('Another installation');
  });

  test('a clone is nobody’s: the mark is not fetched', async () => {
    await one.hone('init');
    const clone = join(one.stateHome, '..', 'clone');
    spawnSync('git', ['clone', '-q', one.repository, clone]);
    await using repository = await openRepository({ root: clone });
    expect((await claim(forgeOf(repository), 'new')).key).toBe('new');
  });
});
