import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestStore, type TestStore } from '../../test/stores.ts';
import type { CleanText } from '../base/index.ts';
import { type EntryDraft, SYSTEM } from '../facts/index.ts';
import { Leases } from '../lease/index.ts';
import type { Store } from '../store/index.ts';
import {
  advanceCursor,
  LedgerView,
  placeEntries,
  readCursor,
  readNext,
  verifyLedger,
} from './index.ts';

const WRITERS = 4;
const PLANS = 60;

const entry = (reason: string): EntryDraft => ({
  type: 'policy.resumed',
  actor: SYSTEM,
  subject: 'hone:stop',
  data: { reason: reason as CleanText },
});

describe('LEDGER-1 the sequencer on postgres', () => {
  let opened: TestStore;
  beforeAll(async () => {
    opened = await openTestStore('postgres');
  });
  afterAll(() => opened[Symbol.asyncDispose]());

  test('four writers at once: dense places, every entry once, consumers see each once in order', async () => {
    let writing = true;
    const write = async (writer: number) => {
      const store = await opened.open();
      for (let plan = 0; plan < PLANS; plan += 3) {
        const three = [0, 1, 2].map((more) =>
          store.commit({ entries: [entry(`${writer}/${plan + more}`)] }),
        );
        await Promise.all(three);
      }
    };
    const sequence = async (holder: string) => {
      const store = await opened.open();
      const leases = new Leases(store);
      for (let last = false; ; last = !writing) {
        const got = await leases.acquire('ledger/sequencer', holder, 60_000);
        if (!got.acquired) {
          if (last) return;
          continue;
        }
        const result = await placeEntries(store, got.lease.fence);
        await leases.release(got.lease);
        if (last && 'placed' in result && result.placed === 0) return;
      }
    };
    const seen: number[] = [];
    const consume = async (store: Store) => {
      const cursor = await readCursor(store, 'reader');
      const entries = await readNext(store, cursor, 7);
      if (entries.length === 0) return;
      const { expect: unmoved, write: move } = advanceCursor(cursor, entries.at(-1)!.index + 1);
      const { committed } = await store.commit({ expect: [unmoved], writes: [move] });
      if (committed) seen.push(...entries.map(({ index }) => index));
    };
    const reader = async () => {
      const store = await opened.open();
      while (seen.length < WRITERS * PLANS) await consume(store);
    };
    const writers = Promise.all(Array.from({ length: WRITERS }, (_, at) => write(at))).then(() => {
      writing = false;
    });
    await Promise.all([writers, sequence('one'), sequence('two'), reader(), reader()]);

    const size = WRITERS * PLANS;
    expect(seen).toEqual(Array.from({ length: size }, (_, at) => at));
    const view = new LedgerView(opened.store);
    expect(await view.unplaced()).toBe(0);
    const reasons = (await view.entries({ limit: 10_000 })).map(
      ({ entry: one }) => one.data['reason'],
    );
    const written = Array.from({ length: WRITERS }, (_, writer) =>
      Array.from({ length: PLANS }, (_unused, plan) => `${writer}/${plan}`),
    ).flat();
    expect(reasons.toSorted()).toEqual(written.toSorted());
    expect(await verifyLedger(opened.store, { known: [] })).toMatchObject({ ok: true, size });
  });

  test('a sequencer whose lease has passed on places nothing', async () => {
    const leases = new Leases(opened.store);
    const got = await leases.acquire('stale', 'one', 60_000);
    if (!got.acquired) throw new Error('not acquired');
    const before = await new LedgerView(opened.store).size();
    await opened.store.commit({ entries: [entry('waits')] });
    await leases.release(got.lease);
    expect(await placeEntries(opened.store, got.lease.fence)).toEqual({ refused: true });
    expect(await new LedgerView(opened.store).size()).toBe(before);
    expect(await new LedgerView(opened.store).unplaced()).toBe(1);
  });

  test('an entry that was placed cannot be placed again or moved', async () => {
    const move = { update: 'ledger_entries', where: { idx: 0 }, set: { idx: 5000 } };
    await expect(opened.store.commit({ writes: [move] })).rejects.toThrow(/append-only/);
  });
});
