/**
 * Which hours are unusual: a value of each hour (what a call takes, costs; calls for each session) against the hours of
 * the day beside it on days of its kind. An hour is marked if it is beyond nine of ten hours before, and beyond what is
 * allowed. Hours before are compared with the other days alone, as those to come are: with its own day among few, an hour
 * looks more usual than it was. Pure.
 */

import type { HourCount } from './norm.ts';
import { isWeekend } from './norm.ts';

export interface Level {
  readonly atMs: number;
  readonly value: number;
}

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
export const SLOTS = 2 * DAY_HOURS;
/** Three days: with fewer, an evening cannot be told from a change. */
const HOURS_MIN = 72;
/** A slot of fewer hours is taken together with all of its kind of day, or with all. */
const SLOT_MIN = 3;
const BEYOND = 0.1;

export interface MarkOptions {
  /** Which side is bad. */
  readonly side: 'high' | 'low';
  /** By how much it may move: 0.1 is a tenth. */
  readonly allowed: number;
}

/** How hours are marked, and those before. */
export interface Rule {
  readonly before: readonly HourCount[];
  mark(atMs: number, value: number): HourCount;
}

/** Undefined where too little was seen before, or nothing but zeros. */
export function ruleOf(before: readonly Level[], { side, allowed }: MarkOptions): Rule | undefined {
  if (before.length < HOURS_MIN) return undefined;
  const usualAt = usualOf(before);
  if (usualAt === undefined) return undefined;
  const ratios = before.map(({ atMs, value }) => value / usualAt(atMs, dayOf(atMs)));
  const was = Float64Array.from(ratios).sort();
  const at = (share: number) => was[Math.min(was.length - 1, Math.floor(share * was.length))]!;
  const bound =
    side === 'high'
      ? Math.max(at(1 - BEYOND), 1 + allowed)
      : Math.min(at(BEYOND), 1 / (1 + allowed));
  const isBad = (ratio: number) => (side === 'high' ? ratio > bound : ratio < bound);
  return {
    before: before.map(({ atMs }, at) => hourMark(atMs, isBad(ratios[at]!))),
    mark: (atMs, value) => hourMark(atMs, isBad(value / usualAt(atMs))),
  };
}

/** One hour, bad or not. There are few of them and many series: each is made once. */
const MARKS = new Map<number, readonly [HourCount, HourCount]>();
const MARKS_MAX = 10_000;

export function hourMark(atMs: number, isBad: boolean): HourCount {
  let both = MARKS.get(atMs);
  if (both === undefined) {
    if (MARKS.size >= MARKS_MAX) MARKS.clear();
    both = [
      { atMs, bad: 0, all: 1 },
      { atMs, bad: 1, all: 1 },
    ];
    MARKS.set(atMs, both);
  }
  return both[isBad ? 1 : 0];
}

/**
 * The middle of the hours around this hour of the day, on weekdays or weekends, without those of one day if it is named;
 * undefined where it is nothing.
 */
function usualOf(
  levels: readonly Level[],
): ((atMs: number, without?: number) => number) | undefined {
  const bySlot: Level[][] = Array.from({ length: SLOTS }, () => []);
  // In the order of their values, so that each slot is too: the middle is then found by counting.
  for (const level of levels.toSorted((a, b) => a.value - b.value)) {
    const slot = slotOf(level.atMs);
    const kind = slot < DAY_HOURS ? 0 : DAY_HOURS;
    for (const shift of [-1, 0, 1])
      bySlot[kind + ((slot - kind + shift + DAY_HOURS) % DAY_HOURS)]!.push(level);
  }
  const whole = middleOf(levels);
  if (!(whole > 0)) return undefined;
  const usual = (sorted: readonly Level[], without?: number) => {
    const middle = middleWithout(sorted, without);
    return middle > 0 ? middle : whole;
  };
  const middles = bySlot.map((sorted) => usual(sorted));
  return (atMs, without) => {
    const slot = slotOf(atMs);
    return without === undefined ? middles[slot]! : usual(bySlot[slot]!, without);
  };
}

/** The middle of sorted hours without those of one day; 0 where too few are left. */
function middleWithout(sorted: readonly Level[], day: number | undefined): number {
  const isLeft = (level: Level) => day === undefined || dayOf(level.atMs) !== day;
  let left = 0;
  for (const level of sorted) if (isLeft(level)) left += 1;
  if (left < SLOT_MIN) return 0;
  let before = Math.floor(left / 2);
  for (const level of sorted) {
    if (!isLeft(level)) continue;
    if (before === 0) return level.value;
    before -= 1;
  }
  return 0;
}

const dayOf = (atMs: number) => Math.floor(atMs / HOUR_MS / DAY_HOURS);

/** Each hour of the day, on weekdays and on weekends. */
export function slotOf(atMs: number): number {
  return (Math.floor(atMs / HOUR_MS) % DAY_HOURS) + (isWeekend(atMs) ? DAY_HOURS : 0);
}

function middleOf(levels: readonly Level[]): number {
  const sorted = Float64Array.from(levels, ({ value }) => value).sort();
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
