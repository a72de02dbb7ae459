import { describe, expect, test } from 'vitest';
import { recorded } from '../../test/ledger.ts';
import { OPERATOR } from '../../test/proposals.ts';
import { canonicalJson, silentLog } from '../base/index.ts';
import { readPattern } from '../diagnose/index.ts';
import type { Entry } from '../facts/index.ts';
import { listFixes } from '../learn/index.ts';
import { readProbation } from '../monitor/index.ts';
import { Telemetry } from '../observe/index.ts';
import { callBack, listCycles, openCycle, readCycle, readReport } from './index.ts';
import {
  AGENT,
  FILE,
  HOUR_MS,
  killedAt,
  MINUTE_MS,
  metricHours,
  traffic,
  type World,
  withCommit,
  worldPerTest,
} from './loop.test-support.ts';
import { PROJECTED_TABLES, projectEntry } from './rebuild.ts';
import { readWork } from './works.ts';

/** Longer than a lease: what a dead process held is free again. */
const LEASE_OVER_MS = 31_000;
const DAY_MS = 24 * HOUR_MS;
/** Logged where the row of a unit named another step than the tables do. */
const PUT_RIGHT = 'corrected the step of a unit of work';
const signal = new AbortController().signal;

/** Where proposals went, and what else happened, in short. */
function story(entries: readonly Entry[]): string[] {
  return entries.map(({ type, data }) => {
    if (!type.startsWith('proposal.')) return type;
    const { to, kind, mode, verdict } = data as Partial<Record<string, string>>;
    return [type, to ?? kind, mode, verdict].filter((one) => one !== undefined).join(' ');
  });
}

const TO_PENDING = [
  'loop.cycle_started',
  'diagnose.pattern_found',
  'proposal.created',
  'loop.cycle_finished',
  'learn.cycle_recorded',
  'proposal.attested vetting passed',
  'proposal.advanced vetted',
  'proposal.advanced validating',
  'proposal.attested validation diff passed',
  'proposal.attested validation policy passed',
  'proposal.attested validation syntax passed',
  'proposal.attested validation replay passed',
  'proposal.advanced validated',
  'proposal.advanced pending',
  'approve.asked',
];
const TO_MONITORING = [
  'proposal.attested decision approved',
  'proposal.advanced approved',
  'proposal.attested backup made',
  'proposal.advanced deploying',
  'deploy.prepared',
  'proposal.attested deployment done',
  'proposal.advanced monitoring',
  'deploy.moved',
  'monitor.started',
];

