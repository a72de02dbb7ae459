/**
 * Whether a change that promised fewer failures brought hardly any fewer: a longer limit for calls that hang, or that somebody else
 * cuts off, does no harm and cures nothing, and the next one would be raised on top of it. Only the very failures that it answers
 * count, so that other trouble at the same place says nothing. A pure function of counts.
 */
import type { RateBin } from '../facts/index.ts';
import { newcombeInterval } from '../stats/index.ts';
import { thinned } from './effect.ts';
import type { Expectation } from './expectation.ts';
import type { HourCount } from './norm.ts';
import { sum } from './season.ts';
import type { Count } from './types.ts';

const HOUR_MS = 3_600_000;
/** A step that saved less than this share of what failed is not worth its place; */
const HARDLY = 0.1;
/** and so much was seen that a halving would have shown, as what is remembered of changes asks for. */
const PROMISED = 0.5;

export interface InVain {
  readonly before: Count;
  readonly since: Count;
  /** At most so much of what failed was saved, 95 % sure. */
  readonly savedAtMost: number;
}

/** Other changes may cure what does not show in these counts: tries are lost as often, and tasks are not. */
export function promisesFewer(expected: Expectation | undefined): boolean {
  return expected?.signs.failures === 'less' && expected.signs.latency === 'more';
}

/** Undefined where it brought something, or too little was seen to say that it did not. */
export function inVain(
  record: readonly RateBin[],
  { failsSinceMs, startedAtMs }: { readonly failsSinceMs: number; readonly startedAtMs: number },
): InVain | undefined {
  const was = byHour(record.filter(({ atMs }) => atMs >= failsSinceMs && atMs < startedAtMs));
  const is = byHour(record.filter(({ atMs }) => atMs >= startedAtMs));
  const [before, since] = [sum(was), sum(is)];
  if (before.bad === 0 || since.all === 0) return undefined;
  // Either may have come in bursts: then both are worth as few.
  const spread = Math.max(1, dispersionOf(was, before), dispersionOf(is, since));
  const { low } = newcombeInterval(thinned(before, spread), thinned(since, spread));
  const share = before.bad / before.all;
  const saved = 1 - since.bad / since.all / share;
  const savedAtMost = -low / share;
  return saved < HARDLY && savedAtMost < PROMISED ? { before, since, savedAtMost } : undefined;
}

export function inVainSentence({ before, since, savedAtMost }: InVain): string {
  const share = ({ bad, all }: Count) => `${bad} of ${all} (${((100 * bad) / all).toFixed(1)} %)`;
  return `It did no harm and brought nothing: what it answers failed in ${share(since)} since the deployment and in ${share(before)} before, so that at most ${(100 * Math.max(0, savedAtMost)).toFixed(0)} % of it is saved.`;
}

function byHour(bins: readonly RateBin[]): HourCount[] {
  const hours = Map.groupBy(bins, ({ atMs }) => Math.floor(atMs / HOUR_MS) * HOUR_MS);
  return [...hours].map(([atMs, some]) => ({ atMs, ...sum(some) })).sort((a, b) => a.atMs - b.atMs);
}

/**
 * Pearson's χ² per degree of freedom, hour by hour. No hour of the day is expected to have more: a day before and a day since have
 * the same hours, and an outage in one of them must not look like its shape.
 */
function dispersionOf(hours: readonly HourCount[], { bad, all }: Count): number {
  const called = hours.filter((hour) => hour.all > 0);
  const rate = bad / all;
  if (called.length < 2 || rate === 0 || rate === 1) return 1;
  const square = called.reduce(
    (total, hour) => total + (hour.bad - hour.all * rate) ** 2 / (hour.all * rate * (1 - rate)),
    0,
  );
  return square / (called.length - 1);
}
