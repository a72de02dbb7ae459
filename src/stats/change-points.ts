/**
 * Change points, offline: where a series changed, how much, with intervals, or "none".
 *
 * The question is not "is the mean exactly constant" (with autocorrelated data it never is) but "would
 * a reader of the chart say that something changed". So a change must pay twice: it must explain a
 * share of the series' whole variance, and it must stand out from noise as autocorrelated as what the
 * fit leaves behind. For every number of changes, with levels and with straight lines in between, the
 * best segmentation is found exactly; a parabola without changes stands beside them. The cheapest by
 *
 *   residual squares + log(n) · (3.5 and growing per change + 1.5 per line or bend)
 *     · max(variance of the whole series, long-run variance of the residuals)
 *
 * wins. Promise: on white noise at most 1 %, on noise with autocorrelation 0.5 at most 5 % of series of
 * 100 points get a change (tested). A random walk has no level to return to and does get changes.
 */
import { requireParameter } from './errors.ts';
import {
  optimalSegmentations,
  type Segmentation,
  SegmentSums,
  type Shape,
} from './segmentation.ts';
import { fillGaps, pullInOutliers, removeSeason } from './series-cleaning.ts';
import type { Interval } from './types.ts';

/** Costs in log(n) times a variance. The README has the figures for others; the optimum is flat. */
const COST_CHANGE = 3.5;
const COST_LINE = 1.5;
/**
 * By how much of itself the cost of a change grows with every other one: one change is believed more
 * readily than the tenth. Without it a random walk of 330 points gets ten changes; 0.1 merges real ones.
 */
const COST_GROWTH = 0.05;
/** Autocorrelation above this is taken as this: else no change in a smooth series could ever pay. */
const AUTOCORRELATION_MAX = 0.9;
/** The estimate from n points falls short by about (1 + 3ρ)/n per fitted coefficient (Kendall). */
const SHORTFALL = 1.5;
const SEGMENT_MIN = 5;
const CHANGES_MAX = 10;
/** Longer series are averaged into blocks for the search and refined afterwards: n² stays bounded. */
const SEARCH_POINTS_MAX = 1500;
/** 95 %: x with (1 - e^(-x/2))² = .95, the likelihood ratio of a change's place (Eo and Morley). */
const PLACE_RATIO = 7.352;
const NORMAL_975 = 1.959963984540054;

export interface Change {
  /** The first point of the new regime. */
  readonly index: number;
  /** 95 % interval of the place, as indices, both inside. */
  readonly place: Interval;
  /** The fit just before and at the change; for levels these are the segments' means. */
  readonly before: number;
  readonly after: number;
  /** 95 % interval of `after - before`, allowing for autocorrelation. */
  readonly difference: Interval;
  /** Per point; 0 on both sides when the series is described by levels. */
  readonly slopeBefore: number;
  readonly slopeAfter: number;
}

export interface ChangeReport {
  readonly changes: readonly Change[];
  /** What describes the series between changes; a smooth curve has none. */
  readonly shape: Shape | 'curve';
  /** Lag-one autocorrelation of what the fit leaves, corrected for its shortfall. */
  readonly autocorrelation: number;
  /** Standard deviation of what the fit leaves. */
  readonly noise: number;
  /** Length of the season that was taken out first, in points. */
  readonly period: number | undefined;
}

export interface ChangeOptions {
  readonly changesMax?: number;
  /** The season to expect, in points, such as 24 of hourly values. Others are found by themselves, if strong. */
  readonly usualPeriod?: number;
}

const NOTHING: ChangeReport = {
  changes: [],
  shape: 'level',
  autocorrelation: 0,
  noise: 0,
  period: undefined,
};

/**
 * NaN is a gap and is bridged; an infinity is refused. Fewer than ten points, a constant or an empty
 * series have no change.
 */
export function findChangePoints(
  values: ArrayLike<number>,
  options: ChangeOptions = {},
): ChangeReport {
  const changesMax = options.changesMax ?? CHANGES_MAX;
  requireParameter(
    Number.isSafeInteger(changesMax) && changesMax >= 0 && changesMax <= 100,
    'changesMax',
    'a whole number from 0 to 100',
    changesMax,
  );
  const filled = fillGaps(values);
  if (filled === undefined || filled.length < 2 * SEGMENT_MIN) return NOTHING;
  const { values: plain, period } = removeSeason(pullInOutliers(filled), options.usualPeriod);
  const centred = standardise(plain);
  if (centred === undefined) return NOTHING;
  const sums = new SegmentSums(centred.values);
  const chosen = refine(sums, search(centred.values, changesMax));
  return describe(centred, sums, chosen, period);
}

