/**
 * Mann and Kendall's test at a fixed horizon: do later values tend to be larger? With Theil and Sen's slope, which a quarter of
 * odd values does not move. Neighbours that are alike say less than as many independent ones: where the deviations from
 * the slope correlate, fewer points are counted (Bartlett). It is not valid when looked at repeatedly.
 */
import { normalSf } from './distributions.ts';
import { requireCount, requireFinite } from './errors.ts';

export interface Trend {
  /** 1 where every later value is larger, -1 where every one is smaller. */
  readonly tau: number;
  /** The usual change from one point to the next. */
  readonly slope: number;
  /** Two-sided. */
  readonly pValue: number;
}

const POINTS_MIN = 4;

export function mannKendall(values: readonly number[]): Trend {
  requireCount(values.length, POINTS_MIN, 'values');
  requireFinite(values, 'values');
  const n = values.length;
  const slopes: number[] = [];
  let score = 0;
  for (let i = 0; i < n; i++)
    for (let j = i + 1; j < n; j++) {
      const difference = values[j]! - values[i]!;
      score += Math.sign(difference);
      slopes.push(difference / (j - i));
    }
  const slope = median(slopes);
  const pairs = (n * (n - 1)) / 2;
  const ties = tieTerm(values);
  const variance = (n * (n - 1) * (2 * n + 5) - ties) / 18;
  if (!(variance > 0)) return { tau: 0, slope: 0, pValue: 1 };
  const inflated = variance * inflation(values.map((value, at) => value - slope * at));
  const z = Math.max(0, Math.abs(score) - 1) / Math.sqrt(inflated);
  return { tau: score / pairs, slope, pValue: Math.min(1, 2 * normalSf(z)) };
}

/** How many points are as good as one, by the correlation of neighbours. */
function inflation(rest: readonly number[]): number {
  const mean = rest.reduce((sum, value) => sum + value, 0) / rest.length;
  let [own, next] = [0, 0];
  for (const [at, value] of rest.entries()) {
    own += (value - mean) ** 2;
    if (at > 0) next += (value - mean) * (rest[at - 1]! - mean);
  }
  const carry = own > 0 ? Math.max(0, next / own) : 0;
  return (1 + carry) / (1 - carry);
}

function tieTerm(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts.values()].reduce((sum, t) => sum + t * (t - 1) * (2 * t + 5), 0);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}
