/**
 * From the event that Hone keeps to the wire of Hone's JSONL: the inverse of `event-of.ts`, so that what was written
 * is read again as the same event. The sanitiser's marks may have made a name longer than the wire takes: it is cut.
 * Not on the wire: how sure a source was of a correction, and the hash of a call's arguments.
 */
import type { Event } from '../../../facts/index.ts';
import type { JsonlEvent } from './wire-schema.ts';

const NAME_MAX = 200;
const UNIT_MAX = 40;
const COUNT_MAX = 1e6;

export function wireOf(event: Event): JsonlEvent {
  const common = {
    timestamp: new Date(event.atMs).toISOString(),
    session_id: name(event.session),
    variant: named(event.variant),
    trace_id: named(event.traceId),
    span_id: named(event.spanId),
    parent_span_id: named(event.parentSpanId),
    version: named(event.version),
    model: named(event.model),
    provider: named(event.provider),
  };
  return known({ ...common, ...ownOf(event) }) as unknown as JsonlEvent;
}

type Fields = Readonly<Record<string, unknown>>;

function ownOf(event: Event): Fields {
  switch (event.kind) {
    case 'tool_call':
      return {
        event_type: event.kind,
        agent: name(event.agent),
        tool: name(event.tool),
        success: event.success,
        error_code: named(event.errorCode),
        error_message: event.errorMessage,
        latency_ms: event.latencyMs,
        task_name: named(event.task),
        argument_names: event.argumentNames?.map(name),
        parameter_names: event.parameterNames?.map(name),
        ...spent(event),
      };
    case 'user_correction':
      return {
        event_type: event.kind,
        agent: name(event.agent),
        correction_type: event.correction,
      };
    case 'task_failure':
      return {
        event_type: event.kind,
        agent: named(event.agent),
        task_name: name(event.task),
        error_category: name(event.errorCategory),
        error_message: event.errorMessage,
        retry_count: whole(event.retries, COUNT_MAX),
        final_status: named(event.finalStatus),
      };
    case 'feedback':
      return { event_type: event.kind, agent: name(event.agent), rating: event.rating };
    case 'escalation':
      return { event_type: event.kind, agent: name(event.agent), reason_category: event.reason };
    case 'metric':
      return {
        event_type: event.kind,
        agent: named(event.agent),
        name: name(event.name),
        value: event.value,
        unit: event.unit === undefined ? undefined : cut(event.unit, UNIT_MAX),
        is_sum: event.isSum,
      };
    case 'test_result':
      return {
        event_type: event.kind,
        suite: named(event.suite),
        test: name(event.test),
        status: event.status,
        duration_ms: event.durationMs,
        error_message: event.errorMessage,
      };
    case 'trace_span':
      return {
        event_type: event.kind,
        agent: named(event.agent),
        name: name(event.name),
        operation: named(event.operation),
        task_name: named(event.task),
        success: event.success,
        duration_ms: event.durationMs,
        error_code: named(event.errorCode),
        error_message: event.errorMessage,
        ...spent(event),
      };
    case 'log_line':
      return {
        event_type: event.kind,
        agent: named(event.agent),
        logger: named(event.logger),
        level: event.level,
        message: event.message,
      };
    case 'change':
      return {
        event_type: event.kind,
        agent: named(event.agent),
        change: event.change,
        name: name(event.name),
        title: event.title,
        paths: event.paths?.map(name),
      };
  }
}

function spent(event: Extract<Event, { kind: 'tool_call' | 'trace_span' }>): Fields {
  return {
    attempt: whole(event.attempt),
    input_bytes: whole(event.inputBytes),
    output_bytes: whole(event.outputBytes),
    input_tokens: whole(event.inputTokens),
    output_tokens: whole(event.outputTokens),
    cost_usd: event.costUsd,
  };
}

/** A name that sanitising emptied still has to be one. */
const name = (text: string) => cut(text, NAME_MAX) || '-';
const named = (text: string | undefined) => (text === undefined ? undefined : name(text));
const cut = (text: string, max: number) => text.slice(0, max).toWellFormed();

function whole(value: number | undefined, max = Number.MAX_SAFE_INTEGER): number | undefined {
  return value === undefined ? undefined : Math.min(max, Math.round(value));
}

/** Without the fields that the event does not have. */
function known(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
