/**
 * The messages of OTLP that Hone reads, as data: for each field its number, its name as OTLP's JSON writes it, and its
 * type. Fields that are left out (links, buckets, exemplars, counts of dropped things) are skipped unread.
 */

/** A message's name, or a scalar of protobuf; `[]` for a list. */
type FieldType = Scalar | `${string}[]` | (string & {});
export type Scalar =
  | 'string'
  | 'bytes'
  | 'bool'
  | 'int64'
  | 'uint32'
  | 'enum'
  | 'double'
  | 'fixed64'
  | 'sfixed64';

export type Message = Readonly<Record<number, readonly [name: string, type: FieldType]>>;

const histogramPoint = {
  2: ['startTimeUnixNano', 'fixed64'],
  3: ['timeUnixNano', 'fixed64'],
  4: ['count', 'fixed64'],
  5: ['sum', 'double'],
} as const;

export const MESSAGES: Readonly<Record<string, Message>> = {
  traces: { 1: ['resourceSpans', 'ResourceSpans[]'] },
  logs: { 1: ['resourceLogs', 'ResourceLogs[]'] },
  metrics: { 1: ['resourceMetrics', 'ResourceMetrics[]'] },

  Resource: { 1: ['attributes', 'KeyValue[]'] },
  Scope: { 1: ['name', 'string'], 2: ['version', 'string'], 3: ['attributes', 'KeyValue[]'] },
  KeyValue: { 1: ['key', 'string'], 2: ['value', 'AnyValue'] },
  AnyValue: {
    1: ['stringValue', 'string'],
    2: ['boolValue', 'bool'],
    3: ['intValue', 'int64'],
    4: ['doubleValue', 'double'],
    5: ['arrayValue', 'ArrayValue'],
    6: ['kvlistValue', 'KeyValueList'],
    7: ['bytesValue', 'bytes'],
  },
  ArrayValue: { 1: ['values', 'AnyValue[]'] },
  KeyValueList: { 1: ['values', 'KeyValue[]'] },

  ResourceSpans: { 1: ['resource', 'Resource'], 2: ['scopeSpans', 'ScopeSpans[]'] },
  ScopeSpans: { 1: ['scope', 'Scope'], 2: ['spans', 'Span[]'] },
  Span: {
    1: ['traceId', 'bytes'],
    2: ['spanId', 'bytes'],
    4: ['parentSpanId', 'bytes'],
    5: ['name', 'string'],
    6: ['kind', 'enum'],
    7: ['startTimeUnixNano', 'fixed64'],
    8: ['endTimeUnixNano', 'fixed64'],
    9: ['attributes', 'KeyValue[]'],
    11: ['events', 'SpanEvent[]'],
    15: ['status', 'SpanStatus'],
  },
  SpanEvent: {
    1: ['timeUnixNano', 'fixed64'],
    2: ['name', 'string'],
    3: ['attributes', 'KeyValue[]'],
  },
  SpanStatus: { 2: ['message', 'string'], 3: ['code', 'enum'] },

  ResourceLogs: { 1: ['resource', 'Resource'], 2: ['scopeLogs', 'ScopeLogs[]'] },
  ScopeLogs: { 1: ['scope', 'Scope'], 2: ['logRecords', 'LogRecord[]'] },
  LogRecord: {
    1: ['timeUnixNano', 'fixed64'],
    2: ['severityNumber', 'enum'],
    3: ['severityText', 'string'],
    5: ['body', 'AnyValue'],
    6: ['attributes', 'KeyValue[]'],
    9: ['traceId', 'bytes'],
    10: ['spanId', 'bytes'],
    11: ['observedTimeUnixNano', 'fixed64'],
    12: ['eventName', 'string'],
  },

  ResourceMetrics: { 1: ['resource', 'Resource'], 2: ['scopeMetrics', 'ScopeMetrics[]'] },
  ScopeMetrics: { 1: ['scope', 'Scope'], 2: ['metrics', 'Metric[]'] },
  Metric: {
    1: ['name', 'string'],
    3: ['unit', 'string'],
    5: ['gauge', 'Gauge'],
    7: ['sum', 'Sum'],
    9: ['histogram', 'Histogram'],
    10: ['exponentialHistogram', 'ExponentialHistogram'],
    11: ['summary', 'Summary'],
  },
  Gauge: { 1: ['dataPoints', 'NumberPoint[]'] },
  Sum: {
    1: ['dataPoints', 'NumberPoint[]'],
    2: ['aggregationTemporality', 'enum'],
    3: ['isMonotonic', 'bool'],
  },
  Histogram: { 1: ['dataPoints', 'HistogramPoint[]'], 2: ['aggregationTemporality', 'enum'] },
  ExponentialHistogram: {
    1: ['dataPoints', 'ExponentialPoint[]'],
    2: ['aggregationTemporality', 'enum'],
  },
  Summary: { 1: ['dataPoints', 'SummaryPoint[]'] },
  NumberPoint: {
    2: ['startTimeUnixNano', 'fixed64'],
    3: ['timeUnixNano', 'fixed64'],
    4: ['asDouble', 'double'],
    6: ['asInt', 'sfixed64'],
    7: ['attributes', 'KeyValue[]'],
    8: ['flags', 'uint32'],
  },
  HistogramPoint: {
    ...histogramPoint,
    9: ['attributes', 'KeyValue[]'],
    10: ['flags', 'uint32'],
    11: ['min', 'double'],
    12: ['max', 'double'],
  },
  ExponentialPoint: {
    1: ['attributes', 'KeyValue[]'],
    ...histogramPoint,
    10: ['flags', 'uint32'],
    12: ['min', 'double'],
    13: ['max', 'double'],
  },
  SummaryPoint: {
    ...histogramPoint,
    7: ['attributes', 'KeyValue[]'],
    8: ['flags', 'uint32'],
  },
};
