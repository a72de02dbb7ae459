/**
 * What is normal for one series of hours: its rate, its shape over day and week, and how much more than by chance it
 * varies. A pure function of the hours before a deployment.
 *
 * Hours of an episode (an outage that came and went) are left out, if at least three days are known: they are not what
 * the series is like without a change, and would hide harm. A peak that comes at the same hour of most days is no episode.
 */
import { poissonSf } from '../stats/index.ts';
import { seasonOf, sum } from './season.ts';
import type { Count } from './types.ts';

export interface HourCount extends Count {
  readonly atMs: number;
}

export interface Norm extends Count {
  /** At least 1. */
  readonly dispersion: number;
  readonly spread: Spread;
  /** Hours that were counted in, from the first to the last. */
  readonly hours: number;
  /** How much of the rate belongs to this hour. */
  factorAt(atMs: number): number;
}

/** Pearson's statistic over hours, its degrees of freedom, and what days say beside it. */
interface Spread {
  readonly square: number;
  readonly df: number;
  readonly ofDays: number;
}

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
/** With fewer days an episode cannot be told from a peak. */
const EPISODE_DAYS_MIN = 3;
/** By chance once in a million hours: a century. */
const EPISODE_CHANCE = 1e-6;
const EPISODE_FAILURES_MIN = 5;
/** What is more than this share of the hours is not an exception. */
const EPISODES_MAX = 0.1;
/** Failures that are needed for weekends to have half the weight. */
const PRIOR_FAILURES = 20;
/** Blocks for the dispersion have at least so many expected failures; Pearson's statistic is rough below. */
const EXPECTED_MIN = 2;
/** Few days say little about how days differ: as many days without any difference are added. */
const PRIOR_DAYS = 10;
/**
 * Few failures say little about how they come: as many blocks that are like the rest of the fleet are added. Without it
 * the thinnest of 500 series gave a false alarm in a quarter of all watches (`score -- watch`).
 */
const PRIOR_BLOCKS = 30;

/** Hours ascending, the last one ending before the deployment; empty ones may be left out. */
export function normOf(before: readonly HourCount[]): Norm {
  const last = before.at(-1);
  if (last === undefined) {
    const spread = { square: 0, df: 0, ofDays: 1 };
    return { bad: 0, all: 0, dispersion: 1, spread, hours: 0, factorAt: () => 1 };
  }
  const hours = (last.atMs - before[0]!.atMs) / HOUR_MS + 1;
  const usual = hours >= EPISODE_DAYS_MIN * DAY_HOURS ? withoutEpisodes(before) : before;
  const endMs = last.atMs + HOUR_MS;
  const ofDay = seasonOf(dense(usual, { hours, endMs }));
  const dayFactor = (atMs: number) => ofDay[modulo((atMs - endMs) / HOUR_MS, ofDay.length)]!;
  const total = sum(usual);
  const rate = (total.bad + 0.5) / (total.all + 1);
  const ofWeekend = weekendFactors(usual, (hour) => hour.all * rate * dayFactor(hour.atMs));
  // Each hour of a day of each kind once; they are asked hundreds of times.
  const kept = new Float64Array(2 * DAY_HOURS).fill(-1);
  const factorAt = (atMs: number) => {
    const slot = (Math.floor(atMs / HOUR_MS) % DAY_HOURS) * 2 + (isWeekend(atMs) ? 1 : 0);
    if (kept[slot]! < 0) kept[slot] = dayFactor(atMs) * ofWeekend(atMs);
    return kept[slot]!;
  };
  const expected = (hour: HourCount) => hour.all * rate * factorAt(hour.atMs);
  const spread = spreadOf(usual, expected, rate);
  return { ...total, hours, factorAt, spread, dispersion: dispersionOf(spread, 1) };
}

/** The same, once for each array: every look asks for it, and so do several findings. */
const NORMS = new WeakMap<readonly HourCount[], Norm>();

export function normal(before: readonly HourCount[]): Norm {
  const known = NORMS.get(before);
  if (known !== undefined) return known;
  const norm = normOf(before);
  NORMS.set(before, norm);
  return norm;
}

/** Each drawn to how failures come in all of them. Give it series of one measure. */
export function drawnTogether<T extends { readonly norm: Norm }>(known: readonly T[]): T[] {
  const square = known.reduce((total, { norm }) => total + norm.spread.square, 0);
  const df = known.reduce((total, { norm }) => total + norm.spread.df, 0);
  const usual = df === 0 ? 1 : Math.max(1, square / df);
  return known.map((one) => ({
    ...one,
    norm: { ...one.norm, dispersion: dispersionOf(one.norm.spread, usual) },
  }));
}

