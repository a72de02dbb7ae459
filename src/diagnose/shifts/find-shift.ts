/**
 * Whether a measure is at another level than before, since when, and how sure that is. Pure.
 *
 * The level that holds now is told only if it is new: a series that came back to where it was shows an episode that
 * is over, and a level that the same hours of a day or a week before had, too, is the season. Gaps are bridged to find
 * the place, and count for nothing in how sure it is.
 */
import { findChangePoints, mannWhitney, normalQuantile, studentSf } from '../../stats/index.ts';

export const HOUR_MS = 3_600_000;
/** A day and a week: what people and their schedules repeat. */
const SEASON_HOURS = [24, 168] as const;
/**
 * Measured hours on each side. Public incidents last 2.8 hours on average, and one of twenty more than ten
 * (P(longer than a) = (1 + a/4.2 h)^-2.5): what is shorter is probably over before anybody has read of it.
 */
const LASTING_HOURS = 10;
/** DIAG-3: of the larger of the two levels. What is smaller nobody acts on, however sure it is. */
export const EFFECT_MIN = 0.05;
/** Pairs of hours that make a comparison with a day or a week before. */
const PAIRS_MIN = 5;

export interface HourValue {
  readonly atMs: number;
  readonly value: number;
}

export interface Shift {
  /** At once, or a little every day (`find-drift.ts`). */
  readonly form: 'step' | 'drift';
  readonly before: number;
  readonly after: number;
  /** The first hour of the new level, and between which times it began (95 %). */
  readonly sinceMs: number;
  readonly onset: { readonly fromMs: number; readonly toMs: number };
  /** Measured hours of the level before, and of the new one. */
  readonly hoursBefore: number;
  readonly hoursSince: number;
  /** Of 24 and 168 hours: those by which the same hours before could be compared. */
  readonly comparedHours: readonly number[];
}

export interface Tested {
  /** That a series without a change looks like this; 1 where there is none to tell. */
  readonly pValue: number;
  readonly shift: Shift | undefined;
}

const SILENT: Tested = { pValue: 1, shift: undefined };

/** `isRatio`: differences are factors, as of durations and prices. Undefined if there are too few hours to say anything. */
export function findShift(hours: readonly HourValue[], isRatio: boolean): Tested | undefined {
  if (hours.length < 2 * LASTING_HOURS) return undefined;
  if (isRatio && hours.some(({ value }) => !(value > 0))) return undefined;
  const fromMs = hours[0]!.atMs;
  const grid = gridOf(hours, fromMs, isRatio);
  const { changes } = findChangePoints(grid, { usualPeriod: SEASON_HOURS[0] });
  const last = changes.at(-1);
  if (last === undefined) return SILENT;
  const start = changes.at(-2)?.index ?? 0;
  const hoursBefore = measuredIn(grid, start, last.index);
  const hoursSince = measuredIn(grid, last.index, grid.length);
  if (Math.min(hoursBefore, hoursSince) < LASTING_HOURS) return SILENT;
  const [before, after] = isRatio
    ? [Math.exp(last.before), Math.exp(last.after)]
    : [last.before, last.after];
  const size = Math.abs(after - before) / Math.max(Math.abs(before), Math.abs(after));
  if (size < EFFECT_MIN) return SILENT;
  const step = last.after - last.before;
  const isBack = changes
    .slice(0, -1)
    .some((one) => Math.abs(last.after - one.before) < Math.abs(step) / 2);
  if (isBack) return SILENT;
  const seasons = SEASON_HOURS.map((lag) => differenceTo(grid, last.index, lag));
  // Less than half of the step remains against the same hours before.
  if (seasons.some((one) => one !== undefined && one / step < 0.5)) return SILENT;
  const margin = (last.difference.high - last.difference.low) / 2;
  const spread =
    (margin / normalQuantile(0.975)) *
    Math.sqrt(
      (1 / hoursBefore + 1 / hoursSince) /
        (1 / (last.index - start) + 1 / (grid.length - last.index)),
    );
  return {
    // Outliers are pulled in before the search, which makes heavy tails look quieter than they are: ranks do not.
    pValue: Math.max(
      chanceOf(Math.abs(step) / spread, hoursBefore + hoursSince),
      chanceByRanks(grid, start, last.index),
    ),
    shift: {
      form: 'step',
      before,
      after,
      sinceMs: fromMs + last.index * HOUR_MS,
      onset: {
        fromMs: fromMs + last.place.low * HOUR_MS,
        toMs: fromMs + (last.place.high + 1) * HOUR_MS,
      },
      hoursBefore,
      hoursSince,
      comparedHours: SEASON_HOURS.filter((_, at) => seasons[at] !== undefined),
    },
  };
}

/** NaN where nothing was measured. */
function gridOf(hours: readonly HourValue[], fromMs: number, isRatio: boolean): Float64Array {
  const length = Math.round((hours.at(-1)!.atMs - fromMs) / HOUR_MS) + 1;
  const grid = new Float64Array(length).fill(Number.NaN);
  for (const { atMs, value } of hours)
    grid[Math.round((atMs - fromMs) / HOUR_MS)] = isRatio ? Math.log(value) : value;
  return grid;
}

function measuredIn(grid: Float64Array, from: number, to: number): number {
  return grid.subarray(from, to).filter((value) => !Number.isNaN(value)).length;
}

/** The usual difference of the new level's hours to those `lag` before, of the old one; undefined if too few are known. */
function differenceTo(grid: Float64Array, start: number, lag: number): number | undefined {
  const differences: number[] = [];
  for (let at = Math.max(start, lag); at < grid.length && at - lag < start; at++) {
    const difference = grid[at]! - grid[at - lag]!;
    if (!Number.isNaN(difference)) differences.push(difference);
  }
  if (differences.length < PAIRS_MIN) return undefined;
  return differences.sort((a, b) => a - b)[differences.length >> 1]!;
}

/** Of a step so many standard errors high at the best of all places (Bonferroni's bound). */
function chanceOf(errors: number, hours: number): number {
  if (!Number.isFinite(errors)) return 0;
  return Math.min(1, hours * 2 * studentSf(errors, hours - 2));
}

function chanceByRanks(grid: Float64Array, start: number, at: number): number {
  const [before, after] = [grid.subarray(start, at), grid.subarray(at)].map((values) =>
    Array.from(values).filter((value) => !Number.isNaN(value)),
  );
  const { pValue } = mannWhitney(before!, after!);
  return Math.min(1, (before!.length + after!.length) * pValue);
}