interface Standardised {
  readonly values: Float64Array;
  readonly mean: number;
  readonly deviation: number;
}

/** Undefined for a constant, where rounding is all the variance there is. */
function standardise(values: Float64Array): Standardised | undefined {
  let mean = 0;
  for (let i = 0; i < values.length; i++) mean += (values[i]! - mean) / (i + 1);
  let squares = 0;
  let largest = 0;
  for (const value of values) {
    squares += (value - mean) ** 2;
    largest = Math.max(largest, Math.abs(value));
  }
  const deviation = Math.sqrt(squares / values.length);
  if (!(deviation > 1e-12 * largest) || !Number.isFinite(deviation)) return undefined;
  return { values: values.map((value) => (value - mean) / deviation), mean, deviation };
}

/** A description of the series and its price. */
type Description = Omit<Segmentation, 'shape'> & { readonly shape: Shape | 'curve' };

/** The cheapest description of the series, found on block averages when it is long. */
function search(values: Float64Array, changesMax: number): Description {
  const block = Math.ceil(values.length / SEARCH_POINTS_MAX);
  const thinned = block === 1 ? values : blockMeans(values, block);
  const sums = new SegmentSums(thinned);
  const segmentMin = SEGMENT_MIN;
  const lines = optimalSegmentations(sums, { shape: 'trend', changesMax, segmentMin });
  const levels = optimalSegmentations(sums, { shape: 'level', changesMax, segmentMin });
  const candidates: Description[] = [...levels, ...lines];
  // A parabola stands for smooth growth only where it fits as well as a line broken once: a tent
  // resembles it too, but has a change.
  const squares = sumOfSquares(curveResiduals(thinned));
  if (squares <= (lines[1]?.residualSquares ?? Infinity))
    candidates.push({ shape: 'curve', changes: [], residualSquares: squares });
  let cheapest = candidates[0]!;
  let least = Infinity;
  for (const candidate of candidates) {
    const price = cost(thinned, sums, candidate);
    if (price >= least) continue;
    least = price;
    cheapest = candidate;
  }
  return { ...cheapest, changes: cheapest.changes.map((index) => index * block) };
}

function blockMeans(values: Float64Array, block: number): Float64Array {
  return Float64Array.from({ length: Math.floor(values.length / block) }, (_, i) => {
    let sum = 0;
    for (let j = 0; j < block; j++) sum += values[i * block + j]!;
    return sum / block;
  });
}

function cost(values: Float64Array, sums: SegmentSums, candidate: Description): number {
  const count = candidate.changes.length;
  const bends = candidate.shape === 'level' ? 0 : candidate.shape === 'curve' ? 2 : count + 1;
  const scale = Math.max(1, residualNoise(values, sums, candidate).longRunVariance);
  const changes = COST_CHANGE * count * (1 + COST_GROWTH * Math.max(0, count - 1));
  return (
    candidate.residualSquares + Math.log(values.length) * (changes + COST_LINE * bends) * scale
  );
}

interface Noise {
  readonly variance: number;
  readonly autocorrelation: number;
  readonly longRunVariance: number;
}

function residualNoise(values: Float64Array, sums: SegmentSums, candidate: Description): Noise {
  const { shape, changes } = candidate;
  const residuals =
    shape === 'curve' ? curveResiduals(values) : segmentResiduals(values, sums, shape, changes);
  const starts = new Set(changes);
  let products = 0;
  for (let i = 1; i < residuals.length; i++)
    if (!starts.has(i)) products += residuals[i]! * residuals[i - 1]!;
  const squares = sumOfSquares(residuals);
  const raw = squares > 1e-9 ? Math.max(0, products / squares) : 0;
  const coefficients = shape === 'curve' ? 3 : (changes.length + 1) * (shape === 'trend' ? 2 : 1);
  const corrected = raw + (SHORTFALL * (1 + 3 * raw) * coefficients) / values.length;
  const autocorrelation = Math.min(AUTOCORRELATION_MAX, corrected);
  const variance = squares / values.length;
  const longRunVariance = (variance * (1 + autocorrelation)) / (1 - autocorrelation);
  return { variance, autocorrelation, longRunVariance };
}

function segmentResiduals(
  values: Float64Array,
  sums: SegmentSums,
  shape: Shape,
  changes: readonly number[],
): Float64Array {
  const bounds = [0, ...changes, values.length];
  const residuals = new Float64Array(values.length);
  for (let s = 0; s + 1 < bounds.length; s++) {
    const { intercept, slope } = sums.fit(shape, bounds[s]!, bounds[s + 1]!);
    for (let i = bounds[s]!; i < bounds[s + 1]!; i++)
      residuals[i] = values[i]! - intercept - slope * i;
  }
  return residuals;
}