function withoutEpisodes(hours: readonly HourCount[]): readonly HourCount[] {
  const slots = Array.from({ length: DAY_HOURS }, () => ({ bad: 0, all: 0 }));
  const bySlotAndDay = new Map<number, Count>();
  const slotOf = (atMs: number) => modulo(atMs / HOUR_MS, DAY_HOURS);
  for (const { atMs, bad, all } of hours) {
    const slot = slots[slotOf(atMs)]!;
    slot.bad += bad;
    slot.all += all;
    bySlotAndDay.set(atMs / HOUR_MS, { bad, all });
  }
  const usual = hours.filter(({ atMs, bad, all }) => {
    if (bad < EPISODE_FAILURES_MIN) return true;
    // The same hour of the other days, and the hours beside it.
    let [otherBad, otherAll] = [0, 0];
    for (const shift of [-1, 0, 1]) {
      const slot = slots[modulo(slotOf(atMs) + shift, DAY_HOURS)]!;
      const own = bySlotAndDay.get(atMs / HOUR_MS + shift) ?? { bad: 0, all: 0 };
      otherBad += slot.bad - own.bad;
      otherAll += slot.all - own.all;
    }
    const expected = (all * (otherBad + 1)) / (otherAll + 1);
    return bad <= 2 * expected || poissonSf(bad - 1, expected) >= EPISODE_CHANCE;
  });
  return usual.length >= (1 - EPISODES_MAX) * hours.length ? usual : hours;
}

function dense(
  hours: readonly HourCount[],
  { hours: length, endMs }: { hours: number; endMs: number },
): Count[] {
  const all: Count[] = Array.from({ length }, () => ({ bad: 0, all: 0 }));
  for (const hour of hours) {
    const at = length - (endMs - hour.atMs) / HOUR_MS;
    if (at >= 0) all[at] = hour;
  }
  return all;
}

/** Weekends and weekdays apart, each drawn to 1. Days are those of UTC. */
function weekendFactors(
  hours: readonly HourCount[],
  expectedOf: (hour: HourCount) => number,
): (atMs: number) => number {
  const kinds = [
    { bad: PRIOR_FAILURES, expected: PRIOR_FAILURES, seen: false },
    { bad: PRIOR_FAILURES, expected: PRIOR_FAILURES, seen: false },
  ];
  const kindOf = (atMs: number) => kinds[isWeekend(atMs) ? 1 : 0]!;
  for (const hour of hours) {
    const kind = kindOf(hour.atMs);
    kind.bad += hour.bad;
    kind.expected += expectedOf(hour);
    kind.seen = true;
  }
  if (!kinds.every(({ seen }) => seen)) return () => 1;
  return (atMs) => {
    const { bad, expected } = kindOf(atMs);
    return bad / expected;
  };
}

/** By arithmetic: every hour of every series is asked. The first of January 1970 was a Thursday. */
export function isWeekend(atMs: number): boolean {
  const day = (Math.floor(atMs / (DAY_HOURS * HOUR_MS)) + 4) % 7;
  return day === 0 || day === 6;
}

function spreadOf(
  hours: readonly HourCount[],
  expectedOf: (hour: HourCount) => number,
  rate: number,
): Spread {
  const byHour = blocks(hours, expectedOf, (block) => block.expected >= EXPECTED_MIN);
  const days = Map.groupBy(hours, ({ atMs }) => Math.floor(atMs / HOUR_MS / DAY_HOURS)).values();
  const byDay = [...days].flatMap((day) => blocks(day, expectedOf, () => false));
  const square = (all: readonly Block[]) =>
    all.reduce(
      (total, { bad, expected }) => total + (bad - expected) ** 2 / (expected * (1 - rate)),
      0,
    );
  const enough = byDay.filter(({ expected }) => expected >= EXPECTED_MIN);
  const ofDays = (square(enough) + PRIOR_DAYS) / (Math.max(0, enough.length - 1) + PRIOR_DAYS);
  const df = Math.max(0, byHour.length - 1);
  return { square: df === 0 ? 0 : square(byHour), df, ofDays };
}

/** Over hours, and over days: whichever differ more. */
function dispersionOf({ square, df, ofDays }: Spread, usual: number): number {
  const drawn = (square + PRIOR_BLOCKS * usual) / (df + PRIOR_BLOCKS);
  // One standard deviation above the estimate: few hours may look calmer than they are.
  const above = (estimate: number, blocks: number) => estimate * (1 + Math.sqrt(2 / blocks));
  // A fleet that is calmer does not make this one calm: bad hours of a tool that gets slower and faster come in rows.
  const own = df === 0 ? 1 : above(square / df, df);
  return Math.max(1, above(drawn, df + PRIOR_BLOCKS), own, ofDays);
}

interface Block {
  readonly bad: number;
  readonly expected: number;
}

/** Hours joined until the block is full; what is left over joins the last one. */
function blocks(
  hours: readonly HourCount[],
  expectedOf: (hour: HourCount) => number,
  isFull: (block: Block) => boolean,
): Block[] {
  const all: Block[] = [];
  let open: Block = { bad: 0, expected: 0 };
  for (const hour of hours) {
    open = { bad: open.bad + hour.bad, expected: open.expected + expectedOf(hour) };
    if (!isFull(open)) continue;
    all.push(open);
    open = { bad: 0, expected: 0 };
  }
  if (open.expected === 0) return all;
  const last = all.pop();
  return [
    ...all,
    { bad: open.bad + (last?.bad ?? 0), expected: open.expected + (last?.expected ?? 0) },
  ];
}

const modulo = (value: number, by: number) => ((Math.floor(value) % by) + by) % by;
