/** What a decoder gives: events without the fields that the source does not know, and refusals. */
import type { Event, EventKind, EventOf } from '../../facts/index.ts';
import type { AsideReason, Decoded } from '../types.ts';

/** Optional fields may be undefined here. */
export type Given<T> = { [F in keyof T]: object extends Pick<T, F> ? T[F] | undefined : T[F] };

export function event<K extends EventKind>(given: Given<EventOf<K>>): Decoded {
  const known = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ok: true, event: Object.fromEntries(known) as unknown as Event };
}

export function refused(detail: string, reason: AsideReason = 'not_an_event'): Decoded {
  return { ok: false, reason, detail };
}

export const NOT_JSON = refused('It is not JSON.', 'not_json');

/** For a format whose records carry no session: what a file says in a day is one. */
export function sessionOfDay(name: string, atMs: number): string {
  const day =
    Number.isFinite(atMs) && Math.abs(atMs) < 8e15 ? new Date(atMs).toISOString().slice(0, 10) : '';
  return `${name} ${day}`.trim();
}

/** `orders` of `orders.log`, `orders.log.1` and `orders-2026-11-17.json.gz`. */
export function stemOf(fileName: string): string {
  let stem = fileName.slice(0, 160).replace(/\.(?:gz|zst|bz2|\d{1,8})$/i, '');
  stem = stem.replace(/\.[A-Za-z0-9]{1,8}$/, '') || stem;
  stem = stem.replace(/[-_.]\d{4}-?\d{2}-?\d{2}$/, '');
  return stem.replace(/[\s\p{Cc}]+/gu, ' ').trim() || 'unnamed';
}
