import { describe, expect, test } from 'vitest';
import { storePerTest } from '../../test/timed-store.ts';
import { Purse } from './index.ts';

describe.each(['memory', 'postgres'] as const)('what a validation may spend, on %s', (kind) => {
  const control = storePerTest(kind);
  const purse = (account = 'one', capUsd = 1) => new Purse(control().store, account, capUsd);

  test('is one sum for all who take from it, however many at once', async () => {
    const taken = await Promise.all(Array.from({ length: 20 }, () => purse().take(0.15)));
    expect(taken.filter(Boolean)).toHaveLength(6);
    expect(await purse('other').take(0.15)).toBe(true);
  });

  test('what was not needed is put back; what was taken by somebody who died is gone', async () => {
    expect(await purse().take(0.6)).toBe(true);
    expect(await purse().take(0.6)).toBe(false);
    await purse().putBack(0.5);
    expect(await purse().take(0.6)).toBe(true);
    // Killed here: nothing is put back.
    expect(await purse().take(0.4)).toBe(false);
    expect(await purse().take(0.3)).toBe(true);
    expect(await purse().take(0.000_001)).toBe(false);
  });

  test('a cap that is raised or lowered holds from then on', async () => {
    expect(await purse('one', 0).take(0.000_000_1)).toBe(false);
    expect(await purse('one', 2).take(1.5)).toBe(true);
    expect(await purse('one', 1).take(0.01)).toBe(false);
    expect(await purse('one', 2).take(0.5)).toBe(true);
  });
});
