import { describe, expect, test } from 'vitest';
import { AT_MS, eventsOf, fromLog, logRecord, logsOf } from './requests.test-support.ts';

const CLAUDE = { 'service.name': 'claude-code' };

describe('OBS-2 Claude Code', () => {
  test('a tool’s result is a call that began when it began', () => {
    const attributes = {
      'session.id': 's1',
      tool_name: 'Bash',
      success: 'false',
      duration_ms: '250',
      error_type: 'ShellError',
      error: 'exit code 1',
      tool_input: '{"command":"ls"}',
      tool_result_size_bytes: 12,
    };
    expect(fromLog('tool_result', attributes, CLAUDE)).toMatchObject([
      {
        kind: 'tool_call',
        atMs: AT_MS - 250,
        session: 's1',
        agent: 'claude-code',
        tool: 'Bash',
        success: false,
        errorCode: 'ShellError',
        errorMessage: 'exit code 1',
        latencyMs: 250,
        argumentNames: ['command'],
        outputBytes: 12,
      },
    ]);
  });

  test('a refused call has only a decision: it is a failed call', () => {
    const refused = { tool_name: 'Edit', decision: 'reject' };
    expect(fromLog('tool_decision', { ...refused, source: 'user_reject' }, CLAUDE)).toMatchObject([
      {
        kind: 'tool_call',
        tool: 'Edit',
        success: false,
        errorCode: 'permission_denied',
        errorMessage: 'The user refused the call.',
      },
    ]);
    expect(fromLog('tool_decision', { ...refused, source: 'config' }, CLAUDE)).toMatchObject([
      { errorMessage: 'A permission rule refused the call.' },
    ]);
    expect(fromLog('tool_decision', { ...refused, decision: 'accept' }, CLAUDE)).toEqual([]);
  });

  test('an interruption is a failed call and a correction', () => {
    const attributes = {
      tool_name: 'Bash',
      decision: 'reject',
      source: 'user_abort',
      'session.id': 's1',
    };
    expect(fromLog('tool_decision', attributes, CLAUDE)).toMatchObject([
      { kind: 'tool_call', errorCode: 'user_abort' },
      { kind: 'user_correction', correction: 'abandon', session: 's1' },
    ]);
  });

  test('requests to the model are spans with all their tokens and their cost', () => {
    const attributes = {
      model: 'm',
      cost_usd: 0.25,
      input_tokens: 5,
      cache_read_tokens: 100,
      cache_creation_tokens: 20,
      output_tokens: 7,
      duration_ms: 900,
      request_id: 'req_1',
    };
    expect(fromLog('api_request', attributes, CLAUDE)).toMatchObject([
      {
        kind: 'trace_span',
        operation: 'chat',
        name: 'chat m',
        spanId: 'req_1',
        inputTokens: 125,
        outputTokens: 7,
        costUsd: 0.25,
        durationMs: 900,
        success: true,
      },
    ]);
    const failed = { model: 'm', status_code: 529, error: 'overloaded', attempt: 3 };
    expect(fromLog('api_error', failed, CLAUDE)).toMatchObject([
      {
        kind: 'trace_span',
        success: false,
        errorCode: 'http_529',
        errorMessage: 'overloaded',
        attempt: 3,
      },
    ]);
    expect(
      fromLog('api_retries_exhausted', { error: 'overloaded', total_attempts: 11 }, CLAUDE),
    ).toMatchObject([{ kind: 'task_failure', errorCategory: 'retries_exhausted', retries: 11 }]);
  });

  test('hooks that failed are errors, since the call goes on', () => {
    expect(fromLog('hook_execution_complete', { num_non_blocking_error: 1 }, CLAUDE)).toMatchObject(
      [{ kind: 'log_line', level: 'error', message: 'claude_code.hook_execution_complete' }],
    );
  });

  test('the name may stand in the body', () => {
    const record = logRecord(
      { tool_name: 'Read', success: 'true' },
      { body: { stringValue: 'claude_code.tool_result' } },
    );
    expect(eventsOf('logs', logsOf([record], CLAUDE))).toMatchObject([
      { kind: 'tool_call', tool: 'Read' },
    ]);
  });

  test('what people typed becomes nothing', () => {
    expect(fromLog('user_prompt', { prompt: 'secret words' }, CLAUDE)).toEqual([]);
  });
});

