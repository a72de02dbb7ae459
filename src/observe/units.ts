/**
 * The units by which events are counted: every event counts in its minute, its hour and its day. A window is covered
 * by the largest units that fit, so a sum over a week reads days and hours, and minutes at its edges only.
 */
import type { Window } from '../facts/index.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
export const UNITS_MS = [MINUTE_MS, HOUR_MS, DAY_MS] as const;

export function floorTo(unitMs: number, atMs: number): number {
  return Math.floor(atMs / unitMs) * unitMs;
}

function ceilTo(unitMs: number, atMs: number): number {
  return -floorTo(unitMs, -atMs);
}

/**
 * Counts are kept by unit, so an edge inside one is moved outwards: a window never misses what happened in it, and
 * may hold up to a minute (an hour) more at each side.
 */
export function wholeUnits(unitMs: number, { fromMs, toMs }: Window): Window {
  return { fromMs: floorTo(unitMs, fromMs), toMs: ceilTo(unitMs, toMs) };
}

export interface Stretch extends Window {
  readonly unitMs: number;
}

/** Stretches that make up a window of whole minutes, none of them twice: always five, some empty. */
export function covering({ fromMs, toMs }: Window): readonly Stretch[] {
  const end = Math.max(fromMs, toMs);
  // From the edges inwards: up to the first whole hour, up to the first whole day, and the same from the end.
  const hours = inwards(HOUR_MS, fromMs, end);
  const days = inwards(DAY_MS, hours.fromMs, hours.toMs);
  return [
    { unitMs: MINUTE_MS, fromMs, toMs: hours.fromMs },
    { unitMs: HOUR_MS, fromMs: hours.fromMs, toMs: days.fromMs },
    { unitMs: DAY_MS, ...days },
    { unitMs: HOUR_MS, fromMs: days.toMs, toMs: hours.toMs },
    { unitMs: MINUTE_MS, fromMs: hours.toMs, toMs: end },
  ];
}

/** The whole units inside; empty and at the beginning where there is none. */
function inwards(unitMs: number, fromMs: number, toMs: number): Window {
  const [first, last] = [ceilTo(unitMs, fromMs), floorTo(unitMs, toMs)];
  return first < last ? { fromMs: first, toMs: last } : { fromMs: toMs, toMs };
}

/** `columns` of the rollups of a window, in five ranges; to be read with `coveringValues`. */
export function coveringSql(
  columns: string,
  table: 'observe_rollups' | 'observe_spent' = 'observe_rollups',
): string {
  const part = `SELECT ${columns} FROM ${table} WHERE unit_ms = ? AND at_ms >= ? AND at_ms < ?`;
  return Array(5).fill(part).join(' UNION ALL ');
}

export function coveringValues(window: Window): number[] {
  return covering(wholeUnits(MINUTE_MS, window)).flatMap(({ unitMs, fromMs, toMs }) => [
    unitMs,
    fromMs,
    toMs,
  ]);
}
