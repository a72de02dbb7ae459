/** What the queue promises: one row for one worker, the most urgent first, and nothing under a claim that was lost. */
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { storePerTest, type TimedStore } from '../../test/timed-store.ts';
import { STEP_KINDS, type StepKind, UNSTOPPABLE_STEPS } from '../facts/index.ts';
import { renewClaim } from '../lease/index.ts';
import { claimStatement } from '../store/plan-sql.ts';
import type { Claim, Store } from '../store/types.ts';
import { urgenciesOf, urgencyOf } from './urgency.ts';
import {
  type ClaimedWork,
  changeWork,
  claimById,
  claimDue,
  claimOf,
  dateAgain,
  giveBack,
  newWork,
  readWork,
  release,
  unchanged,
} from './works.ts';

const TTL_MS = 30_000;
const ALL = urgenciesOf(STEP_KINDS);
const by = (holder: string) => ({ holder, ttlMs: TTL_MS });

/** Units as they are after many steps: each with a next step of its own. */
async function fill(store: Store, units: readonly { step: StepKind; dueAtMs: number }[]) {
  const writes = units.map(({ step, dueAtMs }, at) => {
    const subject = `p_${String(at).padStart(6, '0')}`;
    const write = newWork({ kind: 'proposal', subject, dueAtMs, data: {}, nowMs: dueAtMs });
    if (!('insert' in write)) throw new Error('a new unit is a new row');
    return { ...write, row: { ...write.row, step, urgency: urgencyOf(step) } };
  });
  for (let from = 0; from < writes.length; from += 1000)
    await store.commit({ writes: writes.slice(from, from + 1000) });
}

/** Counts what a worker asks of the store. */
function counted(store: Store): { store: Store; asked: string[] } {
  const asked: string[] = [];
  const note =
    <A extends unknown[], R>(name: string, real: (...given: A) => R) =>
    (...given: A) => {
      asked.push(name);
      return real(...given);
    };
  return {
    asked,
    store: {
      ...store,
      nowMs: () => store.nowMs(),
      all: note('all', (sql, parameters) => store.all(sql, parameters)),
      commit: note('commit', (plan) => store.commit(plan)),
      claim: note('claim', (claim) => store.claim(claim)),
    },
  };
}

/** How the engine finds the row, in its own words. */
async function planOf(opened: TimedStore, claim: Claim): Promise<string> {
  const { sql, parameters } = claimStatement(claim, opened.store.engine);
  if (opened.store.engine === 'sqlite') {
    const database = new DatabaseSync(opened.place, { readOnly: true });
    try {
      const rows = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters);
      return rows.map(({ detail }) => String(detail)).join('\n');
    } finally {
      database.close();
    }
  }
  const client = new pg.Client({ connectionString: opened.place });
  await client.connect();
  try {
    await client.query('ANALYZE loop_works');
    const { rows } = await client.query(`EXPLAIN ${sql}`, [...parameters]);
    return rows.map((row) => String(row['QUERY PLAN'])).join('\n');
  } finally {
    await client.end();
  }
}

