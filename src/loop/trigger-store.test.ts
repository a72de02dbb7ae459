import { describe, expect, test } from 'vitest';
import { storePerTest } from '../../test/timed-store.ts';
import {
  forgetTriggers,
  listTriggers,
  queueTrigger,
  stillAsks,
  takeTriggers,
  waitingTriggers,
} from './trigger-store.ts';

const HOUR_MS = 3_600_000;
const asked = (key: string, urgency: 'high' | 'normal' | 'low' = 'normal') =>
  ({ key, kind: 'threshold', urgency, detail: `${key} is too high.` }) as const;

describe.each(['file', 'postgres'] as const)('OBS-8 the queue of triggers on %s', (kind) => {
  const open = storePerTest(kind);
  const queue = (key: string, nowMs: number, againAfterMs = 6 * HOUR_MS) =>
    queueTrigger(open().store, asked(key), { nowMs, againAfterMs });
  const take = async (cycle: string, nowMs: number) =>
    open().store.commit({
      writes: takeTriggers(await waitingTriggers(open().store), cycle, nowMs),
    });

  test('what asks again while it waits is counted, not queued twice', async () => {
    await queue('a', 1000);
    await queue('a', 2000);
    await queue('b', 3000);
    expect(await listTriggers(open().store)).toMatchObject([
      { key: 'a', times: 2, firstAtMs: 1000, lastAtMs: 2000, cycle: null },
      { key: 'b', times: 1 },
    ]);
  });

  test('the most urgent comes first, then the one that waits longest', async () => {
    const { store } = open();
    for (const [key, urgency, atMs] of [
      ['low', 'low', 1],
      ['late', 'normal', 3],
      ['early', 'normal', 2],
      ['urgent', 'high', 4],
    ] as const)
      await queueTrigger(store, asked(key, urgency), { nowMs: atMs, againAfterMs: 0 });
    const keys = (await waitingTriggers(store)).map(({ key }) => key);
    expect(keys).toEqual(['urgent', 'early', 'late', 'low']);
  });

  test('after a cycle took it, it waits again only when that was a while ago', async () => {
    const { store } = open();
    await queue('a', 0);
    await take('c_1', 10);
    await queue('a', HOUR_MS);
    expect(await listTriggers(store)).toMatchObject([
      { key: 'a', cycle: 'c_1', takenAtMs: 10, times: 2, lastAtMs: HOUR_MS },
    ]);
    await queue('a', 6 * HOUR_MS + 10);
    expect(await waitingTriggers(store)).toMatchObject([
      { key: 'a', times: 1, cycle: null, takenAtMs: null, firstAtMs: 6 * HOUR_MS + 10 },
    ]);
  });

  test('asked by many at once, it is there once', async () => {
    await Promise.all(Array.from({ length: 8 }, () => queue('a', 5)));
    expect(await listTriggers(open().store)).toHaveLength(1);
  });

  test('what was taken long ago and does not ask any more is forgotten', async () => {
    const { store } = open();
    const month = 31 * 24 * HOUR_MS;
    await queue('gone', 0);
    await queue('asks', 0);
    await take('c_1', 1);
    await queue('asks', month, 2 * month);
    await queue('waits', 0);
    expect(await forgetTriggers(store, month + 5)).toBe(1);
    expect((await listTriggers(store)).map(({ key }) => key)).toEqual(['waits', 'asks']);
  });
});

test('OBS-8 what telemetry no longer shows begins nothing; a person’s request does not fade', () => {
  const one = { ...asked('a'), times: 1, firstAtMs: 0, lastAtMs: 0, cycle: null, takenAtMs: null };
  expect(stillAsks(one, 0.5 * HOUR_MS)).toBe(true);
  expect(stillAsks(one, HOUR_MS)).toBe(false);
  expect(stillAsks({ ...one, kind: 'human' }, 99 * HOUR_MS)).toBe(true);
});
