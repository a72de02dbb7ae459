import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isoTime, ManualClock, nextTurn, systemClock, withTimeout } from './index.ts';

describe('the manual clock', () => {
  test('stands still until it is moved, and wakes sleepers in the order of their time', async () => {
    const clock = new ManualClock(1000);
    const woken: string[] = [];
    for (const [name, ms] of [
      ['late', 30],
      ['early', 10],
      ['never', 50],
    ] as const)
      void clock.sleep(ms).then(() => woken.push(name));
    await nextTurn();
    expect(woken).toEqual([]);
    clock.advance(30);
    await nextTurn();
    expect(woken).toEqual(['early', 'late']);
    expect(clock.nowMs()).toBe(1030);
  });

  test('an aborted sleep ends at once', async () => {
    const controller = new AbortController();
    const sleeping = new ManualClock().sleep(1000, controller.signal);
    controller.abort();
    await sleeping;
    await new ManualClock().sleep(1000, controller.signal);
  });
});

describe('the system clock', () => {
  test('an aborted sleep ends at once, also one of a hundred days', async () => {
    const controller = new AbortController();
    let ended = false;
    const sleeping = systemClock.sleep(100 * 86_400_000, controller.signal).then(() => {
      ended = true;
    });
    // A timer beyond 2^31 ms would have fired after one.
    await systemClock.sleep(5);
    expect(ended).toBe(false);
    controller.abort();
    await sleeping;
  });
});

describe('withTimeout', () => {
  test('aborts the work’s signal when the time is over, with the reason', async () => {
    const clock = new ManualClock();
    const work = withTimeout(
      clock,
      100,
      (signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    clock.advance(100);
    await expect(work).rejects.toThrow('took longer than 100 ms');
  });

  test('leaves nothing behind when the work is done in time, or fails', async () => {
    const clock = new ManualClock();
    let seen: AbortSignal | undefined;
    const keep = (signal: AbortSignal) => {
      seen = signal;
      return Promise.resolve('done');
    };
    expect(await withTimeout(clock, 100, keep)).toBe('done');
    clock.advance(1000);
    expect(seen?.aborted).toBe(false);
    await expect(withTimeout(clock, 1, () => Promise.reject(new Error('no')))).rejects.toThrow(
      'no',
    );
  });
});

test('times are UTC with milliseconds', () => {
  expect(isoTime(0)).toBe('1970-01-01T00:00:00.000Z');
  const time = fc.oneof(
    fc.integer({ min: -5000, max: 5000 }),
    fc.integer({ min: -8.64e15, max: 8.64e15 }),
  );
  fc.assert(
    fc.property(time, (ms) => {
      expect(isoTime(ms)).toBe(new Date(ms).toISOString());
    }),
  );
  expect(() => isoTime(Number.NaN)).toThrow(RangeError);
});