describe.each(['file', 'postgres'] as const)('the queue on %s', (kind) => {
  const opened = storePerTest(kind);

  test('of 10 000 due units the rollback is claimed first, in one statement that reads an index', async () => {
    const { store, clock } = opened();
    const nowMs = clock.nowMs();
    const others: StepKind[] = ['validate', 'deploy', 'monitor', 'approve', 'learn'];
    const units = Array.from({ length: 10_000 }, (_, at) => ({
      step: others[at % others.length]!,
      dueAtMs: nowMs - 100_000 + at,
    }));
    await fill(store, [...units, { step: 'rollback', dueAtMs: nowMs }]);
    const counting = counted(store);
    const first = await claimDue(counting.store, ALL, by('one'));
    expect(first).toMatchObject({ step: 'rollback', subject: 'p_010000', holder: 'one', token: 1 });
    expect(counting.asked).toEqual(['claim']);
    const order = [];
    for (let at = 0; at < 3; at++) order.push((await claimDue(store, ALL, by('one')))!.subject);
    expect(order).toEqual(['p_000002', 'p_000007', 'p_000012']);

    const set = { token: { add: 1 }, holder: 'one', ready_at_ms: nowMs, changed_at_ms: nowMs };
    const anyOf = ALL.map((urgency) => ({ urgency }));
    const plan = await planOf(opened(), {
      ...{ table: 'loop_works', key: 'id', by: 'ready_at_ms', upTo: nowMs, anyOf },
      set: { ...set, token: { add: 1 } },
    });
    expect(plan.match(/loop_works_ready/g)).toHaveLength(ALL.length);
    expect(plan).not.toMatch(/Seq Scan|SCAN|Sort|TEMP B-TREE/);
  });

  test('who only watches is given nothing else', async () => {
    const { store, clock } = opened();
    const dueAtMs = clock.nowMs();
    await fill(
      store,
      (['validate', 'monitor', 'deploy', 'rollback'] as const).map((step) => ({ step, dueAtMs })),
    );
    const watching = urgenciesOf(UNSTOPPABLE_STEPS);
    const given = [];
    for (let at = 0; at < 3; at++) given.push((await claimDue(store, watching, by('w')))?.step);
    expect(given).toEqual(['rollback', 'monitor', undefined]);
  });

  test('a change from outside leaves a held unit to its holder, whose release makes it ready', async () => {
    const { store, clock } = opened();
    const nowMs = clock.nowMs();
    await fill(store, [{ step: 'validate', dueAtMs: nowMs }]);
    const held = (await claimDue(store, ALL, by('one')))!;
    const seen = (await readWork(store, held.id))!;
    const wake = changeWork(seen, { dueAtMs: nowMs, step: 'rollback' }, nowMs);
    expect(await store.commit({ expect: [unchanged(seen)], writes: [wake] })).toMatchObject({
      committed: true,
    });
    expect(await claimDue(store, ALL, by('two'))).toBeUndefined();
    const done = giveBack(held, { dueAtMs: null }, nowMs);
    expect(await store.commit({ expect: [unchanged(held)], writes: [done] })).toMatchObject({
      committed: false,
      refused: { name: 'work' },
    });
    await release(store, held);
    expect(await claimDue(store, ALL, by('two'))).toMatchObject({ step: 'rollback', token: 2 });
  });

  test('a change from outside that did not see the claim is refused', async () => {
    const { store, clock } = opened();
    const nowMs = clock.nowMs();
    await fill(store, [{ step: 'deploy', dueAtMs: nowMs }]);
    const seen = (await readWork(store, 'proposal/p_000000'))!;
    const change = () => {
      const writes = [changeWork(seen, { dueAtMs: nowMs }, nowMs)];
      return store.commit({ expect: [unchanged(seen)], writes });
    };
    const held = (await claimById(store, seen.id, by('one')))!;
    expect(await change()).toMatchObject({ committed: false });
    await release(store, held);
    // It was held in between: what was seen is not what is there.
    expect(await change()).toMatchObject({ committed: false });
  });

  test('a unit that was claimed, or put off, while the clock was ahead is ready at once', async () => {
    const { store, clock } = opened();
    const dayMs = 86_400_000;
    await fill(store, [{ step: 'monitor', dueAtMs: clock.nowMs() }]);
    clock.advance(3 * dayMs);
    const held = (await claimDue(store, ALL, by('died')))!;
    clock.advance(-3 * dayMs);
    expect(await claimDue(store, ALL, by('next'))).toBeUndefined();
    await dateAgain(store);
    const next = (await claimDue(store, ALL, by('next')))!;
    expect(next.token).toBe(held.token + 1);
    expect(await renewClaim(store, claimOf(held), TTL_MS)).toBe(false);
    // A clock that is set right by a few seconds takes nobody's claim away.
    clock.advance(-5_000);
    await dateAgain(store);
    expect(await claimDue(store, ALL, by('other'))).toBeUndefined();
  });
});

