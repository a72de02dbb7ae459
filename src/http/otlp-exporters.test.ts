/** The exporters of OpenTelemetry itself send to the real receiver. */
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { LoggerProvider, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { expect, test } from 'vitest';
import { receive } from './otlp-receiver.test-support.ts';

const resource = resourceFromAttributes({ 'service.name': 'shop', 'service.version': '1.2.3' });

test('OBS-2 spans of the protobuf exporter become tool calls and trace spans', async () => {
  await using receiving = await receive();
  const exporter = new OTLPTraceExporter({ url: `${receiving.door.url}/v1/traces` });
  const provider = new TracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer('t');
  const tool = tracer.startSpan('execute_tool search', {
    kind: SpanKind.INTERNAL,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'search',
      'gen_ai.agent.name': 'planner',
      'gen_ai.conversation.id': 'c1',
      'gen_ai.tool.call.arguments': '{"query":"x","limit":3}',
    },
  });
  tool.recordException(new TypeError('no such index'));
  tool.setStatus({ code: SpanStatusCode.ERROR, message: 'failed' });
  tool.end();
  tracer
    .startSpan('chat m', {
      kind: SpanKind.CLIENT,
      attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.usage.input_tokens': 1200 },
    })
    .end();
  await provider.forceFlush();
  await provider.shutdown();
  expect(await receiving.events()).toEqual([
    expect.objectContaining({
      source: 'otlp:anonymous',
      kind: 'tool_call',
      agent: 'planner',
      tool: 'search',
      session: 'c1',
      version: '1.2.3',
      success: false,
      errorCode: 'TypeError',
      errorMessage: 'no such index',
      argumentNames: ['query', 'limit'],
      traceId: tool.spanContext().traceId,
      spanId: tool.spanContext().spanId,
    }),
    expect.objectContaining({
      kind: 'trace_span',
      agent: 'shop',
      operation: 'chat',
      inputTokens: 1200,
      success: true,
    }),
  ]);
});

test('OBS-2 records of the protobuf log exporter become events', async () => {
  await using receiving = await receive();
  const exporter = new OTLPLogExporter({ url: `${receiving.door.url}/v1/logs` });
  const provider = new LoggerProvider({
    resource: resourceFromAttributes({ 'service.name': 'claude-code' }),
    processors: [new SimpleLogRecordProcessor({ exporter })],
  });
  const logger = provider.getLogger('com.anthropic.claude_code.events');
  logger.emit({
    body: 'claude_code.tool_result',
    attributes: {
      'event.name': 'tool_result',
      'session.id': 's1',
      tool_name: 'Bash',
      success: 'false',
      duration_ms: 250,
      error_type: 'Error',
      error: 'exit code 1',
    },
  });
  logger.emit({ body: 'disk is full', severityNumber: 17 });
  await provider.forceFlush();
  await provider.shutdown();
  expect(await receiving.events()).toEqual([
    expect.objectContaining({ kind: 'tool_call', tool: 'Bash', session: 's1', latencyMs: 250 }),
    expect.objectContaining({ kind: 'log_line', level: 'error', message: 'disk is full' }),
  ]);
});
