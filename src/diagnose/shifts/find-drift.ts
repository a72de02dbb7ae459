/**
 * Whether a measure drifts: a little more, or less, every day (DIAG-3). No single hour is at another level than the one
 * before, so that no shift is found. Pure.
 *
 * Days are compared, each by the middle of how far its hours are from the usual value of that hour of the day: the time of
 * day, single odd hours and hours that were not measured count for nothing.
 */
import { mannKendall } from '../../stats/index.ts';
import { EFFECT_MIN, HOUR_MS, type HourValue, type Shift, type Tested } from './find-shift.ts';

const DAY_HOURS = 24;
/** Fewer days rise one after the other by chance, and a weekend at their end looks like a rise. */
const DAYS_MIN = 8;
/** Measured hours that make a day. */
const HOURS_MIN = 6;

const SILENT: Tested = { pValue: 1, shift: undefined };

/** Undefined if there are too few days to say anything. */
export function findDrift(hours: readonly HourValue[], isRatio: boolean): Tested | undefined {
  if (isRatio && hours.some(({ value }) => !(value > 0))) return undefined;
  const values = hours.map(({ atMs, value }) => ({
    atMs,
    value: isRatio ? Math.log(value) : value,
  }));
  const days = daysOf(values);
  if (days.length < DAYS_MIN) return undefined;
  const { slope, pValue, tau } = mannKendall(days.map(({ level }) => level));
  const middle = median(values.map(({ value }) => value));
  const half = (slope * (days.length - 1)) / 2;
  const [before, after] = isRatio
    ? [Math.exp(middle - half), Math.exp(middle + half)]
    : [middle - half, middle + half];
  const size = Math.abs(after - before) / Math.max(Math.abs(before), Math.abs(after));
  if (!(size >= EFFECT_MIN) || tau === 0) return SILENT;
  const first = hours[0]!.atMs;
  return {
    pValue,
    shift: {
      form: 'drift',
      before,
      after,
      sinceMs: first,
      onset: { fromMs: first, toMs: first + DAY_HOURS * HOUR_MS },
      hoursBefore: days[0]!.hours,
      hoursSince: hours.length,
      comparedHours: [DAY_HOURS],
    } satisfies Shift,
  };
}

/** The days that were measured, each with how far it is from the usual. */
function daysOf(
  values: readonly HourValue[],
): { readonly level: number; readonly hours: number }[] {
  const hourOf = ({ atMs }: HourValue) => Math.floor(atMs / HOUR_MS) % DAY_HOURS;
  const usual = new Map(
    [...Map.groupBy(values, hourOf)].map(([hour, all]) => [
      hour,
      median(all.map((one) => one.value)),
    ]),
  );
  const dayOf = ({ atMs }: HourValue) => Math.floor(atMs / (DAY_HOURS * HOUR_MS));
  return [...Map.groupBy(values, dayOf)]
    .filter(([, all]) => all.length >= HOURS_MIN)
    .sort(([a], [b]) => a - b)
    .map(([, all]) => ({
      level: median(all.map((one) => one.value - usual.get(hourOf(one))!)),
      hours: all.length,
    }));
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}
