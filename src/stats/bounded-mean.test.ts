import { describe, expect, it } from 'vitest';
import { seededRandom } from '../base/index.ts';
import { BoundedMeanWatch } from './bounded-mean.ts';
import { StatsError } from './errors.ts';

function alarmShare(streams: number, draw: (next: () => number) => number): number {
  const random = seededRandom(1);
  let alarms = 0;
  for (let s = 0; s < streams; s++) {
    const watch = new BoundedMeanWatch({ limit: 0.3 });
    for (let i = 0; i < 600; i++) {
      if (!watch.push(draw(() => random.next()))) continue;
      alarms += 1;
      break;
    }
  }
  return alarms / streams;
}

describe('watching a bounded mean', () => {
  it('keeps its false alarms under alpha for any law with that mean', () => {
    expect(alarmShare(400, (next) => (next() < 0.3 ? 1 : 0))).toBeLessThanOrEqual(0.06);
    expect(alarmShare(400, (next) => 0.6 * next())).toBeLessThanOrEqual(0.06);
    expect(alarmShare(400, (next) => (next() < 0.03 ? 1 : 0.27 / 0.97))).toBeLessThanOrEqual(0.06);
  });

  it('finds a mean above the limit', () => {
    expect(alarmShare(100, (next) => 0.4 + 0.2 * next())).toBeGreaterThan(0.95);
    expect(alarmShare(100, (next) => (next() < 0.4 ? 1 : 0))).toBeGreaterThan(0.8);
  });

  it('refuses values outside the bounds', () => {
    const watch = new BoundedMeanWatch({ limit: 0.5 });
    expect(watch.status()).toEqual({ verdict: 'undecided', count: 0, pValue: 1 });
    expect(() => watch.push(1.5)).toThrow(StatsError);
    expect(() => watch.push(Number.NaN)).toThrow(StatsError);
    expect(() => new BoundedMeanWatch({ limit: 0 })).toThrow(StatsError);
  });
});
