/**
 * Which hours are unusual: a value of each hour (what a call takes, costs; calls for each session) against the hours of
 * the day beside it on days of its kind. An hour is marked if it is beyond nine of ten hours before, and beyond what is
 * allowed. Pure.
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
  const ratio = ({ atMs, value }: Level) => value / usualAt(atMs);
  const was = Float64Array.from(before, ratio).sort();
  const at = (share: number) => was[Math.min(was.length - 1, Math.floor(share * was.length))]!;
  const bound =
    side === 'high'
      ? Math.max(at(1 - BEYOND), 1 + allowed)
      : Math.min(at(BEYOND), 1 / (1 + allowed));
  const mark = (atMs: number, value: number): HourCount => {
    const ratioThen = value / usualAt(atMs);
    return hourMark(atMs, side === 'high' ? ratioThen > bound : ratioThen < bound);
  };
  return { before: before.map(({ atMs, value }) => mark(atMs, value)), mark };
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

/** The middle of the hours around this hour of the day, on weekdays or weekends; undefined where it is nothing. */
function usualOf(levels: readonly Level[]): ((atMs: number) => number) | undefined {
  const bySlot: number[][] = Array.from({ length: SLOTS }, () => []);
  for (const { atMs, value } of levels) {
    const slot = slotOf(atMs);
    const kind = slot < DAY_HOURS ? 0 : DAY_HOURS;
    for (const shift of [-1, 0, 1])
      bySlot[kind + ((slot - kind + shift + DAY_HOURS) % DAY_HOURS)]!.push(value);
  }
  const whole = middleOf(levels.map(({ value }) => value));
  if (!(whole > 0)) return undefined;
  const middles = bySlot.map((values) => {
    const middle = values.length < SLOT_MIN ? whole : middleOf(values);
    return middle > 0 ? middle : whole;
  });
  return (atMs) => middles[slotOf(atMs)]!;
}

/** Each hour of the day, on weekdays and on weekends. */
export function slotOf(atMs: number): number {
  return (Math.floor(atMs / HOUR_MS) % DAY_HOURS) + (isWeekend(atMs) ? DAY_HOURS : 0);
}

function middleOf(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
