/**
 * Distribution functions: normal, Student's t, chi-square, F, beta, binomial and Poisson. Each gives
 * `cdf`, the upper tail `sf` (computed for itself, so that 1e-200 is right and not 0) and `quantile`.
 * Written here and not taken from a library: docs/adr/020-distribution-functions.md says why.
 *
 * Out of the parameters' range they refuse (`STATS_PARAMETER`); a NaN argument gives NaN.
 */
import { requireParameter } from './errors.ts';
import { erfc, incompleteBeta, incompleteGamma } from './special.ts';

const SQRT_2PI = Math.sqrt(2 * Math.PI);

function requireProbability(p: number): void {
  requireParameter(p >= 0 && p <= 1, 'probability', 'in [0, 1]', p);
}

function requirePositive(value: number, name: string): void {
  requireParameter(value > 0 && value < Infinity, name, 'positive and finite', value);
}

export function normalCdf(z: number): number {
  return 0.5 * erfc(-z / Math.SQRT2);
}

export function normalSf(z: number): number {
  return 0.5 * erfc(z / Math.SQRT2);
}

/** Acklam's rational start (relative error 1.2e-9) and one Halley step, which makes it full precision. */
export function normalQuantile(p: number): number {
  requireProbability(p);
  if (p === 0) return -Infinity;
  if (p === 1) return Infinity;
  if (p > 0.5) return p >= 0.9 ? -lowerNormalQuantile(1 - p) : refineNormal(acklam(p), p);
  return lowerNormalQuantile(p);
}

function lowerNormalQuantile(p: number): number {
  return refineNormal(acklam(p), p);
}

function refineNormal(start: number, p: number): number {
  const z = start;
  // In the far tail the density underflows before the quantile does; the start is good to 1e-9 there.
  const density = Math.exp(-0.5 * z * z) / SQRT_2PI;
  if (density < 1e-300) return z;
  const u = (normalCdf(z) - p) / density;
  return z - u / (1 + 0.5 * z * u);
}

function acklam(p: number): number {
  if (p < 0.02425) return acklamTail(Math.sqrt(-2 * Math.log(p)));
  if (p > 1 - 0.02425) return -acklamTail(Math.sqrt(-2 * Math.log1p(-p)));
  const q = p - 0.5;
  const r = q * q;
  const top =
    ((((-3.969683028665376e1 * r + 2.209460984245205e2) * r - 2.759285104469687e2) * r +
      1.38357751867269e2) *
      r -
      3.066479806614716e1) *
      r +
    2.506628277459239;
  const bottom =
    ((((-5.447609879822406e1 * r + 1.615858368580409e2) * r - 1.556989798598866e2) * r +
      6.680131188771972e1) *
      r -
      1.328068155288572e1) *
      r +
    1;
  return (top * q) / bottom;
}

function acklamTail(q: number): number {
  const top =
    ((((-7.784894002430293e-3 * q - 3.223964580411365e-1) * q - 2.400758277161838) * q -
      2.549732539343734) *
      q +
      4.374664141464968) *
      q +
    2.938163982698783;
  const bottom =
    (((7.784695709041462e-3 * q + 3.224671290700398e-1) * q + 2.445134137142996) * q +
      3.754408661907416) *
      q +
    1;
  return top / bottom;
}

/** Two-sided tail of |T| beyond |t|, halved. */
function studentTail(t: number, df: number): number {
  if (t === Infinity) return 0;
  const square = t * t;
  return 0.5 * incompleteBeta(df / 2, 0.5, df / (df + square), square / (df + square)).lower;
}

export function studentCdf(t: number, df: number): number {
  requirePositive(df, 'degrees of freedom');
  if (Number.isNaN(t)) return Number.NaN;
  return t > 0 ? 1 - studentTail(t, df) : studentTail(-t, df);
}

export function studentSf(t: number, df: number): number {
  return studentCdf(-t, df);
}

export function studentQuantile(p: number, df: number): number {
  requireProbability(p);
  requirePositive(df, 'degrees of freedom');
  if (p === 0.5) return 0;
  if (p > 0.5) return -studentQuantile(1 - p, df);
  if (p === 0) return -Infinity;
  return -solve((t) => studentTail(t, df), p, {
    start: Math.max(0.1, -normalQuantile(p)),
    falling: true,
  });
}

export function chiSquareCdf(x: number, df: number): number {
  requirePositive(df, 'degrees of freedom');
  return incompleteGamma(df / 2, x / 2).lower;
}

export function chiSquareSf(x: number, df: number): number {
  requirePositive(df, 'degrees of freedom');
  return incompleteGamma(df / 2, x / 2).upper;
}

export function chiSquareQuantile(p: number, df: number): number {
  requireProbability(p);
  requirePositive(df, 'degrees of freedom');
  if (p === 0) return 0;
  if (p === 1) return Infinity;
  if (p > 0.5) return solve((x) => chiSquareSf(x, df), 1 - p, { start: df, falling: true });
  return solve((x) => chiSquareCdf(x, df), p, { start: df, falling: false });
}

