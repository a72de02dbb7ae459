/**
 * Random histories of an outbox with all three kinds of destination: sends that fail in every way
 * or happen late, processes that die at any commit, time that passes, people who settle. The model
 * knows only what the README promises.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { placeAll } from '../../test/ledger.ts';
import { LIMITS, MortalStore, outboxPorts, ProcessDied } from '../../test/outbox.ts';
import {
  ScriptedDestination,
  SEND_SCRIPTS,
  type SendScript,
} from '../../test/scripted-destination.ts';
import { openTimedStore, type TimedStore } from '../../test/timed-store.ts';
import { seededRandom } from '../base/index.ts';
import {
  type Actor,
  DESTINATION_KINDS,
  type EffectState,
  LANES,
  type Lane,
} from '../facts/index.ts';
import { LedgerView } from '../ledger/index.ts';
import { deliverNext, listEffects, OUTCOMES, readEffect, settleEffect } from './index.ts';

const OPERATOR: Actor = { kind: 'human', id: 'operator@example.org', verified: 'token' };
const FINAL: readonly EffectState[] = ['delivered', 'dead', 'uncertain', 'dropped'];

/** What must hold of each key, whatever happened. */
interface Tracked {
  readonly destination: string;
  /** How often a person said "send it again" although it may have happened. */
  retries: number;
}

interface Model {
  readonly tracked: Map<string, Tracked>;
}

interface Real {
  readonly opened: TimedStore;
  readonly destinations: readonly ScriptedDestination[];
  readonly prefix: string;
}

type Command = fc.AsyncCommand<Model, Real>;

const queue = (at: number, key: number, lane: Lane): Command => ({
  check: () => true,
  async run(model, real) {
    const destination = real.destinations[at]!.name;
    const name = `${real.prefix}/${key}`;
    await real.opened.store.commit({
      effects: [{ key: name, destination, payload: { key }, step: 'notify', lane }],
    });
    // The same key again is the effect that is there, wherever it was to go now.
    if (!model.tracked.has(name)) model.tracked.set(name, { destination, retries: 0 });
  },
  toString: () => `queue ${key} for ${DESTINATION_KINDS[at]}, ${lane}`,
});

const deliver = (at: number, script: SendScript, commitsLeft: number, jitter: number): Command => ({
  check: () => true,
  async run(_model, real) {
    const there = real.destinations[at]!;
    there.plan(script);
    const mortal = new MortalStore(real.opened.store);
    mortal.commitsLeft = commitsLeft;
    const ports = outboxPorts(
      { store: mortal.store, clock: real.opened.clock },
      { random: seededRandom(jitter), holder: `worker ${jitter}` },
    );
    const before = there.sends.length;
    try {
      await deliverNext(there.destination, ports);
    } catch (error) {
      if (!(error instanceof ProcessDied)) throw error;
    }
    expect(there.sends.length - before).toBeLessThanOrEqual(1);
  },
  toString: () => `${DESTINATION_KINDS[at]} ${script}, ${commitsLeft} commits to live`,
});

const settle = (key: number, outcome: (typeof OUTCOMES)[number]): Command => ({
  check: (model) => model.tracked.size > key,
  async run(model, real) {
    const [name, tracked] = [...model.tracked][key]!;
    const before = (await readEffect(real.opened.store, name))!.state;
    const { settled } = await settleEffect(real.opened.store, name, outcome, OPERATOR);
    expect(settled).toBe(before === 'dead' || before === 'uncertain');
    if (settled && outcome === 'retry') tracked.retries += 1;
  },
  toString: () => `settle ${key} ${outcome}`,
});

const advance = (ms: number): Command => ({
  check: () => true,
  run: async (_model, real) => real.opened.clock.advance(ms),
  toString: () => `${ms} ms pass`,
});

