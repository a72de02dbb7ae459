import { describe, expect, test } from 'vitest';
import { fileWorld, sourceContract, type ToldCall } from '../../source-contract.test-support.ts';
import {
  collectorOf,
  MemoryFiles,
  SETTINGS,
  telemetryPerTest,
} from '../../telemetry.test-support.ts';
import { decodeAll, ofKind } from '../transcripts/decode.test-support.ts';
import { claudeCode, isTranscript } from './claude-code.ts';
import { claudeDecoder } from './decoder.ts';
import { SESSION, Session, START_MS } from './lines.test-support.ts';

const decoder = claudeDecoder(() => true);
const read = (...lines: readonly (object | string)[]) => decodeAll(decoder, lines);
const calls = (...lines: readonly object[]) => ofKind(read(...lines).events, 'tool_call');
const spans = (...lines: readonly object[]) => ofKind(read(...lines).events, 'trace_span');

describe('OBS-2 a call of a tool', () => {
  test('with its result is one event that says all that is known of it', () => {
    const s = new Session();
    const lines = [
      s.calls('toolu_1', 'mcp__github__search', { q: 'bug', limit: 5 }),
      s.gets('toolu_1', [{ type: 'text', text: 'three found' }]),
    ];
    expect(calls(...lines)).toEqual([
      {
        kind: 'tool_call',
        atMs: START_MS + 1000,
        session: SESSION,
        traceId: SESSION,
        spanId: 'toolu_1',
        parentSpanId: 'msg_1',
        version: '2.1.230',
        model: 'claude-opus-4-6',
        provider: 'github',
        agent: 'claude-code',
        tool: 'mcp__github__search',
        success: true,
        latencyMs: 1000,
        argumentNames: ['limit', 'q'],
        arguments: expect.stringMatching(/^arguments [0-9a-f]{1,12}$/),
        attempt: 1,
        inputBytes: '{"limit":5,"q":"bug"}'.length,
        outputBytes: 11,
      },
    ]);
  });

  test('equal arguments are equal in whatever order they are written', () => {
    const s = new Session();
    const [one, other, third] = calls(
      s.calls('t1', 'Read', { file_path: '/a', limit: 1 }),
      s.gets('t1', 'x'),
      s.calls('t2', 'Read', { limit: 1, file_path: '/a' }),
      s.gets('t2', 'x'),
      s.calls('t3', 'Read', { limit: 2, file_path: '/a' }),
      s.gets('t3', 'x'),
    );
    expect(other!.arguments).toBe(one!.arguments);
    expect(third!.arguments).not.toBe(one!.arguments);
  });

  test('written by 1.0, with a text for its result, is the same', () => {
    const s = new Session({ version: '1.0.24', gitBranch: undefined });
    const lines = [
      s.calls('toolu_1', 'Bash', { command: 'make' }),
      s.fails('toolu_1', 'Error: Exit code 2\nno rule'),
    ];
    expect(calls(...lines)).toMatchObject([
      { tool: 'Bash', success: false, errorCode: 'exit_2', version: '1.0.24' },
    ]);
    expect(calls(...lines)[0]!.errorMessage).toBe('no rule');
  });

  test('that ended with an exit code alone keeps that for a message', () => {
    const s = new Session();
    const [found] = calls(s.calls('t1', 'Bash', { command: 'x' }), s.fails('t1', 'Exit code 1'));
    expect(found).toMatchObject({ errorCode: 'exit_1', errorMessage: 'Exit code 1' });
  });

  test('several in one response, answered in another order, are paired by their ids', () => {
    const s = new Session();
    const found = calls(
      s.calls('t1', 'Read', { file_path: '/a' }),
      s.calls('t2', 'Read', { file_path: '/b' }),
      s.fails('t2', 'gone'),
      s.gets('t1', 'x'),
    );
    expect(found.map(({ spanId, success }) => [spanId, success])).toEqual([
      ['t2', false],
      ['t1', true],
    ]);
  });

  test('that was never answered gives nothing, nor does a result of no call', () => {
    const s = new Session();
    expect(calls(s.calls('t1', 'Read', {}), s.gets('t9', 'x'))).toEqual([]);
  });

  test('of those that wait the oldest are dropped, and the state stays small', () => {
    const s = new Session();
    const many = Array.from({ length: 50 }, (_, at) => [`${'k'.repeat(180)}${at}`, 1]);
    const lines = Array.from({ length: 120 }, (_, at) =>
      s.calls(`t${at}`, `tool${'x'.repeat(150)}`, Object.fromEntries(many)),
    );
    const { events } = read(...lines, s.gets('t0', 'x'), s.gets('t119', 'x'));
    expect(ofKind(events, 'tool_call').map(({ spanId }) => spanId)).toEqual(['t119']);
  });

  test('written twice, as after a compaction, counts once', () => {
    const s = new Session();
    const lines = [s.calls('t1', 'Read', {}), s.gets('t1', 'x')];
    expect(calls(...lines, ...lines)).toHaveLength(1);
    expect(calls(lines[0]!, lines[0]!, lines[1]!, lines[1]!)).toHaveLength(1);
  });

  test('the number of a try counts the same call directly after it failed', () => {
    const s = new Session();
    const again = (id: string, ok: boolean) => [
      s.calls(id, 'Bash', { command: 'curl x' }),
      ok ? s.gets(id, 'done') : s.fails(id, 'no'),
    ];
    const other = [s.calls('o', 'Edit', { file_path: '/a' }), s.gets('o', 'done')];
    const found = calls(
      ...again('a', false),
      ...again('b', false),
      ...again('c', true),
      ...again('d', false),
      ...other,
      ...again('e', true),
    );
    expect(found.map(({ spanId, attempt }) => [spanId, attempt])).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 3],
      ['d', 1],
      ['o', 1],
      ['e', 1],
    ]);
  });

  test.each([
    ['permission_denied', { toolDenialKind: 'permission-rule' }, 'GATE blocked'],
    ['permission_denied', { toolDenialKind: 'automode-blocked' }, 'x'],
    ['permission_denied', { toolDenialKind: 'user-rejected' }, 'x'],
    ['interrupted', { toolDenialKind: 'cancelled' }, 'x'],
    [
      'permission_denied',
      {},
      "The user doesn't want to proceed with this tool use. The tool use was rejected.",
    ],
    ['permission_denied', {}, 'Permission to use Bash with command rm has been denied.'],
    ['interrupted', { toolUseResult: { stdout: '', interrupted: true } }, 'half of it'],
    [
      'timeout',
      { toolUseResult: { stdout: '', interrupted: true } },
      'Command timed out after 2m 0s',
    ],
    ['timeout', {}, 'Exit code 124\nx'],
    ['exit_1', {}, 'Exit code 1\nTypeError'],
    ['http_404', { toolUseResult: { code: 404, url: 'x' } }, 'Request failed'],
    ['rate_limit', {}, 'Request failed with status code 429'],
    [
      'invalid_arguments',
      {},
      '<tool_use_error>InputValidationError: content is missing</tool_use_error>',
    ],
    ['unknown_tool', {}, '<tool_use_error>Error: No such tool available: Foo</tool_use_error>'],
    ['mcp_-32602', {}, 'MCP error -32602: bad'],
    ['enoent', {}, "ENOENT: no such file or directory, open '/x'"],
    [undefined, {}, 'String to replace not found in file.'],
  ])('a failure means %s: %j %s', (code, fields, text) => {
    const s = new Session();
    const [found] = calls(s.calls('t', 'Bash', {}), s.fails('t', text, fields));
    expect(found).toMatchObject({ success: false });
    expect(found!.errorCode).toBe(code);
  });

  test('a status beside the result says that it failed, even without a flag', () => {
    const s = new Session();
    const noted = { toolUseResult: { code: 500, durationMs: 77 } };
    const [found] = calls(s.calls('t', 'WebFetch', {}), s.gets('t', 'sorry', noted));
    expect(found).toMatchObject({ success: false, errorCode: 'http_500', latencyMs: 77 });
  });

  test('a message that is too long to keep ends after a whole word', () => {
    const s = new Session();
    const [found] = calls(s.calls('t', 'Bash', {}), s.fails('t', 'word '.repeat(100_000)));
    expect(found!.errorMessage!.length).toBeLessThan(50_000);
    expect(found!.errorMessage!.endsWith('word')).toBe(true);
  });

  test('tools of the provider are answered within the response', () => {
    const s = new Session();
    const use = { type: 'server_tool_use', id: 'srv', name: 'web_search', input: { query: 'x' } };
    const error = { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' };
    const answer = { type: 'web_search_tool_result', tool_use_id: 'srv', content: error };
    const found = calls(s.answers(use), s.answers(answer));
    expect(found).toMatchObject([
      { tool: 'web_search', success: false, errorCode: 'max_uses_exceeded' },
    ]);
  });
});

