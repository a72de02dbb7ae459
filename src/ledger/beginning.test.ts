import { describe, expect, test } from 'vitest';
import { breakIn, placeAll } from '../../test/ledger.ts';
import { storePerTest } from '../../test/timed-store.ts';
import { ownWords } from '../base/index.ts';
import { SYSTEM } from '../facts/index.ts';
import {
  formatVerifier,
  generateKey,
  ledgerBeginning,
  planKey,
  readKeys,
  recordedKeys,
} from './index.ts';

const KEY = generateKey('example.org/hone');
const LATER = generateKey('example.org/hone');
const RESUMED = {
  type: 'policy.resumed',
  actor: SYSTEM,
  subject: 'hone:stop',
  data: { reason: ownWords('x') },
} as const;

describe.each(['file', 'postgres'] as const)('how a ledger begins on %s', (kind) => {
  const open = storePerTest(kind);
  const beginning = () => ledgerBeginning(open().store);

  test('nothing was ever written', async () => {
    expect(await beginning()).toBe('empty');
    expect(await readKeys(open().store)).toEqual({ ok: true, keys: [] });
  });

  test('with the record of its making, before and after that has its place', async () => {
    const { store } = open();
    await store.commit(planKey(KEY, SYSTEM, false));
    await store.commit({ entries: [RESUMED] });
    expect(await beginning()).toBe('created');
    await placeAll(store);
    expect(await beginning()).toBe('created');
    await store.commit(planKey(LATER, SYSTEM, true));
    await placeAll(store);
    expect(await readKeys(store)).toEqual({
      ok: true,
      keys: [KEY, LATER].map((key) => formatVerifier(key)),
    });
  });

  test('with something else', async () => {
    const { store } = open();
    await store.commit({ entries: [RESUMED] });
    expect(await beginning()).toBe('other');
    await store.commit(planKey(KEY, SYSTEM, false));
    await placeAll(store);
    expect(await beginning()).toBe('other');
  });

  test.each([
    ['no JSON', `'{'`],
    ['no entry', `'{"v":1}'`],
    ['another type', `replace(body, '"ledger.created"', '"policy.resumed"')`],
    ['no key', `replace(body, 'example.org/hone+', 'example.org/hone-')`],
  ])('a record that is %s is told apart, not thrown about', async (_, body) => {
    const { store, place } = open();
    await store.commit(planKey(KEY, SYSTEM, false));
    await placeAll(store);
    await using intruder = await breakIn(store.engine, place);
    await intruder.run(`UPDATE ledger_entries SET body = ${body}`);
    expect(await readKeys(store)).toEqual({ ok: false, index: 0 });
    expect(await beginning()).toBe('other');
    await expect(recordedKeys(store)).rejects.toMatchObject({ code: 'unreadable_entry' });
  });
});