interface Unit {
  step: StepKind;
  dueAtMs: number | null;
  readyAtMs: number | null;
  version: number;
  token: number;
  holder: string | null;
}

interface Model {
  nowMs: number;
  readonly units: Map<string, Unit>;
  /** What each worker believes to hold. */
  readonly held: Map<string, { id: string; version: number; token: number }>;
}

interface Real {
  readonly opened: TimedStore;
  readonly held: Map<string, ClaimedWork>;
  readonly granted: Set<string>;
}

type Command = fc.AsyncCommand<Model, Real>;

const isHeldBy = (unit: Unit, worker: string, believed: { token: number }) =>
  unit.holder === worker && unit.token === believed.token;

const addUnit = (step: StepKind, inMs: number): Command => ({
  check: () => true,
  async run(model, { opened: { store } }) {
    const subject = `p_${model.units.size}`;
    const { nowMs } = model;
    const dueAtMs = nowMs + inMs;
    const write = newWork({ kind: 'proposal', subject, dueAtMs, data: {}, nowMs });
    if (!('insert' in write)) throw new Error('a new unit is a new row');
    const row = { ...write.row, step, urgency: urgencyOf(step) };
    await store.commit({ writes: [{ ...write, row }] });
    const free = { version: 1, token: 0, holder: null };
    model.units.set(`proposal/${subject}`, { step, dueAtMs, readyAtMs: dueAtMs, ...free });
  },
  toString: () => `a ${step} due in ${inMs}`,
});

const claimNext = (worker: string, kinds: readonly StepKind[]): Command => ({
  check: () => true,
  async run(model, real) {
    const urgencies = urgenciesOf(kinds);
    const work = await claimDue(real.opened.store, urgencies, by(worker));
    const [first] = [...model.units]
      .filter(([, { step, readyAtMs }]) => {
        return (
          urgencies.includes(urgencyOf(step)) && readyAtMs !== null && readyAtMs <= model.nowMs
        );
      })
      .sort(
        ([id, one], [otherId, other]) =>
          urgencyOf(one.step) - urgencyOf(other.step) ||
          one.readyAtMs! - other.readyAtMs! ||
          (id < otherId ? -1 : 1),
      );
    expect(work?.id).toBe(first?.[0]);
    if (work === undefined || first === undefined) return;
    const [id, unit] = first;
    unit.token += 1;
    unit.holder = worker;
    unit.readyAtMs = model.nowMs + TTL_MS;
    expect(work).toMatchObject({ step: unit.step, version: unit.version, token: unit.token });
    const grant = `${id} ${work.token}`;
    expect(real.granted.has(grant)).toBe(false);
    real.granted.add(grant);
    model.held.set(worker, { id, version: unit.version, token: unit.token });
    real.held.set(worker, work);
  },
  toString: () => `${worker} claims of ${kinds.length} kinds`,
});

const finish = (worker: string, step: StepKind, inMs: number | null): Command => ({
  check: ({ held }) => held.has(worker),
  async run(model, real) {
    const work = real.held.get(worker)!;
    const believed = model.held.get(worker)!;
    const unit = model.units.get(believed.id)!;
    const dueAtMs = inMs === null ? null : model.nowMs + inMs;
    const writes = [giveBack(work, { dueAtMs, step }, model.nowMs)];
    const { committed } = await real.opened.store.commit({ expect: [unchanged(work)], writes });
    const isCurrent = isHeldBy(unit, worker, believed) && unit.version === believed.version;
    expect(committed).toBe(isCurrent);
    if (!committed) return;
    Object.assign(unit, { step, dueAtMs, readyAtMs: dueAtMs, holder: null });
    unit.version += 1;
    model.held.delete(worker);
    real.held.delete(worker);
  },
  toString: () => `${worker} finishes: ${step} in ${inMs}`,
});

