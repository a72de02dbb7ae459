/** Several changes at once, and what others do to the branch and the fleet meanwhile. */
import { describe, expect, test } from 'vitest';
import { recorded } from '../../test/ledger.ts';
import { ManualClock, nextTurn } from '../base/index.ts';
import { samePlace } from '../facts/index.ts';
import { listFixes, triedChanges } from '../learn/index.ts';
import { Leases } from '../lease/index.ts';
import { readWatch } from '../monitor/index.ts';
import { type Dossier, listProposals, readDossier } from '../proposal/index.ts';
import { type Loop, readReport } from './index.ts';
import {
  AGENT,
  CLERK_FILE,
  HOUR_MS,
  isStep,
  killedAt,
  MINUTE_MS,
  traffic,
  type World,
  withCommit,
  worldPerTest,
} from './loop.test-support.ts';
import { newsOf } from './news.ts';
import { readWork } from './works.ts';

const DAY_MS = 24 * HOUR_MS;
const signal = new AbortController().signal;

async function all(world: World): Promise<Dossier[]> {
  const listed = await listProposals(world.store, { limit: 20 });
  const dossiers = await Promise.all(listed.map(({ id }) => readDossier(world.store, id)));
  return dossiers.sort((a, b) => (a.proposal.id < b.proposal.id ? -1 : 1));
}
const states = async (world: World) => (await all(world)).map(({ proposal }) => proposal.state);

/** Both agents have a proposal, and both wait for a decision. */
async function twoPending(world: World): Promise<[Dossier, Dossier]> {
  await world.addClerk();
  await world.loop().startCycle('human');
  await world.run();
  expect(await states(world)).toEqual(['pending', 'pending']);
  return (await all(world)) as [Dossier, Dossier];
}

const waiting = async (world: World, id: string) =>
  ((await readWork(world.store, `proposal/${id}`))!.data as { waiting?: string }).waiting;

