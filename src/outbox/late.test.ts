/** Requests that are carried out after the sender gave up or died. */
import { describe, expect, test } from 'vitest';
import { LIMITS, MortalStore, outboxPorts, ProcessDied } from '../../test/outbox.ts';
import { ScriptedDestination, type SendScript } from '../../test/scripted-destination.ts';
import { storePerTest } from '../../test/timed-store.ts';
import { nextTurn } from '../base/index.ts';
import type { Actor, EffectDraft } from '../facts/index.ts';
import type { Store } from '../store/index.ts';
import {
  type Destination,
  deliverAll,
  deliverNext,
  type Effect,
  readEffect,
  settleEffect,
} from './index.ts';

const OPERATOR: Actor = { kind: 'human', id: 'operator@example.org', verified: 'token' };
/** A request is not carried out later than this after it was sent. */
const CARRIED_OUT_MS = 2 * LIMITS.sendTimeoutMs;

describe.each(['memory', 'postgres'] as const)('what is carried out late, on %s', (kind) => {
  const open = storePerTest(kind);

  const queue = (destination: string, ...keys: string[]) =>
    open().store.commit({
      effects: keys.map(
        (key): EffectDraft => ({ key, destination, payload: { key }, step: 'notify' }),
      ),
    });
  const effect = async (key: string) => (await readEffect(open().store, key))!;
  const findable = (...script: readonly SendScript[]) => {
    const there = new ScriptedDestination('findable', 'findable', open().clock);
    there.plan(...script);
    return there;
  };
  /** Healthy senders come by every now and then. */
  const drain = async (there: ScriptedDestination, stepMs = 500) => {
    for (let passedMs = 0; passedMs < 20 * LIMITS.sendTimeoutMs; passedMs += stepMs) {
      await deliverAll(there.destination, outboxPorts(open(), { holder: 'healthy' }));
      open().clock.advance(stepMs);
    }
  };

  test.each(['happens after the timeout', 'cut off, happens later'] as const)(
    'findable, %s: it happened once',
    async (script) => {
      const there = findable(script);
      await queue('findable', 'a', 'b');
      await drain(there);
      expect([...there.happened]).toEqual([
        ['a', 1],
        ['b', 1],
      ]); // b waited behind it
      expect(there.sends).toEqual(['a', 'b']);
      expect(await effect('a')).toMatchObject({ state: 'delivered', attempts: 2 });
    },
  );

  test('the row says when it may be looked for, to every process that starts meanwhile', async () => {
    const there = findable('never answers');
    await queue('findable', 'a');
    const sentAtMs = open().clock.nowMs();
    await deliverAll(there.destination, outboxPorts(open()));
    const dueAtMs = sentAtMs + CARRIED_OUT_MS;
    expect(await effect('a')).toMatchObject({ state: 'queued', dueAtMs });
    const restarted = outboxPorts(open(), { holder: 'restarted' });
    expect(await deliverNext(there.destination, restarted)).toEqual({
      did: 'nothing',
      why: 'not_due',
      dueAtMs,
    });
    open().clock.advance(dueAtMs - open().clock.nowMs());
    await deliverAll(there.destination, restarted);
    expect(there.finds).toEqual(['a']);
    expect(there.sends).toEqual(['a', 'a']); // it was not there: what was lost is sent
    expect((await effect('a')).state).toBe('delivered');
  });

  test('nothing is waited for that surely did not happen, or that honours its key', async () => {
    const there = findable('not reached');
    const keyed = new ScriptedDestination('keyed', 'keyed', open().clock);
    keyed.plan('never answers');
    await queue('findable', 'a');
    await queue('keyed', 'b');
    for (const [destination, key] of [
      [there.destination, 'a'],
      [keyed.destination, 'b'],
    ] as const) {
      await deliverAll(destination, outboxPorts(open()));
      const waitMs = (await effect(key)).dueAtMs - open().clock.nowMs();
      expect(waitMs).toBeLessThanOrEqual(LIMITS.backoffMs);
    }
  });

  test('a look that fails sent nothing, and is tried again soon', async () => {
    const there = findable('not reached');
    await queue('findable', 'a');
    await deliverAll(there.destination, outboxPorts(open()));
    open().clock.advance(LIMITS.backoffMs);
    const blind = {
      ...there.destination,
      kind: 'findable' as const,
      find: () => Promise.reject(new Error('search is down')),
    };
    await deliverNext(blind, outboxPorts(open()));
    expect(await effect('a')).toMatchObject({ state: 'queued', error: 'search is down' });
    expect((await effect('a')).dueAtMs - open().clock.nowMs()).toBeLessThanOrEqual(
      2 * LIMITS.backoffMs,
    );
    expect(there.sends).toEqual(['a']);
  });

  describe('whose sender is gone', () => {
    /** Looks for almost all of its time, then sends. */
    const slowToLook = (there: ScriptedDestination): Destination => ({
      ...there.destination,
      kind: 'findable',
      find: async () => {
        open().clock.advance(LIMITS.sendTimeoutMs - 1);
        return false;
      },
    });

    test('a sender that looked for long before it sent and died', async () => {
      const there = findable('not reached', 'cut off, happens later');
      await queue('findable', 'a');
      await deliverAll(there.destination, outboxPorts(open()));
      open().clock.advance(LIMITS.backoffMs);
      const mortal = new MortalStore(open().store);
      mortal.commitsLeft = 2; // the lease and the claim
      const ports = outboxPorts({ store: mortal.store, clock: open().clock }, { holder: 'mortal' });
      await expect(deliverNext(slowToLook(there), ports)).rejects.toThrow(ProcessDied);
      await drain(there);
      expect(there.happened.get('a')).toBe(1);
      expect(there.sends).toEqual(['a', 'a']); // the one that was not reached, and the late one
      expect((await effect('a')).state).toBe('delivered');
    });

    test('a sender that could not write down what became of it, and gave its lease back', async () => {
      const there = findable('cut off, happens later');
      await queue('findable', 'a');
      const store = failingCommit(open().store, 3); // after the lease and the claim
      const ports = outboxPorts({ store, clock: open().clock });
      await expect(deliverNext(there.destination, ports)).rejects.toThrow('disk is full');
      await drain(there);
      expect(there.happened.get('a')).toBe(1);
      expect(there.sends).toEqual(['a']);
    });

    test('a sender whose claim took so long that others may take over before it ends', async () => {
      const there = findable();
      await queue('findable', 'a');
      const store = slowCommit(open().store, 2, () =>
        open().clock.advance(LIMITS.sendTimeoutMs + 1),
      );
      const ports = outboxPorts({ store, clock: open().clock });
      expect(await deliverNext(there.destination, ports)).toEqual({ did: 'queued', key: 'a' });
      expect(there.sends).toEqual([]);
      await drain(there);
      expect(there.sends).toEqual(['a']);
    });
  });

  test('a person’s retry waits too: the last attempt may still be under way', async () => {
    const lost = Array.from({ length: LIMITS.attemptsMax - 1 }, () => 'not reached' as const);
    const there = findable(...lost, 'happens after the timeout');
    await queue('findable', 'a');
    while ((await effect('a')).state === 'queued') {
      await deliverAll(there.destination, outboxPorts(open()));
      if ((await effect('a')).state === 'queued') open().clock.advance(LIMITS.backoffMs);
    }
    expect((await effect('a')).state).toBe('dead');
    expect(await settleEffect(open().store, 'a', 'retry', OPERATOR)).toEqual({ settled: true });
    await drain(there);
    expect(there.happened.get('a')).toBe(1);
    expect((await effect('a')).state).toBe('delivered');
  });

  test('a look that ends after the timeout sends nothing', async () => {
    const there = findable('not reached');
    await queue('findable', 'a');
    await deliverAll(there.destination, outboxPorts(open()));
    open().clock.advance(LIMITS.backoffMs);
    const sends: Effect[] = [];
    const looked = Promise.withResolvers<boolean>();
    const late: Destination = {
      name: 'findable',
      kind: 'findable',
      find: () => {
        open().clock.advance(LIMITS.sendTimeoutMs);
        return looked.promise;
      },
      send: async (one) => {
        sends.push(one);
        return { outcome: 'delivered' };
      },
    };
    expect(await deliverNext(late, outboxPorts(open()))).toEqual({ did: 'queued', key: 'a' });
    looked.resolve(false);
    await nextTurn();
    expect(sends).toEqual([]);
  });
});

/** A store of which one commit, counted from 1, does not arrive. */
function failingCommit(store: Store, which: number): Store {
  let commits = 0;
  return {
    ...store,
    engine: store.engine,
    location: store.location,
    commit: (plan) =>
      ++commits === which ? Promise.reject(new Error('disk is full')) : store.commit(plan),
  };
}

/** A store of which one commit, counted from 1, takes the time that `pass` lets pass. */
function slowCommit(store: Store, which: number, pass: () => void): Store {
  let commits = 0;
  return {
    ...store,
    engine: store.engine,
    location: store.location,
    commit: (plan) => {
      if (++commits === which) pass();
      return store.commit(plan);
    },
  };
}