describe('OBS-2 a response of the model', () => {
  test('written in several lines is one step, its tokens counted once, its time from the request on', () => {
    const s = new Session();
    const found = spans(
      s.says('do it'),
      s.answers({ type: 'thinking', thinking: 'hm' }),
      s.answers({ type: 'text', text: 'so' }),
      s.answers(
        { type: 'text', text: 'done' },
        {
          stop_reason: 'end_turn',
          usage: {
            input_tokens: 10,
            cache_creation_input_tokens: 5,
            cache_read_input_tokens: 900,
            output_tokens: 61,
          },
        },
      ),
      s.answers({ type: 'text', text: 'again' }, { stop_reason: 'end_turn' }),
    );
    expect(found).toEqual([
      {
        kind: 'trace_span',
        atMs: START_MS + 1000,
        session: SESSION,
        traceId: SESSION,
        spanId: 'msg_1',
        version: '2.1.230',
        model: 'claude-opus-4-6',
        provider: 'anthropic',
        agent: 'claude-code',
        name: 'claude-opus-4-6',
        operation: 'chat',
        success: true,
        durationMs: 3000,
        inputTokens: 915,
        outputTokens: 61,
      },
    ]);
  });

  test('of 1.0, which never says why it ended, is over when another begins or the user speaks', () => {
    const s = new Session({ version: '1.0.24' });
    const found = spans(
      s.answers({ type: 'text', text: 'a' }, { id: 'm1' }),
      s.answers({ type: 'text', text: 'b' }, { id: 'm2' }),
      s.says('thanks'),
      s.answers({ type: 'text', text: 'c' }, { id: 'm3' }),
    );
    expect(found.map(({ spanId, outputTokens }) => [spanId, outputTokens])).toEqual([
      ['m1', 40],
      ['m2', 40],
    ]);
  });

  test.each([
    ['max_tokens', 'token_limit'],
    ['model_context_window_exceeded', 'token_limit'],
    ['refusal', 'refusal'],
  ])('that ended by %s failed: %s', (stop_reason, errorCode) => {
    const [found] = spans(new Session().answers({ type: 'text', text: '' }, { stop_reason }));
    expect(found).toMatchObject({ success: false, errorCode, outputTokens: 40 });
  });

  test.each([
    ['rate_limit', { error: 'rate_limit', apiErrorStatus: 429 }, 'You’ve hit your session limit'],
    ['overloaded', { error: 'server_error', apiErrorStatus: 529 }, 'API Error: 529'],
    ['permission_denied', { error: 'authentication_failed' }, 'Please run /login'],
    ['token_limit', { error: 'max_output_tokens' }, 'API Error'],
    ['http_500', {}, 'API Error: 500 {"type":"error"}'],
    ['rate_limit', {}, 'Claude AI usage limit reached|1750000000'],
    ['token_limit', {}, 'Prompt is too long'],
    ['api_error', {}, 'API Error: Connection error.'],
  ])('that the API refused is a failed one: %s %j', (errorCode, fields, text) => {
    const s = new Session();
    const message = { id: 'x', model: '<synthetic>', usage: { input_tokens: 0, output_tokens: 0 } };
    const line = s.answers({ type: 'text', text }, message, { isApiErrorMessage: true, ...fields });
    expect(spans(line, line)).toMatchObject([
      { operation: 'chat', success: false, errorCode, errorMessage: text },
    ]);
    expect(spans(line)[0]).not.toHaveProperty('inputTokens');
  });

  test('that is tried again says which try it was', () => {
    const error = { status: 529, error: { error: { message: 'Overloaded' } } };
    const fields = { subtype: 'api_error', error, retryAttempt: 2, maxRetries: 10 };
    expect(spans(new Session().line('system', fields))).toMatchObject([
      {
        operation: 'chat',
        success: false,
        errorCode: 'overloaded',
        errorMessage: 'Overloaded',
        attempt: 2,
      },
    ]);
    const socket = { cause: { code: 'FailedToOpenSocket' } };
    expect(
      spans(new Session().line('system', { subtype: 'api_error', error: socket })),
    ).toMatchObject([{ errorCode: 'failedtoopensocket' }]);
  });

  test('what no model wrote is none', () => {
    const line = new Session().answers(
      { type: 'text', text: 'No response requested.' },
      { model: '<synthetic>' },
    );
    expect(read(line, line).events).toEqual([]);
  });
});

