import { describe, expect, it } from 'vitest';
import { NAB_PROFILES, normalisedScore, probationLength, scaledSigmoid, tallyFile } from './nab.ts';

const [standard, lowFp, lowFn] = NAB_PROFILES as [
  (typeof NAB_PROFILES)[0],
  (typeof NAB_PROFILES)[0],
  (typeof NAB_PROFILES)[0],
];
const windows = [{ first: 500, last: 599 }];
const score = (detections: readonly number[], profile = standard) =>
  normalisedScore([tallyFile(1000, windows, detections, profile)], profile);

describe('NAB scoring', () => {
  it('has the published anchor values of the sigmoid', () => {
    expect(scaledSigmoid(-1)).toBeCloseTo(0.9866142981514305, 12);
    expect(scaledSigmoid(-0.5)).toBeCloseTo(0.8482836399575131, 12);
    expect(scaledSigmoid(0)).toBe(0);
    expect(scaledSigmoid(3.01)).toBe(-1);
  });

  it('gives 0 for silence and 100 for the first point of every window', () => {
    for (const profile of NAB_PROFILES) {
      expect(score([], profile)).toBe(0);
      expect(score([500], profile)).toBeCloseTo(100, 10);
    }
  });

  it('counts the earliest detection of a window and no second one', () => {
    expect(score([550, 560, 599])).toBe(score([550]));
    expect(score([550])).toBeCloseTo(50 * (0.8482836399575131 / 0.9866142981514305) + 50, 10);
  });

  it('charges false alarms in full before the first window and beyond three widths', () => {
    expect(score([500, 300])).toBeCloseTo(100 - 11 / 2, 10);
    expect(score([500, 300], lowFp)).toBeCloseTo(100 - 22 / 2, 10);
    expect(score([500, 300], lowFn)).toBeCloseTo(100 - 11 / 3, 10);
    expect(score([500, 950])).toBeCloseTo(100 - 11 / 2, 10);
  });

  it('charges less shortly after a window, by the distance in its widths', () => {
    const expected = 100 + 50 * 0.11 * scaledSigmoid(10 / 99);
    expect(score([500, 609])).toBeCloseTo(expected, 10);
  });

  it('ignores probation: 15 %, at most 750 points', () => {
    expect(probationLength(1000)).toBe(150);
    expect(probationLength(20_000)).toBe(750);
    expect(score([0, 149])).toBe(0);
    expect(score([150])).toBeCloseTo(-5.5, 10);
  });

  it('sums over files before it scales', () => {
    const quiet = tallyFile(1000, [], [], standard);
    const missed = tallyFile(1000, windows, [], standard);
    const found = tallyFile(1000, windows, [500], standard);
    expect(normalisedScore([quiet, missed, found], standard)).toBeCloseTo(50, 10);
    expect(normalisedScore([quiet], standard)).toBe(0);
  });
});
