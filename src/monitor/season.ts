/**
 * The shape of the day in a baseline: how many failures an hour brings, relative to the whole. A fleet
 * that fails more in the evening does so without any change, and a watch begins at some hour of the day.
 *
 * Each hour is pooled with its neighbours and drawn to 1 by `PRIOR_FAILURES`, so that an hour in which
 * little was counted says little. Without the shape, where the rate of 2 % swings by half, 15 % of
 * harmless watches were called at 360 events an hour and 92 % at 3600; with it 3.0 % and 3.2 %.
 *
 * A baseline that is shorter than a day knows nothing of some hours. Where failures grew with the traffic before, as they do at
 * a limit that is met, they grow with it in those hours too (ADR 126): else the first busy hour looks like harm.
 */
import { indexAt } from './place-track.ts';
import type { Count } from './types.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const SLOTS = 24;

/** How many failures an hour and its neighbours need for its own rate to have half the weight. */
const PRIOR_FAILURES = 20;

/** One factor for each hour since the deployment, modulo a day. Their mean over all events is 1. */
export function seasonOf(hours: readonly Count[]): readonly number[] {
  const slots = Array.from({ length: SLOTS }, () => ({ bad: 0, all: 0 }));
  hours.forEach(({ bad, all }, at) => {
    const slot = slots[(((at - hours.length) % SLOTS) + SLOTS) % SLOTS]!;
    slot.bad += bad;
    slot.all += all;
  });
  const total = sum(slots);
  if (total.bad === 0) return slots.map(() => 1);
  const raw = slots.map((_, at) => {
    const near = sum([-1, 0, 1].map((shift) => slots[(at + shift + SLOTS) % SLOTS]!));
    const expected = (near.all * total.bad) / total.all;
    return (near.bad + PRIOR_FAILURES) / (expected + PRIOR_FAILURES);
  });
  const mean = slots.reduce((all, slot, at) => all + slot.all * raw[at]!, 0) / total.all;
  return raw.map((factor) => factor / mean);
}

/** Since a deployment, in the order of time. */
type Bin = Count & { readonly atMs: number };

/** How many times as many failures as in the whole baseline are usual at a time since the deployment, of which `bins` has the minutes. */
export function usualTimes(
  hours: readonly Count[],
  bins: readonly Bin[],
  startedAtMs: number,
): (atMs: number) => number {
  const { season, unknown, growth, usual, most } = shapeOf(hours);
  const slotAt = (atMs: number) => Math.floor((atMs - startedAtMs) / HOUR_MS) % SLOTS;
  if (growth === 0) return (atMs) => season[slotAt(atMs)]!;
  const perHourAt = perHourIn(bins);
  return (atMs) => {
    const slot = slotAt(atMs);
    if (!unknown.has(slot)) return season[slot]!;
    // That all of them fail is the most that can be expected.
    return Math.min(most, Math.max(1, perHourAt(atMs) ** growth / usual));
  };
}

interface Shape {
  readonly season: readonly number[];
  readonly unknown: ReadonlySet<number>;
  readonly growth: number;
  /** By how much the traffic of the baseline was above one call an hour, by that power. */
  readonly usual: number;
  readonly most: number;
}

/** Once for each array: every look asks for it, and once more in each round. */
const SHAPES = new WeakMap<readonly Count[], Shape>();

function shapeOf(hours: readonly Count[]): Shape {
  const known = SHAPES.get(hours);
  if (known !== undefined) return known;
  const unknown = unknownSlots(hours);
  const growth = unknown.size === 0 ? 0 : growthOf(hours);
  const total = sum(hours);
  const usual = hours.reduce((all, hour) => all + hour.all ** (1 + growth), 0) / total.all;
  const most = total.all / Math.max(1, total.bad);
  const shape = { season: seasonOf(hours), unknown, growth, usual, most };
  SHAPES.set(hours, shape);
  return shape;
}

