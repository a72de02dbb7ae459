import { describe, expect, test } from 'vitest';
import { EVENT_KINDS } from '../../../facts/index.ts';
import { outOfBounds } from '../../check-event.ts';
import { decodeLine } from '../../files/decode-line.ts';
import { fileWorld, sourceContract } from '../../source-contract.test-support.ts';
import {
  collectorOf,
  MemoryFiles,
  SETTINGS,
  telemetryPerTest,
  toolCall,
} from '../../telemetry.test-support.ts';
import type { Decoder } from '../../types.ts';
import { jsonl, jsonlDecoder } from './jsonl.ts';

const openStore = telemetryPerTest('memory');
const NOW_MS = Date.UTC(2026, 0, 1);
const common = { timestamp: '2026-01-01T00:00:00Z', session_id: 's1' };
const VALID: Readonly<Record<string, object>> = {
  tool_call: { agent: 'a', tool: 't', success: false, latency_ms: 1, error_message: 'no' },
  user_correction: { agent: 'a', correction_type: 'retry' },
  task_failure: { task_name: 't', error_category: 'c', retry_count: 0, final_status: 'f' },
  feedback: { agent: 'a', rating: 'thumbs_up' },
  escalation: { agent: 'a', reason_category: 'timeout' },
  metric: { name: 'cost', value: 1.5, unit: 'USD' },
  test_result: { test: 't', status: 'failed', duration_ms: 3 },
  trace_span: { span_id: '1', name: 'n', success: true, duration_ms: 2 },
  log_line: { level: 'error', message: 'no' },
  change: { change: 'commit', name: 'c1' },
};
/** As the room reads one line. */
function readLine(line: string) {
  const [record] = decodeLine({ text: line, tooLong: false }, jsonlDecoder() as Decoder, {
    state: null,
    about: { name: 'a.jsonl', modifiedMs: null },
  }).records;
  const refused = record!.ok ? outOfBounds(record!.event, NOW_MS) : undefined;
  return refused === undefined ? record! : { ok: false, ...refused };
}
const read = (value: unknown) => readLine(JSON.stringify(value));
const call = { ...common, event_type: 'tool_call', ...VALID['tool_call'] };

describe('OBS-1 one line', () => {
  test.each(EVENT_KINDS)('%s is taken', (type) => {
    expect(read({ ...common, event_type: type, ...VALID[type] })).toMatchObject({
      ok: true,
      event: { kind: type, atMs: NOW_MS, session: 's1' },
    });
  });

  test('a byte order mark before the first line is no part of it', () => {
    expect(readLine(`\ufeff${JSON.stringify(call)}`)).toMatchObject({ ok: true });
  });

  test('times with an offset are one time', () => {
    expect(read({ ...call, timestamp: '2026-01-01T01:30:00.250+01:30' })).toMatchObject({
      event: { atMs: NOW_MS + 250 },
    });
  });

  test.each([
    ['{"event_type":', 'not_json', /not JSON/],
    ['[]', 'not_an_event', /not an object/],
    ['null', 'not_an_event', /not an object/],
    ['{}', 'not_an_event', /event_type is missing/],
    [JSON.stringify({ ...call, event_type: 'rocket' }), 'not_an_event', /event_type is missing/],
    [
      JSON.stringify({ ...call, latency_ms: '12' }),
      'not_an_event',
      /latency_ms has the wrong type/,
    ],
    [
      JSON.stringify({ ...call, latency_ms: -1 }),
      'not_an_event',
      /latency_ms is empty or too small/,
    ],
    [JSON.stringify({ ...call, agent: undefined }), 'not_an_event', /agent is missing/],
    [JSON.stringify({ ...call, agent: '' }), 'not_an_event', /agent is empty/],
    [JSON.stringify({ ...call, agent: 'a'.repeat(201) }), 'not_an_event', /agent is too long/],
    [JSON.stringify({ ...call, prompt: 'x' }), 'not_an_event', /does not have: prompt/],
    [JSON.stringify({ ...call, timestamp: 'yesterday' }), 'not_an_event', /timestamp has a value/],
    [JSON.stringify({ ...call, timestamp: '2026-01-02T00:00:01Z' }), 'wrong_time', /in the future/],
    [JSON.stringify({ ...call, timestamp: '1969-12-31T23:59:59Z' }), 'wrong_time', /before 1970/],
    ['{"latency_ms":1e999}', 'not_an_event', /event_type is missing/],
  ])('%s is refused', (line, reason, detail) => {
    expect(readLine(line)).toMatchObject({
      ok: false,
      reason,
      detail: expect.stringMatching(detail),
    });
  });

  test('a clock that is a few hours ahead is taken', () => {
    expect(read({ ...call, timestamp: '2026-01-01T23:59:59Z' })).toMatchObject({ ok: true });
  });

  test('a reason never repeats a value', () => {
    for (const bad of [
      { agent: 7 },
      { rating: 'hush' },
      { timestamp: 'hush' },
      { success: 'hush' },
    ]) {
      const reading = read({ ...call, ...bad });
      expect(reading).toMatchObject({ ok: false });
      expect(JSON.stringify(reading)).not.toContain('hush');
    }
  });
});

describe('a refused line says what it looks like', () => {
  const otel = { resourceSpans: [] };
  const looksLike = (text: string) =>
    text.includes('resourceSpans') ? 'It is OpenTelemetry.' : undefined;

  test('the first few of a stream, and no value of it', () => {
    const decoder = jsonlDecoder(looksLike);
    let state = decoder.start;
    const details = Array.from({ length: 6 }, () => {
      const step = decoder.decode(JSON.stringify(otel), state, { name: 'a', modifiedMs: null });
      ({ state } = step);
      return (step.records[0] as { detail: string }).detail;
    });
    expect(details.map((one) => one.endsWith('It is OpenTelemetry.'))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  test('by the recognisers of all kinds', async () => {
    const { store } = openStore();
    const files = new MemoryFiles().folder('logs', ['a.jsonl']);
    const settings = { ...SETTINGS, sources: [{ name: 'a', kind: 'jsonl', path: 'logs' }] };
    files.append('logs/a.jsonl', '2026-11-17T09:12:01Z ERROR hush\n{"event_type":"tool_call"}\n');
    await collectorOf(store, files, { settings }).collect();
    const rows = await store.all('SELECT detail FROM observe_aside ORDER BY id');
    const [plain, own] = rows.map((row) => row['detail'] as string);
    expect(plain).toContain('This looks like another format (Plain log): run hone sources add');
    expect(plain).not.toContain('hush');
    expect(own).not.toContain('another format');
  });
});

sourceContract(jsonl, () =>
  fileWorld({
    extension: 'jsonl',
    text: (calls) =>
      calls
        .map(({ atMs, session: session_id, agent, tool, message }) => {
          const failed = message === undefined ? {} : { success: false, error_message: message };
          return toolCall(atMs, { session_id, agent, tool, ...failed });
        })
        .join(''),
  }),
);
