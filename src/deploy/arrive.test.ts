/** From the branch to the agents: hooks, the question which commit they run, and the smoke test. */
import { describe, expect, test } from 'vitest';
import { storePerTest } from '../../test/timed-store.ts';
import { memoryRepository } from '../git/index.ts';
import { latest, type ProposalStep, rollbackCall } from '../proposal/index.ts';
import { readArrival } from './arrival-file.ts';
import { type DeployWorld, FILE, makeWorld } from './deployments.test-support.ts';
import { arrive, arrivedAtMs, beforeDecision, type CommandRun, hookPaths } from './index.ts';
import type { ArrivalSettings, ArrivePorts } from './types.ts';

const open = storePerTest('memory');

const NOTHING: ArrivalSettings = {
  hooks: [],
  deployed: { command: [], url: '', telemetry: false, timeout: 60_000 },
  smoke: { command: [], timeout: 1000 },
  verify: { command: [], timeout: 1000 },
};
const HOOK = { paths: ['agents/**'], run: ['restart', 'search'], timeout: 5000 };
const done: CommandRun = { how: 'done', code: 0, output: '' };
const failed: CommandRun = { how: 'failed', code: 3, output: 'starting\nno such unit\n' };

class Agents {
  readonly ran: (readonly [string, Readonly<Record<string, string>>])[] = [];
  /** What each command says; done unless given. */
  says: (words: string) => CommandRun = () => done;
  answer = '';

  ports(world: DeployWorld, settings: Partial<ArrivalSettings>, more: Partial<ArrivePorts> = {}) {
    return {
      store: world.store,
      repository: world.repository,
      settings: { ...NOTHING, ...settings },
      nowMs: world.opened.clock.nowMs(),
      versions: async () => ['1.4.2', `1.4.3+${this.answer}`],
      runner: {
        run: async (words, { variables }) => {
          this.ran.push([words.join(' '), variables]);
          return words[0] === 'ask'
            ? { ...done, output: `version ${this.answer}\n` }
            : this.says(words.join(' '));
        },
        get: async () => ({ text: `{"commit":"${this.answer}"}` }),
      },
      ...more,
    } satisfies ArrivePorts;
  }
}

async function deployed() {
  const world = await makeWorld(open(), memoryRepository());
  for (let at = 0; at < 2; at++) await world.take((await world.next({ awaitsArrival: true }))!);
  const commit = (await world.repository.resolve('refs/heads/main'))!;
  const agents = new Agents();
  const step = async (settings: Partial<ArrivalSettings>, more: Partial<ArrivePorts> = {}) =>
    arrive(await world.dossier(), agents.ports(world, settings, more));
  const take = async (settings: Partial<ArrivalSettings>): Promise<ProposalStep> => {
    const taken = await step(settings);
    await world.take(taken);
    return taken;
  };
  const verdict = async () => {
    const { attestations, proposal } = await world.dossier();
    return latest(attestations, 'arrival', proposal.digest)?.verdict;
  };
  return { world, commit, agents, step, take, verdict };
}

describe('DEP-3 the target’s own verify command', () => {
  const settings = { hooks: [HOOK], verify: { command: ['verify', 'it'], timeout: 1000 } };

  test('is asked once, before anything loads the commit', async () => {
    const { world, commit, agents, take, verdict } = await deployed();
    await take(settings);
    expect([agents.ran.map(([words]) => words), await verdict()]).toEqual([
      ['verify it'],
      'awaited',
    ]);
    expect(agents.ran[0]![1]).toMatchObject({ HONE_COMMIT: commit, HONE_PROPOSAL: world.id });
    await take(settings);
    await take(settings);
    expect(await verdict()).toBe('done');
    expect(agents.ran.map(([words]) => words)).toEqual(['verify it', 'restart search']);
  });

  test.each<[string, CommandRun]>([
    ['that fails', failed],
    ['that takes too long', { how: 'timeout', code: null, output: '' }],
    ['that is not there', { how: 'not_started', code: null, output: 'ENOENT' }],
  ])('one %s takes the change back, and nothing loads it', async (_, answer) => {
    const { world, agents, take, verdict } = await deployed();
    agents.says = () => answer;
    const { did } = await take(settings);
    expect(did).toMatch(/^Verifying it failed: verify it /);
    expect(await verdict()).toBe('failed');
    const { attestations, proposal } = await world.dossier();
    expect(rollbackCall(attestations, proposal.digest)?.kind).toBe('monitoring');
    expect(agents.ran).toHaveLength(1);
  });

  test('is asked even while everything is stopped, and after a rollback not at all', async () => {
    const { world, agents, step, take } = await deployed();
    await step(settings, { stopped: async () => true });
    expect(agents.ran.map(([words]) => words)).toEqual(['verify it']);
    for (let at = 0; at < 2; at++) await world.take((await world.next({ awaitsArrival: true }))!);
    await take(settings);
    expect(agents.ran.map(([words]) => words)).toEqual(['verify it', 'restart search']);
  });
});

