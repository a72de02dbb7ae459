import { describe, expect, test } from 'vitest';
import { isoTime } from '../../../base/index.ts';
import { fileWorld, sourceContract } from '../../source-contract.test-support.ts';
import { decoded, knownHead, MODIFIED_MS, survivesAnything } from '../decoding.test-support.ts';
import { openai, openaiDocuments, openaiLines } from './openai.ts';

const AT_MS = Date.UTC(2026, 10, 17, 9, 12, 1);
const about = { name: 'shop.jsonl', modifiedMs: MODIFIED_MS };
const lines = (...all: readonly object[]) =>
  decoded(
    openaiLines,
    all.map((one) => JSON.stringify(one)),
    about,
  );

describe('OBS-2 files in the forms of OpenAI', () => {
  test('completions, of which one was cut off', () => {
    expect(decoded(openaiLines, knownHead('completions.jsonl').split('\n'))).toMatchObject([
      {
        kind: 'trace_span',
        operation: 'chat',
        atMs: AT_MS,
        model: 'gpt-5',
        success: true,
        inputTokens: 9,
        outputTokens: 3,
      },
      { kind: 'trace_span', success: false, errorCode: 'length' },
    ]);
  });

  test('the Responses interface, and requests kept with their responses', () => {
    const response = {
      id: 'resp_1',
      object: 'response',
      created_at: AT_MS / 1000,
      model: 'gpt-5',
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      usage: { input_tokens: 5, output_tokens: 9 },
    };
    expect(
      lines(response, {
        timestamp: isoTime(AT_MS),
        request: { model: 'gpt-4o', messages: [] },
        response: null,
        error: { code: 'server_error', message: 'no' },
      }),
    ).toMatchObject([
      { success: false, errorCode: 'max_output_tokens', inputTokens: 5 },
      { success: false, errorCode: 'server_error', errorMessage: 'no', model: 'gpt-4o' },
    ]);
    const pair = {
      timestamp: isoTime(AT_MS),
      latency_ms: 900,
      agent: 'shop',
      request: { messages: [] },
      response: {
        id: 'x',
        object: 'chat.completion',
        created: AT_MS / 1000,
        model: 'm',
        choices: [],
      },
    };
    expect(lines(pair)).toMatchObject([{ agent: 'shop', durationMs: 900, success: true }]);
  });

  test('outputs and errors of batches', () => {
    expect(
      decoded(openaiLines, [
        ...knownHead('batch_output.jsonl').split('\n'),
        knownHead('batch_errors.jsonl'),
      ]),
    ).toMatchObject([
      { kind: 'trace_span', session: 'row-1', success: true, model: 'gpt-4o', atMs: AT_MS },
      {
        session: 'row-2',
        success: false,
        errorCode: 'rate_limit_exceeded',
        errorMessage: 'Rate limit reached',
        atMs: MODIFIED_MS,
      },
      { session: 'row-3', success: false, errorCode: 'batch_expired' },
    ]);
  });

  test('logs of openai/evals, and rows of evaluations by the interface', () => {
    expect(decoded(openaiLines, knownHead('evals.jsonl').split('\n'))).toMatchObject([
      {
        kind: 'test_result',
        suite: 'test-match.s1',
        test: 'test-match.s1.0',
        status: 'passed',
        session: '2611170912AB',
      },
      { kind: 'test_result', test: 'test-match.s1.1', status: 'failed' },
      { kind: 'metric', name: 'accuracy', value: 0.5 },
    ]);
    const item = {
      object: 'eval.run.output_item',
      id: 'i',
      created_at: AT_MS / 1000,
      run_id: 'r',
      eval_id: 'e',
      status: 'fail',
      datasource_item_id: 4,
      results: [{ name: 'match', passed: false }],
      sample: { model: 'gpt-5' },
    };
    expect(lines(item)).toMatchObject([
      {
        kind: 'test_result',
        suite: 'e',
        test: '4',
        status: 'failed',
        errorMessage: 'Not passed: match',
        model: 'gpt-5',
      },
    ]);
  });

  test('conversations: calls with their answers, in three forms', () => {
    expect(decoded(openaiLines, knownHead('fine-tuning.jsonl').split('\n'), about)).toMatchObject([
      {
        kind: 'tool_call',
        tool: 'search',
        agent: 'shop',
        success: false,
        errorMessage: 'Error: timeout',
        argumentNames: ['q'],
        atMs: MODIFIED_MS,
      },
    ]);
    const old = {
      messages: [
        { role: 'assistant', function_call: { name: 'find', arguments: '{"a":1}' } },
        { role: 'function', name: 'find', content: '{"error":"no"}' },
      ],
    };
    const blocks = {
      messages: [
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 't', name: 'read', input: { path: 'x' } }],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 't',
              is_error: true,
              content: [{ type: 'text', text: 'gone' }],
            },
          ],
        },
      ],
    };
    const open = {
      messages: [
        { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'x', arguments: '{}' } }] },
      ],
    };
    expect(lines(old, blocks, open)).toMatchObject([
      { tool: 'find', success: false, errorMessage: 'no' },
      { tool: 'read', success: false, errorMessage: 'gone', argumentNames: ['path'] },
    ]);
  });

  test('an answer that only speaks of errors is none', () => {
    const talk = (content: string) => ({
      messages: [
        { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'x', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'c', content },
      ],
    });
    expect(
      lines(
        talk('There were 3 errors in the log.'),
        talk('{"error":null,"rows":2}'),
        talk('{"ok":false,"message":"m"}'),
      ),
    ).toMatchObject([{ success: true }, { success: true }, { success: false, errorMessage: 'm' }]);
  });

  test('runs of assistants and their steps', () => {
    expect(decoded(openaiDocuments, [knownHead('steps.json')])).toMatchObject([
      {
        kind: 'tool_call',
        tool: 'search',
        agent: 'asst_1',
        session: 'thread_1',
        success: false,
        errorCode: 'server_error',
        latencyMs: 3000,
      },
    ]);
    const run = {
      object: 'thread.run',
      id: 'run_1',
      created_at: AT_MS / 1000,
      thread_id: 't',
      status: 'expired',
      model: 'gpt-4o',
    };
    expect(lines(run)).toMatchObject([
      { kind: 'trace_span', operation: 'invoke_agent', success: false, errorCode: 'expired' },
    ]);
  });

  test('any text gives records, and never throws', () => {
    const heads = [
      'completions.jsonl',
      'batch_output.jsonl',
      'batch_errors.jsonl',
      'evals.jsonl',
      'fine-tuning.jsonl',
      'steps.json',
    ].map(knownHead);
    survivesAnything(openaiDocuments, heads);
    survivesAnything(
      openaiLines,
      heads.flatMap((head) => head.split('\n')),
    );
  });
});

sourceContract(openai, () =>
  fileWorld({
    extension: 'jsonl',
    text: (calls) =>
      calls
        .map(({ atMs, session, agent, tool, message }) => {
          const answer = message === undefined ? 'fine' : JSON.stringify({ error: message });
          const messages = [
            {
              role: 'assistant',
              tool_calls: [
                { id: 'c', type: 'function', function: { name: tool, arguments: '{}' } },
              ],
            },
            { role: 'tool', tool_call_id: 'c', content: answer },
          ];
          return `${JSON.stringify({ timestamp: isoTime(atMs), session_id: session, agent, messages })}\n`;
        })
        .join(''),
  }),
);