describe.each(['memory', 'postgres'] as const)('two changes on %s', (kind) => {
  const open = worldPerTest(kind);

  test('approved at once, the second is asked about again at once, and waits while the first is watched closely', async () => {
    const world = await open();
    const [one, other] = await twoPending(world);
    for (const { proposal } of [one, other]) await world.approve(proposal.id);
    await world.run();
    const first = (await all(world)).find(({ proposal }) => proposal.state === 'monitoring')!;
    const second = first.proposal.id === one.proposal.id ? other : one;
    expect(await states(world)).toEqual(
      expect.arrayContaining(['monitoring', expect.stringMatching(/approved|pending/)]),
    );
    // On the new head it is another digest: validated and asked about anew, and held by nothing.
    world.clock.advance(MINUTE_MS);
    await world.run();
    const again = await readDossier(world.store, second.proposal.id);
    expect(again.proposal.state).toBe('pending');
    expect(again.content.baseCommit).toBe(await world.head());
    expect(await listFixes(world.store, again.content.patternId!)).toEqual([]);

    await world.approve(again.proposal.id);
    await world.run();
    expect((await readDossier(world.store, again.proposal.id)).proposal.state).toBe('approved');
    expect(await waiting(world, again.proposal.id)).toContain(first.proposal.id);
    expect(await waiting(world, again.proposal.id)).toContain('harm has only one possible cause');
    const { fastUntilMs } = (await readWatch(world.store, first.proposal.id))!;
    world.clock.advance(fastUntilMs - world.clock.nowMs() - 1);
    await world.run();
    expect((await readDossier(world.store, again.proposal.id)).proposal.state).toBe('approved');
    world.clock.advance(MINUTE_MS);
    await world.run();
    expect(await states(world)).toEqual(['monitoring', 'monitoring']);
    for (const path of [undefined, CLERK_FILE])
      expect(await world.fileAt(await world.head(), path)).not.toContain('timeout_ms: 800');
  });

  test('two workers never begin two deployments at the same moment', async () => {
    const world = await open();
    const [one, other] = await twoPending(world);
    for (const { proposal } of [one, other]) await world.approve(proposal.id);
    const second = await world.openSecond();
    const loops = [world.loop({ holder: 'one' }), world.loop({ holder: 'two', store: second })];
    await Promise.all(
      [one, other].map(({ proposal }, at) => loops[at]!.step(`proposal/${proposal.id}`, signal)),
    );
    expect((await states(world)).sort()).toEqual(['approved', 'deploying']);
  });

  test('a worker that was slow and overtaken begins no second deployment', async () => {
    const world = await open();
    const [one, other] = await twoPending(world);
    for (const { proposal } of [one, other]) await world.approve(proposal.id);
    const step = (loop: Loop, { proposal }: Dossier) =>
      loop.step(`proposal/${proposal.id}`, signal);
    let overtaken = false;
    const store = withCommit(world.store, async (plan, real) => {
      if (isStep(plan) && !overtaken) {
        overtaken = true;
        world.clock.advance(31_000);
        await step(world.loop({ holder: 'two' }), other);
      }
      return real();
    });
    // Its own clock stands still: it does not know how late it is.
    const slow = world.loop({ store, clock: new ManualClock() });
    expect(await step(slow, one)).toMatchObject({ outcome: 'refused' });
    const stateOf = async ({ proposal }: Dossier) =>
      (await readDossier(world.store, proposal.id)).proposal.state;
    expect([await stateOf(one), await stateOf(other)]).toEqual(['approved', 'deploying']);
  });

  const moving = (world: World, moveRef: World['repository']['moveRef']) =>
    new Proxy(world.repository, {
      get: (real, name) => {
        if (name === 'moveRef') return moveRef;
        const value: unknown = Reflect.get(real, name);
        return typeof value === 'function' ? value.bind(real) : value;
      },
    });
  const waitsFor = async ({ proposal }: Dossier, world: World) =>
    (await readDossier(world.store, proposal.id)).proposal.state === 'approved'
      ? await waiting(world, proposal.id)
      : 'no';

  test('a preparation that fails gives its turn back', async () => {
    const world = await open();
    const [one, other] = await twoPending(world);
    for (const { proposal } of [one, other]) await world.approve(proposal.id);
    const moveRef = () => Promise.reject(new Error('no disk'));
    const broken = world.loop({ repository: moving(world, moveRef) });
    expect(await broken.step(`proposal/${one.proposal.id}`, signal)).toMatchObject({
      outcome: 'failed',
      did: expect.stringContaining('no disk'),
    });
    await world.loop().step(`proposal/${other.proposal.id}`, signal);
    expect(await waitsFor(other, world)).toBe('no');
  });

  test('a turn that it left behind is its own, and nobody else’s', async () => {
    const world = await open();
    const [one, other] = await twoPending(world);
    for (const { proposal } of [one, other]) await world.approve(proposal.id);
    await new Leases(world.store).acquire('loop/deploy', one.proposal.id, 30_000);
    await world.loop().step(`proposal/${other.proposal.id}`, signal);
    expect(await waitsFor(other, world)).toContain(one.proposal.id);
    await world.loop().step(`proposal/${one.proposal.id}`, signal);
    expect(await waitsFor(one, world)).toBe('no');
  });

  test('a preparation that takes longer than a lease keeps its turn', async () => {
    const world = await open();
    const [one, other] = await twoPending(world);
    for (const { proposal } of [one, other]) await world.approve(proposal.id);
    const leases = new Leases(world.store);
    const endsAtMs = async () =>
      (await leases.list()).find(({ name }) => name === 'loop/deploy')!.expiresAtMs;
    let isSlow = true;
    const moveRef: typeof world.repository.moveRef = async (...given) => {
      for (let tens = 0; isSlow && tens < 4; tens++) {
        const before = await endsAtMs();
        world.clock.advance(10_000);
        for (let turns = 0; turns < 200 && (await endsAtMs()) === before; turns++) await nextTurn();
      }
      if (isSlow) await world.loop({ holder: 'two' }).step(`proposal/${other.proposal.id}`, signal);
      isSlow = false;
      return world.repository.moveRef(...given);
    };
    const slow = world.loop({ repository: moving(world, moveRef) });
    await slow.step(`proposal/${one.proposal.id}`, signal);
    expect(await waitsFor(one, world)).toBe('no');
    expect(await waitsFor(other, world)).toContain(one.proposal.id);
  });

  test('somebody who commits between the backup and the move costs no week: it is asked again at once', async () => {
    const world = await open();
    const { proposal, content } = await world.propose();
    await world.approve(proposal.id);
    await world.loop().step(`proposal/${proposal.id}`, signal);
    expect(await states(world)).toEqual(['deploying']);
    const theirs = await world.commit('README.md', 'theirs\n');
    world.clock.advance(1000);
    await world.run();
    const [aborted, again] = await all(world);
    expect([aborted!.proposal.state, again!.proposal.state]).toEqual(['aborted', 'pending']);
    expect(again!.content).toEqual({
      ...content,
      baseCommit: theirs,
      diffDigest: again!.content.diffDigest,
    });
    expect(await listFixes(world.store, content.patternId!)).toMatchObject([
      { proposalId: proposal.id, outcome: 'overtaken' },
    ]);
    const nowMs = world.clock.nowMs();
    const closed = { nowMs, refusalHoldsMs: 7 * DAY_MS };
    const about = { id: content.patternId!, kind: 'timeout' } as const;
    expect((await triedChanges(world.store, about, closed)).closedChanges).toEqual([]);
    await world.approve(again!.proposal.id);
    await world.run();
    expect(await states(world)).toEqual(['aborted', 'monitoring']);
  });

  test('overtaken by who made the change themselves, it just ends', async () => {
    const world = await open();
    const { proposal } = await world.propose();
    await world.approve(proposal.id);
    await world.loop().step(`proposal/${proposal.id}`, signal);
    await world.commit('agents/researcher.yaml', AGENT.replace('800', '5000'));
    await world.run();
    expect(await states(world)).toEqual(['aborted']);
  });
});