describe('OBS-2 compactions, turns and sub-agents', () => {
  test('a compaction and the length of a turn are steps', () => {
    const s = new Session();
    const compactMetadata = {
      trigger: 'auto',
      preTokens: 171_705,
      postTokens: 8473,
      durationMs: 133,
    };
    const found = spans(
      s.line('system', { subtype: 'compact_boundary', compactMetadata, parentUuid: null }),
      s.line('system', { subtype: 'turn_duration', durationMs: 42_742 }),
      s.line('system', { subtype: 'stop_hook_summary' }),
    );
    expect(found).toMatchObject([
      { operation: 'compact', success: true, inputTokens: 171_705, durationMs: 133 },
      { operation: 'invoke_agent', name: 'turn', durationMs: 42_742 },
    ]);
  });

  test('the end of a turn ends the response that no line ended', () => {
    const s = new Session();
    const found = spans(
      s.answers({ type: 'text', text: 'done' }),
      s.line('system', { subtype: 'turn_duration', durationMs: 5 }),
    );
    expect(found.map(({ operation }) => operation)).toEqual(['chat', 'invoke_agent']);
  });

  test('calls of a sub-agent in its own file name its type and what it runs in', () => {
    const s = new Session({ isSidechain: true, agentId: 'a1b2' });
    const { events } = decodeAll(
      decoder,
      [
        s.says('look around'),
        s.calls('t1', 'Grep', {}, { stop_reason: 'tool_use' }, { attributionAgent: 'Explore' }),
        s.gets('t1', 'x'),
      ],
      'agent-a1b2.jsonl',
    );
    expect(events).toMatchObject([
      { kind: 'trace_span', agent: 'Explore', parentSpanId: 'agent-a1b2', session: SESSION },
      { kind: 'tool_call', agent: 'Explore', parentSpanId: 'msg_1', session: SESSION },
    ]);
  });

  test('calls of sub-agents in the main file, as 1.0 wrote them, are told apart by what started them', () => {
    const s = new Session({ version: '1.0.60' });
    const task = (id: string, subagent_type: string, prompt: string) =>
      s.calls(id, 'Task', { description: 'd', subagent_type, prompt }, { id: `m-${id}` });
    const side = (uuid: string, parentUuid: string | null) => ({
      uuid,
      parentUuid,
      isSidechain: true,
    });
    const found = calls(
      task('a', 'reviewer', 'review it'),
      task('b', 'tester', 'test it'),
      s.says('test it', side('b1', null)),
      s.says('review it', side('a1', null)),
      s.calls('ta', 'Read', {}, { id: 'ma' }, side('a2', 'a1')),
      s.calls('tb', 'Bash', {}, { id: 'mb' }, side('b2', 'b1')),
      s.gets('tb', 'x', side('b3', 'b2')),
      s.gets('ta', 'x', side('a3', 'a2')),
    );
    expect(found.map(({ tool, agent }) => [tool, agent])).toEqual([
      ['Bash', 'tester'],
      ['Read', 'reviewer'],
    ]);
  });

  test('the end of a sub-agent is a step below the call that started it', () => {
    const s = new Session();
    const noted = { status: 'completed', agentId: 'a1', totalDurationMs: 9000, totalTokens: 5 };
    const found = spans(
      s.calls('t', 'Task', { subagent_type: 'Explore', prompt: 'go' }),
      s.gets('t', 'found it', { toolUseResult: noted }),
    );
    expect(found).toContainEqual(
      expect.objectContaining({
        operation: 'invoke_agent',
        spanId: 'agent-a1',
        parentSpanId: 't',
        name: 'Explore',
        agent: 'Explore',
        durationMs: 9000,
        success: true,
      }),
    );
  });

  test('one that ran in the background ends by a notice, told once', () => {
    const s = new Session();
    const notice = (status: string) =>
      `<task-notification>\n<task-id>a7</task-id>\n<status>${status}</status>\n<summary>Agent "x" ${status}</summary>\n</task-notification>`;
    const launched = { isAsync: true, status: 'async_launched', agentId: 'a7' };
    const found = spans(
      s.calls('t', 'Task', { subagent_type: 'Explore', prompt: 'go' }),
      s.gets('t', 'launched', { toolUseResult: launched }),
      s.line('attachment', {
        attachment: {
          type: 'queued_command',
          commandMode: 'task-notification',
          prompt: notice('failed'),
        },
      }),
      s.says(notice('failed')),
    );
    expect(found).toMatchObject([
      { spanId: 'agent-a7', success: false, errorCode: 'agent_failed' },
    ]);
  });

  test('a session that was started as an agent is that agent', () => {
    const s = new Session();
    const found = calls(
      s.line('agent-setting', { agentSetting: 'architect' }),
      s.calls('t', 'Read', {}),
      s.gets('t', 'x'),
    );
    expect(found).toMatchObject([{ agent: 'architect' }]);
  });
});

