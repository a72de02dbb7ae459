import { describe, expect, test } from 'vitest';
import { ownHealth, worst } from './index.ts';

const HOUR_MS = 3_600_000;
const figures = { nowMs: 100 * HOUR_MS, lastCycleMs: 99 * HOUR_MS, queue: 0, cycleActiveMs: [500] };
const states = (changes: Partial<Parameters<typeof ownHealth>[0]>) =>
  ownHealth({ ...figures, ...changes }).map(({ id, state }) => `${id} ${state}`);

describe('how Hone itself is doing', () => {
  test('all is well', () => {
    expect(states({})).toEqual(['M1 ok', 'M2 ok', 'M3 ok']);
    expect(worst(ownHealth(figures))).toBe('ok');
  });

  test('nothing has run yet: unknown, not well and not ill', () => {
    const fresh = { lastCycleMs: null, cycleActiveMs: [] };
    expect(states(fresh)).toEqual(['M1 unknown', 'M2 ok', 'M3 unknown']);
  });

  test.each([
    [{ lastCycleMs: 77 * HOUR_MS }, 'M1 ok'],
    [{ lastCycleMs: 76 * HOUR_MS }, 'M1 error'],
    [{ queue: 9 }, 'M2 ok'],
    [{ queue: 10 }, 'M2 warning'],
    [{ queue: 49 }, 'M2 warning'],
    [{ queue: 50 }, 'M2 error'],
    [{ cycleActiveMs: [...Array(19).fill(1), 2 * HOUR_MS] }, 'M3 ok'],
    [{ cycleActiveMs: [...Array(18).fill(1), 2 * HOUR_MS, 2 * HOUR_MS] }, 'M3 error'],
  ])('%o is %s', (changes, expected) => {
    expect(states(changes)).toContain(expected);
  });
});
