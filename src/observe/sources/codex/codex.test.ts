import { describe, expect, test } from 'vitest';
import { fileWorld, sourceContract, type ToldCall } from '../../source-contract.test-support.ts';
import { decodeAll, ofKind } from '../transcripts/decode.test-support.ts';
import { codex, isRollout } from './codex.ts';
import { codexDecoder } from './decoder.ts';
import {
  BARE_HEAD,
  bareContext,
  bareMessage,
  Rollout,
  START_MS,
  THREAD,
} from './lines.test-support.ts';

const decoder = codexDecoder(() => true);
/** As it is named in `sessions/2026/07/13`. */
const FILE = `rollout-2026-07-13T16-41-30-${THREAD}.jsonl`;
const read = (...lines: readonly (object | string)[]) => decodeAll(decoder, lines, FILE);
const calls = (...lines: readonly object[]) => ofKind(read(...lines).events, 'tool_call');
const spans = (...lines: readonly object[]) => ofKind(read(...lines).events, 'trace_span');
const corrections = (...lines: readonly object[]) =>
  ofKind(read(...lines).events, 'user_correction');

describe('OBS-2 a call of a tool', () => {
  test('with its result is one event that says all that is known of it', () => {
    const r = new Rollout();
    const found = calls(
      r.meta(),
      r.event('task_started', { turn_id: 'turn-1' }),
      r.context({ turn_id: 'turn-1' }),
      r.calls('call_1', 'exec_command', { cmd: 'make', workdir: '/w' }),
      r.gets(
        'call_1',
        'Chunk ID: beae62\nWall time: 0.0125 seconds\nProcess exited with code 2\nOriginal token count: 1\nOutput:\nno rule',
      ),
    );
    expect(found).toEqual([
      {
        kind: 'tool_call',
        atMs: START_MS + 4000,
        session: THREAD,
        traceId: THREAD,
        spanId: 'call_1',
        parentSpanId: 'turn-1',
        version: '0.144.3',
        model: 'gpt-5.6-sol',
        agent: 'codex',
        tool: 'exec_command',
        success: false,
        errorCode: 'exit_2',
        errorMessage: 'no rule',
        latencyMs: 13,
        argumentNames: ['cmd', 'workdir'],
        arguments: expect.stringMatching(/^arguments [0-9a-f]{1,12}$/),
        attempt: 1,
        inputBytes: '{"cmd":"make","workdir":"/w"}'.length,
        outputBytes: expect.any(Number),
      },
    ]);
  });

  test.each([
    [
      'JSON with an exit code',
      JSON.stringify({ output: 'bad', metadata: { exit_code: 1, duration_seconds: 0.5 } }),
      'exit_1',
      500,
    ],
    ['a head of a few lines', 'Exit code: 1\nWall time: 0.4 seconds\nOutput:\nbad', 'exit_1', 400],
    [
      'a command that took too long',
      'Exit code: 124\nWall time: 10 seconds\nOutput:\ncommand timed out',
      'timeout',
      10_000,
    ],
    ['an abort', 'Wall time: 3.0 seconds\naborted by user', 'interrupted', 3000],
    ['an abort of another tool', 'aborted by user after 5.0s', 'interrupted', 1000],
    ['a refusal', 'exec command rejected by user', 'permission_denied', 1000],
    ['the sandbox', 'failed in sandbox: Landlock', 'sandbox_denied', 1000],
    ['a tool that there is not', 'unsupported call: foo', 'unknown_tool', 1000],
    [
      'arguments that do not fit',
      'failed to parse function arguments: missing field',
      'invalid_arguments',
      1000,
    ],
    [
      'an object that says so',
      { content: 'MCP error -32000: gone', success: false },
      'mcp_-32000',
      1000,
    ],
  ])('fails by %s', (_, output, errorCode, latencyMs) => {
    const r = new Rollout();
    const [found] = calls(r.meta(), r.calls('c', 'shell', {}), r.gets('c', output));
    expect(found).toMatchObject({ success: false, errorCode, latencyMs });
  });

  test.each([
    [JSON.stringify({ output: 'fine', metadata: { exit_code: 0, duration_seconds: 0.1 } })],
    ['Exit code: 0\nWall time: 0.4 seconds\nOutput:\nExit code: 1 is what it printed'],
    ['Chunk ID: a\nWall time: 1.0 seconds\nProcess running with session ID 73\nOutput:\n'],
    ['./alpha.txt\nError: is the name of a file'],
    [[{ type: 'output_text', text: 'Done!' }]],
    [{ content: 'fine', success: true }],
    [null],
  ])('goes well: %j', (output) => {
    const r = new Rollout();
    expect(calls(r.meta(), r.calls('c', 'shell', {}), r.gets('c', output))).toMatchObject([
      { success: true },
    ]);
  });

  test('an event that came before the output decides', () => {
    const r = new Rollout();
    const exit = (exit_code: number) =>
      r.event('exec_command_end', { call_id: 'c', exit_code, duration: { secs: 2, nanos: 5e8 } });
    const call = r.calls('c', 'exec_command', { cmd: 'x' });
    const found = calls(r.meta(), call, exit(3), r.gets('c', 'some output'));
    expect(found).toMatchObject([{ success: false, errorCode: 'exit_3', latencyMs: 2500 }]);
    expect(calls(r.meta(), call, r.gets('c', 'some output'), exit(3))).toMatchObject([
      { success: true },
    ]);
  });

  test('a patch that did not apply failed', () => {
    const r = new Rollout();
    const end = (fields: object) =>
      r.event('patch_apply_end', { call_id: 'p', stderr: '', ...fields });
    const patch = r.patches('p', '*** Begin Patch\n*** End Patch');
    const output = r.item('custom_tool_call_output', { call_id: 'p', output: 'bad patch' });
    expect(calls(r.meta(), patch, end({ success: false }), output)).toMatchObject([
      { tool: 'apply_patch', success: false, errorCode: 'patch_failed', errorMessage: 'bad patch' },
    ]);
    expect(
      calls(r.meta(), patch, end({ success: false, status: 'declined' }), output),
    ).toMatchObject([{ errorCode: 'permission_denied' }]);
  });

  test('of a server names the server, however a release writes it', () => {
    const r = new Rollout();
    const end = (result: object) =>
      r.event('mcp_tool_call_end', {
        call_id: 'm',
        invocation: { server: 'github', tool: 'search', arguments: { q: 'x' } },
        duration: { secs: 0, nanos: 40_000_000 },
        result,
      });
    const failed = {
      Ok: { content: [{ type: 'text', text: 'rate limited, status 429' }], isError: true },
    };
    const expected = [
      { tool: 'mcp__github__search', provider: 'github', success: false, latencyMs: 40 },
    ];
    const output = r.gets('m', '{"content":[]}');
    for (const call of [
      r.calls('m', 'mcp__github__search', { q: 'x' }),
      r.calls('m', 'search', { q: 'x' }, { namespace: 'mcp__github__' }),
      r.calls('m', 'github.search', { q: 'x' }),
    ])
      expect(calls(r.meta(), call, end(failed), output)).toMatchObject(expected);
    // A script called it: there is only the end.
    expect(calls(r.meta(), end(failed))).toMatchObject([
      {
        ...expected[0],
        errorCode: 'rate_limit',
        errorMessage: 'rate limited, status 429',
        argumentNames: ['q'],
      },
    ]);
    expect(calls(r.meta(), end({ Err: 'gone' }), end({ Err: 'gone' }))).toHaveLength(1);
    expect(calls(r.meta(), end({ Ok: { content: [] } }))).toMatchObject([{ success: true }]);
  });

  test('of the provider’s own tools needs no output', () => {
    const r = new Rollout();
    const search = r.item('web_search_call', {
      status: 'completed',
      action: { type: 'search', query: 'x' },
    });
    const failed = r.item('web_search_call', { status: 'failed', id: 'ws_1' });
    expect(calls(r.meta(), search, failed)).toMatchObject([
      { tool: 'web_search', success: true },
      { tool: 'web_search', success: false, errorCode: 'failed', spanId: 'ws_1' },
    ]);
  });

  test('of the shell in its older form, and with a search for tools', () => {
    const r = new Rollout();
    const action = { type: 'exec', command: ['ls'], timeout_ms: 1 };
    const found = calls(
      r.meta(),
      r.item('local_shell_call', { call_id: 'l', status: 'completed', action }),
      r.gets('l', 'x'),
      r.item('tool_search_call', { call_id: 's', arguments: { query: 'q' } }),
      r.item('tool_search_output', { call_id: 's', tools: [] }),
    );
    expect(found.map(({ tool }) => tool)).toEqual(['local_shell', 'tool_search']);
  });

  test('the same again directly after it failed is the next try', () => {
    const r = new Rollout();
    const lines = ['a', 'b'].flatMap((id) => [
      r.calls(id, 'shell', { command: ['x'] }),
      r.gets(id, 'Exit code: 1\nOutput:\nno'),
    ]);
    expect(calls(r.meta(), ...lines).map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  test('without an answer gives nothing', () => {
    const r = new Rollout();
    expect(calls(r.meta(), r.calls('a', 'shell', {}), r.gets('b', 'x'))).toEqual([]);
  });
});

describe('OBS-2 rollouts from before September 2025, which have no envelope', () => {
  const name = 'rollout-2025-08-18T01-16-13-c3c4b301-27c8-4c70-b6e4-46b99fdf0236.jsonl';
  const call = (call_id: string) => ({
    type: 'function_call',
    id: 'fc_1',
    name: 'shell',
    arguments: '{"command":["ls"]}',
    call_id,
  });
  const output = (call_id: string, exit_code: number) => ({
    type: 'function_call_output',
    call_id,
    output: JSON.stringify({ output: 'listed', metadata: { exit_code, duration_seconds: 0.2 } }),
  });
  const lines = [
    BARE_HEAD,
    { record_type: 'state' },
    bareContext('/home/dev/shop'),
    bareMessage('user', 'list the files'),
    { type: 'reasoning', summary: [], encrypted_content: 'x' },
    call('c1'),
    output('c1', 1),
    bareMessage('assistant', 'there'),
    bareMessage('user', 'no, that is wrong'),
  ];

  test('are read at the time of their session', () => {
    const { events, skipped } = decodeAll(decoder, lines, name);
    expect(skipped).toBe(0);
    expect(events).toMatchObject([
      {
        kind: 'tool_call',
        atMs: Date.parse(BARE_HEAD.timestamp),
        session: BARE_HEAD.id,
        success: false,
        errorCode: 'exit_1',
        latencyMs: 200,
      },
      { kind: 'user_correction', correction: 'rephrase' },
    ]);
  });

  test('say where they work in their first message', () => {
    const own = codexDecoder((cwd) => cwd === '/home/dev/shop');
    expect(decodeAll(own, lines, name).events).toHaveLength(2);
    const other = lines.with(2, bareContext('/home/dev/other'));
    expect(decodeAll(own, other, name).events).toEqual([]);
  });
});

describe('OBS-2 responses, turns and compactions', () => {
  const usage = {
    input_tokens: 10_776,
    cached_input_tokens: 900,
    output_tokens: 14,
    total_tokens: 10_790,
  };

  test('a response is what tokens were counted for, once', () => {
    const r = new Rollout();
    const found = spans(
      r.meta(),
      r.event('task_started', { turn_id: 't1' }),
      r.context({ turn_id: 't1' }),
      r.says('hello'),
      r.tokens(10_790, usage),
      r.tokens(10_790, usage),
      r.event('token_count', { info: null, rate_limits: {} }),
    );
    expect(found).toMatchObject([
      {
        operation: 'chat',
        name: 'gpt-5.6-sol',
        model: 'gpt-5.6-sol',
        provider: 'openai',
        parentSpanId: 't1',
        success: true,
        atMs: START_MS + 4000,
        durationMs: 1000,
        inputTokens: 10_776,
        outputTokens: 14,
      },
    ]);
  });

  test('a turn is a step; one that failed is a failed task', () => {
    const r = new Rollout();
    const codex_error_info = { response_too_many_failed_attempts: { http_status_code: 429 } };
    const error = { message: 'exceeded retry limit', codex_error_info };
    const done = r.event('task_complete', { turn_id: 't1', duration_ms: 3166 });
    const failed = r.event('task_complete', { turn_id: 't2', error });
    expect(read(r.meta(), done, failed).events).toMatchObject([
      {
        kind: 'trace_span',
        operation: 'invoke_agent',
        name: 'turn',
        spanId: 't1',
        success: true,
        durationMs: 3166,
      },
      { kind: 'trace_span', spanId: 't2', success: false, errorCode: 'rate_limit' },
      {
        kind: 'task_failure',
        task: 'turn',
        errorCategory: 'rate_limit',
        errorMessage: 'exceeded retry limit',
      },
    ]);
    // Some releases write it beside the payload.
    const beside = { ...r.event('task_complete', { turn_id: 't3' }), error };
    expect(read(r.meta(), beside).events).toHaveLength(2);
  });

  test.each([
    ['usage_limit_exceeded', 'rate_limit'],
    ['context_window_exceeded', 'token_limit'],
    ['server_overloaded', 'overloaded'],
    ['unauthorized', 'permission_denied'],
    ['bad_request', 'bad_request'],
    [{ http_connection_failed: { http_status_code: 503 } }, 'http_503'],
    [undefined, 'error'],
  ])('an error of a request means what it says: %j', (codex_error_info, errorCode) => {
    const r = new Rollout();
    const error = r.event('error', { message: 'sorry', codex_error_info });
    expect(spans(r.meta(), error)).toMatchObject([
      { operation: 'chat', success: false, errorCode, errorMessage: 'sorry' },
    ]);
  });

  test('a turn that ran out of its budget is a failed task', () => {
    const r = new Rollout();
    const aborted = r.event('turn_aborted', { turn_id: 't', reason: 'budget_limited' });
    expect(ofKind(read(r.meta(), aborted).events, 'task_failure')).toMatchObject([
      { errorCategory: 'token_limit' },
    ]);
  });

  test('a compaction is a step', () => {
    const r = new Rollout();
    const line = r.line('compacted', { message: 'so far', replacement_history: [] });
    expect(spans(r.meta(), line, r.event('context_compacted'))).toMatchObject([
      { operation: 'compact' },
    ]);
  });
});

describe('OBS-2 corrections by the user', () => {
  const worked = (r: Rollout) => [
    r.meta(),
    r.says('add a dark mode toggle to the settings page'),
    r.patches('p', '*** Begin Patch\n*** Update File: a.css\n@@\n-light\n+dark\n*** End Patch'),
    r.item('custom_tool_call_output', { call_id: 'p', output: 'Done!' }),
    r.event('agent_message', { message: 'done' }),
  ];

  test('are typed, repeated, or shown by an edit that is taken back', () => {
    const r = new Rollout();
    expect(corrections(...worked(r), r.says('no, not there!!'))).toMatchObject([
      { correction: 'rephrase' },
    ]);
    expect(
      corrections(...worked(r), r.says('add a dark mode toggle to the settings page')),
    ).toMatchObject([{ correction: 'retry' }]);
    expect(corrections(...worked(r), r.says('thanks, now the footer'))).toEqual([]);
    const back = r.patches(
      'q',
      '*** Begin Patch\n*** Update File: a.css\n@@\n-dark\n+light\n*** End Patch',
    );
    expect(corrections(...worked(r), r.says('the old look please'), back)).toMatchObject([
      { certainty: 0.75 },
    ]);
  });

  test('in the newer way to record what was said', () => {
    const r = new Rollout();
    const item = { type: 'UserMessage', content: [{ type: 'text', text: 'no, that is wrong' }] };
    expect(corrections(...worked(r), r.event('item_completed', { item }))).toHaveLength(1);
    const plan = { type: 'Plan', text: 'no, that is wrong' };
    expect(corrections(...worked(r), r.event('item_completed', { item: plan }))).toEqual([]);
  });

  test('what Codex itself puts into a conversation is none', () => {
    const r = new Rollout();
    const message = (role: string, text: string) =>
      r.item('message', { role, content: [{ type: 'input_text', text }] });
    expect(
      corrections(
        ...worked(r),
        message('user', 'no, that is wrong'),
        message('developer', 'no, that is wrong'),
        r.says('<environment_context>no, wrong</environment_context>'),
        r.says('# AGENTS.md instructions\nno, wrong'),
        r.says('/review no, wrong'),
      ),
    ).toEqual([]);
  });

  test('what is typed in an editor stands behind what is open there', () => {
    const r = new Rollout();
    const text =
      '# Context from my IDE setup:\n## Open tabs\n- a.ts\n## My request for Codex:\nno, that is wrong';
    expect(corrections(...worked(r), r.says(text))).toHaveLength(1);
  });

  test.each([
    ['interrupted', [{ correction: 'abandon' }]],
    ['replaced', [{ correction: 'rephrase', certainty: 0.6 }]],
    ['review_ended', []],
  ])('a turn that ended early: %s', (reason, expected) => {
    const r = new Rollout();
    const aborted = r.event('turn_aborted', { turn_id: 't', reason });
    expect(corrections(...worked(r), aborted)).toMatchObject(expected);
  });

  test('turns that were rolled back', () => {
    const r = new Rollout();
    const back = r.event('thread_rolled_back', { num_turns: 1 });
    expect(corrections(...worked(r), back, back)).toMatchObject([{ correction: 'retry' }]);
  });

  test('what a sub-agent is told comes from no user', () => {
    const r = new Rollout();
    const source = {
      subagent: { thread_spawn: { parent_thread_id: 'p', agent_role: 'explorer' } },
    };
    const [, ...lines] = worked(r);
    const turn = r.event('task_started', { turn_id: THREAD });
    const { events } = read(r.meta({ source }), turn, ...lines, r.says('no, that is wrong'));
    expect(ofKind(events, 'user_correction')).toEqual([]);
    expect(ofKind(events, 'tool_call')).toMatchObject([{ agent: 'explorer' }]);
  });
});

describe('OBS-3 what a forked session copied is not counted again', () => {
  const OLD_TURN = '019f5c00-0000-7000-8000-000000000001';
  const OWN_TURN = '019f5c5a-eb10-7000-8000-000000000002';

  /** The parent's lines, all written when the fork was made. */
  function copied(r: Rollout, atMs: number) {
    const at = (type: string, payload: object) => r.line(type, { ...payload }, atMs);
    return [
      at('session_meta', { id: '019f5c00-0000-7000-8000-00000000000a', cwd: '/elsewhere' }),
      at('event_msg', { type: 'task_started', turn_id: OLD_TURN }),
      at('turn_context', { turn_id: OLD_TURN, cwd: '/home/dev/shop', model: 'm' }),
      at('response_item', {
        type: 'function_call',
        name: 'shell',
        arguments: '{}',
        call_id: 'old',
      }),
      at('response_item', { type: 'function_call_output', call_id: 'old', output: 'x' }),
    ];
  }
  const own = (r: Rollout) => [r.calls('new', 'shell', {}), r.gets('new', 'x')];
  const spanIds = (...lines: object[]) => calls(...lines).map(({ spanId }) => spanId);

  test('it ends where a turn of its own begins', () => {
    for (const fork of [
      { forked_from_id: 'x' },
      { source: { subagent: { thread_spawn: { parent_thread_id: 'x' } } } },
    ]) {
      const r = new Rollout();
      const turn = r.line('event_msg', { type: 'task_started', turn_id: OWN_TURN }, START_MS + 20);
      const lines = [r.meta(fork), ...copied(r, START_MS + 10), turn, ...own(r)];
      expect(spanIds(...lines)).toEqual(['new']);
      expect(calls(...lines)[0]).toMatchObject({ session: THREAD });
    }
  });

  test('or by when it began, or after a pause, whether the copy has new times or its old ones', () => {
    for (const atMs of [START_MS + 10, START_MS - 86_400_000]) {
      const r = new Rollout();
      const fork = r.line(
        'session_meta',
        { id: THREAD, cwd: '/w', forked_from_id: 'x' },
        START_MS + 1,
      );
      const started_at = Math.floor(START_MS / 1000);
      const turn = r.line('event_msg', { type: 'task_started', started_at }, START_MS + 20);
      expect(spanIds(fork, ...copied(r, atMs), turn, ...own(r))).toEqual(['new']);
      expect(spanIds(fork, ...copied(r, atMs), r.says('go on'), ...own(r).map(later))).toEqual([
        'new',
      ]);
    }
  });

  /** Some seconds on. */
  function later(line: Readonly<Record<string, unknown>>) {
    const atMs = Date.parse(line['timestamp'] as string) + 5000;
    return { ...line, timestamp: new Date(atMs).toISOString() };
  }

  test('a session that was not forked has all its lines', () => {
    const r = new Rollout();
    expect(spanIds(r.meta(), ...own(r))).toEqual(['new']);
  });
});

describe('OBS-2 whose sessions are taken', () => {
  test('those whose folder, or whose turn’s folder, is the target’s', () => {
    const own = codexDecoder((cwd) => cwd === '/home/dev/shop');
    const lines = (metaCwd: string, turnCwd?: string) => {
      const r = new Rollout();
      const context = turnCwd === undefined ? [] : [r.context({ cwd: turnCwd })];
      return [r.meta({ cwd: metaCwd }), ...context, r.calls('c', 'shell', {}), r.gets('c', 'x')];
    };
    const count = (given: readonly object[]) => decodeAll(own, given, FILE).events.length;
    expect(count(lines('/home/dev/shop'))).toBe(1);
    expect(count(lines('/home/dev/other'))).toBe(0);
    expect(count(lines('/home/dev', '/home/dev/shop'))).toBe(1);
    expect(count(lines('/home/dev/shop', '/home/dev/other'))).toBe(0);
  });
});

describe('what is no line of a session', () => {
  test('is passed over; what has an unknown type is counted, what is no JSON is set aside', () => {
    const r = new Rollout();
    const found = read(
      r.meta(),
      r.line('world_state', { full: true, state: {} }),
      r.item('reasoning', { summary: [] }),
      r.line('future_record', { safe: 'ignored' }),
      r.event('brand_new', {}),
      r.item('brand_new_item', {}),
      { timestamp: 'x', type: 'event_msg' },
      '[]',
      'not json',
    );
    expect(found).toMatchObject({ events: [], skipped: 5 });
    expect(found.aside).toHaveLength(1);
  });

  test('before the session’s first line nothing is known of it', () => {
    const r = new Rollout();
    const lines = [r.calls('c', 'shell', {}), r.gets('c', 'x')];
    expect(decodeAll(decoder, lines, 'a.jsonl').events).toEqual([]);
    expect(decodeAll(decoder, lines, FILE).events).toMatchObject([{ session: THREAD }]);
  });

  test('other files of Codex’s folder are not opened', () => {
    const rollouts = [`2026/07/13/${FILE}`, FILE, `archived_sessions/${FILE}`, 'exported.jsonl'];
    const others = ['history.jsonl', 'session_index.jsonl', 'sessions/notes.jsonl'];
    expect(rollouts.filter(isRollout)).toEqual(rollouts);
    expect(others.filter(isRollout)).toEqual([]);
  });
});

describe('a file is recognised by its content', () => {
  const recognise = (lines: readonly object[], isWhole = true) =>
    codex.recognise!({
      path: '/x/y.jsonl',
      head: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
      isWhole,
    });

  test('with the release and the folder it was written in', () => {
    expect(recognise([new Rollout().meta()])).toEqual({
      certainty: 0.97,
      what: 'Codex rollout, written by 0.144.3',
      project: '/home/dev/shop',
    });
    expect(recognise([BARE_HEAD, { record_type: 'state' }, bareContext('/w')])).toEqual({
      certainty: 0.97,
      what: 'Codex rollout',
      project: '/w',
    });
  });

  test.each([
    [[{ type: 'message', role: 'user', content: [] }]],
    [[{ id: 'x', timestamp: '2026-01-01T00:00:00Z', level: 'info' }]],
    [[{ event_type: 'tool_call', session_id: 's' }]],
    [[{ type: 'user', sessionId: 's', message: {} }]],
    [[]],
  ])('others are not taken for one: %j', (lines) => {
    expect(recognise(lines)).toBe(undefined);
  });
});

/** A session of its own for every call: the agent is named in its first line. */
function told({ atMs, session, agent, tool, message }: ToldCall, at: number): string {
  const timestamp = new Date(atMs).toISOString();
  const meta = { id: session, timestamp, cwd: '/w', cli_version: '0.144.3', agent_role: agent };
  const call_id = `call_${at}`;
  const ended = { exit_code: message === undefined ? 0 : 1, duration_seconds: 0.1 };
  const output = JSON.stringify({ output: message ?? 'ok', metadata: ended });
  const item = (payload: object) => ({ timestamp, type: 'response_item', payload });
  return [
    { timestamp, type: 'session_meta', payload: meta },
    item({ type: 'function_call', name: tool, arguments: '{}', call_id }),
    item({ type: 'function_call_output', call_id, output }),
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}

sourceContract(codex, () => {
  let made = 0;
  return fileWorld({
    extension: 'jsonl',
    text: (given) => given.map((call) => told(call, made++)).join(''),
  });
});
