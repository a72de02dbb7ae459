/** A log record that says nothing more definite than its text and its level. */
import type { Event, LINE_LEVELS } from '../../../facts/index.ts';
import { boundedName, boundedText, jsonOf, known } from './bounds.ts';
import type { LogRecord } from './model.ts';
import { agentOf, commonOf } from './who.ts';
import { jsonValue } from './wire.ts';

export type Level = (typeof LINE_LEVELS)[number];

/** What a handler gets: a record that has a time. */
export interface NamedRecord extends LogRecord {
  readonly name: string;
  readonly atMs: number;
}

/** A log line; undefined if the record says nothing at all. */
export function lineOf(record: NamedRecord, level = levelOf(record)): Event | undefined {
  const { attributes, atMs, scope } = record;
  const message = boundedText(messageOf(record));
  if (message === undefined) return undefined;
  return known<Extract<Event, { kind: 'log_line' }>>({
    kind: 'log_line',
    ...commonOf(attributes, record, record),
    atMs,
    agent: agentOf(attributes, record),
    logger: boundedName(scope),
    level,
    message,
  });
}

/** What went wrong, if something did; else its text, with its name where the text is not one. */
function messageOf({ name, body, attributes }: NamedRecord): string | undefined {
  const text = jsonValue(body);
  const error = attributes.text('exception.message', 'error.message', 'error');
  if (typeof text === 'string' && text.trim() !== '' && text !== name)
    return error === undefined || text.includes(error) ? text : `${text}: ${error}`;
  const inner = typeof text === 'object' && text !== null ? jsonOf(text) : undefined;
  const parts = [name || undefined, error ?? inner].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(error === undefined ? ' ' : ': ');
}

/** The first severity of each level (`SeverityNumber`: four of each). */
const LEVELS: readonly (readonly [number, Level])[] = [
  [21, 'fatal'],
  [17, 'error'],
  [13, 'warning'],
  [9, 'info'],
  [1, 'debug'],
];

export function levelOf({ severityNumber, severityText, attributes }: LogRecord): Level {
  for (const [from, level] of LEVELS) if (severityNumber >= from) return level;
  const word = severityText?.slice(0, 20).toLowerCase() ?? '';
  if (/^(?:fatal|crit|alert|emerg|panic)/.test(word)) return 'fatal';
  if (/^(?:err|sev)/.test(word)) return 'error';
  if (/^warn/.test(word)) return 'warning';
  if (/^(?:debug|trace|verbose)/.test(word)) return 'debug';
  return attributes.has('exception.type') || attributes.has('error.type') ? 'error' : 'info';
}