describe('OBS-2 whose sessions are taken', () => {
  const own = claudeDecoder((cwd) => cwd === '/home/dev/shop');
  const session = (cwd: string | undefined, id: string) => {
    const s = new Session({ cwd, sessionId: id });
    return [s.calls(`t-${id}`, 'Read', {}), s.gets(`t-${id}`, 'x')];
  };

  test('only those that work in the target', () => {
    const lines = [...session('/home/dev/shop', 'a'), ...session('/home/dev/other', 'b')];
    const { events } = decodeAll(own, lines);
    expect(ofKind(events, 'tool_call').map(({ session }) => session)).toEqual(['a']);
  });

  test('lines that do not say where follow their session', () => {
    const s = new Session({ sessionId: 'a' });
    const lines = [s.says('go'), ...session(undefined, 'a'), ...session(undefined, 'unknown')];
    const { events } = decodeAll(own, lines);
    expect(ofKind(events, 'tool_call').map(({ session }) => session)).toEqual(['a']);
  });
});

describe('OBS-3 lines that other files hold as well', () => {
  const file = `${SESSION}.jsonl`;

  test('those that a branched session marks as copied are not counted', () => {
    const s = new Session();
    const forkedFrom = { sessionId: 'parent', messageUuid: 'm' };
    const { events } = decodeAll(
      decoder,
      [
        s.calls('t1', 'Read', {}, {}, { forkedFrom }),
        s.gets('t1', 'x', { forkedFrom }),
        s.calls('t2', 'Read', {}),
        s.gets('t2', 'x'),
      ],
      file,
    );
    expect(ofKind(events, 'tool_call').map(({ spanId }) => spanId)).toEqual(['t2']);
  });

  test('those before the file’s own session, of another one, are not counted', () => {
    const s = new Session();
    const old = { sessionId: '99999999-2222-4333-8444-555555555555' };
    const lines = [
      s.calls('t1', 'Read', {}, {}, old),
      s.gets('t1', 'x', old),
      s.calls('t2', 'Read', {}),
      s.gets('t2', 'x'),
    ];
    const spanIds = (name: string) =>
      ofKind(decodeAll(decoder, lines, name).events, 'tool_call').map(({ spanId }) => spanId);
    expect(spanIds(file)).toEqual(['t2']);
    // Named otherwise, a file says nothing about whose it is.
    expect(spanIds('both.jsonl')).toEqual(['t1', 't2']);
  });
});

