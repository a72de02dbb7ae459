/** How commits share transactions and the event loop's time. What they promise is the contract's. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestStore, type TestStore } from '../../../test/stores.ts';
import { nextTurn } from '../../base/index.ts';

let opened: TestStore;
beforeEach(async () => {
  opened = await openTestStore('file');
});
afterEach(() => opened[Symbol.asyncDispose]());

const row = (consumer: string) => ({
  writes: [{ insert: 'ledger_cursors', row: { consumer, position: 0 } }],
});

test('commits one after the other leave the event loop its turns, though not one for each', async () => {
  let turns = 0;
  let done = false;
  const turning = (async () => {
    for (; !done; turns++) await nextTurn();
  })();
  for (let at = 0; at < 200; at++) await opened.store.commit(row(`one ${at}`));
  done = true;
  await turning;
  expect(turns).toBeGreaterThanOrEqual(200 / 4);
  expect(turns).toBeLessThan(100);
});

test('many at once are all there, whoever goes on from one to the next', async () => {
  const writer = async (name: string) => {
    for (let at = 0; at < 20; at++) await opened.store.commit(row(`${name} ${at}`));
  };
  await Promise.all(Array.from({ length: 30 }, (_, at) => writer(`writer ${at}`)));
  const [count] = await opened.store.all('SELECT count(*) AS n FROM ledger_cursors');
  expect(count!['n']).toBe(600);
});
