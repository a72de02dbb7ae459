/** What begins cycles, and how much is done at once. */
import { describe, expect, test } from 'vitest';
import { OPERATOR } from '../../test/proposals.ts';
import { Switches } from '../policy/index.ts';
import { listProposals } from '../proposal/index.ts';
import { listCycles, listTriggers, readReport } from './index.ts';
import {
  AGENT,
  EVENTS,
  FILE,
  HOUR_MS,
  MINUTE_MS,
  traffic,
  worldPerTest,
} from './loop.test-support.ts';

const signal = new AbortController().signal;

describe.each(['memory', 'postgres'] as const)('cycles on %s', (kind) => {
  const open = worldPerTest(kind);

  test('a failure that recurs begins one cycle, and the next after 6 hours', async () => {
    const world = await open();
    const loop = world.loop();
    expect(await loop.startIfAsked(signal)).toMatchObject({ started: true });
    expect(await listCycles(world.store, 9)).toMatchObject([{ trigger: 'pattern' }]);
    expect(await loop.startIfAsked(signal)).toMatchObject({
      started: false,
      why: 'a cycle is already running',
    });
    await world.run(loop);
    expect((await world.single()).proposal.state).toBe('pending');
    const nothing = { started: false, why: 'nothing asks for a cycle', cycle: null };
    expect(await loop.startIfAsked(signal)).toEqual(nothing);
    world.clock.advance(6 * HOUR_MS - MINUTE_MS);
    expect(await loop.startIfAsked(signal)).toEqual(nothing);
    world.clock.advance(MINUTE_MS);
    expect(await loop.startIfAsked(signal)).toMatchObject({ started: true });
    await world.run(loop);
    expect(await listProposals(world.store, { limit: 9 })).toHaveLength(1);
  });

  test('failures that begin to recur one after the other do not spend a day’s cycles at once', async () => {
    const world = await open();
    const loop = world.loop();
    const starts: string[] = [];
    const beginsAt = world.clock.nowMs();
    // A tool more begins to fail in each half hour, so that each look finds a failure that nobody examined.
    for (let half = 0; half < 48; half++) {
      const untilMs = world.clock.nowMs();
      world.files.text += traffic({ untilMs, tool: `tool_${half}` });
      const started = await loop.startIfAsked(signal);
      if (started.started) starts.push(((untilMs - beginsAt) / HOUR_MS).toString());
      await world.run(loop);
      world.clock.advance(30 * MINUTE_MS);
    }
    expect(starts).toEqual(['0', '0.5', '6.5', '12.5']);
    // Where people took the limit away, nothing waits.
    const switches = new Switches(world.store, world.config.switches);
    await switches.set('limits', 'off', OPERATOR, 'a trial');
    for (const tool of ['one_more', 'another']) {
      world.files.text += traffic({ untilMs: world.clock.nowMs(), tool });
      expect(await loop.startIfAsked(signal)).toMatchObject({ started: true });
      await world.run(loop);
      world.clock.advance(30 * MINUTE_MS);
    }
    // What is urgent does not wait for the others.
    expect(await loop.startCycle('human')).toMatchObject({ started: true });
  });

  test('a healthy fleet begins none', async () => {
    const world = await open();
    world.files.text = traffic({ untilMs: world.clock.nowMs(), failEvery: 100 });
    expect(await world.loop().startIfAsked(signal)).toMatchObject({
      started: false,
      why: 'nothing asks for a cycle',
    });
    world.files.text = '';
    expect(await world.loop().startIfAsked(signal)).toMatchObject({ started: false });
    expect(await listCycles(world.store, 9)).toEqual([]);
  });

  test('OBS-8 a limit that is passed begins a cycle, which takes everything that waits', async () => {
    const world = await open();
    const within = '24h';
    world.config = world.configured({
      observe: {
        sources: [{ name: 'fleet', path: EVENTS }],
        triggers: [
          { name: 'calls-fail', when: 'count', above: 1, within, urgency: 'high' },
          { name: 'never', when: 'count', above: 100_000, within, urgency: 'high' },
          { name: 'by-the-way', when: 'count', above: 2, within, urgency: 'low' },
        ],
      },
    });
    const loop = world.loop();
    // Nothing was read yet, so nothing is passed.
    expect(await loop.startIfUrgent()).toMatchObject({ started: false });
    await loop.collect(signal);
    const started = await loop.startIfUrgent();
    expect(started).toMatchObject({ started: true });
    expect(await listCycles(world.store, 9)).toMatchObject([{ trigger: 'threshold' }]);
    await world.run(loop);
    const report = await readReport(world.store, started.cycle!);
    expect(report!.notes[0]).toMatch(/^Looked at because: \d+ failures of all agents/);
    expect(await listTriggers(world.store)).toMatchObject([
      { key: 'threshold:calls-fail', cycle: started.cycle },
    ]);
    // The same again within six hours is counted and begins nothing; what is not urgent waits for a cycle.
    expect(await loop.startIfAsked(signal)).toMatchObject({ started: false });
    expect((await listTriggers(world.store)).map(({ key, cycle }) => [key, cycle])).toEqual([
      ['threshold:by-the-way', null],
      ['threshold:calls-fail', started.cycle],
    ]);
    const next = await loop.startCycle('human');
    expect((await listTriggers(world.store))[0]).toMatchObject({ cycle: next.cycle });
  });

  test('OBS-8 a day without a cycle asks for one; before the first there is nothing to ask', async () => {
    const world = await open();
    world.files.text = '';
    const loop = world.loop();
    expect(await loop.startIfAsked(signal)).toMatchObject({ started: false });
    await loop.startCycle('periodic');
    await world.run(loop);
    world.clock.advance(25 * HOUR_MS);
    expect(await loop.startIfAsked(signal)).toMatchObject({ started: true });
    expect((await listCycles(world.store, 1))[0]).toMatchObject({ trigger: 'meta' });
  });

  test('none begins on telemetry that it would not act on', async () => {
    const world = await open();
    world.files.text += 'what is this\n'.repeat(120);
    const switches = new Switches(world.store, world.config.switches);
    await switches.set('telemetry', 'enforce', OPERATOR, 'a trial');
    const why = expect.stringContaining('120 of 240 lines could not be read');
    const refused = { started: false, why, cycle: null, limited: true };
    expect(await world.loop().startIfAsked(signal)).toEqual(refused);
    expect(await listCycles(world.store, 9)).toEqual([]);
    await switches.set('telemetry', 'observe', OPERATOR, 'a trial');
    expect(await world.loop().startIfAsked(signal)).toMatchObject({ started: true });
  });

  test('those that began by themselves are counted for a day, a person’s are not', async () => {
    const world = await open();
    world.files.text = '';
    world.config = world.configured({ limits: { cyclesPerDay: 2 } });
    const loop = world.loop();
    const starts: boolean[] = [];
    for (const trigger of ['human', 'human', 'human', 'periodic', 'pattern', 'periodic'] as const) {
      starts.push((await loop.startCycle(trigger)).started);
      await world.run(loop);
      world.clock.advance(MINUTE_MS);
    }
    expect(starts).toEqual([true, true, true, true, true, false]);
    expect(await loop.startCycle('pattern')).toEqual({
      started: false,
      why: '2 automatic cycles ran in 24 hours; the limit is 2',
      cycle: null,
      limited: true,
    });
    expect(await loop.startCycle('human')).toMatchObject({ started: true });
    await world.run(loop);
    world.clock.advance(24 * HOUR_MS - 3 * MINUTE_MS);
    expect(await loop.startCycle('periodic')).toMatchObject({ started: true });
  });

  test('no more proposals are made than may be open', async () => {
    const world = await open();
    const fetch = '  fetch_page:\n    timeout_ms: 800\n    retries: 2\n';
    await world.commit(FILE, AGENT.replace('\nprompt', `${fetch}\nprompt`));
    // In other minutes than the first tool: what fails in the same ones looks like an outage.
    world.files.text += traffic({
      untilMs: world.clock.nowMs() - 6 * MINUTE_MS,
      tool: 'fetch_page',
    });
    world.config = world.configured({ limits: { openProposals: 1 } });
    const started = await world.loop().startCycle('human');
    await world.run();
    expect(await listProposals(world.store, { limit: 9 })).toHaveLength(1);
    const report = await readReport(world.store, started.cycle!);
    expect(report!.findings.map(({ did, why }) => [did, why])).toEqual([
      ['proposed', expect.stringContaining('Raise timeout_ms')],
      ['declined', '1 proposals are open; the limit is 1'],
    ]);
    expect((await world.single()).proposal.state).toBe('pending');
  });

  test('without a branch a cycle says what to do, and goes on once there is one', async () => {
    const world = await open();
    world.config = world.configured({ deploy: { branch: 'release' } });
    const loop = world.loop();
    await loop.startCycle('human');
    const taken = await world.run(loop);
    expect(taken.at(-1)).toMatchObject({ step: 'diagnose', outcome: 'failed' });
    expect(taken.at(-1)!.did).toBe(
      'The target repository has no commit on a branch release: make one, or name another branch in deploy.branch of hone.yaml.',
    );
    await world.repository.moveRef('refs/heads/release', await world.head(), undefined);
    world.clock.advance(MINUTE_MS);
    await world.run(loop);
    expect((await world.single()).proposal.state).toBe('pending');
  });
});
