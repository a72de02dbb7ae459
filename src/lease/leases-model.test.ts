/** Random histories of several holders against a model of four lines. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openTimedStore, type TimedStore } from '../../test/timed-store.ts';
import { type Lease, Leases } from './index.ts';

/** What the world should look like. */
interface Model {
  token: number;
  holder: string | null;
  expiresAtMs: number;
  contended: number;
  nowMs: number;
  writes: number;
  /** Of every holder, the token of the lease it believes in. */
  believed: Map<string, number>;
}

interface Real {
  readonly opened: TimedStore;
  readonly leases: Leases;
  readonly name: string;
  /** Every token that was ever given, in order. */
  readonly given: number[];
  readonly held: Map<string, Lease>;
}

type Command = fc.AsyncCommand<Model, Real>;

const free = (model: Model) => model.holder === null || model.expiresAtMs <= model.nowMs;
const current = (model: Model, holder: string) =>
  model.holder === holder && model.believed.get(holder) === model.token;

const acquire = (holder: string, ttlMs: number): Command => ({
  check: () => true,
  async run(model, real) {
    const got = await real.leases.acquire(real.name, holder, ttlMs);
    expect(got.acquired).toBe(free(model));
    if (!got.acquired) {
      expect(got).toMatchObject({ holder: model.holder, expiresAtMs: model.expiresAtMs });
      model.contended += 1;
      return;
    }
    model.token += 1;
    model.holder = holder;
    model.expiresAtMs = model.nowMs + ttlMs;
    model.believed.set(holder, model.token);
    expect(got.lease).toMatchObject({ token: model.token, expiresAtMs: model.expiresAtMs });
    real.held.set(holder, got.lease);
    real.given.push(got.lease.token);
  },
  toString: () => `${holder} acquires for ${ttlMs}`,
});

const renew = (holder: string, ttlMs: number): Command => ({
  check: (model) => model.believed.has(holder),
  async run(model, real) {
    const renewed = await real.leases.renew(real.held.get(holder)!, ttlMs);
    expect(renewed !== undefined).toBe(current(model, holder));
    if (renewed === undefined) return;
    model.expiresAtMs = model.nowMs + ttlMs;
    expect(renewed).toMatchObject({ token: model.token, expiresAtMs: model.expiresAtMs });
    real.held.set(holder, renewed);
  },
  toString: () => `${holder} renews for ${ttlMs}`,
});

const release = (holder: string): Command => ({
  check: (model) => model.believed.has(holder),
  async run(model, real) {
    await real.leases.release(real.held.get(holder)!);
    if (!current(model, holder)) return;
    model.holder = null;
    model.expiresAtMs = 0;
  },
  toString: () => `${holder} releases`,
});

const write = (holder: string): Command => ({
  check: (model) => model.believed.has(holder),
  async run(model, real) {
    const result = await real.opened.store.commit({
      expect: [real.held.get(holder)!.fence],
      writes: [
        {
          update: 'ledger_cursors',
          where: { consumer: real.name },
          set: { position: { add: 1 } },
        },
      ],
    });
    expect(result.committed).toBe(current(model, holder));
    if (result.committed) model.writes += 1;
  },
  toString: () => `${holder} writes`,
});

const advance = (ms: number): Command => ({
  check: () => true,
  async run(model, real) {
    real.opened.clock.advance(ms);
    model.nowMs += ms;
  },
  toString: () => `${ms} pass`,
});

const holder = fc.constantFrom('operator', 'bob', 'cy');
const ttlMs = fc.integer({ min: 1, max: 100 });
const commands = fc.commands(
  [
    fc.tuple(holder, ttlMs).map(([who, ms]) => acquire(who, ms)),
    fc.tuple(holder, ttlMs).map(([who, ms]) => renew(who, ms)),
    holder.map(release),
    holder.map(write),
    fc.integer({ min: 1, max: 120 }).map(advance),
  ],
  { maxCommands: 40 },
);

describe.each([
  ['memory', 150],
  ['postgres', 25],
] as const)('LEASE-1 model on %s', (kind, numRuns) => {
  test('holders agree with the model, tokens only grow, stale writes never land', async () => {
    const opened = await openTimedStore(kind);
    const leases = new Leases(opened.store);
    let run = 0;
    await fc.assert(
      fc.asyncProperty(commands, async (history) => {
        const name = `lease-${run++}`;
        const row = { consumer: name, position: 0 };
        await opened.store.commit({ writes: [{ insert: 'ledger_cursors', row }] });
        const model: Model = {
          token: 0,
          holder: null,
          expiresAtMs: 0,
          contended: 0,
          nowMs: opened.clock.nowMs(),
          writes: 0,
          believed: new Map(),
        };
        const real: Real = { opened, leases, name, given: [], held: new Map() };
        await fc.asyncModelRun(() => ({ model, real }), history);

        expect(real.given).toEqual(Array.from({ length: model.token }, (_, at) => at + 1));
        const [cursor] = await opened.store.all(
          'SELECT position FROM ledger_cursors WHERE consumer = ?',
          [name],
        );
        expect(cursor!['position']).toBe(model.writes);
        const state = (await leases.list()).find((one) => one.name === name);
        const { token, holder: held, expiresAtMs, contended } = model;
        if (token > 0) expect(state).toEqual({ name, token, holder: held, expiresAtMs, contended });
      }),
      { numRuns },
    );
    await opened[Symbol.asyncDispose]();
  });
});
