import { describe, expect, test } from 'vitest';
import { storePerTest } from '../../test/timed-store.ts';
import { keptRows, sameAnswer } from './kept-rows.ts';

describe.each(['file', 'postgres'] as const)('what was made of rows, on %s', (kind) => {
  const open = storePerTest(kind);
  const change = (consumer: string) =>
    open().store.commit({ writes: [{ insert: 'ledger_cursors', row: { consumer, position: 1 } }] });

  test('is made again once anything changed, and not before where the store can say so', async () => {
    const { store } = open();
    let times = 0;
    const get = () => keptRows(store, 'a', async () => ++times);
    const isKept = store.revision !== undefined;
    expect(isKept).toBe(kind === 'file');
    expect([await get(), await get()]).toEqual(isKept ? [1, 1] : [1, 2]);
    const before = times;
    await change('one');
    expect(await get()).toBe(before + 1);
    expect(await keptRows(store, 'b', async () => 'another')).toBe('another');
  });

  test('is made again after a fault', async () => {
    const { store } = open();
    const failing = keptRows(store, 'a', () => Promise.reject(new Error('away')));
    await expect(failing).rejects.toThrow('away');
    expect(await keptRows(store, 'a', async () => 'there')).toBe('there');
  });
});

test('an answer is the very same one while what is around it is', () => {
  const answer = sameAnswer((around: { waiting: string | null }) => ({ id: 1, ...around }));
  const first = answer({ waiting: null });
  expect(answer({ waiting: null })).toBe(first);
  expect(answer({ waiting: 'a person' })).toEqual({ id: 1, waiting: 'a person' });
});
