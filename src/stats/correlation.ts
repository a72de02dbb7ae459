/**
 * Correlation of two series with a lag: at which shift do they move together, how strongly, and is it
 * more than chance? The number of points that the test counts with is reduced for autocorrelation
 * (Bartlett: two smooth series correlate by chance), and the p-value is raised for the number of lags
 * that were tried.
 */
import { studentSf } from './distributions.ts';
import { requireCount, requireFinite, requireParameter, StatsError } from './errors.ts';

export interface LaggedCorrelation {
  /** Positive: `b` follows `a` by that many points. */
  readonly lag: number;
  readonly correlation: number;
  /** Two-sided, for the best of all lags tried. */
  readonly pValue: number;
  /** How many independent pairs the overlap is worth. */
  readonly effectivePairs: number;
}

const POINTS_MIN = 8;

export function laggedCorrelation(
  a: readonly number[],
  b: readonly number[],
  lagMax = 0,
): LaggedCorrelation {
  if (a.length !== b.length) {
    const lengths = `${a.length} and ${b.length}`;
    throw new StatsError('STATS_LENGTH_MISMATCH', `The series have ${lengths} points.`);
  }
  requireParameter(
    Number.isSafeInteger(lagMax) && lagMax >= 0,
    'lagMax',
    'a whole number from 0',
    lagMax,
  );
  requireCount(a.length - lagMax, POINTS_MIN, 'the overlap of the series');
  requireFinite(a, 'a');
  requireFinite(b, 'b');
  let best: LaggedCorrelation | undefined;
  for (let lag = -lagMax; lag <= lagMax; lag++) {
    const here = correlate(a, b, lag);
    if (best === undefined || here.pValue < best.pValue) best = here;
  }
  return { ...best!, pValue: Math.min(1, best!.pValue * (2 * lagMax + 1)) };
}

function correlate(a: readonly number[], b: readonly number[], lag: number): LaggedCorrelation {
  const pairs = a.length - Math.abs(lag);
  const x = centred(a, Math.max(0, -lag), pairs);
  const y = centred(b, Math.max(0, lag), pairs);
  const scale = Math.sqrt(dot(x, x, 0) * dot(y, y, 0));
  if (!(scale > 0)) return { lag, correlation: 0, pValue: 1, effectivePairs: pairs };
  const correlation = Math.max(-1, Math.min(1, dot(x, y, 0) / scale));
  const together = (dot(x, x, 1) / dot(x, x, 0)) * (dot(y, y, 1) / dot(y, y, 0));
  const shrink = together > 0 ? (1 - together) / (1 + together) : 1;
  const effectivePairs = Math.max(3, pairs * shrink);
  const freedom = effectivePairs - 2;
  const t = Math.abs(correlation) * Math.sqrt(freedom / Math.max(1e-300, 1 - correlation ** 2));
  return { lag, correlation, pValue: Math.min(1, 2 * studentSf(t, freedom)), effectivePairs };
}

/** A constant centres to exact zeros, so that rounding is no correlation. */
function centred(values: readonly number[], from: number, count: number): Float64Array {
  const part = Float64Array.from({ length: count }, (_, i) => values[from + i]!);
  const mean = part.reduce((sum, value) => sum + value, 0) / count;
  const largest = part.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return part.map((value) => (Math.abs(value - mean) <= 1e-13 * largest ? 0 : value - mean));
}

function dot(x: Float64Array, y: Float64Array, shift: number): number {
  let sum = 0;
  for (let i = 0; i + shift < x.length; i++) sum += x[i]! * y[i + shift]!;
  return sum;
}
