/**
 * Hone's own format: one JSON object per line (`wire-schema.ts`). Lines are written by agents and are not
 * trusted: they are bounded before they are read, and a reason for refusing one never repeats a value of it.
 */
import type { z } from 'zod';
import { EVENT_KINDS } from '../../../facts/index.ts';
import { fileSource, pathKey } from '../../files/file-source.ts';
import { recordsOf } from '../../reading/sample-reading.ts';
import { withoutMark } from '../../reading/values.ts';
import type { Decoded, Decoder, Recognised, Sample, SourceKind, SourcePorts } from '../../types.ts';
import { eventOf } from './event-of.ts';
import { quickEvents } from './quick-events.ts';
import { jsonlEventSchema } from './wire-schema.ts';

/** Of a stream: whoever writes another format writes it in every line. */
const HINTS_MAX = 3;

/** Its state counts the refused lines that were compared with other formats. */
export function jsonlDecoder(resembles?: SourcePorts['resembles']): Decoder<number | null> {
  return {
    start: null,
    decode(line, state, { name }) {
      const decoded = decodeEvent(line);
      const hinted = state ?? 0;
      if (decoded.ok || hinted >= HINTS_MAX) return { records: [decoded], state };
      const hint = resembles?.(line, name);
      const detail = hint === undefined ? decoded.detail : `${decoded.detail} ${hint}`;
      return { records: [{ ...decoded, detail }], state: hinted + 1 };
    },
  };
}

const keys = { path: pathKey };

export const jsonl: SourceKind<typeof keys> = {
  kind: 'jsonl',
  about: 'JSONL files, or folders of *.jsonl, such as /var/log/agents',
  keys,
  place: ({ path }) => path,
  open: ({ path }, ports) =>
    fileSource(
      path,
      { wanted: { extensions: ['jsonl'] }, decoder: jsonlDecoder(ports.resembles) },
      ports,
    ),
  recognise,
};

/** Its own lines only: an `event_type` of ours, with a time. */
function recognise(sample: Sample): Recognised | undefined {
  const records = recordsOf(sample);
  if (records === undefined) return undefined;
  const own = records.filter(
    ({ event_type, timestamp }) =>
      (EVENT_KINDS as readonly unknown[]).includes(event_type) && typeof timestamp === 'string',
  );
  if (own.length < 0.5 * records.length) return undefined;
  return { certainty: own.length === records.length ? 0.98 : 0.9, what: 'Events of Hone' };
}
const quickEvent = quickEvents(jsonlEventSchema, eventOf);

function decodeEvent(line: string): Decoded {
  let value: unknown;
  try {
    value = JSON.parse(withoutMark(line));
  } catch {
    const detail = 'The line is not JSON: expected one object on one line.';
    return { ok: false, reason: 'not_json', detail };
  }
  const quick = quickEvent(value);
  if (quick !== undefined) return { ok: true, event: quick };
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
