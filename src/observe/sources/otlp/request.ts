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

/**
 * What is wrong with many items of one payload is said once. Each would be a row, and in a file each would keep the whole
 * text of the payload.
 */
export function onceEach(records: readonly Decoded[]): Decoded[] {
  const told = new Map<string, number>();
  for (const one of records) {
    if (!one.ok) told.set(one.detail, (told.get(one.detail) ?? 0) + 1);
  }
  const said = new Set<string>();
  return records.flatMap((one): Decoded[] => {
    if (one.ok) return [one];
    if (said.has(one.detail)) return [];
    said.add(one.detail);
    const count = told.get(one.detail)!;
    return [count === 1 ? one : { ...one, detail: `${one.detail} There are ${count} of them.` }];
  });
}