/** What the best parabola leaves: mean, line and square term are fitted one after the other. */
function curveResiduals(values: Float64Array): Float64Array {
  const n = values.length;
  const position = (i: number) => (2 * i - (n - 1)) / n;
  const meanSquare = (1 - 1 / (n * n)) / 3;
  const terms = [() => 1, position, (i: number) => position(i) ** 2 - meanSquare];
  const residuals = Float64Array.from(values);
  for (const term of terms) {
    let product = 0;
    let square = 0;
    for (let i = 0; i < n; i++) {
      product += residuals[i]! * term(i);
      square += term(i) ** 2;
    }
    for (let i = 0; i < n; i++) residuals[i]! -= (product / square) * term(i);
  }
  return residuals;
}

function sumOfSquares(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value * value;
  return sum;
}

/** Moves each change, one after the other, to its best place between its neighbours' near ends. */
function refine(sums: SegmentSums, found: Description): Description {
  const reach = 2 * Math.ceil(sums.length / SEARCH_POINTS_MAX);
  if (reach === 2 || found.shape === 'curve') return found;
  const { shape } = found;
  const changes = [...found.changes];
  for (let c = 0; c < changes.length; c++) {
    const left = changes[c - 1] ?? 0;
    const right = changes[c + 1] ?? sums.length;
    const from = Math.max(left + SEGMENT_MIN, changes[c]! - reach);
    const to = Math.min(right - SEGMENT_MIN, changes[c]! + reach);
    let least = Infinity;
    for (let at = from; at <= to; at++) {
      const squares = splitSquares(sums, shape, { left, at, right });
      if (squares >= least) continue;
      least = squares;
      changes[c] = at;
    }
  }
  return { ...found, changes };
}

interface Split {
  readonly left: number;
  readonly at: number;
  readonly right: number;
}

function splitSquares(sums: SegmentSums, shape: Shape, { left, at, right }: Split): number {
  return sums.residualSquares(shape, left, at) + sums.residualSquares(shape, at, right);
}

function describe(
  series: Standardised,
  sums: SegmentSums,
  chosen: Description,
  period: number | undefined,
): ChangeReport {
  const noise = residualNoise(series.values, sums, chosen);
  const bounds = [0, ...chosen.changes, sums.length];
  const changes = chosen.changes.map((at, c) => {
    const split = { left: bounds[c]!, at, right: bounds[c + 2]! };
    const shape = chosen.shape === 'curve' ? 'level' : chosen.shape;
    return describeChange(series, sums, { shape, split, noise });
  });
  return {
    changes,
    shape: chosen.shape,
    autocorrelation: noise.autocorrelation,
    noise: Math.sqrt(noise.variance) * series.deviation,
    period,
  };
}

interface ChangeContext {
  readonly shape: Shape;
  readonly split: Split;
  readonly noise: Noise;
}

function describeChange(series: Standardised, sums: SegmentSums, context: ChangeContext): Change {
  const { shape, split, noise } = context;
  const { left, at, right } = split;
  const first = sums.fit(shape, left, at);
  const second = sums.fit(shape, at, right);
  const before = first.intercept + first.slope * (at - 1);
  const after = second.intercept + second.slope * at;
  // The end of a fitted line is four times as uncertain (in variance) as a mean of the same points.
  const inflation = shape === 'trend' ? 4 : 1;
  const variance = inflation * noise.longRunVariance * (1 / (at - left) + 1 / (right - at));
  const margin = NORMAL_975 * Math.sqrt(variance) * series.deviation;
  const difference = (after - before) * series.deviation;
  return {
    index: at,
    place: placeInterval(sums, context),
    before: series.mean + before * series.deviation,
    after: series.mean + after * series.deviation,
    difference: { low: difference - margin, high: difference + margin },
    slopeBefore: first.slope * series.deviation,
    slopeAfter: second.slope * series.deviation,
  };
}

/** The places whose fit is not significantly worse than the best one, other changes held fixed. */
function placeInterval(sums: SegmentSums, { shape, split, noise }: ChangeContext): Interval {
  const { left, at, right } = split;
  const limit = splitSquares(sums, shape, split) + PLACE_RATIO * noise.longRunVariance;
  const holds = (place: number) => splitSquares(sums, shape, { left, at: place, right }) <= limit;
  let low = at;
  let high = at;
  for (let place = at - 1; place > left; place--) if (holds(place)) low = place;
  for (let place = at + 1; place < right; place++) if (holds(place)) high = place;
  return { low, high };
}