describe('what is no line of a conversation', () => {
  const open = telemetryPerTest('memory');

  test('is passed over; what has an unknown type is counted, what is no JSON is set aside', () => {
    const s = new Session();
    const found = read(
      s.line('summary', { summary: 'x', leafUuid: 'y' }),
      s.line('file-history-snapshot', { snapshot: {} }),
      { type: 'mode', mode: 'normal', sessionId: SESSION },
      { type: 'brand-new-in-3.0', sessionId: SESSION },
      '"massive error"',
      '42',
      '{"silly":"this"}',
      '{"type":"user","sess',
      s.line('user', { message: 'error' }),
      s.line('user', { message: { role: 'user', contenst: [] } }),
      s.line('assistant', { message: { content: ['wow error'] } }),
    );
    expect(found).toMatchObject({ events: [], skipped: 4 });
    expect(found.aside).toMatchObject([{ reason: 'not_json' }]);
  });

  test('how many lines had an unknown type is noted, and holds nothing up', async () => {
    const line = (type: string) => `${JSON.stringify(new Session().line(type))}\n`;
    const files = new MemoryFiles().append('a.jsonl', line('new-in-3.0').repeat(3) + line('mode'));
    const settings = {
      ...SETTINGS,
      sources: [{ name: 'cc', kind: 'claude-code', path: 'a.jsonl' }],
    };
    const collector = collectorOf(open().store, files, { settings });
    expect(await collector.collect()).toMatchObject({
      events: 0,
      aside: 0,
      notes: ['cc: a.jsonl: lines of unknown type passed over: 3.'],
    });
    expect((await collector.collect()).notes).toEqual([]);
  });

  test('files of a client’s folder that are no transcripts are not opened', () => {
    const below = [
      `projects/-home-dev-shop/${SESSION}.jsonl`,
      `projects/-home-dev-shop/${SESSION}/subagents/agent-a1.jsonl`,
      `projects/-home-dev-shop/${SESSION}/subagents/workflows/wf_1/agent-a2.jsonl`,
      'exported.jsonl',
    ];
    const others = [
      'history.jsonl',
      'plugins/data.jsonl',
      `projects/-home-dev-shop/${SESSION}/subagents/workflows/wf_1/journal.jsonl`,
      `projects/-home-dev-shop/${SESSION}/tool-results/agent-a.jsonl`,
    ];
    expect(below.filter(isTranscript)).toEqual(below);
    expect(others.filter(isTranscript)).toEqual([]);
  });
});

