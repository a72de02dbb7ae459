import { describe, expect, test } from 'vitest';
import { recorded } from '../../test/ledger.ts';
import { LIMITS, MortalStore, outboxPorts, ProcessDied } from '../../test/outbox.ts';
import { ScriptedDestination } from '../../test/scripted-destination.ts';
import { storePerTest } from '../../test/timed-store.ts';
import { ManualClock, type Random, seededRandom } from '../base/index.ts';
import { DESTINATION_KINDS, type EffectDraft, type EffectResult } from '../facts/index.ts';
import { countEffects, deliverAll, deliverNext, listEffects, readEffect } from './index.ts';

describe.each(['memory', 'postgres'] as const)('OUTBOX-1 delivery on %s', (kind) => {
  const open = storePerTest(kind);

  const queue = (destination: string, ...keys: string[]) =>
    open().store.commit({
      effects: keys.map(
        (key): EffectDraft => ({
          key,
          destination,
          payload: { key },
          step: 'notify',
        }),
      ),
    });
  const effect = async (key: string) => (await readEffect(open().store, key))!;
  const random = (value: number): Random => ({ ...seededRandom(1), next: () => value });

  test('effects of a destination arrive in the order they were decided', async () => {
    const there = new ScriptedDestination('keyed');
    await queue('keyed', 'a', 'b');
    await queue('keyed', 'c');
    there.plan('delivers', 'fails, maybe done');
    expect(await deliverAll(there.destination, outboxPorts(open()))).toBe(1);
    expect(there.sends).toEqual(['a', 'b']); // c waits behind b, whose time has not come
    open().clock.advance(LIMITS.backoffMs);
    expect(await deliverAll(there.destination, outboxPorts(open()))).toBe(2);
    expect(there.sends).toEqual(['a', 'b', 'b', 'c']);
  });

  test('the same key is one effect, whoever queues it and however often', async () => {
    const there = new ScriptedDestination('once');
    await queue('once', 'a', 'a');
    await queue('once', 'a');
    await deliverAll(there.destination, outboxPorts(open()));
    await queue('once', 'a');
    await deliverAll(there.destination, outboxPorts(open()));
    expect(there.sends).toEqual(['a']);
  });

  test('a delivery is recorded with its attempts, by Hone', async () => {
    const there = new ScriptedDestination('keyed');
    there.plan('not reached');
    await queue('keyed', 'a');
    await deliverAll(there.destination, outboxPorts(open()));
    open().clock.advance(LIMITS.backoffMs);
    await deliverAll(there.destination, outboxPorts(open()));
    expect(await recorded(open().store)).toMatchObject([
      {
        type: 'outbox.delivered',
        actor: { kind: 'system' },
        subject: 'effect:a',
        data: { key: 'a', destination: 'keyed', attempts: 2 },
      },
    ]);
    expect(await effect('a')).toMatchObject({ state: 'delivered', error: null });
    expect(await countEffects(open().store)).toEqual({ delivered: 1 });
  });

  test('an effect queued for later waits for its time', async () => {
    const there = new ScriptedDestination('keyed');
    const dueAtMs = open().clock.nowMs() + 500;
    const draft = { key: 'later', destination: 'keyed', payload: null, step: 'notify' } as const;
    await open().store.commit({ effects: [{ ...draft, dueAtMs }] });
    const ports = outboxPorts(open());
    expect(await deliverNext(there.destination, ports)).toEqual({
      did: 'nothing',
      why: 'not_due',
      dueAtMs,
    });
    open().clock.advance(500);
    expect(await deliverNext(there.destination, ports)).toEqual({ did: 'delivered', key: 'later' });
  });

  test.each([
    ['least', 0, [500, 1000, 2000]],
    ['most', 0.999_999, [1000, 2000, 4000]],
  ] as const)('backoff doubles, with the %s jitter', async (_, draw, expected) => {
    const there = new ScriptedDestination('keyed');
    there.plan('not reached', 'not reached', 'not reached');
    await queue('keyed', 'a');
    const ports = outboxPorts(open(), { random: random(draw) });
    const waits: number[] = [];
    for (const _attempt of expected) {
      await deliverNext(there.destination, ports);
      const { dueAtMs } = await effect('a');
      waits.push(dueAtMs - open().clock.nowMs());
      open().clock.advance(waits.at(-1)!);
    }
    expect(waits).toEqual(expected);
  });

  test('backoff has a limit', async () => {
    const there = new ScriptedDestination('keyed');
    there.plan(...Array.from({ length: 10 }, () => 'not reached' as const));
    await queue('keyed', 'a');
    const limits = { ...LIMITS, attemptsMax: 100, backoffMaxMs: 3000 };
    const ports = { ...outboxPorts(open(), { random: random(0.999_999) }), limits };
    for (let attempt = 0; attempt < 10; attempt++) {
      await deliverNext(there.destination, ports);
      expect((await effect('a')).dueAtMs - open().clock.nowMs()).toBeLessThanOrEqual(3000);
      open().clock.advance(3000);
    }
    expect(there.sends).toHaveLength(10);
  });

  test('after the last attempt it is dead, recorded with its error, and the next one’s turn comes', async () => {
    const there = new ScriptedDestination('keyed');
    there.plan(...Array.from({ length: LIMITS.attemptsMax }, () => 'not reached' as const));
    await queue('keyed', 'a', 'b');
    for (let attempt = 0; attempt <= LIMITS.attemptsMax; attempt++) {
      await deliverAll(there.destination, outboxPorts(open()));
      open().clock.advance(LIMITS.backoffMaxMs);
    }
    expect(await effect('a')).toMatchObject({ state: 'dead', error: 'connection refused' });
    expect(await effect('b')).toMatchObject({ state: 'delivered' });
    expect(there.sends).toEqual(['a', 'a', 'a', 'a', 'b']);
    expect((await recorded(open().store))[0]).toMatchObject({
      type: 'outbox.given_up',
      data: { key: 'a', attempts: LIMITS.attemptsMax, error: 'connection refused' },
    });
    const dead = await listEffects(open().store, { states: ['dead'], limit: 10 });
    expect(dead.map(({ key }) => key)).toEqual(['a']);
  });

  test.each(DESTINATION_KINDS)('a refusal for good is dead at once (%s)', async (destination) => {
    const there = new ScriptedDestination(destination);
    there.plan('refuses');
    await queue(destination, 'a');
    await deliverAll(there.destination, outboxPorts(open()));
    expect(await effect('a')).toMatchObject({ state: 'dead', error: 'no such channel' });
  });

  test('once: a send that surely did not happen is tried again, any other is uncertain', async () => {
    const there = new ScriptedDestination('once');
    there.plan('not reached', 'answer lost');
    await queue('once', 'a', 'b');
    await deliverAll(there.destination, outboxPorts(open()));
    expect(await effect('a')).toMatchObject({ state: 'queued', attempts: 1 });
    open().clock.advance(LIMITS.backoffMs);
    await deliverAll(there.destination, outboxPorts(open()));
    expect(await effect('a')).toMatchObject({ state: 'uncertain', error: 'no answer' });
    expect(await effect('b')).toMatchObject({ state: 'delivered' });
  });

  describe('a process that dies between claim and settle', () => {
    /** Sends once and dies: the claim is there, the outcome is not. */
    const dieAfterSending = async (there: ScriptedDestination) => {
      const mortal = new MortalStore(open().store);
      mortal.commitsLeft = 2; // the lease and the claim
      const ports = outboxPorts({ store: mortal.store, clock: open().clock }, { holder: 'mortal' });
      await expect(deliverNext(there.destination, ports)).rejects.toThrow(ProcessDied);
    };

    test('its lease keeps others away until it runs out', async () => {
      const there = new ScriptedDestination('keyed');
      await queue('keyed', 'a');
      await dieAfterSending(there);
      expect(await effect('a')).toMatchObject({ state: 'sending', attempts: 1 });
      const ports = outboxPorts(open());
      expect(await deliverNext(there.destination, ports)).toEqual({ did: 'nothing', why: 'held' });
      open().clock.advance(LIMITS.leaseMs);
      expect(await deliverNext(there.destination, ports)).toEqual({ did: 'delivered', key: 'a' });
    });

    test('keyed sends again under the same key: one effect', async () => {
      const there = new ScriptedDestination('keyed');
      await queue('keyed', 'a');
      await dieAfterSending(there);
      open().clock.advance(LIMITS.leaseMs);
      await deliverAll(there.destination, outboxPorts(open()));
      expect(there.sends).toEqual(['a', 'a']);
      expect(there.happened.get('a')).toBe(1);
      expect((await effect('a')).state).toBe('delivered');
    });

    test.each([
      ['happened: nothing is sent', 'delivers', ['a']],
      ['did not happen: it is sent', 'not reached', ['a', 'a']],
    ] as const)('findable looks first; it %s', async (_, first, sends) => {
      const there = new ScriptedDestination('findable');
      there.plan(first);
      await queue('findable', 'a');
      await dieAfterSending(there);
      open().clock.advance(3 * LIMITS.sendTimeoutMs); // what it sent has ended
      await deliverAll(there.destination, outboxPorts(open()));
      expect(there.sends).toEqual(sends);
      expect(there.happened.get('a')).toBe(1);
      expect((await effect('a')).state).toBe('delivered');
    });

    test('once becomes uncertain and is never sent again by itself', async () => {
      const there = new ScriptedDestination('once');
      await queue('once', 'a', 'b');
      await dieAfterSending(there);
      for (let round = 0; round < 3; round++) {
        open().clock.advance(LIMITS.leaseMs + LIMITS.backoffMaxMs);
        await deliverAll(there.destination, outboxPorts(open()));
      }
      expect(await effect('a')).toMatchObject({ state: 'uncertain' });
      expect(there.sends).toEqual(['a', 'b']);
      expect((await recorded(open().store))[0]).toMatchObject({ type: 'outbox.left_uncertain' });
    });

    test('one that kills every process that sends it ends uncertain, not never', async () => {
      const there = new ScriptedDestination('keyed');
      await queue('keyed', 'poison', 'next');
      for (let death = 0; death < LIMITS.attemptsMax; death++) {
        await dieAfterSending(there);
        open().clock.advance(LIMITS.leaseMs);
      }
      await deliverAll(there.destination, outboxPorts(open()));
      expect(await effect('poison')).toMatchObject({ state: 'uncertain' });
      expect(await effect('next')).toMatchObject({ state: 'delivered' });
    });
  });

  test('a sender that was overtaken while it sent records nothing', async () => {
    const there = new ScriptedDestination('keyed');
    await queue('keyed', 'a');
    const slow = {
      ...there.destination,
      kind: 'keyed' as const,
      send: async () => {
        // Paused for longer than its lease: another sender takes over and finishes.
        open().clock.advance(LIMITS.leaseMs);
        await deliverAll(there.destination, outboxPorts(open(), { holder: 'other' }));
        return { outcome: 'failed', error: 'too late' } as const;
      },
    };
    // Its own timers stood still with it.
    const paused = { ...outboxPorts(open()), clock: new ManualClock() };
    expect(await deliverNext(slow, paused)).toEqual({ did: 'nothing', why: 'lost' });
    expect(await effect('a')).toMatchObject({ state: 'delivered', error: null });
    expect(await recorded(open().store)).toHaveLength(1);
  });

  test('a destination that never answers is given up at the timeout, even if it ignores the signal', async () => {
    await queue('deaf', 'a');
    const deaf = {
      name: 'deaf',
      kind: 'keyed' as const,
      send: () => {
        queueMicrotask(() => open().clock.advance(LIMITS.sendTimeoutMs));
        return new Promise<never>(() => {});
      },
    };
    expect(await deliverNext(deaf, outboxPorts(open()))).toEqual({ did: 'queued', key: 'a' });
    expect((await effect('a')).error).toContain('5000 ms');
  });

  test('a destination that throws counts as one that may have done it', async () => {
    await queue('throws', 'a');
    const send = () => Promise.reject(new Error('socket hang up'));
    await deliverNext({ name: 'throws', kind: 'once', send }, outboxPorts(open()));
    expect(await effect('a')).toMatchObject({ state: 'uncertain', error: 'socket hang up' });
  });

  test('two workers at once send each effect once', async () => {
    const there = new ScriptedDestination('once');
    await queue('once', ...Array.from({ length: 10 }, (_, at) => `k${at}`));
    const workers = ['one', 'two', 'three'].map((holder) => outboxPorts(open(), { holder }));
    for (let left = 10; left > 0; ) {
      const steps = await Promise.all(
        workers.map((ports) => deliverNext(there.destination, ports)),
      );
      left -= steps.filter(({ did }) => did === 'delivered').length;
    }
    expect(there.sends).toEqual(Array.from({ length: 10 }, (_, at) => `k${at}`));
  });

  test('what fails in one lane holds up no other; the most urgent is sent first', async () => {
    const there = new ScriptedDestination('keyed');
    const { store } = open();
    const draft = (key: string, step: EffectDraft['step']): EffectDraft => ({
      ...{ key, destination: 'keyed', payload: null, step },
    });
    await store.commit({
      effects: [
        draft('news', 'notify'),
        draft('more-news', 'learn'),
        draft('question', 'approve'),
        draft('harm', 'monitor'),
        draft('taken-back', 'rollback'),
        { ...draft('page', 'monitor'), lane: 'news' },
      ],
    });
    const lanes = async (keys: readonly string[]) =>
      (await Promise.all(keys.map(effect))).map(({ lane }) => lane);
    expect(await lanes(['news', 'more-news', 'question', 'harm', 'taken-back', 'page'])).toEqual([
      ...['news', 'news', 'decision', 'rollback', 'rollback', 'news'],
    ]);
    there.plan('fails, maybe done');
    const ports = outboxPorts(open());
    expect(await deliverNext(there.destination, ports)).toEqual({ did: 'queued', key: 'harm' });
    // Its time has not come; the next one of this lane does not wait for it.
    const order = [];
    for (let step = 0; step < 5; step++) order.push(await deliverNext(there.destination, ports));
    expect(order).toEqual(
      ['taken-back', 'question', 'news', 'more-news', 'page'].map((key) => ({
        did: 'delivered',
        key,
      })),
    );
    expect(await deliverNext(there.destination, ports)).toMatchObject({ why: 'not_due' });
  });

  test('in a lane that has an order, a later one waits; other lanes do not', async () => {
    const there = new ScriptedDestination('keyed');
    await queue('keyed', 'first', 'second');
    there.plan('not reached');
    const ports = outboxPorts(open());
    expect(await deliverNext(there.destination, ports)).toEqual({ did: 'queued', key: 'first' });
    const draft = { key: 'back', destination: 'keyed', payload: null, step: 'rollback' } as const;
    await open().store.commit({ effects: [draft] });
    expect(await deliverNext(there.destination, ports)).toEqual({ did: 'delivered', key: 'back' });
    expect(await deliverNext(there.destination, ports)).toMatchObject({ why: 'not_due' });
    expect(there.sends).toEqual(['first', 'back']);
  });

  test('while news hang at a destination, a notice of a rollback is sent there', async () => {
    const hung = Promise.withResolvers<void>();
    const sent: string[] = [];
    const slow = {
      name: 'slow',
      kind: 'keyed' as const,
      send: async ({ key }: { key: string }) => {
        if (key === 'news') await hung.promise;
        sent.push(key);
        return { outcome: 'delivered' } as const;
      },
    };
    await queue('slow', 'news');
    const sending = deliverAll(slow, outboxPorts(open(), { holder: 'one' }), ['news']);
    while ((await effect('news')).state !== 'sending');
    const draft = { key: 'back', destination: 'slow', payload: null, step: 'rollback' } as const;
    await open().store.commit({ effects: [draft] });
    expect(await deliverAll(slow, outboxPorts(open(), { holder: 'one' }), ['rollback'])).toBe(1);
    expect(sent).toEqual(['back']);
    hung.resolve();
    expect(await sending).toBe(1);
  });

  test('a result is kept with its effect and recorded, sent or found; one that is too large is not', async () => {
    const gives = (name: string, result: EffectResult) => ({
      name,
      kind: 'keyed' as const,
      send: async () => ({ outcome: 'delivered', result }) as const,
    });
    await queue('forge', 'asked');
    await queue('large', 'too-much');
    await queue('findable', 'found');
    const url = 'https://forge.example/acme/shop/pulls/12';
    await deliverAll(gives('forge', { url }), outboxPorts(open()));
    await deliverAll(gives('large', { text: 'x'.repeat(3000) }), outboxPorts(open()));
    const findable = {
      name: 'findable',
      kind: 'findable' as const,
      send: async () => ({ outcome: 'failed', error: 'no answer' }) as const,
      find: async () => ({ result: { id: '7' } }),
    };
    await deliverAll(findable, outboxPorts(open()));
    open().clock.advance(LIMITS.backoffMaxMs);
    await deliverAll(findable, outboxPorts(open()));
    expect((await effect('asked')).result).toEqual({ url });
    expect(await effect('too-much')).toMatchObject({ state: 'delivered', result: null });
    expect((await effect('found')).result).toEqual({ id: '7' });
    const entries = (await recorded(open().store)).map(({ data }) => data);
    expect(entries).toEqual([
      { key: 'asked', destination: 'forge', attempts: 1, result: `{"url":"${url}"}` },
      { key: 'too-much', destination: 'large', attempts: 1 },
      { key: 'found', destination: 'findable', attempts: 2, result: '{"id":"7"}' },
    ]);
  });

  test('a key that could not be named in the ledger is refused when it is queued', async () => {
    for (const key of ['', 'x'.repeat(300), 'line\nbreak', 'two words', '\ud800']) {
      await expect(queue('keyed', key)).rejects.toThrow(/key/);
    }
    expect(await countEffects(open().store)).toEqual({});
  });
});