describe('DEP-4 deploy hooks', () => {
  test('run for the changed paths, with the commit, and only for them', async () => {
    const { world, commit, agents, take, verdict } = await deployed();
    const other = { ...HOOK, paths: ['docs/**'], run: ['publish'] };
    await take({ hooks: [HOOK, other] });
    expect(agents.ran).toEqual([
      ['restart search', { HONE_COMMIT: commit, HONE_PROPOSAL: world.id, HONE_EVENT: 'deployed' }],
    ]);
    expect(await verdict()).toBe('awaited');
    await take({ hooks: [HOOK, other] });
    expect(await verdict()).toBe('done');
    expect(agents.ran).toHaveLength(1);
  });

  test('run again when the process was killed before it was recorded', async () => {
    const { agents, step, take } = await deployed();
    await step({ hooks: [HOOK] });
    await take({ hooks: [HOOK] });
    expect(agents.ran).toHaveLength(2);
  });

  test('one that fails is tried three times, the others run, and it is attested', async () => {
    const { world, agents, take, verdict } = await deployed();
    agents.says = (words) => (words === 'restart search' ? failed : done);
    const settings = { hooks: [HOOK, { ...HOOK, run: ['warm', 'up'] }] };
    for (let tries = 1; tries < 3; tries++) {
      expect((await take(settings)).did).toMatch(/restart search ended with 3 \(no such unit\)/);
      expect(await verdict()).toBe('awaited');
    }
    const last = await take(settings);
    expect(last.did).toMatch(/watched from now on/);
    expect(await verdict()).toBe('failed');
    expect(agents.ran.filter(([words]) => words === 'warm up')).toHaveLength(3);
    const arrival = await readArrival(await world.dossier(), world.store);
    expect(arrival?.hooks[0]).toMatchObject({ how: 'failed', code: 3 });
  });

  test('what they print is cleaned and cut before it is kept', async () => {
    const { world, agents, take } = await deployed();
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    agents.says = () => ({ ...done, output: `${'x'.repeat(9000)}\ntoken ${secret}\n` });
    await take({ hooks: [HOOK] });
    const arrival = await readArrival(await world.dossier(), world.store);
    expect(arrival?.hooks[0]?.output).not.toContain(secret);
    expect(arrival?.hooks[0]?.output.length).toBeLessThan(4500);
  });

  test('wait while everything is stopped, but not after a rollback', async () => {
    const { world, agents, step } = await deployed();
    const stopped = { stopped: async () => true };
    expect((await step({ hooks: [HOOK] }, stopped)).did).toMatch(/stopped/);
    expect(agents.ran).toEqual([]);
    for (let at = 0; at < 2; at++) await world.take((await world.next({ awaitsArrival: true }))!);
    expect(await world.state()).toBe('reverted');
    await world.take(await step({ hooks: [HOOK] }, stopped));
    const back = (await world.repository.resolve('refs/heads/main'))!;
    expect(agents.ran.map(([, variables]) => variables)).toEqual([
      { HONE_COMMIT: back, HONE_PROPOSAL: world.id, HONE_EVENT: 'reverted' },
    ]);
  });

  test('the files of the target that they name are protected', () => {
    const hooks = [
      { ...HOOK, run: ['/srv/app/scripts/restart.sh', '--config=deploy/agents.yaml'] },
      { ...HOOK, run: ['sh', '-c', 'cd /srv/app && ./reload; systemctl restart x'] },
      { ...HOOK, run: ['/usr/bin/systemctl', 'restart', '../outside/x.sh'] },
    ];
    expect(hookPaths({ ...NOTHING, hooks }, '/srv/app')).toEqual([
      '/scripts/restart.sh',
      '/deploy/agents.yaml',
      '/reload',
    ]);
  });
});

