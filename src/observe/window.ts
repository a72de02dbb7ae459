/**
 * Windows over counts. Counts are kept per minute and per hour, so an edge inside one is moved outwards:
 * a window never misses what happened in it, and may hold up to a minute (an hour) more at each side.
 */
import type { Window } from '../facts/index.ts';
import { floorTo, HOUR_MS, MINUTE_MS } from './tally.ts';

export function wholeMinutes(window: Window): Window {
  return outwards(window, MINUTE_MS);
}

export function wholeHours(window: Window): Window {
  return outwards(window, HOUR_MS);
}

function outwards({ fromMs, toMs }: Window, unitMs: number): Window {
  return { fromMs: floorTo(unitMs, fromMs), toMs: -floorTo(unitMs, -toMs) };
}
