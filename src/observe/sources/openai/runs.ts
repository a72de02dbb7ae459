/** Runs of assistants and their steps. */
import { durationIn } from '../../reading/durations.ts';
import { event } from '../../reading/records.ts';
import { timeOf } from '../../reading/times.ts';
import {
  bytesOf,
  type Fields,
  fieldsOf,
  firstAt,
  isFields,
  listOf,
  nameOf,
  textOf,
  valueAt,
} from '../../reading/values.ts';
import type { Decoded } from '../../types.ts';
import { callFields } from './chat-calls.ts';
import { type Around, agentOf, NO_TIME, span, timeIn, usageOf } from './openai-common.ts';

/** A step of a run of an assistant: one call for each tool in it. */
export function runStep(record: Fields, around: Around): Decoded[] {
  const atMs = timeIn(around, record['created_at']);
  if (atMs === undefined) return [NO_TIME];
  const ended = timeOf(firstAt(record, 'completed_at', 'failed_at', 'cancelled_at', 'expired_at'));
  const status = nameOf(record['status']) ?? 'unknown';
  if (status === 'in_progress') return [];
  const success = status === 'completed';
  const tookMs = ended === undefined ? undefined : durationIn(ended - atMs, 'ms');
  const common = {
    atMs,
    session: nameOf(record['thread_id']) ?? nameOf(record['run_id']) ?? 'thread',
    traceId: nameOf(record['run_id']),
    agent: agentOf(record, around),
    success,
    errorCode: success ? undefined : (nameOf(valueAt(record, 'last_error.code')) ?? status),
    errorMessage: success
      ? undefined
      : (textOf(valueAt(record, 'last_error.message')) ?? `The step ended as ${status}.`),
  };
  const made = listOf(valueAt(record, 'step_details.tool_calls')).filter(isFields);
  if (made.length === 0) {
    const spanId = nameOf(record['id']) ?? 'unknown';
    return [
      span({
        ...common,
        spanId,
        name: nameOf(record['type']) ?? 'step',
        operation: 'step',
        durationMs: tookMs,
        ...usageOf(record),
      }),
    ];
  }
  return made.map((call) => {
    const inside = fieldsOf(call['function']) ?? {};
    const tool = nameOf(inside['name']) ?? nameOf(call['type']) ?? 'tool';
    const said = callFields({
      tool,
      arguments: inside['arguments'],
      answer: inside['output'] ?? undefined,
      isError: undefined,
    });
    const failed = !said.success && success;
    return event<'tool_call'>({
      kind: 'tool_call',
      ...said,
      ...common,
      success: success && said.success,
      errorMessage: failed ? said.errorMessage : common.errorMessage,
      // A step's time is one for all of its calls.
      latencyMs: made.length === 1 ? tookMs : undefined,
      outputBytes: bytesOf(inside['output'] ?? undefined),
    });
  });
}

export function run(record: Fields, around: Around): Decoded {
  const atMs = timeIn(around, record['started_at'], record['created_at']);
  if (atMs === undefined) return NO_TIME;
  const status = nameOf(record['status']) ?? 'unknown';
  const ended = timeOf(firstAt(record, 'completed_at', 'failed_at', 'cancelled_at', 'expires_at'));
  const success =
    status === 'completed' ||
    status === 'in_progress' ||
    status === 'queued' ||
    status === 'requires_action';
  return span({
    atMs,
    session: nameOf(record['thread_id']) ?? 'thread',
    agent: agentOf(record, around),
    traceId: nameOf(record['id']),
    spanId: nameOf(record['id']) ?? 'unknown',
    name: 'run',
    operation: 'invoke_agent',
    model: nameOf(record['model']),
    success,
    errorCode: success
      ? undefined
      : (nameOf(
          valueAt(record, 'last_error.code') ?? valueAt(record, 'incomplete_details.reason'),
        ) ?? status),
    errorMessage: success
      ? undefined
      : (textOf(valueAt(record, 'last_error.message')) ?? `The run ended as ${status}.`),
    durationMs: ended === undefined ? undefined : durationIn(ended - atMs, 'ms'),
    ...usageOf(record),
  });
}
