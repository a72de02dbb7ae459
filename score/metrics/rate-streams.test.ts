import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/base/index.ts';
import {
  countFailures,
  oracleEvents,
  oracleEventsArms,
  oracleEventsCounted,
  percentile,
  successesBeforeFailure,
} from './rate-streams.ts';

describe('simulated streams', () => {
  it('has the oracle sizes of the textbook formula', () => {
    // (1.6449 √.16 + .8416 √.1875)² / .05² = 419.0…
    expect(oracleEvents(0.2, 0.25)).toBe(419);
    // 1.6449 √(2·.225·.775) + .8416 √(.16+.1875) over .05, squared, both arms.
    expect(oracleEventsArms(0.2, 0.25)).toBe(1724);
  });

  it('needs more events when the baseline was counted, and no more with an endless one', () => {
    const known = oracleEvents(0.05, 0.0625);
    expect(oracleEventsCounted(0.05, 0.0625, 10 * known)).toBeGreaterThan(known);
    expect(Math.abs(oracleEventsCounted(0.05, 0.0625, 1e12) / known - 1)).toBeLessThan(0.001);
  });

  it('draws failures at the rate asked for', () => {
    const random = seededRandom(3);
    expect(countFailures(random, 0.05, 200_000) / 200_000).toBeCloseTo(0.05, 2);
    let sum = 0;
    for (let i = 0; i < 20_000; i++) sum += successesBeforeFailure(random, 0.2);
    expect(sum / 20_000).toBeCloseTo(4, 0);
  });

  it('counts streams that were never found as later than all others', () => {
    expect(percentile([3, 1, 2, Infinity, 4], 0.8)).toBe(4);
    expect(percentile([3, 1, Infinity, Infinity, 4], 0.8)).toBe(Infinity);
  });
});
