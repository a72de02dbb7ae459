/**
 * Makes a series fit to be segmented: fills gaps, pulls in single outliers, takes out a season. Each
 * step changes nothing where its pattern is absent, so a clean series comes back as it was.
 */
import { StatsError } from './errors.ts';

/** Gaps (NaN) become straight lines between their neighbours; `undefined` when nothing was measured. */
export function fillGaps(values: ArrayLike<number>): Float64Array | undefined {
  const filled = Float64Array.from(values);
  let lastKnown = -1;
  for (let i = 0; i < filled.length; i++) {
    const value = filled[i]!;
    if (Number.isNaN(value)) continue;
    if (!Number.isFinite(value)) {
      throw new StatsError('STATS_NOT_FINITE', `values[${i}] is ${value}; gaps must be NaN.`, {
        hint: 'Pass NaN for a missing measurement; an infinity has no place on any scale.',
      });
    }
    if (lastKnown < 0) filled.fill(value, 0, i);
    else drawLine(filled, lastKnown, i);
    lastKnown = i;
  }
  if (lastKnown < 0) return undefined;
  filled.fill(filled[lastKnown]!, lastKnown);
  return filled;
}

function drawLine(values: Float64Array, from: number, to: number): void {
  const step = (values[to]! - values[from]!) / (to - from);
  for (let i = from + 1; i < to; i++) values[i] = values[from]! + step * (i - from);
}

const OUTLIER_SIGMAS = 4;
const NEAR = 3;
const WIDE = 10;
/** Where the second largest of the sorted distances in the wide window stands. */
const STRANGER = 2 * WIDE - 1;

/**
 * Hampel's filter: a point further from the median of its seven neighbours than four robust standard
 * deviations of its twenty-one neighbours becomes that median. A step passes unchanged, because at a
 * step the median follows; a spike of up to three points does not.
 */
export function pullInOutliers(values: Float64Array): Float64Array {
  const cleaned = Float64Array.from(values);
  const near = new Float64Array(2 * NEAR + 1);
  const wide = new Float64Array(2 * WIDE + 1);
  for (let i = 0; i < values.length; i++) {
    const centre = windowMedian(values, i, NEAR, near);
    const distance = Math.abs(values[i]! - centre);
    if (distance === 0) continue;
    const spread = windowSpread(values, i, wide);
    // Where most neighbours are equal the spread is 0: there only a single stranger is an outlier,
    // else the few ones among many zeros of a sparse count would all be taken away.
    const isOutlier = spread > 0 ? distance > OUTLIER_SIGMAS * spread : wide[STRANGER] === 0;
    if (isOutlier) cleaned[i] = centre;
  }
  return cleaned;
}

function windowMedian(values: Float64Array, at: number, reach: number, buffer: Float64Array) {
  const from = Math.max(0, at - reach);
  const count = Math.min(values.length, at + reach + 1) - from;
  for (let i = 0; i < count; i++) buffer[i] = values[from + i]!;
  return medianOf(buffer.subarray(0, count));
}

function windowSpread(values: Float64Array, at: number, buffer: Float64Array): number {
  const centre = windowMedian(values, at, WIDE, buffer);
  const from = Math.max(0, at - WIDE);
  const count = Math.min(values.length, at + WIDE + 1) - from;
  buffer.fill(0);
  for (let i = 0; i < count; i++) buffer[i] = Math.abs(values[from + i]! - centre);
  buffer.sort();
  return 1.4826 * buffer[buffer.length - ((count + 1) >> 1)]!;
}

/** Sorts what it is given. */
function medianOf(values: Float64Array): number {
  values.sort();
  const middle = values.length >> 1;
  return values.length % 2 === 1 ? values[middle]! : 0.5 * (values[middle - 1]! + values[middle]!);
}

export interface Deseasoned {
  readonly values: Float64Array;
  /** In points; undefined when no season was found. */
  readonly period: number | undefined;
}

const PERIOD_MAX = 400;
/** Autocorrelation of the differences at one and at two periods; noise of 100 points reaches 0.2. */
const SEASON_FIRST = 0.4;
const SEASON_SECOND = 0.3;
/** It must have been this much lower in between: smooth growth is correlated at every lag alike. */
const SEASON_DIP = 0.3;
/** Of one lag that is asked for, in standard errors: noise reaches it once in 700 series. */
const USUAL_SIGMAS = 3;

/**
 * Looks for a period in the autocorrelation of the differences (a trend or a level shift does not
 * reach it) and subtracts the median deviation of each phase from a moving average over one period.
 * `usual`, such as 24 of hourly values, is believed on less: it was not picked from all lags.
 */
export function removeSeason(values: Float64Array, usual?: number): Deseasoned {
  const period = hasPeriod(values, usual) ? usual : findPeriod(values);
  if (period === undefined) return { values, period };
  const deviations: number[][] = Array.from({ length: period }, () => []);
  const half = period >> 1;
  let sum = 0;
  for (let i = 0; i < period; i++) sum += values[i]!;
  for (let i = half; i + period - half <= values.length; i++) {
    // An even period leaves the average half a point off the centre; the shift is the same for all.
    deviations[i % period]!.push(values[i]! - sum / period);
    sum += (values[i + period - half] ?? 0) - values[i - half]!;
  }
  const phases = Float64Array.from(deviations, (list) => medianOf(Float64Array.from(list)));
  const centre = phases.reduce((total, phase) => total + phase, 0) / period;
  return { values: values.map((value, i) => value - phases[i % period]! + centre), period };
}

function hasPeriod(values: Float64Array, lag: number | undefined): lag is number {
  if (lag === undefined || values.length < 3 * lag) return false;
  const centred = centredDifferences(values);
  const limit = USUAL_SIGMAS / Math.sqrt(centred.length - lag);
  return autocovariance(centred, lag) > limit * autocovariance(centred, 0);
}

function centredDifferences(values: Float64Array): Float64Array {
  const differences = values.subarray(1).map((value, i) => value - values[i]!);
  const mean = differences.reduce((sum, value) => sum + value, 0) / differences.length;
  return differences.map((value) => value - mean);
}

function findPeriod(values: Float64Array): number | undefined {
  const longest = Math.min(PERIOD_MAX, Math.floor(values.length / 3));
  if (longest < 4) return undefined;
  const centred = centredDifferences(values);
  const power = autocovariance(centred, 0);
  if (!(power > 0)) return undefined;
  let best: number | undefined;
  let height = SEASON_FIRST;
  let lowest = autocovariance(centred, 1) / power;
  for (let lag = 2; lag <= longest; lag++) {
    const here = autocovariance(centred, lag) / power;
    lowest = Math.min(lowest, here);
    if (lag < 4 || here - lowest < SEASON_DIP) continue;
    // A multiple of the true period is as high but for chance; the shorter one must win.
    if (here <= height * (best === undefined ? 1 : 1.1)) continue;
    if (autocovariance(centred, 2 * lag) / power < SEASON_SECOND) continue;
    best = lag;
    height = here;
  }
  return best;
}

/** Per pair, so that long lags are not shrunk towards zero. */
function autocovariance(centred: Float64Array, lag: number): number {
  const pairs = centred.length - lag;
  let sum = 0;
  for (let i = 0; i < pairs; i++) sum += centred[i]! * centred[i + lag]!;
  return pairs > 0 ? sum / pairs : 0;
}
