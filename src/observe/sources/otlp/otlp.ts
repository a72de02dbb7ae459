/**
 * OTLP in files: `otlp` reads one request per line, as the collector's file exporter writes them, and spans one per
 * line; `otlp-document` reads whole files, such as a request that was written over several lines or the export
 * of a trace. What is sent over HTTP comes in by another way (`push.ts`), through the same mapping.
 */
import { fileSource, pathKey } from '../../files/file-source.ts';
import { RunningTotals } from '../../running-totals.ts';
import type { Decoded, Decoder, Recognised, Sample, SourceKind } from '../../types.ts';
import { parseBounded } from './bounded-json.ts';
import { SIGNALS } from './model.ts';
import { onceEach, REQUEST_KEYS, requestRecords } from './request.ts';
import { spanRecords } from './span-events.ts';
import { exportedSpans } from './span-exports.ts';
import { type Fields, fieldsOf } from './wire.ts';

const keys = { path: pathKey };
const LINE_BYTES_MAX = 4 * 1024 * 1024;
const DOCUMENT_BYTES_MAX = 16 * 1024 * 1024;
const BYTE_ORDER_MARK = '\ufeff';

export const otlp: SourceKind<typeof keys> = {
  kind: 'otlp',
  about: 'OTLP as JSON, one request or span per line, as the collector’s file exporter writes it',
  keys,
  place: ({ path }) => path,
  open: ({ path }, ports) =>
    fileSource(
      path,
      {
        wanted: { extensions: ['jsonl', 'ndjson', 'json'] },
        decoder: otlpDecoder,
        payloadBytesMax: LINE_BYTES_MAX,
      },
      ports,
    ),
  recognise: (sample) => recognised(sample, 'line'),
};

export const otlpDocument: SourceKind<typeof keys> = {
  kind: 'otlp-document',
  about: 'OTLP as JSON, one request or exported trace per file',
  keys,
  place: ({ path }) => path,
  open: ({ path }, ports) =>
    fileSource(
      path,
      {
        wanted: { extensions: ['json'] },
        decoder: otlpDecoder,
        unit: 'document',
        payloadBytesMax: DOCUMENT_BYTES_MAX,
      },
      ports,
    ),
  recognise: (sample) => recognised(sample, 'document'),
};

export const otlpDecoder: Decoder = {
  start: null,
  decode: (payload, state, { modifiedMs }) => {
    const totals = RunningTotals.of(state);
    const records = onceEach(recordsOf(payload, modifiedMs)).map((one) => totals.newOf(one));
    return { records, state: totals.isChanged ? totals.state() : state };
  },
};

function recordsOf(payload: string, modifiedMs: number | null): readonly Decoded[] {
  const text = payload.startsWith(BYTE_ORDER_MARK) ? payload.slice(1) : payload;
  const parsed = parseBounded(text);
  if (parsed === undefined)
    return [{ ok: false, reason: 'not_json', detail: 'It is not JSON, or too large a tree.' }];
  const request = fieldsOf(parsed.value);
  const signals = SIGNALS.filter((signal) => Array.isArray(request[REQUEST_KEYS[signal]]));
  if (signals.length > 0)
    return signals.flatMap((signal) => requestRecords(signal, request, modifiedMs).records);
  const spans = exportedSpans(parsed.value);
  if (spans !== undefined) return spanRecords(spans);
  const detail =
    'It is no OTLP: an object with resourceSpans, resourceLogs or resourceMetrics, or an exported span.';
  return [{ ok: false, reason: 'not_an_event', detail }];
}

/** How much of a head is looked at for what it is. */
const HEAD_CHARS = 4_000;

/** A head may be cut anywhere: it is looked at for its first names, not parsed. */
function recognised({ head, isWhole }: Sample, unit: 'line' | 'document'): Recognised | undefined {
  const text = head.startsWith(BYTE_ORDER_MARK) ? head.slice(1) : head;
  const what = whatOf(text.trimStart().slice(0, HEAD_CHARS));
  if (what === undefined) return undefined;
  return unitOf(text, isWhole) === unit ? { certainty: 0.95, what } : undefined;
}

function whatOf(head: string): string | undefined {
  const request = /^\{\s*"resource(Spans|Logs|Metrics)"\s*:\s*\[/.exec(head)?.[1];
  if (request !== undefined) return `OTLP ${SIGNAL_WORDS[request]}`;
  const isTrace = /^\{\s*"trace_id"\s*:/.test(head) && /"spans"\s*:\s*\[/.test(head);
  if (isTrace && /"span_id"/.test(head)) return 'an exported OpenTelemetry trace';
  const isSpan = /^[[\s]*\{/.test(head) && /"context"\s*:\s*\{/.test(head);
  return isSpan && /"span_id"/.test(head) && /"start_time"/.test(head)
    ? 'OpenTelemetry spans'
    : undefined;
}

const SIGNAL_WORDS: Fields & Readonly<Record<string, string>> = {
  Spans: 'traces',
  Logs: 'logs',
  Metrics: 'metrics',
};

/** A line that ends is JSON by itself, or the file is one document over several lines. */
function unitOf(text: string, isWhole: boolean): 'line' | 'document' {
  const end = text.indexOf('\n');
  // A whole document without a line break at its end would never be read as a line.
  if (end < 0) return isWhole ? 'document' : 'line';
  const first = text.slice(0, end).trim();
  return /^\{.*\}$/s.test(first) ? 'line' : 'document';
}
