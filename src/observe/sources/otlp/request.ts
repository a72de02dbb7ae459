/** One OTLP request, decoded from whatever encoding, as records of events: the order of the request is kept. */
import type { Decoded } from '../../types.ts';
import { logRecords } from './log-events.ts';
import { pointRecords } from './metric-events.ts';
import { logRecordsOf, pointsOf, type Signal, spansOf } from './model.ts';
import { spanRecords } from './span-events.ts';
import type { Fields } from './wire.ts';

export interface RequestRecords {
  readonly records: readonly Decoded[];
  /** Spans, log records or data points that it held. */
  readonly items: number;
}

/** The key by which a request of each signal is known. */
export const REQUEST_KEYS: Readonly<Record<Signal, string>> = {
  traces: 'resourceSpans',
  logs: 'resourceLogs',
  metrics: 'resourceMetrics',
};

export function requestRecords(
  signal: Signal,
  request: Fields,
  receivedMs: number | null,
): RequestRecords {
  switch (signal) {
    case 'traces': {
      const spans = [...spansOf(request)];
      return { records: spanRecords(spans), items: spans.length };
    }
    case 'logs': {
      const found = [...logRecordsOf(request)];
      return { records: found.flatMap((one) => logRecords(one, receivedMs)), items: found.length };
    }
    case 'metrics': {
      const points = [...pointsOf(request)];
      return {
        records: points.flatMap((one) => pointRecords(one, receivedMs)),
        items: points.length,
      };
    }
  }
}