export function fisherCdf(x: number, df1: number, df2: number): number {
  return fisherTails(x, df1, df2).lower;
}

export function fisherSf(x: number, df1: number, df2: number): number {
  return fisherTails(x, df1, df2).upper;
}

function fisherTails(x: number, df1: number, df2: number): { lower: number; upper: number } {
  requirePositive(df1, 'first degrees of freedom');
  requirePositive(df2, 'second degrees of freedom');
  if (x <= 0) return { lower: 0, upper: 1 };
  if (x === Infinity) return { lower: 1, upper: 0 };
  const total = df1 * x + df2;
  return incompleteBeta(df1 / 2, df2 / 2, (df1 * x) / total, df2 / total);
}

export function betaCdf(x: number, a: number, b: number): number {
  requirePositive(a, 'a');
  requirePositive(b, 'b');
  return incompleteBeta(a, b, x).lower;
}

export function betaSf(x: number, a: number, b: number): number {
  requirePositive(a, 'a');
  requirePositive(b, 'b');
  return incompleteBeta(a, b, x).upper;
}

export function betaQuantile(p: number, a: number, b: number): number {
  requireProbability(p);
  requirePositive(a, 'a');
  requirePositive(b, 'b');
  if (p === 0 || p === 1) return p;
  // Solved for the odds x/(1-x), which live on (0, ∞) like every other quantile here.
  const tails = (odds: number) => incompleteBeta(a, b, odds / (1 + odds), 1 / (1 + odds));
  const odds =
    p > 0.5
      ? solve((o) => tails(o).upper, 1 - p, { start: a / b, falling: true })
      : solve((o) => tails(o).lower, p, { start: a / b, falling: false });
  return odds / (1 + odds);
}

/** P(X ≤ k) of n draws with probability p. */
export function binomialCdf(k: number, n: number, p: number): number {
  requireProbability(p);
  requireParameter(Number.isSafeInteger(n) && n >= 0, 'n', 'a whole number from 0', n);
  const count = Math.floor(k);
  if (count < 0) return 0;
  if (count >= n) return 1;
  return incompleteBeta(count + 1, n - count, p).upper;
}

/** P(X > k). */
export function binomialSf(k: number, n: number, p: number): number {
  requireProbability(p);
  requireParameter(Number.isSafeInteger(n) && n >= 0, 'n', 'a whole number from 0', n);
  const count = Math.floor(k);
  if (count < 0) return 1;
  if (count >= n) return 0;
  return incompleteBeta(count + 1, n - count, p).lower;
}

/** P(X ≤ k) with the given mean. */
export function poissonCdf(k: number, mean: number): number {
  requireParameter(mean >= 0 && mean < Infinity, 'mean', 'from 0 and finite', mean);
  const count = Math.floor(k);
  return count < 0 ? 0 : incompleteGamma(count + 1, mean).upper;
}

/** P(X > k). */
export function poissonSf(k: number, mean: number): number {
  requireParameter(mean >= 0 && mean < Infinity, 'mean', 'from 0 and finite', mean);
  const count = Math.floor(k);
  return count < 0 ? 1 : incompleteGamma(count + 1, mean).lower;
}

interface SolveOptions {
  readonly start: number;
  /** Whether the function falls from 1 to 0 (an upper tail) or rises from 0 to 1. */
  readonly falling: boolean;
}

/**
 * The x > 0 with f(x) = target, f monotone: a bracket grown by doubling, then Newton-free regula falsi
 * with bisection (ITP's idea, in log x and log f, where tails are nearly straight). Bisection alone
 * took 55 evaluations, this takes about 12.
 */
function solve(f: (x: number) => number, target: number, options: SolveOptions): number {
  const goal = Math.log(target);
  const sign = options.falling ? -1 : 1;
  const miss = (logX: number) => sign * (Math.log(f(Math.exp(logX))) - goal);
  let low = Math.log(options.start);
  let high = low;
  let missLow = miss(low);
  let missHigh = missLow;
  for (let step = 0.5; missLow > 0 && low > -700; step *= 2) {
    low -= step;
    missLow = miss(low);
  }
  for (let step = 0.5; missHigh < 0 && high < 700; step *= 2) {
    high += step;
    missHigh = miss(high);
  }
  for (let i = 0; i < 200 && high - low > 1e-16 * Math.abs(high) + 1e-300; i++) {
    const secant = (low * missHigh - high * missLow) / (missHigh - missLow);
    const usable = i % 3 !== 2 && secant > low && secant < high;
    const middle = usable ? secant : 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    const missMiddle = miss(middle);
    if (missMiddle === 0) return Math.exp(middle);
    if (missMiddle < 0) {
      low = middle;
      missLow = missMiddle;
    } else {
      high = middle;
      missHigh = missMiddle;
    }
    if (high - low < 4e-16) break;
  }
  return Math.exp(0.5 * (low + high));
}
