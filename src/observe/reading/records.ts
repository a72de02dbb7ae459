/** What a decoder gives: events without the fields that the source does not know, and refusals. */
import type { Event, EventKind, EventOf } from '../../facts/index.ts';
import type { AsideReason, Decoded } from '../types.ts';

/** Optional fields may be undefined here. */
export type Given<T> = { [F in keyof T]: object extends Pick<T, F> ? T[F] | undefined : T[F] };

export function event<K extends EventKind>(given: Given<EventOf<K>>): Decoded {
  const known: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(given)) if (value !== undefined) known[field] = value;
  return { ok: true, event: known as unknown as Event };
}

export function refused(detail: string, reason: AsideReason = 'not_an_event'): Decoded {
  return { ok: false, reason, detail };
}

export const NOT_JSON = refused('It is not JSON.', 'not_json');

const DAY_MS = 86_400_000;
/** The day that was asked for last: the next record is of the same. */
let lastDay = { count: Number.NaN, text: '' };

/** For a format whose records carry no session: what a file says in a day is one. */
export function sessionOfDay(name: string, atMs: number): string {
  const count = Math.floor(atMs / DAY_MS);
  if (count !== lastDay.count) {
    const isDay = Math.abs(atMs) < 8e15;
    lastDay = { count, text: isDay ? new Date(atMs).toISOString().slice(0, 10) : '' };
  }
  return `${name} ${lastDay.text}`.trim();
}

let lastStem = { fileName: '', stem: '' };

/** `orders` of `orders.log`, `orders.log.1` and `orders-2026-11-17.json.gz`. */
export function stemOf(fileName: string): string {
  if (lastStem.fileName !== fileName) lastStem = { fileName, stem: stemIn(fileName) };
  return lastStem.stem;
}

function stemIn(fileName: string): string {
  let stem = fileName.slice(0, 160).replace(/\.(?:gz|zst|bz2|\d{1,8})$/i, '');
  stem = stem.replace(/\.[A-Za-z0-9]{1,8}$/, '') || stem;
  stem = stem.replace(/[-_.]\d{4}-?\d{2}-?\d{2}$/, '');
  return stem.replace(/[\s\p{Cc}]+/gu, ' ').trim() || 'unnamed';
}
