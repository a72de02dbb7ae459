import { describe, expect, test } from 'vitest';
import { fileWorld, sourceContract, type ToldCall } from '../../source-contract.test-support.ts';
import { otlp, otlpDecoder, otlpDocument } from './otlp.ts';
import {
  AT_MS,
  keyValues,
  logRecord,
  logsOf,
  span,
  TRACE,
  tracesOf,
} from './requests.test-support.ts';

let spans = 0;

/** As the collector's file exporter writes it: a request on each line. */
function line({ atMs, session, agent, tool, message }: ToldCall): string {
  const called = {
    traceId: TRACE,
    spanId: (++spans).toString(16).padStart(16, '0'),
    name: `execute_tool ${tool}`,
    startTimeUnixNano: `${atMs}000000`,
    endTimeUnixNano: `${atMs + 5}000000`,
    attributes: keyValues({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.agent.name': agent,
      'gen_ai.conversation.id': session,
    }),
    ...(message === undefined ? {} : { status: { code: 2, message } }),
  };
  return `${JSON.stringify(tracesOf([called]))}\n`;
}

sourceContract(otlp, () =>
  fileWorld({ extension: 'jsonl', text: (calls) => calls.map(line).join('') }),
);

const decode = (payload: string) =>
  otlpDecoder.decode(payload, null, { name: 'a.json', modifiedMs: AT_MS }).records;

describe('OBS-2 documents', () => {
  test('spans, logs and metrics may stand in one', () => {
    const both = {
      ...tracesOf([span({})]),
      ...logsOf([logRecord({}, { body: { stringValue: 'hello' } })]),
    };
    expect(decode(JSON.stringify(both, null, 2))).toMatchObject([
      { ok: true, event: { kind: 'trace_span' } },
      { ok: true, event: { kind: 'log_line' } },
    ]);
  });

  const exported = {
    trace_id: TRACE,
    spans: [
      {
        timestamp: '2026-01-01T12:00:00.005Z',
        trace_id: TRACE,
        span_id: 'ef641bfc63faffaf',
        parent_span_id: null,
        span_name: 'CodeAgent.run',
        span_kind: 'Internal',
        service_name: 'research',
        resource_attributes: { 'service.name': 'research' },
        span_attributes: { 'openinference.span.kind': 'AGENT' },
        duration: 'PT1M24.5S',
        status_code: 'Unset',
        status_message: '',
        events: [],
        child_spans: [
          {
            timestamp: '2026-01-01T12:00:01.000000',
            trace_id: TRACE,
            span_id: '84ac3fac30c74f7c',
            parent_span_id: 'ef641bfc63faffaf',
            span_name: 'TextInspectorTool',
            service_name: 'research',
            span_attributes: {
              'openinference.span.kind': 'TOOL',
              'tool.name': 'inspect_file',
              'input.value': '{"args": [], "kwargs": {"path": "a.mp3"}}',
            },
            duration: 'PT0.01S',
            status_code: 'Error',
            status_message: 'FileNotFoundError: no such file',
            events: [
              {
                Name: 'exception',
                Attributes: {
                  'exception.type': 'FileNotFoundError',
                  'exception.message': 'no such file',
                },
              },
            ],
          },
        ],
      },
    ],
  };

  test('an exported trace is read with its inner spans', () => {
    expect(decode(JSON.stringify(exported, null, 4))).toMatchObject([
      {
        event: {
          kind: 'trace_span',
          agent: 'CodeAgent',
          operation: 'invoke_agent',
          durationMs: 84_500,
          atMs: AT_MS + 5,
        },
      },
      {
        event: {
          kind: 'tool_call',
          agent: 'CodeAgent',
          tool: 'inspect_file',
          session: TRACE,
          success: false,
          errorCode: 'FileNotFoundError',
          errorMessage: 'no such file',
          argumentNames: ['path'],
          atMs: AT_MS + 1000,
          latencyMs: 10,
        },
      },
    ]);
  });

  test('spans as OpenTelemetry prints them are read, one or a list', () => {
    const printed = {
      name: 'execute_tool search',
      context: { trace_id: `0x${TRACE}`, span_id: '0xeee19b7ec3c1b174', trace_state: '[]' },
      kind: 'SpanKind.CLIENT',
      parent_id: null,
      start_time: '2026-01-01T12:00:00.000000Z',
      end_time: '2026-01-01T12:00:02.000000Z',
      status: { status_code: 'ERROR', description: 'no answer' },
      attributes: { 'gen_ai.tool.name': 'search' },
      events: [],
      resource: { attributes: { 'service.name': 'shop' } },
    };
    const event = {
      event: {
        kind: 'tool_call',
        agent: 'shop',
        tool: 'search',
        traceId: TRACE,
        success: false,
        errorMessage: 'no answer',
        latencyMs: 2000,
      },
    };
    expect(decode(JSON.stringify(printed))).toMatchObject([event]);
    expect(decode(JSON.stringify([printed, printed]))).toMatchObject([event, event]);
  });

  test('what is wrong with many spans is said once', () => {
    const bad = span({}, { spanId: '' });
    expect(decode(JSON.stringify(tracesOf([bad, span({}), bad, bad])))).toEqual([
      { ok: false, reason: 'not_an_event', detail: 'A span has no id. There are 3 of them.' },
      expect.objectContaining({ ok: true }),
    ]);
  });

  test('other JSON is refused with what was expected', () => {
    expect(decode('{"event_type":"tool_call"}')).toMatchObject([
      { ok: false, reason: 'not_an_event', detail: expect.stringContaining('resourceSpans') },
    ]);
  });

  const sample = (head: string, isWhole = true) => ({ path: '/a/b.json', head, isWhole });
  const kindOf = (head: string, isWhole = true) => [
    otlp.recognise!(sample(head, isWhole))?.what,
    otlpDocument.recognise!(sample(head, isWhole))?.what,
  ];

  test('OBS-2 a file is recognised by its content, and whether it is of lines or one document', () => {
    const request = tracesOf([span({})]);
    expect(kindOf(`${JSON.stringify(request)}\n${JSON.stringify(request).slice(0, 50)}`)).toEqual([
      'OTLP traces',
      undefined,
    ]);
    expect(kindOf(JSON.stringify(request, null, 2))).toEqual([undefined, 'OTLP traces']);
    expect(kindOf(JSON.stringify(logsOf([])))).toEqual([undefined, 'OTLP logs']);
    expect(kindOf(JSON.stringify(request).slice(0, 100), false)).toEqual([
      'OTLP traces',
      undefined,
    ]);
    expect(kindOf(JSON.stringify(exported, null, 4))).toEqual([
      undefined,
      'an exported OpenTelemetry trace',
    ]);
    for (const other of [
      '',
      '{}',
      '[]',
      'plain text',
      '{"event_type":"tool_call"}\n',
      '{"resourceSpans":1}',
    ])
      expect(kindOf(other)).toEqual([undefined, undefined]);
  });
});
