import { describe, expect, test } from 'vitest';
import { isoTime } from '../../../base/index.ts';
import { fileWorld, sourceContract } from '../../source-contract.test-support.ts';
import { decoded, knownHead, survivesAnything } from '../decoding.test-support.ts';
import { langfuse, langfuseDocuments, langfuseLines } from './langfuse.ts';

const AT_MS = Date.UTC(2026, 10, 17, 9, 12, 1, 332);

describe('OBS-2 exports of Langfuse', () => {
  test('a trace as the UI of version 2 downloads it', () => {
    const events = decoded(langfuseDocuments, [knownHead('trace-1.json')]);
    expect(events).toMatchObject([
      {
        kind: 'trace_span',
        spanId: 't1',
        name: 'answer',
        session: 's1',
        version: 'v1',
        success: true,
        atMs: AT_MS,
      },
      {
        kind: 'trace_span',
        operation: 'chat',
        spanId: 'o1',
        model: 'gpt-5',
        inputTokens: 10,
        outputTokens: 4,
        durationMs: 2000,
        agent: 'answer',
        session: 's1',
      },
      {
        kind: 'trace_span',
        operation: 'span',
        name: 'search',
        parentSpanId: 'o1',
        success: false,
        errorMessage: 'timeout',
        durationMs: 3500,
      },
      { kind: 'feedback', rating: 'thumbs_down', session: 's1' },
    ]);
  });

  test('a page of observations of the API of version 3', () => {
    expect(decoded(langfuseDocuments, [knownHead('observations page.json')])).toMatchObject([
      {
        kind: 'tool_call',
        tool: 'search',
        success: false,
        errorMessage: 'refused',
        latencyMs: 2000,
        traceId: 't1',
      },
    ]);
  });

  test('enriched observations of the blob storage, line by line', () => {
    expect(decoded(langfuseLines, knownHead('observations_v2.jsonl').split('\n'))).toMatchObject([
      {
        kind: 'trace_span',
        agent: 'answer',
        session: 's1',
        model: 'gpt-5',
        inputTokens: 3,
        costUsd: 0.002,
        atMs: AT_MS,
      },
      {
        kind: 'tool_call',
        tool: 'search',
        success: false,
        errorMessage: 'timeout',
        parentSpanId: 'o1',
      },
    ]);
  });

  test('a table, with quotes', () => {
    expect(decoded(langfuseLines, knownHead('observations.csv').split('\n'))).toMatchObject([
      { kind: 'trace_span', model: 'gpt-5', success: true, costUsd: 0.002 },
      { kind: 'trace_span', success: false, errorMessage: 'timeout, no answer' },
    ]);
  });

  test('events, scores and arguments', () => {
    const lines = [
      {
        id: 'e',
        traceId: 't',
        type: 'EVENT',
        name: 'retry',
        startTime: isoTime(AT_MS),
        level: 'WARNING',
        statusMessage: 'again',
      },
      {
        id: 'c',
        traceId: 't',
        name: 'quality',
        value: 0.7,
        dataType: 'NUMERIC',
        timestamp: isoTime(AT_MS),
        source: 'EVAL',
      },
      {
        id: 'd',
        traceId: 't',
        name: 'thumb',
        stringValue: 'yes',
        dataType: 'CATEGORICAL',
        timestamp: isoTime(AT_MS),
        source: 'API',
      },
      {
        id: 'o',
        traceId: 't',
        type: 'TOOL',
        name: 'search',
        startTime: isoTime(AT_MS),
        level: 'DEFAULT',
        input: '{"q":1,"lang":"de"}',
      },
    ];
    expect(
      decoded(
        langfuseLines,
        lines.map((one) => JSON.stringify(one)),
      ),
    ).toMatchObject([
      { kind: 'log_line', level: 'warning', message: 'again', logger: 'retry' },
      { kind: 'metric', name: 'quality', value: 0.7 },
      { kind: 'feedback', rating: 'thumbs_up' },
      { kind: 'tool_call', success: true, argumentNames: ['q', 'lang'] },
    ]);
  });

  test('what is something else is refused', () => {
    expect(decoded(langfuseLines, ['{"a":1}', 'x', 'a,b,c'])).toMatchObject([
      { ok: false },
      { ok: false },
      { ok: false },
    ]);
    expect(decoded(langfuseDocuments, ['no', '[1]', '{"data":[{}]}'])).toMatchObject([
      { ok: false },
      { ok: false },
      { ok: false },
    ]);
  });

  test('any text gives records, and never throws', () => {
    const heads = [
      'trace-1.json',
      'observations page.json',
      'observations_v2.jsonl',
      'observations.csv',
    ].map(knownHead);
    survivesAnything(langfuseDocuments, heads);
    survivesAnything(
      langfuseLines,
      heads.flatMap((head) => head.split('\n')),
    );
  });
});

sourceContract(langfuse, () =>
  fileWorld({
    extension: 'jsonl',
    text: (calls) =>
      calls
        .map(({ atMs, session, agent, tool, message }, at) => {
          const level =
            message === undefined
              ? { level: 'DEFAULT' }
              : { level: 'ERROR', status_message: message };
          const row = {
            id: `o${at}`,
            trace_id: `t${at}`,
            type: 'TOOL',
            name: tool,
            start_time: isoTime(atMs),
            session_id: session,
            trace_name: agent,
          };
          return `${JSON.stringify({ ...row, ...level })}\n`;
        })
        .join(''),
  }),
);
