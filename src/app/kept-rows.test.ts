import { describe, expect, test } from 'vitest';
import { storePerTest } from '../../test/timed-store.ts';
import { keptRows, sameAnswer } from './kept-rows.ts';

describe.each(['file', 'postgres'] as const)('what was made of rows, on %s', (kind) => {
  const open = storePerTest(kind);
  const change = (consumer: string) =>
    open().store.commit({ writes: [{ insert: 'ledger_cursors', row: { consumer, position: 1 } }] });

  test('is made again once its own rows changed, and not for any other', async () => {
    const { store } = open();
    let times = 0;
    const get = () =>
      keptRows(store, 'a', async (reading) => {
        times += 1;
        const rows = await reading.all('SELECT position FROM ledger_cursors WHERE consumer = ?', [
          'one',
        ]);
        return rows.length;
      });
    expect([await get(), await get(), times]).toEqual([0, 0, 1]);
    await change('other');
    expect([await get(), times]).toEqual([0, 1]);
    await change('one');
    expect([await get(), await get(), times]).toEqual([1, 1, 2]);
    expect(await keptRows(store, 'b', async () => 'another')).toBe('another');
  });

  test('may not depend on the clock', async () => {
    const { store } = open();
    await expect(keptRows(store, 'a', (reading) => reading.nowMs())).rejects.toThrow('rows alone');
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
