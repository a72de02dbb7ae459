/**
 * One line of JSONL to one checked event. Lines are written by agents and are not trusted: they are
 * bounded before they are read, and a reason for refusing one never repeats a value of it.
 */
import type { z } from 'zod';
import type { Event } from '../facts/index.ts';
import { eventSchema } from '../facts/schemas.ts';
import type { AsideReason } from './types.ts';

export const LINE_BYTES_MAX = 64 * 1024;
/** Clocks differ; a day ahead is no difference of clocks any more. */
const AHEAD_MS_MAX = 24 * 3_600_000;

/** Some editors and languages begin a file with it. */
const BYTE_ORDER_MARK = '\ufeff';

export type EventReading =
  | { readonly ok: true; readonly event: Event; readonly atMs: number }
  | {
      readonly ok: false;
      readonly reason: AsideReason;
      /** One plain sentence. May name keys of the line: it is sanitised like everything else. */
      readonly detail: string;
    };

export function readEvent(line: string, nowMs: number): EventReading {
  if (line.length > LINE_BYTES_MAX) return tooLong();
  let value: unknown;
  try {
    value = JSON.parse(line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line);
  } catch {
    return refused('not_json', 'The line is not JSON: expected one object on one line.');
  }
  const parsed = eventSchema.safeParse(value);
  if (!parsed.success) return refused('not_an_event', explain(value, parsed.error.issues));
  const atMs = Date.parse(parsed.data.timestamp);
  if (Number.isNaN(atMs) || atMs < 0)
    return refused('wrong_time', 'The timestamp is before 1970 or no day of the calendar.');
  if (atMs > nowMs + AHEAD_MS_MAX)
    return refused('wrong_time', 'The timestamp is more than 24 hours in the future.');
  return { ok: true, event: parsed.data, atMs };
}

export function tooLong(): EventReading & { ok: false } {
  return refused('too_long', `The line is longer than ${LINE_BYTES_MAX} bytes.`);
}

function refused(reason: AsideReason, detail: string): EventReading & { ok: false } {
  return { ok: false, reason, detail };
}

const SHOWN_KEYS = 5;

/** From the issue's code and place alone: zod's own messages may repeat what stood there. */
function explain(value: unknown, issues: readonly z.core.$ZodIssue[]): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'The line is JSON, but no object.';
  const issue = issues[0];
  const key = issue?.path.join('.') ?? '';
  switch (issue?.code) {
    case 'unrecognized_keys': {
      const shown = issue.keys.slice(0, SHOWN_KEYS).map((name) => name.slice(0, 60));
      return `Keys that this kind of event does not have: ${shown.join(', ')}.`;
    }
    case 'invalid_union':
      return 'The event_type is missing or unknown.';
    case 'invalid_type':
      return key in value
        ? `${key} has the wrong type: expected ${issue.expected}.`
        : `${key} is missing.`;
    case 'too_big':
      return `${key} is too long or too large.`;
    case 'too_small':
      return `${key} is empty or too small.`;
    default:
      return `${key} has a value that is not allowed.`;
  }
}