describe.each(['memory', 'postgres'] as const)('what is not the change’s fault, on %s', (kind) => {
  const open = worldPerTest(kind);
  const both = (world: World, options: { overMs: number; calls: number; failEvery: number }) => {
    for (const agent of ['researcher', 'clerk'])
      world.files.text += traffic({ untilMs: world.clock.nowMs(), agent, ...options });
  };

  test('killed between the move and its record, and away for hours, these are not its baseline', async () => {
    const world = await open();
    const { proposal } = await world.propose();
    await world.approve(proposal.id);
    await world.loop().step(`proposal/${proposal.id}`, signal);
    const movedAtMs = world.clock.nowMs();
    await world.run(world.loop({ store: killedAt(world.store, 'before') })).catch(() => {});
    expect(await states(world)).toEqual(['deploying']);
    expect(await world.fileAt(await world.head())).not.toBe(AGENT);
    world.clock.advance(5 * HOUR_MS);
    const overMs = 5 * HOUR_MS - MINUTE_MS;
    both(world, { overMs, calls: 400, failEvery: 2 });
    await world.run();
    world.clock.advance(MINUTE_MS);
    await world.run();
    expect((await readWatch(world.store, proposal.id))!.startedAtMs).toBeLessThanOrEqual(movedAtMs);
    expect(await states(world)).toEqual(['reverted']);
    expect(await world.fileAt(await world.head())).toBe(AGENT);
  });

  test('an outage takes nothing back; the operator is told once', async () => {
    const world = await open();
    both(world, { overMs: DAY_MS, calls: 1440, failEvery: 20 });
    const { proposal } = await world.deployed();
    world.clock.advance(3 * HOUR_MS);
    both(world, { overMs: 3 * HOUR_MS, calls: 720, failEvery: 20 });
    await world.run();
    for (let tens = 0; tens < 4; tens++) {
      world.clock.advance(10 * MINUTE_MS);
      both(world, { overMs: 10 * MINUTE_MS, calls: 40, failEvery: 2 });
      await world.run();
    }
    world.clock.advance(3 * HOUR_MS);
    both(world, { overMs: 3 * HOUR_MS, calls: 720, failEvery: 20 });
    await world.run();
    expect(await states(world)).toEqual(['monitoring']);
    const extended = (await recorded(world.store)).filter(
      ({ type }) => type === 'monitor.extended',
    );
    expect(extended).toHaveLength(1);
    expect(extended[0]!.data['reason']).toContain('looks like an outage');
    const told = newsOf(await readDossier(world.store, proposal.id), {
      did: 'x',
      entries: [{ ...extended[0]!, atMs: 0 } as never],
    });
    expect(told).toMatchObject([{ to: 'operator', key: expect.stringContaining('until-') }]);
  });

  test('taken back in doubt, it is not proposed for a while, and then again', async () => {
    const world = await open();
    both(world, { overMs: DAY_MS, calls: 1440, failEvery: 20 });
    await world.deployed();
    world.clock.advance(HOUR_MS);
    both(world, { overMs: 55 * MINUTE_MS, calls: 400, failEvery: 2 });
    await world.run();
    const [{ proposal, content }] = (await all(world)) as [Dossier];
    expect(proposal.state).toBe('reverted');
    expect(await listFixes(world.store, content.patternId!)).toMatchObject([
      { outcome: 'doubtful' },
    ]);
    const cycle = async () => {
      world.files.text += traffic({ untilMs: world.clock.nowMs() });
      const started = await world.loop().startCycle('human');
      await world.run();
      return (await readReport(world.store, started.cycle!))!.findings.find(
        ({ pattern }) => pattern === content.patternId,
      );
    };
    // What is this much worse is waited out first; then it is known that it does not end by itself.
    world.clock.advance(DAY_MS);
    expect(await cycle()).toMatchObject({ why: expect.stringContaining('may not be its fault') });
    world.clock.advance(8 * DAY_MS);
    expect(await cycle()).toMatchObject({ did: 'proposed' });
  });

  test('taken back for an outage that goes on without it, it comes back by itself when that is over', async () => {
    const world = await open();
    both(world, { overMs: DAY_MS, calls: 1440, failEvery: 20 });
    await world.deployed();
    world.clock.advance(HOUR_MS);
    both(world, { overMs: 55 * MINUTE_MS, calls: 400, failEvery: 2 });
    await world.run();
    const [{ proposal, content }] = (await all(world)) as [Dossier];
    expect(proposal.state).toBe('reverted');
    const outcomeAfterAnHour = async (failEvery: number) => {
      world.clock.advance(HOUR_MS);
      both(world, { overMs: HOUR_MS, calls: 240, failEvery });
      await world.loop().collect(signal);
      await world.run();
      return (await listFixes(world.store, content.patternId!))[0]!.outcome;
    };
    expect(await outcomeAfterAnHour(2)).toBe('doubtful');
    expect(await outcomeAfterAnHour(20)).toBe('cleared');
    world.files.text += traffic({ untilMs: world.clock.nowMs() });
    await world.loop().startCycle('periodic');
    await world.run();
    const again = (await all(world)).filter((one) => one.proposal.id !== proposal.id);
    expect(again).toMatchObject([{ proposal: { state: 'pending' } }]);
    expect(samePlace(again[0]!.content.change, content.change)).toBe(true);
  });
});