const at = fc.integer({ min: 0, max: 2 });
const script = fc.constantFrom(...(Object.keys(SEND_SCRIPTS) as SendScript[]));
const commands = fc.commands(
  [
    fc
      .tuple(at, fc.integer({ min: 0, max: 5 }), fc.constantFrom(...LANES))
      .map((args) => queue(...args)),
    fc
      .tuple(at, script, fc.constantFrom(1, 2, 3, 99, 99, 99), fc.nat({ max: 1000 }))
      .map((args) => deliver(...args)),
    fc.tuple(at, script, fc.constant(99), fc.nat({ max: 1000 })).map((args) => deliver(...args)),
    fc
      .tuple(fc.nat({ max: 5 }), fc.constantFrom(...OUTCOMES))
      .map(([key, outcome]) => settle(key, outcome)),
    fc
      .constantFrom(
        100,
        LIMITS.backoffMs,
        LIMITS.sendTimeoutMs,
        LIMITS.leaseMs,
        LIMITS.backoffMaxMs,
      )
      .map(advance),
  ],
  { maxCommands: 60, size: 'max' },
);

/** Everything still open is tried, by a healthy worker and healthy destinations, until nothing is. */
async function drain(real: Real): Promise<void> {
  for (const there of real.destinations) {
    there.plan();
    for (let round = 0; round < 100; round++) {
      const step = await deliverNext(there.destination, outboxPorts(real.opened));
      if (step.did === 'nothing' && step.why === 'empty') break;
      // In small steps: a sender that comes back too early meets what is still under way.
      if (step.did === 'nothing') real.opened.clock.advance(LIMITS.backoffMs);
    }
  }
  real.opened.clock.advance(LIMITS.backoffMaxMs); // what was to happen late has happened
}

async function check(model: Model, real: Real): Promise<void> {
  await placeAll(real.opened.store);
  const ledger = new LedgerView(real.opened.store);
  for (const [key, { destination, retries }] of model.tracked) {
    const there = real.destinations.find((one) => one.name === destination)!;
    const effect = (await readEffect(real.opened.store, key))!;
    expect(effect.destination).toBe(destination);
    expect(FINAL).toContain(effect.state);
    const times = there.happened.get(key) ?? 0;
    // One effect per key. Only a person who asked for it can make a once-only destination do it twice.
    expect(times).toBeLessThanOrEqual(there.kind === 'once' ? 1 + retries : 1);
    const placed = await ledger.entries({ subject: `effect:${key}`, limit: 1000 });
    const types = placed.map(({ entry }) => entry.type);
    const deliveries = types.filter((type) => type === 'outbox.delivered');
    // What Hone calls delivered did happen; the ledger says so once.
    if (deliveries.length > 0) expect(times).toBeGreaterThanOrEqual(1);
    expect(deliveries.length).toBeLessThanOrEqual(1);
    expect(types.filter((type) => type !== 'outbox.settled')).toHaveLength(1 + retries);
  }
}

describe.each([
  ['memory', 200],
  ['postgres', 20],
] as const)('OUTBOX-1 model on %s', (kind, numRuns) => {
  test('one effect per key, nothing lost, nothing claimed that did not happen', async () => {
    const opened = await openTimedStore(kind);
    let run = 0;
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(commands, async (history) => {
        const prefix = `run${run++}`;
        const destinations = DESTINATION_KINDS.map(
          (one) => new ScriptedDestination(one, `${prefix}/${one}`, opened.clock),
        );
        const real: Real = { opened, destinations, prefix };
        const model: Model = { tracked: new Map() };
        await fc.asyncModelRun(() => ({ model, real }), history);
        for (const { state } of await listEffects(opened.store, { limit: 1000 })) seen.add(state);
        await drain(real);
        await check(model, real);
      }),
      { numRuns },
    );
    await opened[Symbol.asyncDispose]();
    // The histories went everywhere: without this the property could hold because nothing happened.
    // Few histories, as on PostgreSQL, may miss a state.
    if (numRuns < 100) return;
    expect([...seen].sort()).toEqual(
      ['dead', 'delivered', 'dropped', 'queued', 'sending', 'uncertain'].sort(),
    );
  });
});
