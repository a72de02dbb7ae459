/** Two tools that use the same few places, call by call: what no file and no provider tells of them. */
import { type Random, seededRandom } from '../base/index.ts';
import type { CallHours, RecentCall } from '../facts/index.ts';

const HOUR = 3_600_000;

export interface PoolWorld {
  readonly seed: number;
  readonly startMs: number;
  readonly hours: number;
  /** For how long the holder waits at the most. */
  limitMs(atMs: number): number;
  /** Places that both use; without it each has its own. */
  readonly places?: number;
  /** What else makes the other one fail. */
  failing?(atMs: number): number;
}

/** `press` holds a place for long; `stamp` needs one for three seconds and is refused where none is free. */
export function poolCalls({ seed, startMs, hours, limitMs, places, failing }: PoolWorld) {
  const random = seededRandom(seed);
  const arrivals = [
    ...arrivalsOf(random, hours, 300).map((atMs) => ({ atMs: startMs + atMs, isHolder: true })),
    ...arrivalsOf(random, hours, 120).map((atMs) => ({ atMs: startMs + atMs, isHolder: false })),
  ].sort((a, b) => a.atMs - b.atMs);
  const press: RecentCall[] = [];
  const stamp: RecentCall[] = [];
  let taken: number[] = [];
  for (const { atMs: startMs, isHolder } of arrivals) {
    taken = taken.filter((endMs) => endMs > startMs);
    const isFull = places !== undefined && taken.length >= places;
    const isLong = isHolder && random.next() < 0.13;
    const needsMs = (isHolder ? (isLong ? 380_000 : 20_000) : 3000) * (0.8 + 0.4 * random.next());
    const waitsMs = isHolder ? limitMs(startMs) : 60_000;
    const isIll = !isHolder && random.next() < (failing?.(startMs) ?? 0.005);
    const tookMs = isFull || isIll ? 20 : Math.min(needsMs, waitsMs);
    if (!isFull && !isIll) taken.push(startMs + tookMs);
    const failedWith = isFull ? 'full' : isIll ? 'ill' : needsMs > waitsMs ? 'timeout' : null;
    const call = { startMs, endMs: startMs + tookMs, failedWith };
    if (isHolder) press.push({ agent: 'printer', tool: 'press', ...call });
    else stamp.push({ agent: 'clerk', tool: 'stamp', ...call });
  }
  return { press, stamp };
}

function arrivalsOf(random: Random, hours: number, perHour: number): number[] {
  const times: number[] = [];
  const gapMs = () => (-Math.log(1 - random.next()) * HOUR) / perHour;
  for (let atMs = gapMs(); atMs < hours * HOUR; atMs += gapMs()) times.push(atMs);
  return times;
}

/** As a watch counts them, by the hour of their end. */
export function hoursOfCalls(calls: readonly RecentCall[]): CallHours {
  const { agent, tool } = calls[0]!;
  const byHour = Map.groupBy(calls, ({ endMs }) => Math.floor(endMs / HOUR) * HOUR);
  const hours = [...byHour].map(([atMs, some]) => {
    const well = some.filter(({ failedWith }) => failedWith === null);
    const took = (these: readonly RecentCall[]) =>
      these.reduce((total, { startMs, endMs }) => total + endMs - startMs, 0);
    return {
      atMs,
      calls: some.length,
      failed: some.length - well.length,
      timed: some.length,
      latencySumMs: took(some),
      timedWell: well.length,
      latencyWellMs: took(well),
      tokens: 0,
      costUsd: 0,
    };
  });
  return { agent, tool, hours: hours.sort((a, b) => a.atMs - b.atMs) };
}
