/**
 * Whether a watch has seen the days that matter. A change that went live on a Friday evening has a quiet weekend behind it
 * after 24 hours, and no day like those on which its agents work. Where one kind of day (weekdays, weekends; UTC) has at
 * least twice the calls of the other in the two weeks before, a change is not held before a whole day of the busier kind, or
 * as much of it as a watch lasts at all. Fleets that work the same all week are not kept waiting. Pure.
 */
import type { CallHours } from '../facts/index.ts';
import { isWeekend } from './norm.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** So many times the calls make one kind of day the one that matters. */
const BUSIER = 2;

export interface Watching {
  readonly startedAtMs: number;
  /** How long a watch is planned to last. */
  readonly durationMs: number;
  readonly nowMs: number;
}

/** When enough of the busier kind of day will have been seen; undefined where it was, or where no kind is busier. */
export function busierDaySeenMs(
  calls: readonly CallHours[],
  { startedAtMs, durationMs, nowMs }: Watching,
): number | undefined {
  const isBusier = busierKind(calls, startedAtMs);
  if (isBusier === undefined) return undefined;
  let missingMs = Math.min(DAY_MS, durationMs);
  for (let atMs = startedAtMs; missingMs > 0; ) {
    const nextMs = Math.floor(atMs / DAY_MS + 1) * DAY_MS;
    const lastsMs = nextMs - atMs;
    if (isBusier(atMs)) {
      if (lastsMs >= missingMs) return atMs + missingMs > nowMs ? atMs + missingMs : undefined;
      missingMs -= lastsMs;
    }
    atMs = nextMs;
  }
  return undefined;
}

function busierKind(
  calls: readonly CallHours[],
  startedAtMs: number,
): ((atMs: number) => boolean) | undefined {
  const before = calls.flatMap(({ hours }) => hours.filter(({ atMs }) => atMs < startedAtMs));
  const firstMs = before.reduce((least, { atMs }) => Math.min(least, atMs), startedAtMs);
  const [weekdays, weekends] = [false, true].map((isIt) => {
    let hours = 0;
    for (let atMs = firstMs; atMs < startedAtMs; atMs += HOUR_MS)
      if (isWeekend(atMs) === isIt) hours += 1;
    const made = before
      .filter(({ atMs }) => isWeekend(atMs) === isIt)
      .reduce((total, one) => total + one.calls, 0);
    return { hours, rate: made / Math.max(1, hours) };
  });
  // Of a kind of which not even a day was seen it is not known what it is like.
  if (Math.min(weekdays!.hours, weekends!.hours) < DAY_MS / HOUR_MS) return undefined;
  if (weekdays!.rate >= BUSIER * weekends!.rate && weekdays!.rate > 0)
    return (atMs) => !isWeekend(atMs);
  if (weekends!.rate >= BUSIER * weekdays!.rate && weekends!.rate > 0) return isWeekend;
  return undefined;
}