const letGo = (worker: string): Command => ({
  check: ({ held }) => held.has(worker),
  async run(model, real) {
    const believed = model.held.get(worker)!;
    const unit = model.units.get(believed.id)!;
    await release(real.opened.store, real.held.get(worker)!);
    if (isHeldBy(unit, worker, believed)) {
      Object.assign(unit, { holder: null, readyAtMs: unit.dueAtMs });
    }
    model.held.delete(worker);
    real.held.delete(worker);
  },
  toString: () => `${worker} releases`,
});

const renewHeld = (worker: string): Command => ({
  check: ({ held }) => held.has(worker),
  async run(model, real) {
    const believed = model.held.get(worker)!;
    const unit = model.units.get(believed.id)!;
    const claim = claimOf(real.held.get(worker)!);
    const renewed = await renewClaim(real.opened.store, claim, TTL_MS);
    expect(renewed).toBe(isHeldBy(unit, worker, believed));
    if (renewed) unit.readyAtMs = model.nowMs + TTL_MS;
  },
  toString: () => `${worker} renews`,
});

/** It is gone with everything it knew; its claim runs out. */
const kill = (worker: string): Command => ({
  check: ({ held }) => held.has(worker),
  async run(model, real) {
    model.held.delete(worker);
    real.held.delete(worker);
  },
  toString: () => `${worker} is killed`,
});

const byHand = (at: number, step: StepKind): Command => ({
  check: ({ units }) => units.size > 0,
  async run(model, { opened: { store } }) {
    const [id, unit] = [...model.units][at % model.units.size]!;
    const work = (await readWork(store, id))!;
    const writes = [changeWork(work, { dueAtMs: model.nowMs, step }, model.nowMs)];
    expect(await store.commit({ expect: [unchanged(work)], writes })).toEqual({ committed: true });
    Object.assign(unit, { step, dueAtMs: model.nowMs, version: unit.version + 1 });
    if (unit.holder === null) unit.readyAtMs = model.nowMs;
  },
  toString: () => `somebody changes unit ${at} to ${step}`,
});

const advance = (ms: number): Command => ({
  check: () => true,
  async run(model, real) {
    real.opened.clock.advance(ms);
    model.nowMs += ms;
  },
  toString: () => `${ms} pass`,
});

const worker = fc.constantFrom('one', 'two', 'three');
const step = fc.constantFrom(...STEP_KINDS);
const later = fc.integer({ min: 0, max: 2 * TTL_MS });
const kinds = fc.constantFrom(STEP_KINDS, STEP_KINDS, UNSTOPPABLE_STEPS);
const commands = fc.commands(
  [
    fc.tuple(step, later).map(([kind, ms]) => addUnit(kind, ms)),
    fc.tuple(worker, kinds).map(([who, which]) => claimNext(who, which)),
    fc.tuple(worker, kinds).map(([who, which]) => claimNext(who, which)),
    fc.tuple(worker, step, fc.option(later)).map(([who, kind, ms]) => finish(who, kind, ms)),
    worker.map(letGo),
    worker.map(renewHeld),
    worker.map(kill),
    fc.tuple(fc.nat(20), step).map(([at, kind]) => byHand(at, kind)),
    later.map(advance),
  ],
  { maxCommands: 60, size: 'max' },
);

describe.each([
  ['memory', 150],
  ['postgres', 20],
] as const)('a model of the queue on %s', (engine, numRuns) => {
  const open = storePerTest(engine);

  test('workers get what the model says, each row once, and nothing lands under a lost claim', async () => {
    const opened = open();
    await fc.assert(
      fc.asyncProperty(commands, async (history) => {
        const before = await opened.store.all('SELECT id FROM loop_works');
        const writes = before.map(({ id }) => ({ delete: 'loop_works', where: { id: id! } }));
        await opened.store.commit({ writes });
        const model: Model = { nowMs: opened.clock.nowMs(), units: new Map(), held: new Map() };
        const real: Real = { opened, held: new Map(), granted: new Set() };
        await fc.asyncModelRun(() => ({ model, real }), history);
        for (const [id, unit] of model.units)
          expect(await readWork(opened.store, id)).toMatchObject(unit);
      }),
      { numRuns },
    );
  });
});
