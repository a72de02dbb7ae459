/**
 * The events of coding agents: Claude Code (`claude_code.*`), Codex (`codex.*`), Gemini CLI (`gemini_cli.*`), by name.
 * A call that was refused has no result, only a decision: that decision is a failed call. Their metrics are read
 * like any others.
 */
import type { Event, EventOf } from '../../../facts/index.ts';
import { argumentsOf, boundedCount, boundedId, boundedMs, boundedName, known } from './bounds.ts';
import { type Level, levelOf, lineOf, type NamedRecord } from './log-line.ts';
import { failed, type Outcome } from './outcome.ts';
import { spentOf } from './spent.ts';
import { agentOf, commonOf } from './who.ts';

/** Undefined stands for a record that says nothing. */
type Handler = (record: NamedRecord) => readonly (Event | undefined)[];

const nothing: Handler = () => [];

export const CLI_EVENTS: Readonly<Record<string, Handler>> = {
  'claude_code.tool_result': (one) => [toolCall(one, resultOf(one))],
  'claude_code.tool_decision': decision,
  'claude_code.api_request': (one) => [modelCall(one, { success: true })],
  'claude_code.api_error': (one) => [modelCall(one, apiError(one))],
  'claude_code.api_refusal': (one) => [
    modelCall(one, failed('refusal', 'The model refused to answer.')),
  ],
  'claude_code.api_retries_exhausted': gaveUp,
  'claude_code.subagent_completed': (one) => [agentRun(one, runOutcome(one))],
  'claude_code.mcp_server_connection': asLine((one) => (isBadStatus(one) ? 'error' : undefined)),
  'claude_code.hook_execution_complete': asLine(hookLevel),
  'claude_code.compaction': asLine((one) => (isUnsuccessful(one) ? 'error' : undefined)),
  'claude_code.internal_error': asLine(() => 'error'),
  'claude_code.user_prompt': nothing,
  'claude_code.assistant_response': nothing,
  'claude_code.hook_execution_start': nothing,
  'codex.tool_result': (one) => [toolCall(one, resultOf(one))],
  'codex.tool_decision': decision,
  'codex.api_request': (one) => (isApiFailure(one) ? [modelCall(one, apiError(one))] : []),
  'codex.websocket_request': (one) => (isApiFailure(one) ? [modelCall(one, apiError(one))] : []),
  'codex.sse_event': streamed,
  'codex.websocket_event': streamed,
  'codex.user_prompt': nothing,
  'gemini_cli.tool_call': (one) => [toolCall(one, resultOf(one))],
  'gemini_cli.api_response': (one) => [modelCall(one, { success: true })],
  'gemini_cli.api_error': (one) => [modelCall(one, apiError(one))],
  'gemini_cli.agent.finish': (one) => [agentRun(one, runOutcome(one))],
  'gemini_cli.agent.start': nothing,
  'gemini_cli.api_request': nothing,
  'gemini_cli.user_prompt': nothing,
  'gemini_cli.loop_detected': asLine(() => 'warning'),
  'gemini_cli.malformed_json_response': asLine(() => 'error'),
  'gemini_cli.invalid_chunk': asLine(() => 'warning'),
  'gemini_cli.content_retry': asLine(() => 'warning'),
  'gemini_cli.content_retry_failure': asLine(() => 'error'),
};

export const isCliEvent = (name: string): boolean => Object.hasOwn(CLI_EVENTS, name);

const SENT_BACK = /^(?:reject|rejected|deny|denied|abort|aborted|cancel|cancelled)$/;

function toolCall(record: NamedRecord, outcome: Outcome): EventOf<'tool_call'> {
  const { attributes, atMs } = record;
  const latencyMs = boundedMs(attributes.number('duration_ms'));
  const given = argumentsOf(
    attributes.value('tool_input', 'tool_parameters', 'arguments', 'function_args'),
  );
  return known<EventOf<'tool_call'>>({
    kind: 'tool_call',
    ...commonOf(attributes, record, record),
    ...spentOf(attributes),
    ...given,
    inputBytes: boundedCount(attributes.number('tool_input_size_bytes')) ?? given.inputBytes,
    outputBytes: boundedCount(
      attributes.number('tool_result_size_bytes', 'output_length', 'content_length'),
    ),
    // When it began, as with spans: the record is written when it ended.
    atMs: Math.max(0, atMs - (latencyMs ?? 0)),
    agent: agentOf(attributes, record),
    tool: boundedName(attributes.text('tool_name', 'function_name', 'name')) ?? 'unknown',
    ...outcome,
    latencyMs,
  });
}

function resultOf({ attributes }: NamedRecord): Outcome {
  const decided = attributes.text('decision')?.toLowerCase() ?? '';
  if (SENT_BACK.test(decided)) return refusedBy(decided, undefined);
  if (attributes.flag('success') !== false) return { success: true };
  const message = attributes.text('error', 'error.message', 'error_message', 'output');
  return failed(attributes.text('error_type', 'error.type'), message);
}

/** Only a refused call is told by its decision alone: an accepted one has a result, which is counted. */
function decision(record: NamedRecord): Event[] {
  const decided = record.attributes.text('decision')?.toLowerCase() ?? '';
  if (!SENT_BACK.test(decided)) return [];
  const source = record.attributes.text('source')?.toLowerCase();
  const call = toolCall(record, refusedBy(decided, source));
  if (call.errorCode !== 'user_abort') return [call];
  const { atMs, session, agent } = call;
  return [call, { kind: 'user_correction', atMs, session, agent, correction: 'abandon' }];
}

