/** Counts by the minute, checked and joined: what is judged together, and the baseline's hours. */
import type { RateBin, Window } from '../facts/index.ts';
import type { Count, MonitorSettings } from './types.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** More than this in one minute cannot be a real count. */
const COUNT_MAX = 1e9;

export interface Group extends Count {
  readonly atMs: number;
  readonly lengthMs: number;
}

/** Ascending whole minutes of the window, each once; anything that is not a count is ignored. */
export function cleanBins(bins: readonly RateBin[], window: Window): RateBin[] {
  const minutes: RateBin[] = [];
  let lastMs = Number.NEGATIVE_INFINITY;
  for (const bin of bins) {
    const isAsItIs = isClean(bin);
    const atMs = isAsItIs ? bin.atMs : minuteOf(bin);
    if (!(atMs >= window.fromMs && atMs < window.toMs)) continue;
    // Nearly always they ascend: a watch cleans a day of minutes of every series at every look.
    if (atMs <= lastMs) return inOrder(bins, window);
    lastMs = atMs;
    if (isAsItIs) minutes.push(bin);
    else {
      const all = countOf(bin.all);
      if (all > 0)
        minutes.push({ atMs, bad: Math.min(countOf(bin.bad), all), all, ...begunOf(bin) });
    }
  }
  return minutes;
}

/** Nearly all are, and need no copy: whoever has the same object as before need not compare it. */
function isClean({ atMs, bad, all, begun }: RateBin): boolean {
  return (
    atMs % MINUTE_MS === 0 &&
    all > 0 &&
    isCount(all) &&
    isCount(bad) &&
    bad <= all &&
    (begun === undefined || isCount(begun))
  );
}

const isCount = (value: number) => Number.isInteger(value) && value >= 0 && value <= COUNT_MAX;

function inOrder(bins: readonly RateBin[], window: Window): RateBin[] {
  const minutes = new Map<number, RateBin>();
  for (const bin of bins) {
    const atMs = minuteOf(bin);
    if (!(atMs >= window.fromMs && atMs < window.toMs)) continue;
    const known: Count = minutes.get(atMs) ?? { bad: 0, all: 0 };
    const all = known.all + countOf(bin.all);
    const bad = Math.min(known.bad + countOf(bin.bad), all);
    minutes.set(atMs, { atMs, bad, all, ...begunOf(known, bin) });
  }
  return [...minutes.values()].filter(({ all }) => all > 0).sort((a, b) => a.atMs - b.atMs);
}

function minuteOf({ atMs }: RateBin): number {
  return Math.floor(atMs / MINUTE_MS) * MINUTE_MS;
}

function countOf(value: number): number {
  return Number.isFinite(value) ? Math.min(Math.max(0, Math.floor(value)), COUNT_MAX) : 0;
}

/** Nothing where none of them says it: calls do not begin and go on. */
function begunOf(...counts: readonly Pick<Count, 'begun'>[]): { readonly begun?: number } {
  const known = counts.flatMap(({ begun }) => (begun === undefined ? [] : [countOf(begun)]));
  return known.length === 0 ? {} : { begun: known.reduce((total, one) => total + one, 0) };
}

/** Hours that end with the window, oldest first. */
export function hoursOf(bins: readonly RateBin[], window: Window): Count[] {
  const length = Math.ceil((window.toMs - window.fromMs) / HOUR_MS);
  const hours = Array.from({ length }, (): Count => ({ bad: 0, all: 0 }));
  for (const bin of cleanBins(bins, window)) {
    const at = length - Math.ceil((window.toMs - bin.atMs) / HOUR_MS);
    const hour = hours[at]!;
    hours[at] = { bad: hour.bad + bin.bad, all: hour.all + bin.all, ...begunOf(hour, bin) };
  }
  return hours;
}

/**
 * As long as the interval between looks, and never across the end of an hour: every look sees the same groups,
 * except the last, which may not be full yet.
 */
export function* groupsOf(
  bins: readonly RateBin[],
  startedAtMs: number,
  settings: Pick<MonitorSettings, 'fast' | 'fastInterval' | 'interval'>,
): Generator<Group> {
  let open: (Group & { bad: number; all: number }) | undefined;
  const slowAtMs = startedAtMs + settings.fast;
  for (const { atMs, bad, all } of bins) {
    const lengthMs = atMs < slowAtMs ? settings.fastInterval : settings.interval;
    const hourAtMs = startedAtMs + Math.floor((atMs - startedAtMs) / HOUR_MS) * HOUR_MS;
    const beginsAtMs = hourAtMs + Math.floor((atMs - hourAtMs) / lengthMs) * lengthMs;
    const groupAtMs = atMs < slowAtMs ? beginsAtMs : Math.max(slowAtMs, beginsAtMs);
    if (open?.atMs === groupAtMs) {
      open.bad += bad;
      open.all += all;
      continue;
    }
    if (open !== undefined) yield open;
    open = { atMs: groupAtMs, lengthMs, bad, all };
  }
  if (open !== undefined) yield open;
}

export function groupBins(...given: Parameters<typeof groupsOf>): Group[] {
  return [...groupsOf(...given)];
}
