/** Lines that nobody meant to write: any value in any place, and texts that slow expressions down. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from '../../../../test/any-character.ts';
import type { Json } from '../../../base/index.ts';
import type { Decoder } from '../../types.ts';
import { claudeCode } from '../claude-code/claude-code.ts';
import { claudeDecoder } from '../claude-code/decoder.ts';
import { Session } from '../claude-code/lines.test-support.ts';
import { codex } from '../codex/codex.ts';
import { codexDecoder } from '../codex/decoder.ts';
import { BARE_HEAD, bareContext, Rollout, THREAD } from '../codex/lines.test-support.ts';
import { decodeAll } from './decode.test-support.ts';

type Value = unknown;
const s = new Session();
const r = new Rollout();
const edit = { file_path: '/a', old_string: 'x', new_string: 'y' };
const noted = { status: 'completed', agentId: 'a1', totalDurationMs: 1, durationMs: 2, code: 404 };
const CLAUDE: readonly object[] = [
  s.says('do it again please'),
  s.calls('t1', 'Task', { subagent_type: 'Explore', prompt: 'go', command: 'ls', ...edit }),
  s.fails('t1', [{ type: 'text', text: 'Exit code 1' }], { toolUseResult: noted }),
  s.gets('t1', 'x', { toolDenialKind: 'user-rejected', userFeedback: 'no' }),
  s.line('system', { subtype: 'compact_boundary', compactMetadata: { preTokens: 1 } }),
  s.line('system', { subtype: 'api_error', error: { status: 1, cause: { code: 'x' } } }),
  s.line('attachment', {
    attachment: { type: 'queued_command', prompt: [{ type: 'text', text: 'no' }] },
  }),
  s.answers({ type: 'text', text: 'x' }, {}, { isApiErrorMessage: true, error: 'x' }),
  s.says('<task-notification><task-id>a</task-id><status>x</status><summary>Agent x</summary>'),
  s.says('[Request interrupted by user]', { forkedFrom: { sessionId: 'x' } }),
];
const end = { call_id: 'c1', exit_code: 1, success: false, duration: { secs: 1, nanos: 1 } };
const invocation = { server: 's', tool: 't', arguments: {} };
const CODEX: readonly object[] = [
  r.meta({ source: { subagent: { thread_spawn: { parent_thread_id: 'x' } } }, git: {} }),
  r.context({ turn_id: THREAD }),
  r.event('task_started', { turn_id: THREAD, started_at: 1 }),
  r.says('no, wrong'),
  r.calls('c1', 'shell', { command: ['bash', '*** Begin Patch\n*** Update File: a\n-x\n+y'] }),
  r.event('exec_command_end', end),
  r.gets('c1', 'Exit code: 1\nWall time: 1.5 seconds\nOutput:\nx'),
  r.event('mcp_tool_call_end', { call_id: 'c2', invocation, result: { Ok: { isError: true } } }),
  r.event('patch_apply_end', { ...end, call_id: 'c3' }),
  r.tokens(1, { input_tokens: 1, output_tokens: 2 }),
  r.event('task_complete', {
    turn_id: 'x',
    error: { codex_error_info: { a: { http_status_code: 1 } } },
  }),
  r.event('turn_aborted', { reason: 'interrupted' }),
  r.event('item_completed', { item: { type: 'UserMessage', content: [{ text: 'x' }] } }),
  r.line('compacted', { message: 'x' }),
  BARE_HEAD,
  bareContext('/x'),
];

/** Paths to all values within a value. */
function pathsOf(value: Value, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const below = Object.entries(value).flatMap(([key, one]) => pathsOf(one, [...path, key]));
  return [path, ...below].filter((one) => one.length > 0);
}

function replaced(value: Value, [key, ...rest]: readonly string[], by: Value): Value {
  if (key === undefined) return by;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<
    string,
    Value
  >;
  copy[key] = replaced(copy[key], rest, by);
  return copy;
}

const KINDS: readonly (readonly [string, Decoder, readonly object[]])[] = [
  ['claude-code', claudeDecoder(() => true) as unknown as Decoder<Json>, CLAUDE],
  ['codex', codexDecoder(() => true) as unknown as Decoder<Json>, CODEX],
];

describe.each(KINDS)('%s', (_, decoder, lines) => {
  const places = lines.flatMap((line, at) => pathsOf(line).map((path) => ({ at, path })));

  test('any JSON in any place: nothing is thrown, and every event is within bounds', () => {
    const odd = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom<Value>('', ' ', '\0', 'x'.repeat(300), -1, 1e300, '\ud800', [[[]]], {
        __proto__: 1,
      }),
      fc.string({ unit: anyCharacter, maxLength: 30 }),
    );
    const changes = fc.array(fc.tuple(fc.constantFrom(...places), odd), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(changes, (given) => {
        const changed: Value[] = [...lines];
        for (const [{ at, path }, by] of given) changed[at] = replaced(changed[at], path, by);
        decodeAll(decoder, changed as object[]);
      }),
      { numRuns: 200 },
    );
  });

  test('lines in any order, some of them missing or doubled', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...lines), { maxLength: 40 }), (given) => {
        decodeAll(decoder, given);
      }),
      { numRuns: 60 },
    );
  });

  test('long texts in every place take as long as they are', () => {
    const units = [
      '<a-b',
      'Exit code ',
      ' at x:',
      "'",
      '\n',
      '/a:',
      '{"output"',
      '- not ',
      'ENOENT',
      '<cwd>',
      '-',
      '/',
    ];
    const fields = places.filter(({ at, path }) => {
      const value = path.reduce<Value>(
        (one, key) => (one as Record<string, Value>)[key],
        lines[at],
      );
      return typeof value === 'string';
    });
    for (const [index, { at, path }] of fields.entries()) {
      const unit = units[index % units.length]!;
      const long = replaced(lines[at], path, unit.repeat(Math.ceil(200_000 / unit.length)));
      // One quadratic expression would need minutes for this.
      decodeAll(decoder, [...lines.slice(0, at), long as object, ...lines.slice(at)]);
    }
  }, 20_000);

  test('nested as deep as a line can be', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const [first] = lines;
    const text = JSON.stringify(first).slice(0, -1);
    for (const key of ['message', 'payload', 'cwd', 'toolUseResult'])
      decodeAll(decoder, [`${text},"${key}":${deep}}`]);
    const call = '{"type":"tool_use","id":"x","name":"y","input":';
    const line = `{"type":"assistant","sessionId":"s","message":{"content":[${call}${deep}}]}}`;
    const item = `{"type":"response_item","timestamp":"2026-01-01T00:00:00Z","payload":{"type":"custom_tool_call","call_id":"c","name":"n","input":${deep}}}`;
    expect(decodeAll(decoder, [line, item]).aside).toEqual([]);
  });
});

test('a file of anything is recognised as nothing, or not at all', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: anyCharacter, maxLength: 500 }),
      fc.boolean(),
      (head, isWhole) => {
        for (const kind of [claudeCode, codex])
          expect(kind.recognise!({ path: '/x', head, isWhole })).toBe(undefined);
      },
    ),
  );
});
