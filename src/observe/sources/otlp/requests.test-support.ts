/** OTLP requests as exporters write them in JSON, and what comes of them. */
import type { Event } from '../../../facts/index.ts';
import type { Signal } from './model.ts';
import { requestRecords } from './request.ts';

export const AT_MS = Date.UTC(2026, 0, 1, 12);
export const TRACE = '5b8efff798038103d269b633813fc60c';

type Value = string | number | boolean | readonly Value[] | { readonly [key: string]: Value };

function anyValue(value: Value): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? { intValue: `${value}` } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  return { kvlistValue: { values: keyValues(value as Record<string, Value>) } };
}

export function keyValues(given: Readonly<Record<string, Value>>): object[] {
  return Object.entries(given).map(([key, value]) => ({ key, value: anyValue(value) }));
}

const RESOURCE = { 'service.name': 'shop', 'service.version': '1.2.3' };

let spans = 0;

/** One span, by default a second long. */
export function span(attributes: Readonly<Record<string, Value>>, more: object = {}): object {
  return {
    traceId: TRACE,
    spanId: (++spans).toString(16).padStart(16, '0'),
    name: 'step',
    startTimeUnixNano: `${AT_MS}000000`,
    endTimeUnixNano: `${AT_MS + 1000}000000`,
    attributes: keyValues(attributes),
    ...more,
  };
}

const resourceOf = (resource: Readonly<Record<string, Value>>) => ({
  attributes: keyValues(resource),
});

export const tracesOf = (given: readonly object[], resource: Record<string, Value> = RESOURCE) => ({
  resourceSpans: [
    { resource: resourceOf(resource), scopeSpans: [{ scope: { name: 'lib' }, spans: given }] },
  ],
});

export const logsOf = (given: readonly object[], resource: Record<string, Value> = RESOURCE) => ({
  resourceLogs: [
    { resource: resourceOf(resource), scopeLogs: [{ scope: { name: 'lib' }, logRecords: given }] },
  ],
});

export const metricsOf = (given: readonly object[]) => ({
  resourceMetrics: [
    { resource: resourceOf(RESOURCE), scopeMetrics: [{ scope: { name: 'lib' }, metrics: given }] },
  ],
});

export const logRecord = (attributes: Readonly<Record<string, Value>>, more: object = {}) => ({
  timeUnixNano: `${AT_MS}000000`,
  attributes: keyValues(attributes),
  ...more,
});

/** All events; refuses requests of which something was not accepted. */
export function eventsOf(signal: Signal, request: object): Event[] {
  const { records } = requestRecords(signal, request as Record<string, unknown>, null);
  return records.map((one) => {
    if (!one.ok) throw new Error(one.detail);
    return one.event;
  });
}

/** The only event of a span. */
export function fromSpan(attributes: Readonly<Record<string, Value>>, more: object = {}): Event {
  const [event, ...others] = eventsOf('traces', tracesOf([span(attributes, more)]));
  if (event === undefined || others.length > 0) throw new Error('not one event');
  return event;
}

/** The events of a log record, by its name. */
export function fromLog(
  name: string,
  attributes: Readonly<Record<string, Value>>,
  resource: Record<string, Value> = RESOURCE,
): Event[] {
  const given = logRecord({ 'event.name': name, ...attributes });
  return eventsOf('logs', logsOf([given], resource));
}
