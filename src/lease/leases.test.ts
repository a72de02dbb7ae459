import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTimedStore, type TimedStore } from '../../test/timed-store.ts';
import { type Lease, Leases } from './index.ts';

const TTL_MS = 1000;

describe.each(['memory', 'postgres'] as const)('LEASE-1 on %s', (kind) => {
  let opened: TimedStore;
  let leases: Leases;
  beforeAll(async () => {
    opened = await openTimedStore(kind);
    leases = new Leases(opened.store);
  });
  afterAll(() => opened[Symbol.asyncDispose]());

  const take = async (name: string, holder: string): Promise<Lease> => {
    const got = await leases.acquire(name, holder, TTL_MS);
    if (!got.acquired) throw new Error(`${holder} did not get ${name}`);
    return got.lease;
  };
  const writeUnder = (lease: Lease, position: number) =>
    opened.store.commit({
      expect: [lease.fence],
      writes: [{ upsert: 'ledger_cursors', key: { consumer: lease.name }, row: { position } }],
    });
  const written = async (name: string) => {
    const rows = await opened.store.all('SELECT position FROM ledger_cursors WHERE consumer = ?', [
      name,
    ]);
    return rows[0]?.['position'];
  };
  const stateOf = async (name: string) => (await leases.list()).find((one) => one.name === name);

  test('who is told no learns who holds it and until when, and is counted', async () => {
    const { expiresAtMs } = await take('counted', 'a');
    for (const holder of ['b', 'c', 'a']) {
      const got = await leases.acquire('counted', holder, TTL_MS);
      expect(got).toEqual({ acquired: false, holder: 'a', expiresAtMs });
    }
    expect(await stateOf('counted')).toMatchObject({ holder: 'a', token: 1, contended: 3 });
  });

  test('a lease is held to its last millisecond, then the next one takes it', async () => {
    await take('expiry', 'a');
    opened.clock.advance(TTL_MS - 1);
    expect(await leases.acquire('expiry', 'b', TTL_MS)).toMatchObject({ acquired: false });
    opened.clock.advance(1);
    expect((await take('expiry', 'b')).token).toBe(2);
  });

  test('given back and taken again by the same one, or by another in between, tokens only grow', async () => {
    const { token } = await take('again', 'a');
    const release = async (holder: string, by = leases) => {
      const got = await by.acquire('again', holder, TTL_MS);
      if (!got.acquired) throw new Error('it is free');
      await by.release(got.lease);
      return got.lease.token;
    };
    opened.clock.advance(TTL_MS);
    expect(await release('a')).toBe(token + 1);
    expect(await release('a')).toBe(token + 2);
    expect(await release('b', new Leases(opened.store))).toBe(token + 3);
    expect(await release('a')).toBe(token + 4);
    const other = new Leases(opened.store);
    expect(await other.acquire('again', 'b', TTL_MS)).toMatchObject({ acquired: true });
    expect(await leases.acquire('again', 'a', TTL_MS)).toMatchObject({
      acquired: false,
      holder: 'b',
    });
  });

  test('one that was taken while the clock was far ahead does not outlive the mistake', async () => {
    const yearMs = 365 * 86_400_000;
    opened.clock.advance(yearMs);
    const lease = await take('ahead', 'a');
    opened.clock.advance(-yearMs);
    expect((await take('ahead', 'b')).token).toBe(2);
    expect(await writeUnder(lease, 7)).toMatchObject({ committed: false });
  });

  test('renewal keeps the token and moves the end', async () => {
    const lease = await take('renewed', 'a');
    opened.clock.advance(TTL_MS - 1);
    const longer = await leases.renew(lease, TTL_MS);
    expect(longer).toMatchObject({
      token: lease.token,
      expiresAtMs: opened.clock.nowMs() + TTL_MS,
    });
    opened.clock.advance(TTL_MS - 1);
    expect(await leases.acquire('renewed', 'b', TTL_MS)).toMatchObject({ acquired: false });
  });

  test('a stale holder’s write is refused inside the transaction, with its whole plan', async () => {
    const stale = await take('fenced', 'a');
    expect(await writeUnder(stale, 1)).toEqual({ committed: true });
    opened.clock.advance(TTL_MS);
    const current = await take('fenced', 'b');
    expect(await writeUnder(current, 2)).toEqual({ committed: true });
    expect(await writeUnder(stale, 3)).toEqual({ committed: false, refused: stale.fence });
    expect(await written('fenced')).toBe(2);
  });

  test('a lease that passed on is neither renewed nor released by its old holder', async () => {
    const stale = await take('passed-on', 'a');
    opened.clock.advance(TTL_MS);
    await take('passed-on', 'b');
    expect(await leases.renew(stale, TTL_MS)).toBeUndefined();
    await leases.release(stale);
    expect(await stateOf('passed-on')).toMatchObject({ holder: 'b', token: 2 });
  });

  test('the same holder’s earlier lease is stale too', async () => {
    const first = await take('same-holder', 'a');
    opened.clock.advance(TTL_MS);
    await take('same-holder', 'a');
    expect((await writeUnder(first, 1)).committed).toBe(false);
  });

  test('released early it is free at once, and its old fence no longer opens', async () => {
    const lease = await take('released', 'a');
    await leases.release(lease);
    expect((await writeUnder(lease, 1)).committed).toBe(false);
    expect((await take('released', 'b')).token).toBe(2);
  });

  test('of many who want a lease at once exactly one gets it: new, and run out', async () => {
    for (const round of [1, 2, 3]) {
      const got = await Promise.all(
        Array.from({ length: 20 }, (_, who) => leases.acquire('rush', `h${who}`, TTL_MS)),
      );
      const winners = got.filter((one) => one.acquired);
      expect(winners).toHaveLength(1);
      expect(winners[0]).toMatchObject({ lease: { token: round } });
      expect((await stateOf('rush'))?.contended).toBe(19 * round);
      opened.clock.advance(TTL_MS);
    }
  });
});
