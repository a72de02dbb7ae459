import { describe, expect, test } from 'vitest';
import { AT_MS, eventsOf, fromSpan, span, TRACE, tracesOf } from './requests.test-support.ts';

const TOOL = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'search' };

describe('OBS-2 the call of a tool', () => {
  test('says who called it with what, how long it took, and where it stands in the trace', () => {
    const event = fromSpan(
      {
        ...TOOL,
        'gen_ai.agent.name': 'planner',
        'gen_ai.conversation.id': 'c1',
        'gen_ai.tool.call.arguments': '{"query":"x","limit":3}',
        'gen_ai.tool.call.result': 'found',
        'hone.variant': 'candidate',
        'server.address': 'api.example.org',
        'http.request.resend_count': 2,
      },
      { parentSpanId: 'EEE19B7EC3C1B173' },
    );
    expect(event).toMatchObject({
      kind: 'tool_call',
      atMs: AT_MS,
      agent: 'planner',
      tool: 'search',
      session: 'c1',
      success: true,
      latencyMs: 1000,
      argumentNames: ['query', 'limit'],
      arguments: '{"limit":3,"query":"x"}',
      inputBytes: 23,
      outputBytes: 5,
      variant: 'candidate',
      version: '1.2.3',
      provider: 'api.example.org',
      attempt: 3,
      traceId: TRACE,
      parentSpanId: 'eee19b7ec3c1b173',
    });
  });

  test.each([
    ['the GenAI conventions', { 'gen_ai.operation.name': 'execute_tool' }, 'execute_tool search'],
    ['OpenInference', { 'openinference.span.kind': 'TOOL', 'tool.name': 'search' }, 'x'],
    ['OpenLLMetry', { 'traceloop.span.kind': 'tool', 'traceloop.entity.name': 'search' }, 'x'],
    ['an MCP client', { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': 'search' }, 'x'],
    ['the Vercel AI SDK', { 'ai.toolCall.name': 'search' }, 'ai.toolCall'],
    ['its name alone', {}, 'execute_tool search'],
  ])('is recognised by %s', (_, attributes, name) => {
    expect(fromSpan(attributes, { name })).toMatchObject({ kind: 'tool_call', tool: 'search' });
  });

  test('without a conversation its trace is the session, and the program is the agent', () => {
    expect(fromSpan(TOOL)).toMatchObject({ session: TRACE, agent: 'shop' });
  });

  test('belongs to the agent whose span is around it', () => {
    const agent = span(
      { 'gen_ai.operation.name': 'invoke_agent' },
      { name: 'invoke_agent planner', spanId: 'a1' },
    );
    const between = span({}, { spanId: 'a2', parentSpanId: 'a1' });
    const tool = span(TOOL, { parentSpanId: 'a2' });
    expect(eventsOf('traces', tracesOf([tool, between, agent]))).toMatchObject([
      { kind: 'tool_call', agent: 'planner' },
      { kind: 'trace_span', agent: 'planner' },
      { kind: 'trace_span', agent: 'planner', operation: 'invoke_agent' },
    ]);
  });

  test('that an MCP client or server tells again counts once', () => {
    const mcp = { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': 'search' };
    const events = eventsOf(
      'traces',
      tracesOf([
        span(TOOL, { spanId: 'a1' }),
        span(mcp, { spanId: 'a2', parentSpanId: 'a1', kind: 3 }),
        span(mcp, { spanId: 'a3', parentSpanId: 'a2', kind: 2 }),
      ]),
    );
    expect(events.map(({ kind }) => kind)).toEqual(['tool_call', 'trace_span', 'trace_span']);
  });
});

describe('OBS-2 a failure', () => {
  const exception = (message: string, more: object[] = []) => ({
    events: [
      {
        name: 'exception',
        attributes: [
          { key: 'exception.type', value: { stringValue: 'TypeError' } },
          { key: 'exception.message', value: { stringValue: message } },
          ...more,
        ],
      },
    ],
  });

  test('is told by the status, in the words of the exception', () => {
    const status = { code: 2, message: 'failed' };
    expect(fromSpan(TOOL, { status, ...exception('no index') })).toMatchObject({
      success: false,
      errorCode: 'TypeError',
      errorMessage: 'no index',
    });
    expect(fromSpan(TOOL, { status })).toMatchObject({ success: false, errorMessage: 'failed' });
  });

  test.each([
    [{ 'error.type': 'timeout' }, 'timeout'],
    [{ 'http.response.status_code': 404 }, 'http_404'],
    [{ 'http.status_code': 500 }, 'http_500'],
    [{ 'rpc.grpc.status_code': 14 }, 'grpc_14'],
    [{ 'rpc.response.status_code': '-32602' }, 'rpc_-32602'],
    [{ 'mcp.method.name': 'tools/call', 'error.type': 'tool_error' }, 'tool_error'],
  ])('is told by %j', (attributes, errorCode) => {
    expect(fromSpan({ ...TOOL, ...attributes })).toMatchObject({ success: false, errorCode });
  });

  test.each([
    [{ 'http.response.status_code': 200 }, {}],
    [{ 'http.response.status_code': 404 }, { kind: 2 }],
    [{ 'rpc.grpc.status_code': 0 }, {}],
    [{ 'error.type': 'handled' }, { status: { code: 1 } }],
    [{}, exception('caught')],
  ])('is not told by %j', (attributes, more) => {
    expect(fromSpan({ ...TOOL, ...attributes }, more)).toMatchObject({ success: true });
  });

  test('of a tool that says why only in its result is told in these words', () => {
    const event = fromSpan(
      { ...TOOL, 'gen_ai.tool.call.result': 'no such file' },
      { status: { code: 2 } },
    );
    expect(event).toMatchObject({ errorMessage: 'no such file' });
  });

  test('of an agent’s whole run is a failed task, too', () => {
    const run = span(
      { 'gen_ai.operation.name': 'invoke_agent' },
      { name: 'invoke_agent planner', status: { code: 2, message: 'gave up' } },
    );
    expect(eventsOf('traces', tracesOf([run]))).toMatchObject([
      { kind: 'trace_span', success: false },
      { kind: 'task_failure', agent: 'planner', errorCategory: 'error', errorMessage: 'gave up' },
    ]);
  });

  test('a slow span did not fail: its duration is enough', () => {
    const endTimeUnixNano = `${AT_MS + 600_000}000000`;
    expect(fromSpan(TOOL, { endTimeUnixNano })).toMatchObject({
      success: true,
      latencyMs: 600_000,
    });
  });
});

describe('OBS-2 the call of a model', () => {
  const CHAT = { 'gen_ai.operation.name': 'chat' };

  test.each([
    [
      'new names',
      {
        'gen_ai.provider.name': 'p',
        'gen_ai.request.model': 'm',
        'gen_ai.usage.input_tokens': 5,
        'gen_ai.usage.output_tokens': 7,
      },
    ],
    [
      'old names',
      {
        'gen_ai.system': 'p',
        'gen_ai.request.model': 'm',
        'gen_ai.usage.prompt_tokens': 5,
        'gen_ai.usage.completion_tokens': 7,
      },
    ],
    [
      'OpenInference',
      {
        'llm.provider': 'p',
        'llm.model_name': 'm',
        'llm.token_count.prompt': 5,
        'llm.token_count.completion': 7,
      },
    ],
  ])('by %s', (_, attributes) => {
    expect(fromSpan({ ...CHAT, ...attributes })).toMatchObject({
      kind: 'trace_span',
      operation: 'chat',
      model: 'm',
      provider: 'p',
      inputTokens: 5,
      outputTokens: 7,
    });
  });

  test.each([
    [['length'], 'token_limit'],
    [['MAX_TOKENS'], 'token_limit'],
    ['["max_tokens"]', 'token_limit'],
    [['content_filter'], 'content_filter'],
  ])('that ended with %j was cut short', (reasons, errorCode) => {
    const attributes = { ...CHAT, 'gen_ai.response.finish_reasons': reasons };
    expect(fromSpan(attributes)).toMatchObject({ success: false, errorCode });
    expect(fromSpan({ ...CHAT, 'gen_ai.response.finish_reasons': ['stop'] })).toMatchObject({
      success: true,
    });
  });
});

test('a span without an id or a time is refused, and the others are taken', () => {
  const request = tracesOf([
    span(TOOL, { spanId: '' }),
    span(TOOL),
    span({}, { startTimeUnixNano: '0', endTimeUnixNano: 0 }),
  ]);
  expect(() => eventsOf('traces', request)).toThrow('A span has no id.');
});

test('clocks that disagree give no duration', () => {
  const event = fromSpan(TOOL, { endTimeUnixNano: `${AT_MS - 5}000000` });
  expect(event).not.toHaveProperty('latencyMs');
});
