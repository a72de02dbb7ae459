import { describe, expect, test } from 'vitest';
import { recorded } from '../../test/ledger.ts';
import { LIMITS, outboxPorts } from '../../test/outbox.ts';
import { ScriptedDestination, type SendScript } from '../../test/scripted-destination.ts';
import { storePerTest } from '../../test/timed-store.ts';
import { type Actor, type DestinationKind, type EffectDraft, SYSTEM } from '../facts/index.ts';
import { deliverAll, OUTCOMES, readEffect, settleEffect } from './index.ts';

const OPERATOR: Actor = { kind: 'human', id: 'operator@example.org', verified: 'token' };
const AGENT: Actor = { kind: 'agent', id: 'coder', verified: 'token' };

describe.each(['memory', 'postgres'] as const)('OUTBOX-1 what a person decides, on %s', (kind) => {
  const open = storePerTest(kind);
  const settle = (key: string, outcome: (typeof OUTCOMES)[number], actor = OPERATOR) =>
    settleEffect(open().store, key, outcome, actor);
  const state = async (key: string) => (await readEffect(open().store, key))!.state;

  const ended = async (destination: DestinationKind, ...script: SendScript[]) => {
    const there = new ScriptedDestination(destination);
    there.plan(...script);
    const draft: EffectDraft = { key: 'a', destination, payload: null, step: 'notify' };
    await open().store.commit({ effects: [draft] });
    for (let attempt = 0; attempt < LIMITS.attemptsMax; attempt++) {
      await deliverAll(there.destination, outboxPorts(open()));
      open().clock.advance(LIMITS.backoffMaxMs);
    }
    return there;
  };

  test.each(OUTCOMES)('only a person says %s, and it is recorded', async (outcome) => {
    await ended('once', 'answer lost');
    for (const actor of [AGENT, SYSTEM]) {
      expect(await settle('a', outcome, actor)).toEqual({ settled: false, why: 'not_human' });
    }
    expect(await state('a')).toBe('uncertain');
    expect(await settle('a', outcome)).toEqual({ settled: true });
    expect(await state('a')).toBe(outcome === 'retry' ? 'queued' : outcome);
    expect((await recorded(open().store)).at(-1)).toMatchObject({
      type: 'outbox.settled',
      actor: OPERATOR,
      data: { key: 'a', outcome },
    });
  });

  test('of two people who decide at once one wins', async () => {
    await ended('once', 'answer lost');
    const both = await Promise.all([settle('a', 'retry'), settle('a', 'dropped')]);
    expect(both.filter(({ settled }) => settled)).toHaveLength(1);
  });

  test('what is delivered, queued or unknown is not a person’s to settle', async () => {
    await ended('keyed', 'delivers');
    expect(await settle('a', 'retry')).toEqual({ settled: false, why: 'not_open' });
    expect(await settle('b', 'retry')).toEqual({ settled: false, why: 'unknown' });
  });

  test('a dead effect that is retried is looked for before it is sent again', async () => {
    const lost = Array.from({ length: LIMITS.attemptsMax }, () => 'fails, maybe done' as const);
    const there = await ended('findable', ...lost);
    expect(await state('a')).toBe('dead');
    there.happened.set('a', 1); // the last one did arrive, after all
    const sends = there.sends.length;
    expect(await settle('a', 'retry')).toEqual({ settled: true });
    await deliverAll(there.destination, outboxPorts(open()));
    expect(there.sends).toHaveLength(sends);
    expect(await state('a')).toBe('delivered');
  });

  test('a retried effect has attempts again', async () => {
    const down = Array.from({ length: LIMITS.attemptsMax + 1 }, () => 'not reached' as const);
    const there = await ended('keyed', ...down);
    expect(await state('a')).toBe('dead');
    await settle('a', 'retry');
    await deliverAll(there.destination, outboxPorts(open()));
    expect(await state('a')).toBe('queued');
    open().clock.advance(LIMITS.backoffMaxMs);
    await deliverAll(there.destination, outboxPorts(open()));
    expect(await state('a')).toBe('delivered');
  });
});
