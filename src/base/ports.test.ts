import { describe, expect, test } from 'vitest';
import {
  idMaker,
  isoTime,
  ManualClock,
  makeLog,
  randomInt,
  seededRandom,
  systemClock,
  systemRandom,
  withTimeout,
} from './index.ts';

describe('time', () => {
  test('a manual clock stands still, and wakes sleepers in order', async () => {
    const clock = new ManualClock(1000);
    const woken: string[] = [];
    const sleeps = [
      clock.sleep(20).then(() => woken.push('second')),
      clock.sleep(10).then(() => woken.push('first')),
    ];
    clock.advance(9);
    expect(clock.nowMs()).toBe(1009);
    clock.advance(11);
    await Promise.all(sleeps);
    expect(woken).toEqual(['first', 'second']);
  });

  test.each([systemClock, new ManualClock()])('an aborted sleep ends at once', async (clock) => {
    const abort = new AbortController();
    const asleep = clock.sleep(1e9, abort.signal);
    abort.abort();
    await asleep;
    await clock.sleep(1e9, abort.signal);
  });

  test('withTimeout aborts late work and leaves timely work alone', async () => {
    const clock = new ManualClock();
    const late = withTimeout(
      clock,
      50,
      (signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    clock.advance(50);
    await expect(late).rejects.toThrow('50 ms');
    expect(await withTimeout(clock, 50, () => Promise.resolve('done'))).toBe('done');
  });

  test('times are written in UTC, also when asked twice', () => {
    expect([isoTime(0), isoTime(0), isoTime(1)]).toEqual([
      '1970-01-01T00:00:00.000Z',
      '1970-01-01T00:00:00.000Z',
      '1970-01-01T00:00:00.001Z',
    ]);
  });
});

describe('chance', () => {
  test('the same seed draws the same, another seed does not', () => {
    const draws = (seed: number) => {
      const random = seededRandom(seed);
      return [random.next(), random.next(), ...random.bytes(4)];
    };
    expect(draws(7)).toEqual(draws(7));
    expect(draws(7)).not.toEqual(draws(8));
  });

  test.each([seededRandom(1), systemRandom])('draws are uniform enough in [0, 1)', (random) => {
    const counts = new Array(10).fill(0);
    for (let draw = 0; draw < 20_000; draw++) counts[randomInt(random, 10)] += 1;
    // Chi-square with 9 degrees of freedom passes 40 once in a hundred thousand runs.
    const chiSquare = counts.reduce((sum, count) => sum + (count - 2000) ** 2 / 2000, 0);
    expect(chiSquare).toBeLessThan(40);
  });
});

test('ids say what they are, sort by time, and do not repeat', () => {
  const clock = new ManualClock();
  const newId = idMaker(clock, seededRandom(1));
  const first = newId('p');
  clock.advance(1);
  const second = newId('p');
  expect(first).toMatch(/^p_[0-9a-hjkmnp-tv-z]{26}$/);
  expect(first < second).toBe(true);
  expect(new Set(Array.from({ length: 1000 }, () => newId('p'))).size).toBe(1000);
});

test('the log writes one line per message, from its level up', () => {
  const lines: string[] = [];
  const log = makeLog({
    clock: new ManualClock(0),
    level: 'info',
    write: (line) => lines.push(line),
  });
  log.debug('nobody asked');
  log.warn('look', { attempts: 3 });
  expect(lines).toEqual([
    '{"time":"1970-01-01T00:00:00.000Z","level":"warn","message":"look","attempts":3}\n',
  ]);
});
