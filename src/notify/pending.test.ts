import { describe, expect, test } from 'vitest';
import { storePerTest } from '../../test/timed-store.ts';
import { SEVERITIES, STEP_KINDS, UNSTOPPABLE_STEPS } from '../facts/index.ts';
import { listEffects } from '../outbox/index.ts';
import type { Store } from '../store/index.ts';
import { type Notice, pendingBatch, tellNews } from './index.ts';

const CHANNELS = ['terminal', 'webhook:team'];
const news = (key: string, changes: Partial<Notice> = {}): Notice => ({
  key,
  to: 'operator',
  severity: 'medium',
  title: `Deployed: ${key}`,
  text: 'It is on the branch.',
  step: 'deploy',
  ...changes,
});

describe('SCHED-1 APP-5 what can wait', () => {
  test.each(SEVERITIES.flatMap((severity) => STEP_KINDS.map((step) => [severity, step] as const)))(
    '%s news of %s',
    (severity, step) => {
      const { effects, writes } = tellNews(news('k', { severity, step }), CHANNELS, 5);
      const watching = UNSTOPPABLE_STEPS.includes(step);
      const atOnce = severity === 'critical' || (severity === 'high' && watching);
      expect([effects.length, writes.length]).toEqual(atOnce ? [2, 0] : [0, 1]);
    },
  );

  test('what is told nowhere is not kept', () => {
    const nowhere: string[] = [];
    expect(tellNews(news('k'), nowhere, 5)).toEqual({ effects: [], writes: [] });
  });
});

describe.each(['memory', 'postgres'] as const)('SCHED-1 APP-5 batches on %s', (kind) => {
  const open = storePerTest(kind);
  const keep = async (...some: Notice[]) => {
    for (const [at, one] of some.entries())
      await open().store.commit({ writes: tellNews(one, CHANNELS, at).writes });
  };
  const batch = (store: Store, changes: { severities?: ('low' | 'medium' | 'high')[] } = {}) =>
    pendingBatch(store, {
      severities: changes.severities ?? ['low', 'medium'],
      schedule: 'digest',
      dueAtMs: 1000,
      channels: CHANNELS,
    });
  const left = async () =>
    (await open().store.all('SELECT key FROM notify_pending ORDER BY key')).map(
      (row) => row['key'],
    );

  test('nothing waits: there is no batch', async () => {
    expect(await batch(open().store)).toBeUndefined();
  });

  test('all of its severities are one notice, the oldest first; the others go on waiting', async () => {
    const { store } = open();
    await keep(
      news('a', { severity: 'low' }),
      news('b', { severity: 'high' }),
      news('c', { title: 'Proven\nand kept', text: 'since\u2028then' }),
    );
    await store.commit((await batch(store))!);
    expect(await left()).toEqual(['b']);
    const effects = await listEffects(store, { limit: 9 });
    expect(effects.map(({ destination, step }) => [destination, step]).sort()).toEqual([
      ['terminal', 'notify'],
      ['webhook:team', 'notify'],
    ]);
    for (const { payload } of effects)
      expect(payload).toEqual({
        to: 'operator',
        severity: 'medium',
        title: '2 things to know (digest)',
        text: 'Deployed: a: It is on the branch.\nProven and kept: since then',
      });
    expect(await batch(store)).toBeUndefined();
  });

  test('each recipient has their own, and more than twenty are counted', async () => {
    const { store } = open();
    const many = Array.from({ length: 25 }, (_, at) => news(`m${at}`));
    await keep(...many, news('own', { to: 'operator@example.org' }));
    await store.commit((await batch(store))!);
    const effects = await listEffects(store, { limit: 9 });
    const told = effects
      .filter(({ destination }) => destination === 'terminal')
      .map(({ payload }) => payload as { to: string; text: string });
    expect(told.map(({ to }) => to).sort()).toEqual(['operator', 'operator@example.org']);
    const lines = told.find(({ to }) => to === 'operator')!.text.split('\n');
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe('And 5 more.');
    expect(await left()).toEqual([]);
  });

  test('what comes between the reading and the commit waits for the next batch', async () => {
    const { store } = open();
    await keep(news('a'));
    const first = (await batch(store))!;
    await keep(news('late'));
    await store.commit(first);
    expect(await left()).toEqual(['late']);
  });

  test('a time that comes twice, because the clock was set back, tells what is new', async () => {
    const { store } = open();
    for (const key of ['a', 'b']) {
      await keep(news(key));
      await store.commit((await batch(store))!);
    }
    const told = await listEffects(store, { limit: 9 });
    expect(told.filter(({ destination }) => destination === 'terminal')).toHaveLength(2);
  });

  test('the same news is kept once', async () => {
    await keep(news('a'), news('a', { text: 'again' }));
    expect(await left()).toEqual(['a']);
    expect((await batch(open().store))!.effects[0]!.payload).toMatchObject({
      text: 'Deployed: a: It is on the branch.',
    });
  });
});
