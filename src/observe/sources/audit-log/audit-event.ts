/**
 * An entry of a gateway's audit log becomes a call: who asked for what, whether it was allowed, how it ended. Shapes
 * that nest (Kong, LiteLLM) are read by their own paths, all others by their keys' names.
 */
import { durationIn } from '../../reading/durations.ts';
import { httpCallIn } from '../../reading/http-call.ts';
import { event, refused, sessionOfDay, stemOf } from '../../reading/records.ts';
import {
  allowedIn,
  countIn,
  errorIn,
  httpStatusIn,
  latencyIn,
  nameIn,
  rolesOf,
  successIn,
  timeIn,
} from '../../reading/roles.ts';
import { timeOf } from '../../reading/times.ts';
import {
  argumentsOf,
  countOf,
  type Fields,
  fieldsOf,
  firstAt,
  isFields,
  listOf,
  nameOf,
  textOf,
  valueAt,
} from '../../reading/values.ts';
import type { Decoded, StreamAbout } from '../../types.ts';

export function auditEvents(entry: Fields, about: StreamAbout): Decoded[] {
  const litellm = fieldsOf(entry['standard_logging_object']) ?? entry;
  if (isLitellm(litellm)) return [litellmCall(litellm, about)];
  if (isKong(entry)) return kongCalls(entry, about);
  return [namedCall(entry, about)];
}

export const isLitellm = (entry: Fields) =>
  typeof entry['call_type'] === 'string' && entry['startTime'] !== undefined;
export const isKong = (entry: Fields) =>
  isFields(entry['latencies']) && isFields(entry['request']) && isFields(entry['response']);
export const isEnvoy = (entry: Fields) =>
  entry['response_code'] !== undefined && entry['response_flags'] !== undefined;

const NO_TIME = refused('The entry has no time.', 'wrong_time');
const DENIED = 'Denied by the gateway.';

function namedCall(entry: Fields, about: StreamAbout): Decoded {
  const roles = rolesOf(entry);
  const atMs = timeIn(roles);
  if (atMs === undefined) return NO_TIME;
  const http = httpCallIn(entry);
  const named =
    roles.tool === undefined || /^(?:method|op)$/i.test(roles.tool.key)
      ? undefined
      : nameIn(roles.tool);
  const tool = named ?? http?.tool ?? nameIn(roles.tool);
  if (tool === undefined) return refused('The entry names no tool, action or request.');
  const allowed = allowedIn(roles);
  const success = allowed === false ? false : (successIn(roles) ?? http?.success);
  if (success === undefined) return refused('The entry does not say how the call ended.');
  const error = errorIn(roles);
  const status = httpStatusIn(roles) ?? http?.status;
  const agent = nameIn(roles.agent) ?? stemOf(about.name);
  return event<'tool_call'>({
    kind: 'tool_call',
    atMs,
    session: nameIn(roles.session) ?? sessionOfDay(agent, atMs),
    traceId: nameIn(roles.trace),
    spanId: nameIn(roles.span),
    model: nameIn(roles.model),
    provider: nameIn(roles.provider),
    agent,
    tool,
    success,
    errorCode: success
      ? undefined
      : (error.code ?? (allowed === false ? 'denied' : nameOf(status))),
    errorMessage: success
      ? undefined
      : (error.message ?? (allowed === false ? DENIED : httpText(status))),
    latencyMs: latencyIn(roles),
    task: nameIn(roles.task),
    inputTokens: countIn(roles.inputTokens),
    outputTokens: countIn(roles.outputTokens),
    costUsd: countIn(roles.cost),
    ...argumentsOf(roles.arguments?.value),
  });
}

const httpText = (status: number | undefined) =>
  status === undefined ? undefined : `HTTP ${status}`;