describe.each(['memory', 'postgres'] as const)('the loop on %s', (kind) => {
  const open = worldPerTest(kind);

  test('LRN-1 from events to a proposal that waits for a decision, one step at a time', async () => {
    const world = await open();
    const loop = world.loop();
    const started = await loop.startCycle('human');
    if (!started.started) throw new Error(started.why);
    const cycle = `cycle/${started.cycle}`;
    const phases: unknown[] = [];
    for (;;) {
      const { data } = (await readWork(world.store, cycle))!;
      phases.push((data as { phase: string }).phase);
      const taken = await loop.step(cycle, signal);
      if (taken === undefined) break;
      expect(taken).toMatchObject({ work: cycle, outcome: 'taken', moved: true });
    }
    expect(phases).toEqual(['observe', 'diagnose', 'propose', 'finish', 'finish']);

    const { proposal } = await world.single();
    expect(proposal.state).toBe('draft');
    const report = await readReport(world.store, started.cycle);
    expect(report).toMatchObject({
      cycle: started.cycle,
      collected: { events: 120, aside: 0 },
      findings: [{ did: 'proposed', why: proposal.title, proposal: proposal.id }],
    });
    expect(await readCycle(world.store, started.cycle)).toMatchObject({
      trigger: 'human',
      outcome: 'proposed',
      patterns: 1,
      proposals: 1,
    });

    const states: string[] = [];
    while ((await loop.nextDueMs()) === world.clock.nowMs()) {
      await loop.step(`proposal/${proposal.id}`, signal);
      states.push((await world.single()).proposal.state);
    }
    expect(states).toEqual(['vetted', 'validating', 'validated', 'pending', 'pending']);
    expect(story(await recorded(world.store)).sort()).toEqual(TO_PENDING.toSorted());
    expect(await loop.step(`proposal/${proposal.id}`, signal)).toBeUndefined();
  });

  test('DIAG-3 LRN-1 a metric at another level than before is told, recorded and counted, and nothing is proposed', async () => {
    const world = await open();
    const nowMs = world.clock.nowMs();
    world.files.text = metricHours('queue', nowMs, nowMs - 30 * HOUR_MS);
    const started = await world.loop().startCycle('human');
    if (!started.started) throw new Error(started.why);
    await world.run();
    const report = await readReport(world.store, started.cycle);
    expect(report!.findings).toMatchObject([
      {
        did: 'told',
        title: expect.stringContaining('queue of researcher changed from 11 MB to 41 MB'),
        proposal: null,
      },
    ]);
    const id = report!.findings[0]!.pattern!;
    const pattern = await readPattern(world.store, id);
    expect(pattern).toMatchObject({ kind: 'shift', event: 'metric', occurrences: 30 });
    expect(pattern!.evidence).toHaveLength(2);
    const [event] = await Promise.all(
      pattern!.evidence.map((one) => new Telemetry(world.telemetry).event(one)),
    );
    expect(event).toMatchObject({ event: { kind: 'metric', name: 'queue' } });
    const told = [
      'loop.cycle_started',
      'diagnose.pattern_found',
      'loop.cycle_finished',
      'learn.cycle_recorded',
    ];
    expect(story(await recorded(world.store)).sort()).toEqual(told.sort());
    expect(await readCycle(world.store, started.cycle)).toMatchObject({
      outcome: 'nothing_to_do',
      patterns: 1,
      proposals: 0,
    });
  });

  test('a step that only says something moves its due time and nothing else', async () => {
    const world = await open();
    const loop = world.loop();
    const { proposal } = await world.propose(loop);
    const entries = (await recorded(world.store)).length;
    expect(await loop.nextDueMs()).toBe(world.clock.nowMs() + 7 * DAY_MS);
    await world.store.commit({
      writes: [
        {
          update: 'loop_works',
          where: { subject: proposal.id },
          set: { due_at_ms: 0, ready_at_ms: 0 },
        },
      ],
    });
    expect(await loop.step(`proposal/${proposal.id}`, signal)).toMatchObject({
      step: 'approve',
      did: 'waiting for a decision',
      moved: false,
      outcome: 'taken',
    });
    expect(await loop.nextDueMs()).toBe(world.clock.nowMs() + 7 * DAY_MS);
    expect((await world.single()).proposal).toEqual(proposal);
    expect(await recorded(world.store)).toHaveLength(entries);
  });

  test('killed before and after every step, it comes to the same end', async () => {
    const world = await open();
    await world.loop().startCycle('human');
    let kills = await untilNothingIsDue(world);
    expect(story(await recorded(world.store)).sort()).toEqual(TO_PENDING.toSorted());
    const { proposal } = await world.single();
    await world.approve(proposal.id);
    kills += await untilNothingIsDue(world);
    expect((await world.single()).proposal.state).toBe('monitoring');
    expect(story(await recorded(world.store)).sort()).toEqual(
      [...TO_PENDING, ...TO_MONITORING].sort(),
    );
    expect(kills).toBe(2 * 12);
    expect(await world.fileAt(await world.head())).toContain('timeout_ms: 1500 # too tight');
  });

  test('two workers do every step once', async () => {
    const world = await open();
    const second = await world.openSecond();
    const loops = [world.loop({ holder: 'one' }), world.loop({ holder: 'two', store: second })];
    const starts = await Promise.all(loops.map((loop) => loop.startCycle('human')));
    expect(starts.filter(({ started }) => started)).toHaveLength(1);
    const atOnce = async () => {
      const taken = (await Promise.all(loops.map((loop) => world.run(loop)))).flat();
      expect(taken.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    };
    await atOnce();
    expect(await listCycles(world.store, 10)).toMatchObject([{ outcome: 'proposed' }]);
    await world.approve((await world.single()).proposal.id);
    await atOnce();
    expect((await world.single()).proposal.state).toBe('monitoring');
    expect(story(await recorded(world.store)).sort()).toEqual(
      [...TO_PENDING, ...TO_MONITORING].sort(),
    );
  });

  test('cycles that are begun at the same moment are one', async () => {
    const world = await open();
    const second = await world.openSecond();
    const loops = Array.from({ length: 6 }, (_, at) =>
      world.loop({ holder: `h${at}`, store: at % 2 === 0 ? world.store : second }),
    );
    const starts = await Promise.all(loops.map((loop) => loop.startCycle('periodic')));
    expect(starts.filter(({ started }) => started)).toHaveLength(1);
    expect(await listCycles(world.store, 10)).toHaveLength(1);
  });

  test('MON-3 what helps is kept and remembered as proven; the watch looks again until then', async () => {
    const world = await open();
    const { proposal } = await world.deployed();
    expect(await world.loop().nextDueMs()).toBe(world.clock.nowMs() + MINUTE_MS);
    world.clock.advance(25 * HOUR_MS);
    world.files.text += traffic({
      untilMs: world.clock.nowMs(),
      overMs: 24 * HOUR_MS,
      failEvery: 100,
    });
    await world.run();
    expect((await world.single()).proposal.state).toBe('implemented');
    const fixes = await listFixes(world.store, (await world.single()).content.patternId!);
    expect(fixes).toMatchObject([{ proposalId: proposal.id, outcome: 'proven' }]);
    // On probation: looked at every hour, until two weeks after its deployment.
    const dueMs = (await world.loop().nextDueMs())!;
    expect(dueMs - world.clock.nowMs()).toBeLessThanOrEqual(HOUR_MS);
    world.clock.advance(13 * DAY_MS);
    await world.run();
    expect(await readProbation(world.store, proposal.id)).toMatchObject({
      endedAtMs: world.clock.nowMs(),
      rollback: null,
    });
    expect(await world.loop().nextDueMs()).toBeNull();
  });

  test('while a fix is watched, a cycle says so, and counts what the watch has just read', async () => {
    const world = await open();
    const { proposal } = await world.deployed();
    world.clock.advance(10 * MINUTE_MS);
    world.files.text += traffic({
      untilMs: world.clock.nowMs(),
      overMs: 9 * MINUTE_MS,
      failEvery: 100,
    });
    const loop = world.loop();
    expect(await loop.step(`proposal/${proposal.id}`, signal)).toMatchObject({ step: 'monitor' });
    const started = await loop.startCycle('human');
    await world.run(loop);
    const report = (await readReport(world.store, started.cycle!))!;
    expect(report.collected.events).toBeGreaterThan(0);
    expect(report.findings).toMatchObject([
      { did: 'declined', why: expect.stringContaining(`is being watched: ${proposal.title} (`) },
    ]);
  });

  test('MON-1 what hurts is taken back by itself, and not proposed again', async () => {
    const world = await open();
    await world.deployed();
    world.clock.advance(HOUR_MS);
    world.files.text += traffic({
      untilMs: world.clock.nowMs(),
      overMs: 50 * MINUTE_MS,
      failEvery: 2,
    });
    await world.run();
    expect((await world.single()).proposal.state).toBe('reverted');
    expect(await world.fileAt(await world.head())).toBe(AGENT);
    const started = await world.loop().startCycle('human');
    await world.run();
    expect(await readReport(world.store, started.cycle!)).toMatchObject({
      findings: [{ did: 'declined', why: expect.stringContaining('did harm and was taken back') }],
    });
  });

  test('a unit’s row names its next step, also when a call makes that a rollback', async () => {
    const world = await open();
    const logged: string[] = [];
    const log = { ...silentLog, info: (message: string) => void logged.push(message) };
    const loop = () => world.loop({ log });
    await world.propose(loop());
    const { proposal } = await world.single();
    await world.approve(proposal.id);
    await world.run(loop());
    const id = `proposal/${proposal.id}`;
    expect(await readWork(world.store, id)).toMatchObject({ step: 'monitor', holder: null });
    const options = { actor: OPERATOR, ports: world.ports() };
    expect(await callBack(proposal.id, 'it hurts', options)).toMatchObject({ done: true });
    expect(await readWork(world.store, id)).toMatchObject({ step: 'rollback' });
    await world.run(loop());
    expect((await world.single()).proposal.state).toBe('reverted');
    expect(logged).toContain('step');
    expect(logged).not.toContain(PUT_RIGHT);
  });

  test('a row that names another step is put right, and nobody who only watches takes it', async () => {
    const world = await open();
    const { proposal } = await world.deployed();
    world.clock.advance(MINUTE_MS);
    const where = { subject: proposal.id };
    const mark = (step: string, urgency: number) =>
      world.store.commit({ writes: [{ update: 'loop_works', where, set: { step, urgency } }] });
    const logged: string[] = [];
    const log = { ...silentLog, info: (message: string) => void logged.push(message) };
    await mark('validate', 3);
    expect(await world.loop({ log }).run(signal, 'watching')).toEqual([]);
    expect(await world.run(world.loop({ log }))).toMatchObject([{ step: 'monitor' }]);
    expect(logged.filter((message) => message === PUT_RIGHT)).toHaveLength(1);

    await world.loop().startCycle('human');
    const cycle = { subject: (await openCycle(world.store))!.id };
    const set = { step: 'rollback', urgency: 0 };
    await world.store.commit({ writes: [{ update: 'loop_works', where: cycle, set }] });
    expect(await world.loop({ log }).run(signal, 'watching')).toEqual([]);
    expect(await readWork(world.store, `cycle/${cycle.subject}`)).toMatchObject({
      step: 'observe',
      holder: null,
    });
  });

  test('a unit that goes in circles is put off, and the others get their turn', async () => {
    const world = await open();
    const { proposal } = await world.deployed();
    await world.loop().startCycle('human');
    world.clock.advance(MINUTE_MS);
    const id = `proposal/${proposal.id}`;
    let looks = 0;
    const store = withCommit(world.store, async (plan, real) => {
      // Somebody changes it under every look.
      if (plan.expect?.some(({ name, where }) => name === 'work' && where['id'] === id)) {
        const change = { update: 'loop_works', where: { id }, set: { version: { add: 1 } } };
        if (looks++ < 100) await world.store.commit({ writes: [change] });
      }
      return real();
    });
    const taken = await world.run(world.loop({ store }));
    expect(taken.filter(({ outcome }) => outcome === 'refused')).toHaveLength(100);
    expect(taken).toContainEqual(expect.objectContaining({ step: 'diagnose', outcome: 'taken' }));
    const dueAtMs = world.clock.nowMs() + 5_000;
    expect(await readWork(world.store, id)).toMatchObject({ dueAtMs, holder: null });
  });

  test('the record of cycles, dropped and folded from the ledger, is byte-equal', async () => {
    const world = await open();
    await world.propose();
    await world.loop().startCycle('periodic');
    const { store } = world;
    const dump = async () => {
      const tables = PROJECTED_TABLES.map((one) => store.all(`SELECT * FROM ${one} ORDER BY id`));
      return canonicalJson((await Promise.all(tables)) as never);
    };
    const before = await dump();
    const cycles = await listCycles(store, 10);
    expect(cycles.map(({ outcome }) => outcome)).toEqual([null, 'proposed']);
    await store.commit({
      writes: cycles.map(({ id }) => ({ delete: 'loop_cycles', where: { id } })),
    });
    expect(await dump()).toBe('[[]]');
    const writes = (await recorded(store)).flatMap(projectEntry);
    for (const write of writes) await store.commit({ writes: [write] });
    expect(await dump()).toBe(before);
  });
});

/** Workers are started and killed, before and after each step, until one finds nothing to do. */
async function untilNothingIsDue(world: World): Promise<number> {
  for (let kills = 0; kills < 100; kills++) {
    const when = kills % 2 === 0 ? 'before' : 'after';
    const loop = world.loop({ holder: `h${kills}`, store: killedAt(world.store, when) });
    const died = await loop.run(signal).then(
      () => false,
      (error: unknown) => String(error).includes('killed'),
    );
    if (!died) return kills;
    world.clock.advance(LEASE_OVER_MS);
  }
  throw new Error(`it never ended (${FILE})`);
}
