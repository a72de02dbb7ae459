import { describe, expect, it } from 'vitest';
import { seededRandom } from '../base/index.ts';
import { StatsError } from './errors.ts';
import { RateTrial } from './rate-trial.ts';

/** The expectation of both evidences over every sequence of arms and outcomes. */
function expected(rate: number, share: number, length: number): { worse: number; better: number } {
  let worse = 0;
  let better = 0;
  for (let code = 0; code < 4 ** length; code++) {
    const trial = new RateTrial({ treatmentShare: share });
    let probability = 1;
    for (let i = 0; i < length; i++) {
      const treated = ((code >> (2 * i)) & 1) === 1;
      const failed = ((code >> (2 * i + 1)) & 1) === 1;
      probability *= (treated ? share : 1 - share) * (failed ? rate : 1 - rate);
      trial.push(treated ? 'treatment' : 'control', failed);
    }
    worse += probability * trial.status().eWorse;
    better += probability * trial.status().eBetter;
  }
  return { worse, better };
}

function run(seed: number, rates: { control: number; treatment: number }, events: number) {
  const random = seededRandom(seed);
  const trial = new RateTrial();
  for (let i = 0; i < events; i++) {
    const arm = random.next() < 0.5 ? 'treatment' : 'control';
    if (trial.push(arm, random.next() < rates[arm])) break;
  }
  return trial.status();
}

describe('comparing two arms', () => {
  it.each([
    [0.05, 0.5],
    [0.5, 0.5],
    [0.2, 0.1],
    [0.9, 0.7],
  ])('is a fair game at every common rate and share: %d, %d', (rate, share) => {
    const { worse, better } = expected(rate, share, 5);
    expect(worse).toBeCloseTo(1, 10);
    expect(better).toBeCloseTo(1, 10);
  });

  it('finds harm and help', () => {
    expect(run(1, { control: 0.1, treatment: 0.2 }, 20_000).verdict).toBe('worse');
    expect(run(2, { control: 0.2, treatment: 0.1 }, 20_000).verdict).toBe('better');
  });

  it('stays undecided on equal arms', () => {
    let verdicts = 0;
    for (let seed = 1; seed <= 60; seed++)
      if (run(seed, { control: 0.1, treatment: 0.1 }, 3000).verdict !== 'undecided') verdicts += 1;
    // Two one-sided chances of at most 5 %.
    expect(verdicts).toBeLessThanOrEqual(10);
  });

  it('counts what it saw and starts without an opinion', () => {
    const trial = new RateTrial();
    expect(trial.status()).toMatchObject({ verdict: 'undecided', pWorse: 1, pBetter: 1 });
    trial.push('control', true);
    trial.push('treatment', false);
    expect(trial.status().control).toEqual({ events: 1, failures: 1 });
    expect(trial.status().treatment).toEqual({ events: 1, failures: 0 });
  });

  it('bears arms that always fail', () => {
    const status = run(3, { control: 1, treatment: 1 }, 5000);
    expect(status.verdict).toBe('undecided');
    expect(Number.isFinite(status.eWorse)).toBe(true);
  });

  it('refuses shares and levels outside their range', () => {
    expect(() => new RateTrial({ treatmentShare: 1 })).toThrow(StatsError);
    expect(() => new RateTrial({ alpha: 0 })).toThrow(StatsError);
    expect(() => new RateTrial({ minimumEffect: Number.NaN })).toThrow(StatsError);
  });
});