/** LiteLLM's standard payload: a call of a model, or of a tool by way of MCP. */
function litellmCall(entry: Fields, about: StreamAbout): Decoded {
  const atMs = timeOf(entry['startTime']);
  if (atMs === undefined) return NO_TIME;
  const endMs = timeOf(entry['endTime']);
  const success = entry['status'] !== 'failure' && entry['status'] !== 'error';
  const spanId = nameOf(entry['id']) ?? 'unknown';
  const common = {
    atMs,
    session:
      nameOf(firstAt(entry, 'session_id', 'metadata.session_id', 'litellm_trace_id', 'trace_id')) ??
      sessionOfDay(stemOf(about.name), atMs),
    traceId: nameOf(entry['trace_id']),
    spanId,
    agent:
      nameOf(firstAt(entry, 'metadata.user_api_key_alias', 'metadata.agent', 'end_user')) ??
      stemOf(about.name),
    model: nameOf(entry['model']),
    provider: nameOf(firstAt(entry, 'custom_llm_provider', 'api_base')),
    success,
    errorCode: success
      ? undefined
      : nameOf(firstAt(entry, 'error_information.error_code', 'error_information.error_class')),
    errorMessage: success
      ? undefined
      : (textOf(firstAt(entry, 'error_information.error_message', 'error_str')) ??
        'The call failed.'),
    inputTokens: countOf(entry['prompt_tokens']),
    outputTokens: countOf(entry['completion_tokens']),
    costUsd: countOf(entry['response_cost']),
  };
  const tookMs = endMs === undefined ? undefined : durationIn(endMs - atMs, 'ms');
  const tool = nameOf(
    firstAt(entry, 'mcp_tool_call_metadata.name', 'metadata.mcp_tool_call_metadata.name'),
  );
  if (tool !== undefined)
    return event<'tool_call'>({
      kind: 'tool_call',
      ...common,
      tool,
      latencyMs: tookMs,
      ...argumentsOf(firstAt(entry, 'mcp_tool_call_metadata.arguments')),
    });
  const kind = String(entry['call_type']);
  return event<'trace_span'>({
    kind: 'trace_span',
    ...common,
    name: nameOf(kind) ?? 'call',
    operation: /embed/.test(kind) ? 'embeddings' : 'chat',
    durationMs: tookMs,
  });
}

/** Kong: a request, or the calls of MCP inside it. */
function kongCalls(entry: Fields, about: StreamAbout): Decoded[] {
  const atMs = timeOf(entry['started_at']);
  if (atMs === undefined) return [NO_TIME];
  const http = httpCallIn(entry);
  const agent =
    nameOf(firstAt(entry, 'consumer.username', 'consumer.custom_id', 'authenticated_entity.id')) ??
    stemOf(about.name);
  const common = {
    atMs,
    session:
      nameOf(firstAt(entry, 'ai.mcp.mcp_session_id', 'request.id')) ?? sessionOfDay(agent, atMs),
    agent,
    provider: nameOf(firstAt(entry, 'service.name', 'service.host')),
  };
  const inside = listOf(valueAt(entry, 'ai.mcp.rpc'))
    .filter(isFields)
    .filter((one) => one['method'] === 'tools/call');
  const made = inside.map((one) => {
    const error = one['error'] ?? undefined;
    return event<'tool_call'>({
      kind: 'tool_call',
      ...common,
      tool: nameOf(one['tool_name']) ?? 'tools/call',
      success: error === undefined || error === '' || error === false,
      errorMessage: textOf(error),
      latencyMs: durationIn(one['latency'], 'ms'),
    });
  });
  if (made.length > 0) return made;
  if (http === undefined) return [refused('The entry does not say how the request ended.')];
  const { tool, success, status } = http;
  return [
    event<'tool_call'>({
      kind: 'tool_call',
      ...common,
      tool,
      success,
      errorCode: success ? undefined : String(status),
      errorMessage: success ? undefined : `HTTP ${status}`,
      latencyMs: durationIn(valueAt(entry, 'latencies.request'), 'ms'),
      inputBytes: countOf(valueAt(entry, 'request.size')),
      outputBytes: countOf(valueAt(entry, 'response.size')),
    }),
  ];
}