describe('a file is recognised by its content', () => {
  const recognise = (lines: readonly object[], isWhole = true) =>
    claudeCode.recognise!({
      path: '/x/y.jsonl',
      head: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
      isWhole,
    });

  test('with the release and the folder it was written in', () => {
    const s = new Session();
    expect(recognise([{ type: 'summary', summary: 'x', leafUuid: 'y' }, s.says('hello')])).toEqual({
      certainty: 0.98,
      what: 'Claude Code transcript, written by 2.1.230',
      project: '/home/dev/shop',
    });
    expect(recognise([new Session({ version: '1.0.24' }).says('hello')])).toMatchObject({
      what: 'Claude Code transcript, written by 1.0.24',
    });
  });

  test.each([
    [[{ type: 'user', text: 'hello' }]],
    [[{ event_type: 'tool_call', session_id: 's' }]],
    [[{ timestamp: 't', type: 'session_meta', payload: { id: 'x' } }]],
    [[]],
  ])('others are not taken for one: %j', (lines) => {
    expect(recognise(lines)).toBe(undefined);
  });

  test('nothing breaks it', () => {
    for (const head of ['', '\0', '{', '[]\n{}', 'null\n"x"', '{"type":"user"}'])
      expect(claudeCode.recognise!({ path: '/x', head, isWhole: false })).toBe(undefined);
  });
});

/** As a sub-agent's file has it: the lines name the agent. */
function told({ atMs, session, agent, tool, message }: ToldCall, at: number): string {
  const line = {
    sessionId: session,
    cwd: '/w',
    version: '2.1.230',
    isSidechain: true,
    agentId: 'a1',
  };
  const id = `toolu_${at}_${atMs}`;
  const call = {
    ...line,
    type: 'assistant',
    attributionAgent: agent,
    timestamp: new Date(atMs).toISOString(),
    message: { role: 'assistant', content: [{ type: 'tool_use', id, name: tool, input: {} }] },
  };
  const failed = message === undefined ? { content: 'ok' } : { content: message, is_error: true };
  const result = {
    ...line,
    type: 'user',
    timestamp: new Date(atMs + 5).toISOString(),
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, ...failed }] },
  };
  return `${JSON.stringify(call)}\n${JSON.stringify(result)}\n`;
}

sourceContract(claudeCode, () => {
  let made = 0;
  return fileWorld({
    extension: 'jsonl',
    text: (given) => given.map((call) => told(call, made++)).join(''),
  });
});
