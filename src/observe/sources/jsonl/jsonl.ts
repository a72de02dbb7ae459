/**
 * Hone's own format: one JSON object per line (`wire-schema.ts`). Lines are written by agents and are not
 * trusted: they are bounded before they are read, and a reason for refusing one never repeats a value of it.
 */
import type { z } from 'zod';
import { fileSource, pathKey } from '../../files/file-source.ts';
import type { Decoded, Decoder, SourceKind } from '../../types.ts';
import { eventOf } from './event-of.ts';
import { jsonlEventSchema } from './wire-schema.ts';

/** Some editors and languages begin a file with it. */
const BYTE_ORDER_MARK = '\ufeff';

export const jsonlDecoder: Decoder<null> = {
  start: null,
  decode: (line) => ({ records: [decodeEvent(line)], state: null }),
};

const keys = { path: pathKey };

export const jsonl: SourceKind<typeof keys> = {
  kind: 'jsonl',
  about: 'JSONL files, or folders of *.jsonl, such as /var/log/agents',
  keys,
  place: ({ path }) => path,
  open: ({ path }, ports) =>
    fileSource(path, { wanted: { extensions: ['jsonl'] }, decoder: jsonlDecoder }, ports),
};

function decodeEvent(line: string): Decoded {
  let value: unknown;
  try {
    value = JSON.parse(line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line);
  } catch {
    const detail = 'The line is not JSON: expected one object on one line.';
    return { ok: false, reason: 'not_json', detail };
  }
  const parsed = jsonlEventSchema.safeParse(value);
  if (parsed.success) return { ok: true, event: eventOf(parsed.data) };
  return { ok: false, reason: 'not_an_event', detail: explain(value, parsed.error.issues) };
}

const SHOWN_KEYS = 5;

/** From the issue's code and path alone: zod's own messages may repeat the value. */
function explain(value: unknown, issues: readonly z.core.$ZodIssue[]): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'The line is JSON, but not an object.';
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
