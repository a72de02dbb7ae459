/**
 * Spans as events: the call of a tool is a `tool_call`, everything else a `trace_span`. An agent's run that failed at
 * its root is also a `task_failure`: the counts of failed tasks are made of these.
 *
 * A call of a tool may be told several times: by the agent, by the client of an MCP server inside it, by the server.
 * It counts once: the server's span, and one inside another call's span of the same request, are `trace_span`.
 */
import type { Event } from '../../../facts/index.ts';
import type { Decoded } from '../../types.ts';
import type { Attributes } from './attributes.ts';
import { argumentsOf, boundedMs, boundedName, known } from './bounds.ts';
import type { Span } from './model.ts';
import { type Outcome, outcomeOf, RESULT } from './outcome.ts';
import { spentOf } from './spent.ts';
import { agentOf, commonOf, ownAgentOf } from './who.ts';

/** Of the way from a span to the agent that it belongs to. A loop of spans ends here, too. */
const ANCESTORS_MAX = 64;
const SERVER = 2;
/** A longer name of a span describes what is done, not who does it. */
const AGENT_CHARS_MAX = 80;
const TOOL_CALL = 'execute_tool';

const ARGUMENTS = [
  'gen_ai.tool.call.arguments',
  'tool_call.function.arguments',
  'ai.toolCall.args',
  'input.value',
  'traceloop.entity.input',
] as const;

export function spanRecords(spans: readonly Span[]): Decoded[] {
  const byId = new Map<string, Span>();
  for (const span of spans) if (span.spanId !== undefined) byId.set(keyOf(span), span);
  return spans.flatMap((span) => recordsOf(span, byId));
}

type ById = ReadonlyMap<string, Span>;

const keyOf = ({ traceId, spanId }: Pick<Span, 'traceId' | 'spanId'>) => `${traceId} ${spanId}`;

function parentOf({ traceId, parentSpanId }: Span, byId: ById): Span | undefined {
  return parentSpanId === undefined
    ? undefined
    : byId.get(keyOf({ traceId, spanId: parentSpanId }));
}

function recordsOf(span: Span, byId: ById): Decoded[] {
  const { spanId, startMs } = span;
  if (spanId === undefined) return [refused('A span has no id.')];
  if (startMs === undefined) return [refused('A span has no time.')];
  const outcome = outcomeOf(span);
  const operation = operationOf(span);
  const agent = agentIn(span, byId);
  const at = { span, atMs: startMs, outcome, operation };
  if (operation === TOOL_CALL && !isToldAlready(span, byId)) return [accepted(toolCall(at, agent))];
  const step = accepted(traceSpan(at, agent));
  const isRun = span.parentSpanId === undefined && RUNS.has(operation ?? '');
  return isRun && !outcome.success ? [step, accepted(taskFailure(at, agent))] : [step];
}

interface At {
  readonly span: Span;
  readonly atMs: number;
  readonly outcome: Outcome;
  readonly operation: string | undefined;
}

function toolCall({ span, atMs, outcome }: At, agent: string): Event {
  const { attributes } = span;
  return known<Extract<Event, { kind: 'tool_call' }>>({
    kind: 'tool_call',
    ...commonOf(attributes, span, span),
    ...spentOf(attributes),
    ...argumentsOf(attributes.value(...ARGUMENTS)),
    outputBytes: resultBytes(attributes),
    atMs,
    agent,
    tool: toolOf(span),
    ...outcome,
    latencyMs: boundedMs(span.durationMs),
    task: taskOf(attributes),
  });
}

function traceSpan({ span, atMs, outcome, operation }: At, agent: string): Event {
  const { attributes } = span;
  return known<Extract<Event, { kind: 'trace_span' }>>({
    kind: 'trace_span',
    ...commonOf(attributes, span, span),
    ...spentOf(attributes),
    spanId: span.spanId!,
    atMs,
    agent,
    name: boundedName(span.name) ?? 'unnamed',
    operation: boundedName(operation),
    ...outcome,
    durationMs: boundedMs(span.durationMs),
    task: taskOf(attributes),
  });
}