/** Hours of the day of which, with their neighbours, nothing was counted. */
function unknownSlots(hours: readonly Count[]): ReadonlySet<number> {
  const unknown = new Set(Array.from({ length: SLOTS }, (_, at) => at));
  hours.forEach(({ all }, at) => {
    if (all === 0) return;
    for (const shift of [-1, 0, 1])
      unknown.delete((((at - hours.length + shift) % SLOTS) + SLOTS) % SLOTS);
  });
  return unknown;
}

/**
 * What came in the hour up to then, and in nothing later: a look an hour on must find the same. Asked for in the order of time, it moves
 * along with what it counted; the counts are whole, so the sum is the same as that of the hour by itself.
 */
function perHourIn(bins: readonly Bin[]): (atMs: number) => number {
  let lastMs = Number.NaN;
  let [from, to, all] = [0, 0, 0];
  return (atMs) => {
    const [fromMs, toMs] = [atMs + MINUTE_MS - HOUR_MS, atMs + MINUTE_MS];
    // Before the last, or beyond its hour: found by halving.
    if (!(atMs >= lastMs && fromMs < lastMs + MINUTE_MS)) {
      from = indexAt(bins, fromMs);
      to = from;
      all = 0;
    }
    lastMs = atMs;
    while (to < bins.length && bins[to]!.atMs < toMs) all += bins[to++]!.all;
    while (from < to && bins[from]!.atMs < fromMs) all -= bins[from++]!.all;
    if (from >= to) return 0;
    // A record that begins within the hour; a few minutes of it may be anything.
    const lengthMs = Math.max(HOUR_MS / 4, toMs - bins[from]!.atMs);
    return (all * HOUR_MS) / lengthMs;
  };
}

const ROUNDS = 20;
/** Steeper is a step, and what lies beyond a step is not known from before it. */
const GROWTH_MAX = 2;

/**
 * By which power of the traffic the share of failures grew from hour to hour; 0 where it did not. The likeliest one of a
 * Poisson law, drawn to 0 by a normal prior of width 1 (a share that grows as the traffic does), of counts that are as
 * much more dispersed as they are. Hours without traffic say nothing.
 */
function growthOf(hours: readonly Count[]): number {
  const some = hours.filter(({ all }) => all > 0);
  const total = sum(some);
  if (some.length < 3 || total.bad === 0) return 0;
  const logs = some.map(({ all }) => Math.log(all));
  let growth = 0;
  let spread = 1;
  for (let round = 0; round < ROUNDS; round++) {
    const weights = some.map(({ all }, at) => all * Math.exp(growth * (logs[at]! - logs[0]!)));
    const scale = total.bad / weights.reduce((sum, one) => sum + one, 0);
    const expected = weights.map((one) => one * scale);
    const mean = expected.reduce((sum, one, at) => sum + one * logs[at]!, 0) / total.bad;
    let [slope, width, chi2] = [0, 0, 0];
    some.forEach(({ bad }, at) => {
      slope += (bad - expected[at]!) * logs[at]!;
      width += expected[at]! * (logs[at]! - mean) ** 2;
      chi2 += (bad - expected[at]!) ** 2 / expected[at]!;
    });
    spread = Math.max(1, chi2 / (some.length - 2));
    growth += (slope / spread - growth) / (width / spread + 1);
    growth = Math.min(GROWTH_MAX, Math.max(-GROWTH_MAX, growth));
  }
  return Math.max(0, growth);
}

export function sum(counts: readonly Count[]): Count {
  let [bad, all] = [0, 0];
  for (const count of counts) {
    bad += count.bad;
    all += count.all;
  }
  return { bad, all };
}

const isSameCount = (one: Count, other: Count) => one.bad === other.bad && one.all === other.all;

/** Hour by hour or minute by minute. */
export function isSameCounts(one: readonly Count[], other: readonly Count[]): boolean {
  return (
    one.length === other.length &&
    one.every((count, at) => count === other[at] || isSameCount(count, other[at]!))
  );
}
