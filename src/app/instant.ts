/** Points in time as people type them: `24h` and `7d` ago, or a date. */
import { parseDuration } from '../config/index.ts';
import { type Refusal, usage } from './refusal.ts';

const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?(?:Z|[+-]\d{2}:\d{2})?$/;

/** A date without a time zone is in UTC, as everything that Hone shows. */
export function instantOf(text: string, nowMs: number): number | Refusal {
  const ago = parseDuration(text);
  if (ago !== undefined) return nowMs - ago;
  if (DATE.test(text)) {
    const [day, rest = ''] = [text.slice(0, 10), text.slice(11)];
    const hasZone = /(?:Z|[+-]\d{2}:\d{2})$/.test(rest);
    const atMs = Date.parse(rest === '' ? day : `${day}T${rest}${hasZone ? '' : 'Z'}`);
    if (!Number.isNaN(atMs)) return atMs;
  }
  return usage(
    `"${text.slice(0, 40)}" is not a time. Write how long ago, such as 90m, 24h or 7d, or a date such as 2026-03-02.`,
  );
}

/** The window that `--since` and `--until` name. */
export function windowOf(
  { since, until }: { readonly since?: string | undefined; readonly until?: string | undefined },
  nowMs: number,
  defaultFromMs: number,
): { readonly fromMs: number; readonly toMs: number } | Refusal {
  const from = since === undefined ? defaultFromMs : instantOf(since, nowMs);
  if (typeof from === 'object') return from;
  // Clocks differ: events that are a little ahead are shown as well.
  const to = until === undefined ? nowMs + AHEAD_MS : instantOf(until, nowMs);
  if (typeof to === 'object') return to;
  if (to <= from) return usage('The time of --until is not after that of --since.');
  return { fromMs: from, toMs: to };
}

const AHEAD_MS = 86_400_000;
