/**
 * Whether two tools share places although no file and no provider says so, learnt from calls one by one: the calls of one
 * fail, or take longer, in the moments in which more calls of the other are in flight. A pure function.
 *
 * Both follow the time of day, so only moments close to each other are compared: in each stretch of time what is left of the
 * calls in flight once its trend, and how often the suffering tool itself is called, are taken off. Each stretch
 * gives one correlation, and their mean is judged by how they differ (Student's t). So one outage that both had is one
 * stretch of many, and says little, as busy hours do not outweigh others (ADR 192); calls that last long make the stretches long,
 * because what they do to each other lasts.
 */
import type { RecentCall } from '../facts/index.ts';
import { studentSf } from '../stats/index.ts';

const HOUR_MS = 3_600_000;
/** A stretch lasts so many times as long as a call that is in flight. */
const TIMES_HELD = 6;
/** Time is cut into as many, at least. */
const STRETCHES_MIN = 8;
/** Those in which all calls suffer alike tell nothing. Fewer that do say nothing of how they differ. */
const TELLING_MIN = 6;
/** As many calls in a stretch, at least: its trend and traffic take three of them. */
const CALLS_MIN = 6;

export interface Overlapping {
  /** Calls that suffer, and what each of them suffered. */
  readonly suffering: readonly { readonly call: RecentCall; readonly suffered: number }[];
  /** Calls that hold the places. */
  readonly holding: readonly RecentCall[];
  /** Until when calls are known that ended; those that began shortly before may not have. */
  readonly untilMs: number;
}

/** The chance that they have as much to do with each other without anything that they share; 1 where too little was seen. */
export function chanceOfOverlap({ suffering, holding, untilMs }: Overlapping): number {
  if (suffering.length === 0 || holding.length === 0) return 1;
  const [first, last] = spanOf(holding, untilMs);
  const calls = suffering
    .filter(({ call }) => call.startMs >= first && call.startMs < last)
    .sort((a, b) => a.call.startMs - b.call.startMs);
  const held = heldFor(holding);
  const span = last - first;
  const lengthMs = Math.max(TIMES_HELD * held, Math.min(HOUR_MS, span / (3 * STRETCHES_MIN)));
  if (!(span >= STRETCHES_MIN * lengthMs)) return 1;
  const inFlight = inFlightAt(
    calls.map(({ call }) => call.startMs),
    holding,
  );
  const moments = calls.map(({ call: { startMs }, suffered }, at) => ({
    atMs: startMs,
    suffered,
    inFlight: inFlight[at]!,
    // Its own traffic: how many of them began shortly before.
    traffic: at - firstAfter(calls, startMs - lengthMs / 20),
  }));
  const stretches = Map.groupBy(moments, ({ atMs }) => Math.floor((atMs - first) / lengthMs));
  return chanceOf([...stretches.values()].flatMap((some) => togetherIn(some) ?? []));
}

interface Moment {
  readonly atMs: number;
  readonly suffered: number;
  readonly inFlight: number;
  readonly traffic: number;
}

/** Calls are known by their end: from the first end on, and until the longest would have ended. */
function spanOf(holding: readonly RecentCall[], untilMs: number): readonly [number, number] {
  let [first, longest] = [Number.POSITIVE_INFINITY, 0];
  for (const { startMs, endMs } of holding) {
    first = Math.min(first, endMs);
    longest = Math.max(longest, endMs - startMs);
  }
  return [first, untilMs - longest];
}

/** How long a call lasts that is met in flight: long ones are met more often. */
function heldFor(holding: readonly RecentCall[]): number {
  let [sum, squares] = [0, 0];
  for (const { startMs, endMs } of holding) {
    sum += endMs - startMs;
    squares += (endMs - startMs) ** 2;
  }
  return sum === 0 ? 0 : squares / sum;
}

/** At each of these times, ascending. */
function inFlightAt(times: readonly number[], holding: readonly RecentCall[]): number[] {
  const starts = holding.map(({ startMs }) => startMs).sort((a, b) => a - b);
  const ends = holding.map(({ endMs }) => endMs).sort((a, b) => a - b);
  let [begun, over] = [0, 0];
  return times.map((atMs) => {
    while (starts[begun]! <= atMs) begun += 1;
    while (ends[over]! <= atMs) over += 1;
    return begun - over;
  });
}

function firstAfter(calls: Overlapping['suffering'], atMs: number): number {
  let [low, high] = [0, calls.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (calls[middle]!.call.startMs < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How far what was suffered goes with the calls in flight, from -1 to 1; undefined where a stretch cannot say it. */
function togetherIn(some: readonly Moment[]): number | undefined {
  if (some.length < CALLS_MIN) return undefined;
  const time = residuals(some.map(({ atMs }) => atMs - some[0]!.atMs));
  const traffic = residuals(
    some.map((one) => one.traffic),
    time,
  );
  const left = (of: (one: Moment) => number) => residuals(some.map(of), time, traffic);
  const inFlight = left((one) => one.inFlight);
  const suffered = left((one) => one.suffered);
  const size = Math.sqrt(dot(inFlight, inFlight) * dot(suffered, suffered));
  return size < 1e-9 ? undefined : dot(suffered, inFlight) / size;
}

/** What is left of values once their mean, and these, which are at right angles to each other, are taken off. */
function residuals(values: readonly number[], ...others: readonly (readonly number[])[]): number[] {
  const mean = values.reduce((total, value) => total + value, 0) / values.length;
  let left = values.map((value) => value - mean);
  for (const other of others) {
    const size = dot(other, other);
    if (size < 1e-9) continue;
    const part = dot(left, other) / size;
    left = left.map((value, at) => value - part * other[at]!);
  }
  return left;
}

function dot(one: readonly number[], other: readonly number[]): number {
  return one.reduce((total, value, at) => total + value * other[at]!, 0);
}

function chanceOf(stretches: readonly number[]): number {
  const count = stretches.length;
  if (count < TELLING_MIN) return 1;
  const mean = stretches.reduce((total, value) => total + value, 0) / count;
  const variance = stretches.reduce((total, value) => total + (value - mean) ** 2, 0) / (count - 1);
  if (variance === 0) return 1;
  return studentSf(mean / Math.sqrt(variance / count), count - 1);
}
