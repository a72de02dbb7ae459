/**
 * Spans as tools export them to files: one JSON object for each span, its attributes an object. Known are
 *
 *   - a whole trace, `{"trace_id", "spans": [{"span_name", "span_attributes", "child_spans": […]}]}`, as trace stores
 *     export it;
 *   - spans as OpenTelemetry's own `to_json` writes them, `{"name", "context": {"trace_id", "span_id"}, "start_time", …}`,
 *     one or a list of them.
 */
import { Attributes } from './attributes.ts';
import type { Span } from './model.ts';
import { type Fields, fieldsOf, idOf, listOf, numberOf, textOf } from './wire.ts';

const KINDS = ['internal', 'server', 'client', 'producer', 'consumer'];
const EXCEPTIONS_MAX = 20;

/** Undefined if it is none of these. */
export function exportedSpans(document: unknown): Span[] | undefined {
  const roots = rootsOf(document);
  if (roots.length === 0 || !roots.some(isSpan)) return undefined;
  const spans: Span[] = [];
  // Not by recursion: a trace may be as deep as its writer likes.
  const waiting = roots.toReversed();
  for (let given = waiting.pop(); given !== undefined; given = waiting.pop()) {
    spans.push(spanOf(given));
    const children = listOf(given['child_spans'] ?? given['children']);
    for (const child of children.toReversed()) waiting.push(fieldsOf(child));
  }
  return spans;
}

function rootsOf(document: unknown): Fields[] {
  if (Array.isArray(document)) return document.map(fieldsOf);
  const given = fieldsOf(document);
  return Array.isArray(given['spans']) ? given['spans'].map(fieldsOf) : [given];
}

function isSpan(given: Fields): boolean {
  const hasName = nameOf(given) !== undefined;
  return hasName && spanIdOf(given) !== undefined && timeOf(startOf(given)) !== undefined;
}

const contextOf = (given: Fields) => fieldsOf(given['context']);
const nameOf = (given: Fields) => textOf(given['span_name'] ?? given['name']);
const spanIdOf = (given: Fields) => idOf(given['span_id'] ?? contextOf(given)['span_id']);
const startOf = (given: Fields) => given['timestamp'] ?? given['start_time'];

function spanOf(given: Fields): Span {
  const resource = fieldsOf(
    given['resource_attributes'] ?? fieldsOf(given['resource'])['attributes'],
  );
  const service = textOf(given['service_name']);
  const status = fieldsOf(given['status']);
  const startMs = timeOf(startOf(given));
  const endMs = timeOf(given['end_time']);
  const between = startMs === undefined || endMs === undefined ? undefined : endMs - startMs;
  return {
    resource: Attributes.ofObject(
      service === undefined ? resource : { 'service.name': service, ...resource },
    ),
    scope: textOf(given['scope_name']),
    traceId: idOf(given['trace_id'] ?? contextOf(given)['trace_id']),
    spanId: spanIdOf(given),
    parentSpanId: idOf(given['parent_span_id'] ?? given['parent_id']),
    name: nameOf(given),
    kind: KINDS.indexOf(wordOf(given['span_kind'] ?? given['kind'])) + 1,
    startMs,
    durationMs: isoDurationMs(given['duration']) ?? between,
    attributes: Attributes.ofObject(fieldsOf(given['span_attributes'] ?? given['attributes'])),
    exceptions: exceptionsOf(given['events']),
    statusCode: ['ok', 'error'].indexOf(wordOf(given['status_code'] ?? status['status_code'])) + 1,
    statusMessage: textOf(given['status_message'] ?? status['description']),
  };
}

/** The last word of `SpanKind.CLIENT`, `STATUS_CODE_ERROR` or `Internal`, in lower case. */
function wordOf(value: unknown): string {
  const text = typeof value === 'string' ? value.slice(0, 60) : '';
  return /[A-Za-z]*$/.exec(text)![0].toLowerCase();
}

/** A time without a zone is UTC: so these tools write it. */
function timeOf(value: unknown): number | undefined {
  if (typeof value !== 'string' || value.length > 40) return undefined;
  if (!/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value)) return undefined;
  const ms = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(value) ? value : `${value}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}

/** `PT1M24.6S` in milliseconds. */
function isoDurationMs(value: unknown): number | undefined {
  if (typeof value !== 'string' || value.length > 60) return undefined;
  const parts = /^P(?:(\d+)D)?T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$/.exec(value);
  if (parts === null) return undefined;
  const [days, hours, minutes, seconds] = parts.slice(1).map((part) => numberOf(part) ?? 0);
  return (((days! * 24 + hours!) * 60 + minutes!) * 60 + seconds!) * 1000;
}

function exceptionsOf(events: unknown): Attributes[] {
  const found: Attributes[] = [];
  for (const one of listOf(events)) {
    const given = fieldsOf(one);
    if ((given['Name'] ?? given['name']) !== 'exception') continue;
    found.push(Attributes.ofObject(fieldsOf(given['Attributes'] ?? given['attributes'])));
    if (found.length >= EXCEPTIONS_MAX) break;
  }
  return found;
}
