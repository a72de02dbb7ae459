import { describe, expect, test } from 'vitest';
import { isoTime } from '../../../base/index.ts';
import { sourceEntry } from '../../config-section.ts';
import { fileWorld, sourceContract } from '../../source-contract.test-support.ts';
import { SOURCES } from '../../sources.ts';
import { decoded, knownHead, survivesAnything } from '../decoding.test-support.ts';
import { KNOWN_SAMPLES } from '../samples.test-support.ts';
import { type Columns, columnsKey } from './mapping.ts';
import { recogniseTable } from './recognise-table.ts';
import { table, tableDecoder } from './table.ts';

const AT_MS = Date.UTC(2026, 10, 17, 9, 12, 1);
const columns = (given: unknown) => columnsKey.parse(given) as Columns;
const read = (mapping: unknown, text: string, zoneMinutes = 0) =>
  decoded(tableDecoder(columns(mapping), zoneMinutes), text.split('\n'), {
    name: 'calls.csv',
    modifiedMs: null,
  });
const CALLS = {
  time: 'ts',
  agent: 'service',
  tool: 'op',
  success: { column: 'status', is: ['ok'] },
  latency: 'took_ms',
  error: 'detail',
};

describe('OBS-2 rows by a mapping', () => {
  test('of CSV', () => {
    const events = read(CALLS, knownHead('calls.csv'));
    expect(events).toHaveLength(6);
    expect(events[0]).toEqual({
      kind: 'tool_call',
      atMs: AT_MS,
      session: 'calls 2026-11-17',
      agent: 'shop',
      tool: 'search',
      success: true,
      latencyMs: 120,
    });
    expect(events[1]).toMatchObject({
      success: false,
      latencyMs: 3501,
      errorMessage: 'no answer, gave up',
    });
  });

  test('of JSONL, with paths, units and constants', () => {
    const mapping = {
      time: { column: 'at.start', unit: 's' },
      agent: { value: 'shop' },
      tool: 'call.name',
      success: { column: 'rc', not: [1, 2] },
      latency: { column: 'took', unit: 'us' },
      session: 'sid',
    };
    const row = {
      at: { start: AT_MS / 1000 },
      call: { name: 'search' },
      rc: 2,
      took: 2500,
      sid: 7,
    };
    expect(read(mapping, JSON.stringify(row))).toEqual([
      {
        kind: 'tool_call',
        atMs: AT_MS,
        session: '7',
        agent: 'shop',
        tool: 'search',
        success: false,
        latencyMs: 2.5,
      },
    ]);
  });

  test('line breaks in quotes, other delimiters, a byte order mark and carriage returns', () => {
    const text =
      '\ufeffwhen;did;ok;why\r\n"2026-11-17 09:12:01";a;no;"one ""two""\r\nthree; four"\r\n2026-11-17 09:12:02;b;yes;\r';
    const events = read({ time: 'when', tool: 'did', success: 'ok', error: 'why' }, text);
    expect(events).toMatchObject([
      { tool: 'a', success: false, errorMessage: 'one "two"\nthree; four' },
      { tool: 'b', success: true },
    ]);
  });

  test('other things than calls', () => {
    expect(
      read(
        { time: 't', metric: { value: 'load' }, value: 'v', unit: { value: 'tasks' } },
        't,v\n2026-11-17T09:12:01Z,1.5',
      ),
    ).toMatchObject([{ kind: 'metric', name: 'load', value: 1.5, unit: 'tasks' }]);
    expect(
      read(
        { time: 't', message: 'm', level: { column: 'l', error: ['K', 'A'] } },
        't,l,m\n1794906721,K,no\n1794906721,x,yes',
      ),
    ).toMatchObject([{ kind: 'log_line', level: 'error', message: 'no' }, { level: 'info' }]);
    expect(
      read(
        { time: 't', test: 'n', status: 's', duration: 'd' },
        't,n,s,d\n1794906721,a,FAILED,5\n1794906721,b,skipped,',
      ),
    ).toMatchObject([
      { kind: 'test_result', status: 'failed', durationMs: 5 },
      { status: 'skipped' },
    ]);
    expect(
      read({ time: 't', rating: 'r', agent: 'a' }, 't,r,a\n1794906721,👍,x\n1794906721,-1,x'),
    ).toMatchObject([{ kind: 'feedback', rating: 'thumbs_up' }, { rating: 'thumbs_down' }]);
  });

  test('a zone holds for times that name none', () => {
    expect(
      read({ time: 't', message: 'm' }, 't,m\n2026-11-17 10:12:01,x\n2026-11-17T09:12:01Z,y', 60),
    ).toMatchObject([{ atMs: AT_MS }, { atMs: AT_MS }]);
  });

  test('rows that cannot be read say which field, and never a value', () => {
    const text =
      'ts,service,op,status,took_ms,detail\nhush,a,b,ok,1,\n2026-11-17T09:12:01Z,a,,ok,1,\nhush';
    const events = read(CALLS, text);
    expect(events).toMatchObject([
      { ok: false, reason: 'wrong_time', detail: expect.stringContaining('time') },
      { ok: false, reason: 'not_an_event', detail: expect.stringContaining('tool') },
      { ok: false },
    ]);
    expect(JSON.stringify(events)).not.toContain('hush');
  });

  test('until a header with its columns was read, lines are refused', () => {
    expect(read(CALLS, '2026-11-17T09:12:01Z,a,b,ok,1,')).toMatchObject([
      { ok: false, detail: expect.stringContaining('no header with these columns') },
    ]);
  });
});

