/** Records as OpenAI's interfaces give them, and as others who speak them write them down. */
import { sha256Hex } from '../../../base/index.ts';
import { durationAt } from '../../reading/durations.ts';
import { httpWentWell } from '../../reading/outcomes.ts';
import { event, refused, stemOf } from '../../reading/records.ts';
import {
  type Fields,
  fieldsOf,
  firstAt,
  isFields,
  listOf,
  nameOf,
  numberOf,
  textOf,
  valueAt,
} from '../../reading/values.ts';
import type { Decoded } from '../../types.ts';
import { answeredCalls, callFields } from './chat-calls.ts';
import { evalItem, evalsLine } from './evaluations.ts';
import { type Around, agentOf, NO_TIME, span, timeIn, usageOf } from './openai-common.ts';
import { run, runStep } from './runs.ts';

const PARTS_MAX = 200_000;

/** A record may hold others: a list of the API, a request with its response. */
export function openaiEvents(value: unknown, around: Around): Decoded[] {
  const records: Decoded[] = [];
  const open: unknown[] = [value];
  for (let at = 0; at < open.length && at < PARTS_MAX; at++) {
    const one = open[at];
    if (Array.isArray(one)) for (const part of one) open.push(part);
    else if (!isFields(one)) records.push(refused('It is no record of an OpenAI interface.'));
    else if (
      Array.isArray(one['data']) &&
      (one['object'] === 'list' || one['has_more'] !== undefined)
    )
      open.push(one['data']);
    else records.push(...recordEvents(one, around));
  }
  if (open.length > PARTS_MAX)
    records.push(refused('It has too many records: export fewer at once.', 'too_long'));
  return records;
}

function recordEvents(record: Fields, around: Around): Decoded[] {
  const object = record['object'];
  if (record['custom_id'] !== undefined && ('response' in record || 'error' in record))
    return [batchRow(record, around)];
  if (object === 'thread.run.step') return runStep(record, around);
  if (object === 'thread.run') return [run(record, around)];
  if (object === 'eval.run.output_item') return [evalItem(record, around)];
  if (
    isFields(record['spec']) ||
    isFields(record['final_report']) ||
    typeof record['event_id'] === 'number'
  )
    return evalsLine(record, around);
  if (isModelAnswer(record)) return [modelCall(record, record, around), ...calls(record, around)];
  const request = fieldsOf(record['request']);
  const response = fieldsOf(record['response']) ?? fieldsOf(record['completion']);
  const failed = request !== undefined && isFields(record['error']);
  if (failed || (response !== undefined && isModelAnswer(response)))
    return [modelCall(response ?? {}, record, around), ...calls({ ...record, ...request }, around)];
  if (Array.isArray(record['messages'])) return calls(record, around);
  return [refused('It is no completion, batch, evaluation, run or conversation.')];
}

export function isModelAnswer(record: Fields): boolean {
  const { object } = record;
  if (object === 'chat.completion' || object === 'text_completion' || object === 'response')
    return true;
  return Array.isArray(record['choices']) && record['model'] !== undefined;
}

/** An answer of a model. Cut off or filtered is not what was asked for. */
function modelCall(answer: Fields, whole: Fields, around: Around): Decoded {
  const atMs = timeIn(
    around,
    answer['created'],
    answer['created_at'],
    whole['timestamp'],
    whole['created_at'],
    whole['time'],
  );
  if (atMs === undefined) return NO_TIME;
  const id = nameOf(answer['id']) ?? nameOf(whole['id']) ?? 'unknown';
  const finish =
    nameOf(valueAt(answer, 'choices.0.finish_reason')) ??
    nameOf(valueAt(answer, 'incomplete_details.reason'));
  const error = fieldsOf(answer['error']) ?? fieldsOf(whole['error']);
  const isCut =
    finish !== undefined && /^(?:length|content_filter|max_output_tokens|error)$/.test(finish);
  const failed =
    error !== undefined || whole['error'] === true || isCut || answer['status'] === 'failed';
  const model = nameOf(answer['model']) ?? nameOf(valueAt(whole, 'request.model'));
  return span({
    atMs,
    session:
      nameOf(
        firstAt(
          whole,
          'session_id',
          'conversation_id',
          'metadata.session_id',
          'conversation.id',
          'previous_response_id',
        ),
      ) ?? id,
    agent: agentOf(whole, around),
    spanId: id,
    name: model === undefined ? 'chat' : `chat ${model}`.slice(0, 200),
    operation: 'chat',
    model,
    success: !failed,
    errorCode: failed
      ? (nameOf(error?.['code'] ?? error?.['type']) ?? (isCut ? finish : undefined))
      : undefined,
    errorMessage: failed
      ? (textOf(error?.['message']) ?? `The answer ended with ${isCut ? finish : 'an error'}.`)
      : undefined,
    durationMs: latencyOf(whole),
    ...usageOf(answer),
  });
}

function latencyOf(whole: Fields): number | undefined {
  for (const key of ['latency_ms', 'duration_ms', 'response_ms', 'latency', 'duration', 'elapsed'])
    if (whole[key] !== undefined) return durationAt(key, whole[key]);
  return undefined;
}

/** A conversation's calls. A file for fine-tuning has no times: its own stands for them. */
function calls(record: Fields, around: Around): Decoded[] {
  const messages = [...listOf(record['messages']), ...listOf(record['input'])];
  if (messages.length === 0) return [];
  const found = answeredCalls(messages);
  if (found.length === 0) return [];
  const atMs = timeIn(
    around,
    record['timestamp'],
    record['created_at'],
    record['created'],
    record['time'],
  );
  if (atMs === undefined) return [NO_TIME];
  const known = nameOf(firstAt(record, 'session_id', 'conversation_id', 'thread_id', 'id'));
  const session = known ?? `conversation ${sha256Hex(JSON.stringify(messages)).slice(0, 12)}`;
  const common = { atMs, session, agent: agentOf(record, around), model: nameOf(record['model']) };
  return found.map((call) =>
    event<'tool_call'>({ kind: 'tool_call', ...common, ...callFields(call) }),
  );
}

/** A line of a batch's output or of its errors. */
function batchRow(record: Fields, around: Around): Decoded {
  const response = fieldsOf(record['response']);
  const body = fieldsOf(response?.['body']) ?? {};
  const error = fieldsOf(record['error']) ?? fieldsOf(body['error']);
  const status = numberOf(response?.['status_code']);
  const atMs = timeIn(around, body['created'], body['created_at']);
  if (atMs === undefined) return NO_TIME;
  const failed = error !== undefined || (status !== undefined && httpWentWell(status) === false);
  const model = nameOf(body['model']);
  return span({
    atMs,
    session: nameOf(record['custom_id']) ?? 'batch',
    agent: stemOf(around.about.name),
    spanId: nameOf(record['id']) ?? nameOf(record['custom_id']) ?? 'unknown',
    name: 'batch request',
    operation: 'chat',
    model,
    success: !failed,
    errorCode: failed ? (nameOf(error?.['code'] ?? error?.['type']) ?? nameOf(status)) : undefined,
    errorMessage: failed ? (textOf(error?.['message']) ?? `HTTP ${status}`) : undefined,
    ...usageOf(body),
  });
}