function taskFailure({ span, atMs, outcome }: At, agent: string): Event {
  const { attributes } = span;
  return known<Extract<Event, { kind: 'task_failure' }>>({
    kind: 'task_failure',
    ...commonOf(attributes, span, span),
    atMs,
    agent,
    task: taskOf(attributes) ?? boundedName(span.name) ?? agent,
    errorCategory: outcome.errorCode ?? 'error',
    errorMessage: outcome.errorMessage,
  });
}

/** The steps that are an agent's or a workflow's whole run. */
const RUNS = new Set(['invoke_agent', 'invoke_workflow', 'agent', 'workflow']);

/** What kind of step it is, in the words of the GenAI conventions where there are such. */
function operationOf({ attributes, name = '' }: Span): string | undefined {
  // The whole call of Claude Code, its wait and its execution: the call itself is told by an event of its own.
  if (name.startsWith('claude_code.')) return name.slice('claude_code.'.length);
  const method = attributes.text('mcp.method.name');
  if (method !== undefined) return method === 'tools/call' ? TOOL_CALL : method;
  const operation = attributes.text('gen_ai.operation.name');
  if (operation !== undefined) return operation;
  const kind = attributes.text('openinference.span.kind', 'traceloop.span.kind')?.toLowerCase();
  if (kind !== undefined) return KINDS[kind] ?? kind;
  if (attributes.has('ai.toolCall.name') || name.startsWith(`${TOOL_CALL} `)) return TOOL_CALL;
  if (attributes.has('gen_ai.request.model') || attributes.has('llm.model_name')) return 'chat';
  if (attributes.has('http.request.method') || attributes.has('http.method')) return 'http';
  if (attributes.has('rpc.system') || attributes.has('rpc.system.name')) return 'rpc';
  return attributes.has('db.system') || attributes.has('db.system.name') ? 'db' : undefined;
}

/** OpenInference's and OpenLLMetry's words. */
const KINDS: Readonly<Record<string, string>> = {
  tool: TOOL_CALL,
  llm: 'chat',
  agent: 'invoke_agent',
  workflow: 'invoke_workflow',
  embedding: 'embeddings',
  retriever: 'retrieval',
};

function isToldAlready(span: Span, byId: ById): boolean {
  if (!span.attributes.has('mcp.method.name')) return false;
  if (span.kind === SERVER) return true;
  const parent = parentOf(span, byId);
  return parent !== undefined && operationOf(parent) === TOOL_CALL;
}

function toolOf({ attributes, name = '' }: Span): string {
  const named = attributes.text(
    'gen_ai.tool.name',
    'tool.name',
    'tool_call.function.name',
    'ai.toolCall.name',
    'mcp.tool.name',
    'traceloop.entity.name',
    'tool_name',
  );
  return boundedName(named ?? name.replace(/^(?:execute_tool|tools\/call)\s+/, '')) ?? 'unknown';
}

/** The agent whose span is around it; the program's name if none is known. */
function agentIn(span: Span, byId: ById): string {
  let at: Span | undefined = span;
  for (let step = 0; at !== undefined && step < ANCESTORS_MAX; step++) {
    const own = ownAgentOf(at.attributes) ?? agentOfRun(at);
    if (own !== undefined) return own;
    at = parentOf(at, byId);
  }
  return agentOf(span.attributes, span);
}

/** The span of an agent's run is named after the agent. */
function agentOfRun(span: Span): string | undefined {
  if (operationOf(span) !== 'invoke_agent' || span.name === undefined) return undefined;
  const name = span.name.replace(/^invoke_agent\s+/, '').replace(/\.(?:run|invoke|call)$/, '');
  return name.length <= AGENT_CHARS_MAX ? boundedName(name) : undefined;
}

function taskOf(attributes: Attributes): string | undefined {
  return boundedName(
    attributes.text('hone.task', 'task.name', 'gen_ai.workflow.name', 'traceloop.workflow.name'),
  );
}

function resultBytes(attributes: Attributes): number | undefined {
  const result = attributes.value(...RESULT);
  return typeof result === 'string' ? Buffer.byteLength(result) : undefined;
}

const accepted = (event: Event): Decoded => ({ ok: true, event });

function refused(detail: string): Decoded {
  return { ok: false, reason: 'not_an_event', detail };
}