function refusedBy(decided: string, source: string | undefined): Outcome {
  const isAbort = source === 'user_abort' || /^(?:abort|cancel)/.test(decided);
  if (isAbort) return failed('user_abort', 'The user interrupted the call.');
  const who = WHO_REFUSED[source ?? ''] ?? 'Permission for the call was refused.';
  return failed('permission_denied', who);
}

const WHO_REFUSED: Readonly<Record<string, string>> = {
  config: 'A permission rule refused the call.',
  hook: 'A hook refused the call.',
  user_reject: 'The user refused the call.',
  user: 'The user refused the call.',
  user_permanent: 'The user refused the call for good.',
  user_temporary: 'The user refused the call.',
};

function modelCall(record: NamedRecord, outcome: Outcome): EventOf<'trace_span'> {
  const model = boundedName(record.attributes.text('model', 'model_name'));
  return step(
    record,
    { name: model === undefined ? 'chat' : `chat ${model}`, operation: 'chat' },
    outcome,
  );
}

function agentRun(record: NamedRecord, outcome: Outcome): EventOf<'trace_span'> {
  const name = boundedName(
    record.attributes.text('agent_name', 'agent_type', 'subagent_type', 'name'),
  );
  return step(record, { name: name ?? 'agent', operation: 'invoke_agent' }, outcome);
}

function step(
  record: NamedRecord,
  { name, operation }: { readonly name: string; readonly operation: string },
  outcome: Outcome,
): EventOf<'trace_span'> {
  const { attributes, atMs } = record;
  const durationMs = boundedMs(attributes.number('duration_ms', 'duration'));
  const common = commonOf(attributes, record, record);
  return known<EventOf<'trace_span'>>({
    kind: 'trace_span',
    ...common,
    ...spentOf(attributes),
    // The span that was open when it was written is not its own: it becomes its parent.
    parentSpanId: record.spanId,
    spanId: ownId(record, common.session),
    atMs: Math.max(0, atMs - (durationMs ?? 0)),
    agent: agentOf(attributes, record),
    name: boundedName(name) ?? operation,
    operation,
    ...outcome,
    durationMs,
  });
}

/** By which the same step is recognised: the provider's id of the request, or its place in the session. */
function ownId({ attributes, atMs, name }: NamedRecord, session: string): string {
  const id = attributes.text('request_id', 'prompt_id', 'agent_id');
  const place = attributes.text('event.sequence') ?? `${atMs}`;
  return boundedId(id ?? `${session}/${name}/${place}`) ?? name;
}

function apiError({ attributes }: NamedRecord): Outcome {
  const status = attributes.number('status_code', 'http.response.status_code');
  const type = attributes.text('error_type', 'error.type');
  const code = type ?? (status === undefined ? undefined : `http_${status}`);
  return failed(code, attributes.text('error', 'error.message', 'error_message'));
}

function isApiFailure({ attributes }: NamedRecord): boolean {
  const status = attributes.number('http.response.status_code', 'status_code');
  const isSent =
    attributes.flag('success') === false || attributes.text('error.message', 'error') !== undefined;
  return isSent || (status !== undefined && status >= 400);
}

/** Of everything that is streamed, the end has the tokens, and a failure says why. */
function streamed(record: NamedRecord): Event[] {
  const kind = record.attributes.text('event.kind', 'kind') ?? '';
  const message = record.attributes.text('error.message', 'error');
  if (kind === 'response.incomplete')
    return [modelCall(record, failed('token_limit', message ?? 'The answer is incomplete.'))];
  if (kind === 'response.failed' || message !== undefined)
    return [modelCall(record, apiError(record))];
  return kind === 'response.completed' ? [modelCall(record, { success: true })] : [];
}

function gaveUp(record: NamedRecord): Event[] {
  const { attributes, atMs } = record;
  const { errorMessage } = apiError(record);
  return [
    known<EventOf<'task_failure'>>({
      kind: 'task_failure',
      ...commonOf(attributes, record, record),
      atMs,
      agent: agentOf(attributes, record),
      task: 'model request',
      errorCategory: 'retries_exhausted',
      errorMessage,
      retries: boundedCount(attributes.number('total_attempts', 'attempts', 'attempt')),
    }),
  ];
}

/** How an agent's run ended, where that is told. */
function runOutcome(record: NamedRecord): Outcome {
  const reason = record.attributes.text('terminate_reason', 'status', 'outcome') ?? '';
  const isBad = /error|timeout|time_?out|max_turns|abort|fail|cancel/i.test(reason.slice(0, 100));
  if (!isBad && !isUnsuccessful(record)) return { success: true };
  const message = record.attributes.text('error', 'error.message', 'error_message');
  return failed(reason === '' ? undefined : reason.toLowerCase(), message);
}

const isUnsuccessful = ({ attributes }: NamedRecord) => attributes.flag('success') === false;

function isBadStatus({ attributes }: NamedRecord): boolean {
  return /fail|error/i.test(attributes.text('status')?.slice(0, 100) ?? '');
}

/** Hooks that fail let the call through: that is worth a line. */
function hookLevel({ attributes }: NamedRecord): Level | undefined {
  if ((attributes.number('num_non_blocking_error') ?? 0) > 0) return 'error';
  const isStopped = attributes.number('num_blocking', 'num_cancelled') ?? 0;
  return isStopped > 0 ? 'warning' : undefined;
}

function asLine(level: (record: NamedRecord) => Level | undefined): Handler {
  return (record) => [lineOf(record, level(record) ?? levelOf(record))];
}