describe('the mapping is checked when the configuration is read', () => {
  const entry = sourceEntry(SOURCES);
  const refusal = (given: unknown) => {
    const { error } = entry.safeParse({
      name: 'a',
      kind: 'table',
      path: 'x',
      columns: given,
    } as never);
    return JSON.stringify(error?.issues ?? 'accepted');
  };

  test.each([
    [{}, 'One of these says what a row is'],
    [{ tool: 'a', success: 'b' }, 'needs a time'],
    [{ time: 't', tool: 'a' }, 'needs success'],
    [{ time: 't', tool: 'a', success: 'b', rating: 'c' }, 'has no rating'],
    [{ time: 't', tool: { column: 'a', value: 'b' }, success: 'c' }, 'either a column or a value'],
    [{ time: 't', tool: { column: 'a', unit: 's' }, success: 'c' }, 'has no unit'],
    [{ time: { column: 't', unit: 'h' }, message: 'a' }, 's, ms, us or ns'],
    [{ time: 't', tool: 'a', success: { column: 'b', passed: ['x'] } }, 'no list called passed'],
    [{ time: 't', message: 'a', mesage: 'b' }, 'unrecognized'],
    [{ time: 't', tool: 'a', success: 'b == 1', latency: { column: 'x', unit: 'weeks' } }, 'unit'],
  ])('%j is refused', (given, why) => {
    expect(refusal(given)).toContain(why);
  });

  test('a good one is taken', () => {
    expect(refusal(CALLS)).toBe('"accepted"');
  });
});

describe('a mapping is proposed by measuring', () => {
  const proposed = (head: string) =>
    recogniseTable({ path: '/x', head, isWhole: true })?.settings?.['columns'] as Record<
      string,
      unknown
    >;

  test('of columns with any names', () => {
    expect(proposed(knownHead('calls.csv'))).toEqual({
      time: 'ts',
      agent: 'service',
      tool: 'op',
      success: 'status',
      latency: { column: 'took_ms', unit: 'ms' },
      error: 'detail',
    });
    expect(proposed(knownHead('anrufe.csv'))).toMatchObject({
      time: 'zeit',
      agent: 'dienst',
      tool: 'werkzeug',
      success: 'erfolg',
    });
    expect(proposed(knownHead('calls.tsv'))).toMatchObject({
      time: 'when',
      latency: { column: 'latency', unit: 's' },
    });
    expect(proposed(knownHead('calls.jsonl'))).toMatchObject({
      time: 'at',
      agent: 'who',
      tool: 'did',
      success: 'ok',
    });
    const unnamed = knownHead('calls.csv').replace(
      'ts,service,op,status,took_ms,detail',
      'c1,c2,c3,c4,c5,c6',
    );
    expect(proposed(unnamed)).toMatchObject({ time: 'c1', success: 'c4' });
  });

  test('every proposal is one that the configuration takes, and reads all its rows', () => {
    for (const { head, name } of KNOWN_SAMPLES.filter(({ kind }) => kind === 'table')) {
      const mapping = proposed(head);
      const events = read(mapping, head);
      expect(
        events.every((one) => 'kind' in one),
        name,
      ).toBe(true);
      expect(events.length, name).toBeGreaterThan(3);
    }
  });
});

test('any text gives records, and never throws', () => {
  const heads = KNOWN_SAMPLES.filter(({ kind }) => kind === 'table').flatMap(({ head }) =>
    head.split('\n'),
  );
  survivesAnything(tableDecoder(columns(CALLS), 0), heads);
});

const MAPPING = {
  time: 'time',
  session: 'session',
  agent: 'agent',
  tool: 'tool',
  success: 'ok',
  error: 'message',
};
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

sourceContract(table, () => {
  let header = 'time,session,agent,tool,ok,message\n';
  const world = fileWorld({
    extension: 'csv',
    text: (calls) => {
      const rows = calls.map(({ atMs, session, agent, tool, message }) =>
        [
          isoTime(atMs),
          session,
          agent,
          tool,
          String(message === undefined),
          quoted(message ?? ''),
        ].join(','),
      );
      const text = `${header}${rows.join('\n')}\n`;
      header = '';
      return text;
    },
  });
  // Quotes that nobody closes would swallow the rows behind them.
  const garble = (text: string) => world.garble(text.replaceAll('"', "'"));
  return { ...world, garble, settings: { path: 'logs', columns: MAPPING } };
});
