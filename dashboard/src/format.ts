/** Times in the viewer's zone, numbers and words as people read them. */
import { serverNowMs } from './server-time.ts';

const DAY_MS = 86_400_000;
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const clock = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' });
const dated = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});
const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
export const fullTime = (at: string) => `${full.format(new Date(at))} (${zone})`;
export const dayOf = (at: number) => day.format(at);
export const timeOfDay = (at: number) => clock.format(at);
export const dayAndTime = (at: string | number) => dated.format(new Date(at));

/** `3 min ago`, and beyond a week the day. */
export function ago(at: string, nowMs = serverNowMs()): string {
  const ms = nowMs - Date.parse(at);
  if (ms < -60_000) return `in ${span(-ms)}`;
  if (ms < 60_000) return 'just now';
  return ms < 7 * DAY_MS ? `${span(ms)} ago` : dayAndTime(at);
}

export function span(ms: number): string {
  if (ms < 1) return '0';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  if (ms < 3_600_000) return `${Math.round(ms / 60_000)} min`;
  if (ms < 2 * DAY_MS) return `${Math.round(ms / 3_600_000)} h`;
  return `${Math.round(ms / DAY_MS)} days`;
}

/** Thousands apart by a thin space, as in the sentences of the server. */
export const number = (value: number) =>
  value
    .toLocaleString('en', { maximumFractionDigits: value < 100 ? 1 : 0 })
    .replaceAll(',', '\u202f');

const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z/g;

/** A sentence of the server, with its times in the viewer's zone. */
export const inZone = (text: string) => text.replace(INSTANT, (at) => dayAndTime(at));

/** Two digits that mean something: `0.04 %`, `7.8 %`, `12 %`. */
export function percent(share: number): string {
  const value = share * 100;
  const digits =
    Math.abs(value) < 10 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 0 };
  return `${value.toLocaleString(undefined, digits)} %`;
}

export const shareOf = ({ bad, all }: { readonly bad: number; readonly all: number }) =>
  all === 0 ? 0 : bad / all;

/** `1 step`, `2 steps`. */
export const counted = (many: number, what: string) =>
  `${number(many)} ${what}${many === 1 ? '' : 's'}`;

/** `rolled_back` as `rolled back`. */
export const words = (name: string) => name.replaceAll('_', ' ');

/** `criticalNotices` as `critical notices`. */
export const spaced = (name: string) =>
  words(name.replace(/([a-z])([A-Z])/g, '$1 $2')).toLowerCase();

export const shortDigest = (digest: string) => digest.replace(/^sha256:/, '').slice(0, 12);
