/** From the wire of Hone's JSONL to the event that Hone keeps. */
import type { Event, EventKind, EventOf } from '../../../facts/index.ts';
import type { JsonlEvent } from './wire-schema.ts';

/** The timestamp's form was checked; a day that no calendar has becomes NaN, which the room refuses. */
export function eventOf(wire: JsonlEvent): Event {
  const common = {
    atMs: Date.parse(wire.timestamp),
    session: wire.session_id,
    variant: wire.variant,
    traceId: wire.trace_id,
    spanId: wire.span_id,
    parentSpanId: wire.parent_span_id,
    version: wire.version,
    model: wire.model,
    provider: wire.provider,
  };
  switch (wire.event_type) {
    case 'tool_call':
      return event<'tool_call'>({
        kind: 'tool_call',
        ...common,
        agent: wire.agent,
        tool: wire.tool,
        success: wire.success,
        errorCode: wire.error_code,
        errorMessage: wire.error_message,
        latencyMs: wire.latency_ms,
        task: wire.task_name,
        argumentNames: wire.argument_names,
        parameterNames: wire.parameter_names,
        ...spent(wire),
      });
    case 'user_correction':
      return event<'user_correction'>({
        kind: 'user_correction',
        ...common,
        agent: wire.agent,
        correction: wire.correction_type,
      });
    case 'task_failure':
      return event<'task_failure'>({
        kind: 'task_failure',
        ...common,
        agent: wire.agent,
        task: wire.task_name,
        errorCategory: wire.error_category,
        errorMessage: wire.error_message,
        retries: wire.retry_count,
        finalStatus: wire.final_status,
      });
    case 'feedback':
      return event<'feedback'>({
        kind: 'feedback',
        ...common,
        agent: wire.agent,
        rating: wire.rating,
      });
    case 'escalation':
      return event<'escalation'>({
        kind: 'escalation',
        ...common,
        agent: wire.agent,
        reason: wire.reason_category,
      });
    case 'metric':
      return event<'metric'>({
        kind: 'metric',
        ...common,
        agent: wire.agent,
        name: wire.name,
        value: wire.value,
        unit: wire.unit,
        isSum: wire.is_sum,
      });
    case 'test_result':
      return event<'test_result'>({
        kind: 'test_result',
        ...common,
        suite: wire.suite,
        test: wire.test,
        status: wire.status,
        durationMs: wire.duration_ms,
        errorMessage: wire.error_message,
      });
    case 'trace_span':
      return event<'trace_span'>({
        kind: 'trace_span',
        ...common,
        agent: wire.agent,
        spanId: wire.span_id,
        name: wire.name,
        operation: wire.operation,
        task: wire.task_name,
        success: wire.success,
        durationMs: wire.duration_ms,
        errorCode: wire.error_code,
        errorMessage: wire.error_message,
        ...spent(wire),
      });
    case 'log_line':
      return event<'log_line'>({
        kind: 'log_line',
        ...common,
        agent: wire.agent,
        logger: wire.logger,
        level: wire.level,
        message: wire.message,
      });
    case 'change':
      return event<'change'>({
        kind: 'change',
        ...common,
        agent: wire.agent,
        change: wire.change,
        name: wire.name,
        title: wire.title,
        paths: wire.paths,
      });
  }
}

function spent(wire: Extract<JsonlEvent, { event_type: 'tool_call' | 'trace_span' }>) {
  return {
    attempt: wire.attempt,
    inputBytes: wire.input_bytes,
    outputBytes: wire.output_bytes,
    inputTokens: wire.input_tokens,
    outputTokens: wire.output_tokens,
    costUsd: wire.cost_usd,
  };
}

/** Optional fields may be undefined here: the room ignores them. */
type Given<T> = { [F in keyof T]: object extends Pick<T, F> ? T[F] | undefined : T[F] };

function event<K extends EventKind>(given: Given<EventOf<K>>): EventOf<K> {
  return given as unknown as EventOf<K>;
}
