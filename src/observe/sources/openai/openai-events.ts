/** Records as OpenAI's interfaces give them, and as others who speak them write them down. */
import { sha256Hex } from '../../../base/index.ts';
import type { EventOf } from '../../../facts/index.ts';
import { durationAt, durationIn } from '../../reading/durations.ts';
import { httpWentWell } from '../../reading/outcomes.ts';
import { event, type Given, refused, stemOf } from '../../reading/records.ts';
import { timeOf } from '../../reading/times.ts';
import {
  bytesOf,
  countOf,
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
import type { Decoded, StreamAbout } from '../../types.ts';
import { answeredCalls, callFields } from './chat-calls.ts';

/** What is known around a record. */
export interface Around {
  readonly about: StreamAbout;
  /** Of openai/evals: what its first line said. */
  readonly suite?: string | undefined;
}

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

function timeIn(around: Around, ...values: readonly unknown[]): number | undefined {
  for (const value of values) {
    const ms = timeOf(value);
    if (ms !== undefined) return ms;
  }
  return around.about.modifiedMs ?? undefined;
}

const NO_TIME = refused('It has no time, nor has its file.', 'wrong_time');

type Span = Given<EventOf<'trace_span'>>;
const span = (given: Omit<Span, 'kind'>): Decoded =>
  event<'trace_span'>({ kind: 'trace_span', ...given } as Span);

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

function usageOf(answer: Fields) {
  const usage = fieldsOf(answer['usage']) ?? {};
  return {
    inputTokens: countOf(usage['prompt_tokens'] ?? usage['input_tokens']),
    outputTokens: countOf(usage['completion_tokens'] ?? usage['output_tokens']),
  };
}

const agentOf = (record: Fields, { about }: Around) =>
  nameOf(
    firstAt(record, 'agent', 'metadata.agent', 'metadata.agent_name', 'assistant_id', 'agent_name'),
  ) ?? stemOf(about.name);

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

/** A step of a run of an assistant: one call for each tool in it. */
function runStep(record: Fields, around: Around): Decoded[] {
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

function run(record: Fields, around: Around): Decoded {
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

/** A row of an evaluation that OpenAI ran. */
function evalItem(record: Fields, around: Around): Decoded {
  const atMs = timeIn(around, record['created_at']);
  if (atMs === undefined) return NO_TIME;
  const failed = listOf(record['results'])
    .filter(isFields)
    .filter((one) => one['passed'] === false);
  const status = nameOf(record['status']);
  const isPassed = status === 'pass' || status === 'passed';
  return event<'test_result'>({
    kind: 'test_result',
    atMs,
    session: nameOf(record['run_id']) ?? 'evaluation',
    model: nameOf(valueAt(record, 'sample.model')),
    suite: nameOf(record['eval_id']),
    test: nameOf(record['datasource_item_id']) ?? nameOf(record['id']) ?? 'item',
    status: isPassed ? 'passed' : 'failed',
    errorMessage: isPassed
      ? undefined
      : (textOf(valueAt(record, 'sample.error.message')) ??
        `Not passed: ${failed.map((one) => String(one['name'])).join(', ')}`),
  });
}

/** The name under which `openai/evals` runs; undefined for any other line. */
export function suiteIn(record: unknown): string | undefined {
  return nameOf(valueAt(record, 'spec.eval_name') ?? valueAt(record, 'spec.base_eval'));
}

/** A line of the log of `openai/evals`: most of them are steps of a sample and no result. */
function evalsLine(record: Fields, around: Around): Decoded[] {
  if (isFields(record['spec'])) return [];
  const atMs = timeIn(around, record['created_at']);
  const session = nameOf(record['run_id']) ?? stemOf(around.about.name);
  const report =
    fieldsOf(record['final_report']) ??
    (record['type'] === 'metrics' ? fieldsOf(record['data']) : undefined);
  if (report !== undefined)
    return Object.entries(report)
      .slice(0, 50)
      .flatMap(([name, value]) => {
        const number = typeof value === 'number' ? value : undefined;
        if (number === undefined || atMs === undefined) return [];
        return [
          event<'metric'>({
            kind: 'metric',
            atMs,
            session,
            name: nameOf(name) ?? 'metric',
            value: number,
          }),
        ];
      });
  const correct = valueAt(record, 'data.correct');
  const isError = record['type'] === 'error';
  if (typeof correct !== 'boolean' && !isError) return [];
  if (atMs === undefined) return [NO_TIME];
  const passed = correct === true;
  const message = isError
    ? textOf(valueAt(record, 'data.message') ?? valueAt(record, 'data.error'))
    : 'The answer is not the expected one.';
  return [
    event<'test_result'>({
      kind: 'test_result',
      atMs,
      session,
      suite: around.suite,
      test: nameOf(record['sample_id']) ?? 'sample',
      status: passed ? 'passed' : 'failed',
      errorMessage: passed ? undefined : message,
    }),
  ];
}
