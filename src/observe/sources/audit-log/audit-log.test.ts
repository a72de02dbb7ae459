import { describe, expect, test } from 'vitest';
import { isoTime } from '../../../base/index.ts';
import { fileWorld, sourceContract } from '../../source-contract.test-support.ts';
import { decoded, knownHead, survivesAnything } from '../decoding.test-support.ts';
import { auditDocuments, auditLines, auditLog } from './audit-log.ts';

const AT_MS = Date.UTC(2026, 10, 17, 9, 12, 1);
const read = (name: string) => decoded(auditLines, knownHead(name).split('\n'));
const line = (entry: object) => decoded(auditLines, [JSON.stringify(entry)])[0];

describe('OBS-2 a gateway’s audit log', () => {
  test('entries with action, success and error', () => {
    expect(read('audit.log')).toMatchObject([
      {
        kind: 'tool_call',
        agent: 'helper',
        tool: 'read_file',
        success: true,
        latencyMs: 12,
        atMs: AT_MS,
      },
      { tool: 'write_patch', success: false, errorMessage: 'path not allowed', latencyMs: 3 },
    ]);
  });

  test('decisions of gateways for MCP, by flag and by word', () => {
    expect(read('mcp-audit.jsonl')).toMatchObject([
      { tool: 'read', success: true, provider: 'files', argumentNames: ['path'] },
      { tool: 'delete', success: false, errorCode: 'denied', errorMessage: 'rule 3' },
    ]);
    expect(read('gateway.jsonl')).toMatchObject([
      { tool: 'read', success: true, session: 'r1', latencyMs: 20 },
      { tool: 'delete', success: false, errorCode: 'denied', errorMessage: 'policy' },
    ]);
    expect(line({ timestamp: isoTime(AT_MS), tool: 'x', status: 'denied' })).toMatchObject({
      success: false,
      errorMessage: 'Denied by the gateway.',
    });
  });

  test('LiteLLM, as the payload itself and inside of what a callback gets', () => {
    const entries = read('litellm.jsonl');
    expect(entries).toMatchObject([
      {
        kind: 'trace_span',
        operation: 'chat',
        model: 'gpt-5',
        provider: 'openai',
        success: true,
        durationMs: 2000,
        inputTokens: 10,
        costUsd: 0.01,
        session: 't1',
      },
      { kind: 'trace_span', success: false, errorCode: '429', errorMessage: 'too many' },
    ]);
    const inner = {
      id: 'c',
      call_type: 'call_mcp_tool',
      status: 'success',
      startTime: AT_MS / 1000,
      endTime: AT_MS / 1000 + 1,
      mcp_tool_call_metadata: { name: 'search', arguments: { q: 1 } },
    };
    expect(line({ standard_logging_object: inner })).toMatchObject({
      kind: 'tool_call',
      tool: 'search',
      latencyMs: 1000,
      argumentNames: ['q'],
    });
  });

  test('Kong, also with MCP inside, and Envoy', () => {
    expect(read('kong.log')).toMatchObject([
      { tool: 'GET /search', success: true, latencyMs: 40, provider: 'search', inputBytes: 70 },
      { success: false, errorCode: '503' },
    ]);
    const entry = JSON.parse(knownHead('kong.log').split('\n')[0]!);
    const rpc = [
      { method: 'tools/list' },
      { method: 'tools/call', tool_name: 'find', latency: 9, error: 'no' },
    ];
    expect(line({ ...entry, ai: { mcp: { rpc } } })).toMatchObject({
      tool: 'find',
      success: false,
      errorMessage: 'no',
      latencyMs: 9,
    });
    expect(read('envoy.log')).toMatchObject([
      { tool: 'GET /search', success: true, latencyMs: 38, session: 'r1' },
      { success: false, errorCode: 'UT', errorMessage: 'HTTP 504', latencyMs: 15_000 },
    ]);
  });

  test('entries that say too little are refused, and name no value', () => {
    const refusals = [
      { timestamp: isoTime(AT_MS) },
      { tool: 'hush', success: true },
      { timestamp: isoTime(AT_MS), tool: 'hush' },
    ].map(line);
    expect(refusals).toMatchObject([
      { ok: false },
      { ok: false, reason: 'wrong_time' },
      { ok: false },
    ]);
    expect(JSON.stringify(refusals)).not.toContain('hush');
  });

  test('a list in one document', () => {
    const entries = knownHead('audit.log')
      .split('\n')
      .map((one) => JSON.parse(one));
    expect(decoded(auditDocuments, [JSON.stringify({ entries })])).toHaveLength(2);
  });

  test('any text gives records, and never throws', () => {
    const heads = [
      'audit.log',
      'mcp-audit.jsonl',
      'gateway.jsonl',
      'litellm.jsonl',
      'kong.log',
      'envoy.log',
    ].map(knownHead);
    survivesAnything(auditDocuments, heads);
    survivesAnything(
      auditLines,
      heads.flatMap((head) => head.split('\n')),
    );
  });
});

sourceContract(auditLog, () =>
  fileWorld({
    extension: 'jsonl',
    text: (calls) =>
      calls
        .map(({ atMs, session, agent, tool, message }) => {
          const failed =
            message === undefined ? { success: true } : { success: false, error: message };
          return `${JSON.stringify({ timestamp: isoTime(atMs), session_id: session, agent, action: tool, ...failed })}\n`;
        })
        .join(''),
  }),
);
