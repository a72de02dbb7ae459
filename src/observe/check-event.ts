/**
 * Whether an event that a source gave is within bounds: its time, the lengths of its texts, its numbers and
 * words. The types say what a source must give; this check holds for any source and any input.
 */
import {
  EVENT_FIELDS,
  type Event,
  type EventKind,
  type FieldRule,
  NAME_MAX,
  NAMES_MAX,
} from '../facts/index.ts';
import type { AsideReason } from './types.ts';

/** The limit for a raw text: it is sanitised as a whole, and cut afterwards. */
const RAW_TEXT_MAX = 64 * 1024;
/** Clocks differ, but not by more than a day. */
const AHEAD_MS_MAX = 24 * 3_600_000;

/** The rules of each kind. Of its many fields an event has few, so it is gone through by those that it has. */
export const RULES: ReadonlyMap<EventKind, ReadonlyMap<string, FieldRule>> = new Map(
  Object.entries(EVENT_FIELDS).map(([kind, rules]) => [
    kind as EventKind,
    new Map(Object.entries(rules as Readonly<Record<string, FieldRule>>)),
  ]),
);

export interface OutOfBounds {
  readonly reason: AsideReason;
  /** One plain sentence that never repeats a value. */
  readonly detail: string;
}

/** Undefined if it is accepted. */
export function outOfBounds(event: Event, nowMs: number): OutOfBounds | undefined {
  const rules = RULES.get(event?.kind);
  if (rules === undefined) return noEvent('Its kind is unknown.');
  const { atMs, session } = event;
  if (!(atMs >= 0)) {
    const detail = 'The timestamp is before 1970 or not a valid date.';
    return { reason: 'wrong_time', detail };
  }
  if (atMs > nowMs + AHEAD_MS_MAX)
    return { reason: 'wrong_time', detail: 'The timestamp is more than 24 hours in the future.' };
  if (session === undefined) return noEvent('session is missing.');
  const given = event as unknown as Readonly<Record<string, unknown>>;
  for (const field in given) {
    const rule = rules.get(field);
    const value = given[field];
    if (rule !== undefined && value !== undefined && !isWithin(rule, value))
      return noEvent(`${field} is empty, too long, too large or of the wrong type.`);
  }
  return undefined;
}

function noEvent(detail: string): OutOfBounds {
  return { reason: 'not_an_event', detail };
}

function isWithin(rule: FieldRule, value: unknown): boolean {
  switch (rule) {
    case 'flag':
      return typeof value === 'boolean';
    case 'text':
    case 'hash':
      return typeof value === 'string' && value.length <= RAW_TEXT_MAX;
    case 'name':
    case 'session':
      return isName(value);
    case 'names':
      return Array.isArray(value) && value.length <= NAMES_MAX && value.every(isName);
    default:
      if ('min' in rule) return Number.isFinite(value) && inRange(rule, value as number);
      return rule.includes(value as string);
  }
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.length <= NAME_MAX;
}

function inRange({ min, max }: { min: number; max: number }, value: number): boolean {
  return value >= min && value <= max;
}