describe('OBS-2 Codex', () => {
  test('a result, a refusal, an abort', () => {
    const call = { tool_name: 'exec_command', call_id: 'c', 'conversation.id': 's1' };
    const result = {
      ...call,
      success: 'false',
      duration_ms: '12',
      arguments: '{"cmd":"ls"}',
      output: 'not found',
      mcp_server: 'files',
    };
    expect(fromLog('codex.tool_result', result)).toMatchObject([
      {
        kind: 'tool_call',
        session: 's1',
        tool: 'exec_command',
        success: false,
        errorMessage: 'not found',
        argumentNames: ['cmd'],
        provider: 'files',
      },
    ]);
    expect(
      fromLog('codex.tool_decision', { ...call, decision: 'denied', source: 'user' }),
    ).toMatchObject([{ errorCode: 'permission_denied' }]);
    expect(fromLog('codex.tool_decision', { ...call, decision: 'abort' })).toMatchObject([
      { errorCode: 'user_abort' },
      { kind: 'user_correction' },
    ]);
  });

  test('of a stream only its end and its failure are told', () => {
    const tokens = { input_token_count: 9, output_token_count: 3 };
    expect(
      fromLog('codex.sse_event', { 'event.kind': 'response.completed', ...tokens }),
    ).toMatchObject([{ kind: 'trace_span', inputTokens: 9, outputTokens: 3, success: true }]);
    expect(
      fromLog('codex.sse_event', { 'event.kind': 'response.failed', 'error.message': 'quota' }),
    ).toMatchObject([{ success: false, errorMessage: 'quota' }]);
    expect(fromLog('codex.sse_event', { 'event.kind': 'response.output_item.added' })).toEqual([]);
    expect(fromLog('codex.api_request', { 'http.response.status_code': 200 })).toEqual([]);
    expect(
      fromLog('codex.api_request', { 'http.response.status_code': 429, attempt: 1 }),
    ).toMatchObject([{ success: false, errorCode: 'http_429', attempt: 1 }]);
  });
});

describe('OBS-2 Gemini CLI', () => {
  test('calls, refused calls, answers and errors of the model', () => {
    const call = { function_name: 'read_file', function_args: '{"path":"a"}', duration_ms: 4 };
    expect(
      fromLog('gemini_cli.tool_call', { ...call, success: true, decision: 'auto_accept' }),
    ).toMatchObject([
      { kind: 'tool_call', tool: 'read_file', success: true, argumentNames: ['path'] },
    ]);
    expect(
      fromLog('gemini_cli.tool_call', { ...call, success: false, decision: 'reject' }),
    ).toMatchObject([{ success: false, errorCode: 'permission_denied' }]);
    expect(
      fromLog('gemini_cli.tool_call', {
        ...call,
        success: false,
        error: 'gone',
        error_type: 'not_found',
      }),
    ).toMatchObject([{ errorCode: 'not_found', errorMessage: 'gone' }]);
    expect(
      fromLog('gemini_cli.api_response', {
        model: 'g',
        input_token_count: 3,
        output_token_count: 4,
      }),
    ).toMatchObject([{ kind: 'trace_span', inputTokens: 3, outputTokens: 4 }]);
    expect(
      fromLog('gemini_cli.agent.finish', { agent_name: 'a', terminate_reason: 'MAX_TURNS' }),
    ).toMatchObject([
      { kind: 'trace_span', operation: 'invoke_agent', success: false, errorCode: 'max_turns' },
    ]);
  });
});

describe('OBS-2 evaluations and feedback', () => {
  test('a verdict is a test’s result, a score a metric', () => {
    const attributes = {
      'gen_ai.evaluation.name': 'relevance',
      'gen_ai.evaluation.score.label': 'fail',
      'gen_ai.evaluation.score.value': 0.2,
      'gen_ai.evaluation.explanation': 'off topic',
    };
    expect(fromLog('gen_ai.evaluation.result', attributes)).toMatchObject([
      { kind: 'test_result', test: 'relevance', status: 'failed', errorMessage: 'off topic' },
      { kind: 'metric', name: 'evaluation.relevance', value: 0.2 },
    ]);
  });

  test.each([
    ['thumbs_down', 'thumbs_down'],
    ['positive', 'thumbs_up'],
    [-1, 'thumbs_down'],
    [1, 'thumbs_up'],
  ])('%s', (rating, expected) => {
    expect(fromLog('user_feedback', { rating })).toMatchObject([
      { kind: 'feedback', rating: expected },
    ]);
  });
});

describe('OBS-2 any other record is a line', () => {
  test.each([
    [1, 'debug'],
    [9, 'info'],
    [13, 'warning'],
    [17, 'error'],
    [24, 'fatal'],
  ])('of severity %i', (severityNumber, level) => {
    const record = logRecord({}, { severityNumber, body: { stringValue: 'hello' } });
    expect(eventsOf('logs', logsOf([record]))).toMatchObject([
      { kind: 'log_line', level, message: 'hello', logger: 'lib', agent: 'shop' },
    ]);
  });

  test('with the exception that it carries', () => {
    const record = logRecord(
      { 'exception.type': 'E', 'exception.message': 'no disk' },
      { body: { stringValue: 'job failed' } },
    );
    expect(eventsOf('logs', logsOf([record]))).toMatchObject([
      { level: 'error', message: 'job failed: no disk' },
    ]);
  });

  test('without a text, a name or a time it is refused', () => {
    expect(() => eventsOf('logs', logsOf([logRecord({})]))).toThrow('neither a text nor a name');
    expect(() => eventsOf('logs', logsOf([{ body: { stringValue: 'x' } }]))).toThrow('has no time');
  });

  test('in the session of its trace', () => {
    const record = logRecord(
      {},
      { traceId: 'AB'.repeat(16), spanId: 'cd'.repeat(8), body: { stringValue: 'x' } },
    );
    expect(eventsOf('logs', logsOf([record]))).toMatchObject([
      { session: 'ab'.repeat(16), spanId: 'cd'.repeat(8) },
    ]);
  });
});
