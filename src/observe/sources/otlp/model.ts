/** Spans, log records and data points, whatever they were written in: what the mapping to events reads. */
import { Attributes } from './attributes.ts';
import { type Fields, fieldsOf, idOf, listOf, msOfNanos, numberOf, textOf } from './wire.ts';

/** Who sent it, and which library of theirs wrote it. */
export interface Origin {
  readonly resource: Attributes;
  readonly scope: string | undefined;
}

export interface Span extends Origin {
  readonly traceId: string | undefined;
  readonly spanId: string | undefined;
  readonly parentSpanId: string | undefined;
  readonly name: string | undefined;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  readonly startMs: number | undefined;
  readonly durationMs: number | undefined;
  readonly attributes: Attributes;
  readonly exceptions: readonly Attributes[];
  /** 1: somebody said that it succeeded. 2: it failed. */
  readonly statusCode: number;
  readonly statusMessage: string | undefined;
}

export interface LogRecord extends Origin {
  readonly atMs: number | undefined;
  readonly traceId: string | undefined;
  readonly spanId: string | undefined;
  readonly eventName: string | undefined;
  readonly severityNumber: number;
  readonly severityText: string | undefined;
  /** An `AnyValue`. */
  readonly body: unknown;
  readonly attributes: Attributes;
}

export interface MetricPoint extends Origin {
  readonly name: string | undefined;
  readonly unit: string | undefined;
  readonly type: 'gauge' | 'sum' | 'histogram' | 'exponentialHistogram' | 'summary';
  /** Counts from the start of the program on, not since the last time. */
  readonly isCumulative: boolean;
  /** Of a sum: it only grows. */
  readonly isMonotonic: boolean;
  readonly point: Fields;
}

export const SIGNALS = ['traces', 'logs', 'metrics'] as const;
export type Signal = (typeof SIGNALS)[number];

const CUMULATIVE = 2;
const EXCEPTIONS_MAX = 20;
const METRIC_TYPES = ['gauge', 'sum', 'histogram', 'exponentialHistogram', 'summary'] as const;

export function* spansOf(request: Fields): Generator<Span> {
  for (const { origin, items } of scopesOf(request, 'resourceSpans', 'scopeSpans'))
    for (const item of listOf(items['spans'])) yield spanOf(fieldsOf(item), origin);
}

export function* logRecordsOf(request: Fields): Generator<LogRecord> {
  for (const { origin, items } of scopesOf(request, 'resourceLogs', 'scopeLogs'))
    for (const item of listOf(items['logRecords'])) yield logRecordOf(fieldsOf(item), origin);
}

export function* pointsOf(request: Fields): Generator<MetricPoint> {
  for (const { origin, items } of scopesOf(request, 'resourceMetrics', 'scopeMetrics'))
    for (const item of listOf(items['metrics'])) yield* pointsOfMetric(fieldsOf(item), origin);
}

function* scopesOf(request: Fields, resources: string, scopes: string) {
  for (const one of listOf(request[resources])) {
    const given = fieldsOf(one);
    const resource = Attributes.ofList(fieldsOf(given['resource'])['attributes']);
    for (const inner of listOf(given[scopes])) {
      const items = fieldsOf(inner);
      const origin: Origin = { resource, scope: textOf(fieldsOf(items['scope'])['name']) };
      yield { origin, items };
    }
  }
}

function spanOf(given: Fields, origin: Origin): Span {
  const startMs = msOfNanos(given['startTimeUnixNano']);
  const status = fieldsOf(given['status']);
  return {
    ...origin,
    traceId: idOf(given['traceId']),
    spanId: idOf(given['spanId']),
    parentSpanId: idOf(given['parentSpanId']),
    name: textOf(given['name']),
    kind: numberOf(given['kind']) ?? 0,
    startMs: startMs ?? msOfNanos(given['endTimeUnixNano']),
    durationMs: durationOf(given['startTimeUnixNano'], given['endTimeUnixNano']),
    attributes: Attributes.ofList(given['attributes']),
    exceptions: exceptionsOf(given['events']),
    statusCode: numberOf(status['code']) ?? 0,
    statusMessage: textOf(status['message']),
  };
}

/** Undefined if one of them is unknown, or if clocks say that it ended before it began. */
function durationOf(start: unknown, end: unknown): number | undefined {
  const [from, to] = [microsOf(start), microsOf(end)];
  if (from === undefined || to === undefined || to < from) return undefined;
  return (to - from) / 1000;
}

/** A millisecond is too coarse for a fast call, and nanoseconds of today are more than a number holds. */
function microsOf(value: unknown): number | undefined {
  if (typeof value === 'string' && /^\d{7,20}$/.test(value)) return Number(value.slice(0, -3));
  const nanos = numberOf(value);
  return nanos === undefined || nanos <= 0 ? undefined : Math.floor(nanos / 1000);
}

function exceptionsOf(events: unknown): Attributes[] {
  const found: Attributes[] = [];
  for (const one of listOf(events)) {
    const { name, attributes } = fieldsOf(one);
    if (name !== 'exception') continue;
    found.push(Attributes.ofList(attributes));
    if (found.length >= EXCEPTIONS_MAX) break;
  }
  return found;
}

function logRecordOf(given: Fields, origin: Origin): LogRecord {
  return {
    ...origin,
    atMs: msOfNanos(given['timeUnixNano']) ?? msOfNanos(given['observedTimeUnixNano']),
    traceId: idOf(given['traceId']),
    spanId: idOf(given['spanId']),
    eventName: textOf(given['eventName']),
    severityNumber: numberOf(given['severityNumber']) ?? 0,
    severityText: textOf(given['severityText']),
    body: given['body'],
    attributes: Attributes.ofList(given['attributes']),
  };
}

function* pointsOfMetric(metric: Fields, origin: Origin): Generator<MetricPoint> {
  for (const type of METRIC_TYPES) {
    if (metric[type] === undefined) continue;
    const data = fieldsOf(metric[type]);
    const isCumulative = numberOf(data['aggregationTemporality']) === CUMULATIVE;
    const isMonotonic = data['isMonotonic'] === true;
    const [name, unit] = [textOf(metric['name']), textOf(metric['unit'])];
    for (const point of listOf(data['dataPoints']))
      yield { ...origin, name, unit, type, isCumulative, isMonotonic, point: fieldsOf(point) };
  }
}
