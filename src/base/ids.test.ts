import { describe, expect, test } from 'vitest';
import { idMaker, ManualClock, randomInt, seededRandom, systemRandom } from './index.ts';

describe('ids', () => {
  test('sorted as text they are sorted by time, and none comes twice', () => {
    const clock = new ManualClock();
    const newId = idMaker(clock, seededRandom(1));
    const ids = Array.from({ length: 1000 }, (_, at) => {
      clock.advance(at % 3 === 0 ? 1 : 1000 * at);
      return newId('p');
    });
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(1000);
    for (const id of ids) expect(id).toMatch(/^p_[0-9a-hjkmnp-tv-z]{26}$/);
  });
});

const FROZEN = [61, 180, 78, 33, 156, 101, 168, 108];

describe('randomness', () => {
  test('the same seed is the same run, on every machine', () => {
    const draws = (seed: number) => {
      const random = seededRandom(seed);
      return [random.next(), random.next(), ...random.bytes(4)];
    };
    expect(draws(1)).toEqual(draws(1));
    expect(draws(1)).not.toEqual(draws(2));
    // Frozen: a failing seed printed today must repeat its run tomorrow.
    expect(seededRandom(42).bytes(8)).toEqual(Uint8Array.from(FROZEN));
  });

  test.each([
    ['system', systemRandom],
    ['seeded', seededRandom(3)],
  ])('%s draws lie in [0, 1), and spread', (_, random) => {
    const draws = Array.from({ length: 2000 }, () => random.next());
    expect(draws.every((draw) => draw >= 0 && draw < 1)).toBe(true);
    const mean = draws.reduce((sum, draw) => sum + draw, 0) / draws.length;
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.06); // nine standard errors
    expect(new Set(Array.from({ length: 500 }, () => randomInt(random, 7))).size).toBe(7);
  });
});