describe('DEP-8 which commit the agents run', () => {
  const ask = { deployed: { command: ['ask'], url: '', telemetry: false, timeout: 60_000 } };

  test.each([
    ['a command', ask],
    ['telemetry', { deployed: { ...NOTHING.deployed, telemetry: true } }],
    ['an address', { deployed: { ...NOTHING.deployed, url: 'http://agents/version' } }],
  ])('%s is asked until they run it, and the watch starts then', async (_, settings) => {
    const { world, commit, agents, take, verdict } = await deployed();
    agents.answer = world.base;
    await take(settings);
    const waiting = await take(settings);
    expect(waiting).toMatchObject({ did: expect.stringMatching(/do not run .* yet/) });
    expect(waiting.dueAtMs).toBeLessThanOrEqual(world.opened.clock.nowMs() + 1000);
    agents.answer = commit.slice(0, 10);
    world.opened.clock.advance(20_000);
    await take(settings);
    expect(await verdict()).toBe('done');
    const arrived = (await arrivedAtMs(await world.dossier(), world.store))!;
    expect(world.opened.clock.nowMs() - arrived).toBeLessThan(2000);
  });

  test('a commit on top of it has it too; another one does not', async () => {
    const { world, agents, take, verdict } = await deployed();
    await take(ask);
    agents.answer = 'f'.repeat(40);
    await take(ask);
    expect(await verdict()).toBe('awaited');
    agents.answer = await world.others({ readme: 'later\n' });
    await take(ask);
    expect(await verdict()).toBe('done');
  });

  test('when time is up, that is attested, and it is watched all the same', async () => {
    const { world, agents, take, verdict } = await deployed();
    agents.answer = 'unknown';
    await take(ask);
    world.opened.clock.advance(61_000);
    expect((await take(ask)).did).toMatch(/name no commit .*60 s passed/);
    expect(await verdict()).toBe('failed');
    expect(await world.state()).toBe('monitoring');
  });

  test('a failed smoke test calls for the rollback', async () => {
    const { world, agents, take, verdict } = await deployed();
    const settings = { smoke: { command: ['smoke'], timeout: 1000 } };
    agents.says = (words) => (words === 'smoke' ? failed : done);
    await take(settings);
    await take(settings);
    expect(await verdict()).toBe('failed');
    const { attestations, proposal } = await world.dossier();
    expect(rollbackCall(attestations, proposal.digest)?.kind).toBe('monitoring');
  });

  test('after a rollback they are asked as well, and a failed smoke test calls for nothing', async () => {
    const { world, agents, take, verdict } = await deployed();
    for (let at = 0; at < 2; at++) await world.take((await world.next({ awaitsArrival: true }))!);
    const settings = { ...ask, smoke: { command: ['smoke'], timeout: 1000 } };
    agents.says = () => failed;
    agents.answer = (await world.repository.resolve('refs/heads/main'))!;
    await take(settings);
    await take(settings);
    expect(await verdict()).toBe('failed');
    const { attestations, proposal } = await world.dossier();
    expect(rollbackCall(attestations, proposal.digest)).toBeUndefined();
  });

  test('what cannot be known is said before the decision', () => {
    const way = { forge: 'local', branch: 'main', remote: 'origin', rollout: 'none', ...NOTHING };
    expect(beforeDecision(way)[0]).toMatch(/does not know when .* from the move on\.$/);
    expect(beforeDecision({ ...way, hooks: [HOOK] })[0]).toMatch(/a hook runs.*from then on\.$/);
    expect(beforeDecision({ ...way, ...ask })[0]).toMatch(/starts once .* or after 1m\.$/);
    expect(FILE).toMatch(/^agents\//);
  });
});
