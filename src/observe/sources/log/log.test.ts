import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from '../../../../test/any-character.ts';
import { isoTime } from '../../../base/index.ts';
import type { Event } from '../../../facts/index.ts';
import { outOfBounds } from '../../check-event.ts';
import { fileWorld, type SourceWorld, sourceContract } from '../../source-contract.test-support.ts';
import {
  collectorOf,
  everything,
  MemoryFiles,
  SETTINGS,
  TABLES,
  telemetryPerTest,
} from '../../telemetry.test-support.ts';
import { KNOWN_SAMPLES } from '../samples.test-support.ts';
import { log } from './log.ts';
import { logDecoder } from './log-decoder.ts';

const MODIFIED_MS = Date.UTC(2026, 10, 17, 9, 13);
const AT_MS = Date.UTC(2026, 10, 17, 9, 12, 1);

/** As a file of these lines is read. */
function read(
  lines: readonly string[] | string,
  {
    name = 'shop.log',
    modifiedMs = MODIFIED_MS as number | null,
    zone = undefined as number | undefined,
  } = {},
) {
  const decoder = logDecoder(zone);
  const about = { name, modifiedMs };
  let state = decoder.start;
  const records = [];
  for (const line of typeof lines === 'string' ? lines.split('\n') : lines) {
    const step = decoder.decode(line, state, about);
    records.push(...step.records);
    ({ state } = step);
  }
  records.push(...decoder.flush!(state, about).records);
  return records.map((one) => (one.ok ? one.event : one));
}
const known = (name: string) => read(KNOWN_SAMPLES.find((one) => one.name === name)!.head);
const levels = (events: readonly unknown[]) =>
  events.map((one) => (one as { level: string }).level);
const said = (events: readonly unknown[]) =>
  events.map((one) => (one as { message: string }).message);

describe('OBS-2 plain logs', () => {
  test.each([
    ['python logging.log', ['info', 'error', 'info'], 'agent.search'],
    ['logback.log', ['info', 'error', 'warning'], 'com.shop.Orders'],
    ['log4j.log', ['info', 'error', 'info'], 'o.a.k.Server'],
    ['nginx error.log', ['error', 'warning', 'error'], undefined],
    ['apache error_log', ['info', 'error', 'info'], 'core'],
    ['syslog', ['info', 'error', 'info'], undefined],
    ['syslog 5424.log', ['info', 'error', 'info'], undefined],
    ['klog.log', ['info', 'error', 'warning'], 'controller.go'],
    ['pino.log', ['info', 'error', 'info'], undefined],
    ['bunyan.log', ['info', 'error'], undefined],
    ['winston.log', ['info', 'error'], undefined],
    ['zap.log', ['info', 'error'], 'server/main.go:31'],
    ['slog.log', ['info', 'error'], undefined],
    ['logfmt.log', ['info', 'error', 'warning'], undefined],
    ['journal.json', ['info', 'error'], undefined],
    ['docker-json.log', ['info', 'error'], undefined],
    ['docker timestamps.log', ['info', 'error', 'info'], undefined],
    ['rust tracing.log', ['info', 'error', 'warning'], 'agent::net'],
    ['go log.log', ['info', 'error', 'info'], undefined],
    ['compose.log', ['info', 'error', 'info'], undefined],
  ])('levels and loggers of %s', (name, expected, logger) => {
    const events = known(name);
    expect(levels(events)).toEqual(expected);
    expect((events[0] as { logger?: string }).logger).toBe(logger);
    for (const one of events) expect(one).toMatchObject({ kind: 'log_line' });
  });

  test('every example gives events within bounds, at the times they name', () => {
    for (const { name, head } of KNOWN_SAMPLES.filter(({ kind }) => kind === 'log'))
      for (const one of read(head)) {
        expect(one, name).toHaveProperty('kind');
        expect(outOfBounds(one as Event, MODIFIED_MS), name).toBeUndefined();
        const day = isoTime((one as Event).atMs).slice(0, 10);
        expect(name === 'syslog' ? ['2026-11-17', '2026-11-07'] : ['2026-11-17']).toContain(day);
      }
  });

  test('what follows an event belongs to it: traces, causes, dumps', () => {
    const [, failed] = known('python logging.log');
    expect(failed).toMatchObject({
      message: expect.stringMatching(/^request failed\nTraceback[\s\S]*TimeoutError: no answer/),
    });
    expect(said(known('logback.log'))[1]).toMatch(
      /^order refused\n.*IllegalState[\s\S]*Http\.java:12\)$/,
    );
    const go = read(
      '2026/11/17 09:12:01 panic: no\n\ngoroutine 1 [running]:\nmain.main()\n\t/a.go:1\n2026/11/17 09:12:02 next'.replace(
        '\n\n',
        '\n',
      ),
    );
    expect(go).toHaveLength(2);
    const js = read(
      '2026-11-17T09:12:01Z ERROR no\nError: boom\n    at run (a.js:1:2)\n{\n  "a": 1\n}\n2026-11-17T09:12:02Z INFO ok',
    );
    expect(said(js)).toEqual(['no\nError: boom\n    at run (a.js:1:2)\n{\n  "a": 1\n}', 'ok']);
  });

  test('an error without a time after a harmless line is an event of its own, at its time', () => {
    const events = read(
      '2026-11-17T09:12:01Z INFO fine\nTypeError: x is undefined\n    at y\nERROR: again',
    );
    expect(events).toMatchObject([
      { level: 'info', message: 'fine' },
      { level: 'error', message: 'TypeError: x is undefined\n    at y', atMs: AT_MS },
      { level: 'error', message: 'again', atMs: AT_MS },
    ]);
  });

  test('a log without any times has the file’s', () => {
    expect(read('starting\nERROR:root:no answer\n  detail')).toMatchObject([
      { level: 'info', message: 'starting', atMs: MODIFIED_MS },
      { level: 'error', logger: 'root', message: 'no answer\n  detail', atMs: MODIFIED_MS },
    ]);
    expect(read('starting', { modifiedMs: null })).toMatchObject([
      { ok: false, reason: 'wrong_time' },
    ]);
  });

  test('a joined event is bounded', () => {
    const trace = Array.from(
      { length: 5000 },
      (_, at) => `    at frame${at} (some/long/path/file.js:${at})`,
    );
    const events = read(['2026-11-17T09:12:01Z ERROR no', ...trace]) as { message: string }[];
    expect(events).toHaveLength(1);
    expect(events[0]!.message.length).toBeLessThan(30_000);
  });

  test('lines of a container that came in parts are one', () => {
    expect(said(known('cri 0.log'))).toEqual(['started', 'half of a line']);
    const docker = [
      '{"log":"ERROR ha","stream":"stderr","time":"2026-11-17T09:12:01Z"}',
      '{"log":"lf\\n","stream":"stderr","time":"2026-11-17T09:12:01Z"}',
    ];
    expect(read(docker)).toMatchObject([{ level: 'error', message: 'half', atMs: AT_MS }]);
  });

  test('colours of terminals are no part of a line', () => {
    expect(read('2026-11-17T09:12:01Z \u001b[31mERROR\u001b[0m no')).toMatchObject([
      { level: 'error', message: 'no' },
    ]);
  });
});

describe('times', () => {
  const timeOf = (line: string, more = {}) => isoTime((read(line, more)[0] as Event).atMs);

  test.each([
    ['2026-11-17T09:12:01.5+02:00 x', '2026-11-17T07:12:01.500Z'],
    ['2026-11-17 09:12:01,250 x', '2026-11-17T09:12:01.250Z'],
    ['[2026-11-17 09:12:01 +0100] x', '2026-11-17T08:12:01.000Z'],
    ['20261117T091201 x', '2026-11-17T09:12:01.000Z'],
    ['17 Nov 2026 09:12:01,001 x', '2026-11-17T09:12:01.001Z'],
    ['Nov 17, 2026 9:12:01 AM com.shop.Main run', '2026-11-17T09:12:01.000Z'],
    ['17.11.2026 09:12:01 x', '2026-11-17T09:12:01.000Z'],
    ['11/17/2026 09:12:01 x', '2026-11-17T09:12:01.000Z'],
    ['1794906721.5 x', '2026-11-17T09:12:01.500Z'],
    ['1794906721500 x', '2026-11-17T09:12:01.500Z'],
    ['09:12:01.002 x', '2026-11-17T09:12:01.002Z'],
    ['Dec 31 23:59:59 h p: x', '2025-12-31T23:59:59.000Z'],
    ['INFO [2026-11-17 09:12:01] x', '2026-11-17T09:12:01.000Z'],
  ])('%s', (line, expected) => {
    expect(timeOf(line)).toBe(expected);
  });

  test.each(['2026-13-17T09:12:01Z x', '2026-02-30 09:12:01 x', '2026-11-17 25:12:01 x'])(
    '%s has no time that a calendar knows',
    (line) => {
      expect(timeOf(line)).toBe(isoTime(MODIFIED_MS));
    },
  );

  test('a time of day is of the day before if it would be later than the file', () => {
    expect(timeOf('23:59:59.002 x', { modifiedMs: Date.UTC(2026, 10, 17, 0, 5) })).toBe(
      '2026-11-16T23:59:59.002Z',
    );
  });

  test('a zone that is given holds; without one a file in the future shows its own', () => {
    expect(timeOf('2026-11-17 11:12:01 x', { zone: 120 })).toBe('2026-11-17T09:12:01.000Z');
    const [early, late, next] = read(
      '2026-11-17 08:00:00 a\n2026-11-17 11:12:01 b\n2026-11-17 11:12:30 c',
    ) as Event[];
    expect(isoTime(early!.atMs)).toBe('2026-11-17T08:00:00.000Z');
    expect(isoTime(late!.atMs)).toBe('2026-11-17T09:12:01.000Z');
    expect(isoTime(next!.atMs)).toBe('2026-11-17T09:12:30.000Z');
  });
});

describe('requests and calls', () => {
  test('a line of an access log is a call with its outcome', () => {
    expect(known('nginx access.log')[1]).toMatchObject({
      kind: 'tool_call',
      tool: 'POST /v1/orders',
      success: false,
      errorCode: '502',
      outputBytes: 157,
    });
    const line =
      '203.0.113.7 - - [17/Nov/2026:09:12:01 +0000] "GET /orders/8123/items HTTP/1.1" 200 5 "-" "x" rt=0.250';
    expect(read(line)).toMatchObject([
      { tool: 'GET /orders/:id/items', success: true, latencyMs: 250 },
    ]);
  });

  test('a record with a tool, a duration or an error is a call', () => {
    const record = {
      time: AT_MS,
      level: 50,
      tool: 'search',
      duration_ms: 3500,
      error: 'timeout',
      session_id: 's1',
      msg: 'x',
    };
    expect(read(JSON.stringify(record))).toMatchObject([
      {
        kind: 'tool_call',
        tool: 'search',
        success: false,
        latencyMs: 3500,
        errorMessage: 'timeout',
        session: 's1',
      },
    ]);
    const http = {
      level: 30,
      time: AT_MS,
      req: { method: 'GET', url: '/a?b' },
      res: { statusCode: 503 },
      responseTime: 12,
      msg: 'request completed',
    };
    expect(read(JSON.stringify(http))).toMatchObject([
      { tool: 'GET /a', success: false, errorCode: '503', latencyMs: 12 },
    ]);
  });

  test('a word that is no tool makes no call', () => {
    expect(
      read(JSON.stringify({ time: AT_MS, level: 30, action: 'start', msg: 'x' })),
    ).toMatchObject([{ kind: 'log_line' }]);
  });
});

test('any text gives records and a small state, and never throws', () => {
  const line = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 200 }),
    fc.json(),
    fc.constantFrom(
      'Traceback (most recent call last):',
      '2026-11-17T09:12:01Z ',
      '{"log":"',
      'a=b c=d',
      '<34>1 - - - - - -',
      '\t',
      '}',
    ),
  );
  const decoder = logDecoder(undefined);
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 30 }),
      fc.option(fc.constant(MODIFIED_MS)),
      (lines, modifiedMs) => {
        let state = decoder.start;
        const about = { name: 'a.log', modifiedMs };
        for (const one of lines) {
          const step = decoder.decode(one, state, about);
          ({ state } = step);
          for (const record of step.records)
            if (record.ok) expect(record.event.session).not.toBe('');
          expect(JSON.parse(JSON.stringify(state))).toEqual(state);
        }
        expect(JSON.stringify(state).length).toBeLessThan(64_000);
      },
    ),
    { numRuns: 300 },
  );
});

test('long lines without structure cost no more than their length', () => {
  const started = process.cpuUsage().user;
  for (const sign of ['a', ' ', '[', '"', '=', '1', '\\', '{', 'a=', 'a.', '2026-11-17 '])
    read(sign.repeat(64 * 1024).slice(0, 64 * 1024));
  expect(process.cpuUsage().user - started).toBeLessThan(3_000_000);
});

describe('secrets', () => {
  const open = telemetryPerTest('memory');

  test('OBS-5 a private key that runs over lines is never kept, however it is written and read', async () => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 1024,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const lines = privateKey.trim().split('\n');
    const { store } = open();
    const files = new MemoryFiles().folder('logs', ['a.log']);
    const settings = { ...SETTINGS, sources: [{ name: 'a', kind: 'log', path: 'logs' }] };
    for (const line of ['2026-01-01T00:00:00Z INFO up', ...lines, '2026-01-01T00:00:01Z INFO on']) {
      files.append('logs/a.log', `${line}\n`);
      await collectorOf(store, files, { settings }).collect();
    }
    const stored = await everything(store, TABLES);
    for (const line of lines.slice(1, -1)) expect(stored).not.toContain(line);
    expect(await store.all('SELECT id FROM observe_events')).toHaveLength(3);
  });
});

/** Any text is a line of a log, unless it goes on with the line before. */
const continued = (world: SourceWorld): SourceWorld => ({
  ...world,
  garble: (text) => world.garble(`  ${text}`),
});

sourceContract(log, () =>
  continued(
    fileWorld({
      extension: 'log',
      text: (calls) =>
        calls
          .map(({ atMs, session, agent, tool, message }) => {
            const record = {
              timestamp: isoTime(atMs),
              level: 'info',
              msg: 'call',
              session,
              agent,
              tool,
              latency_ms: 5,
            };
            const failed =
              message === undefined ? { success: true } : { success: false, error: message };
            return `${JSON.stringify({ ...record, ...failed })}\n`;
          })
          .join(''),
    }),
  ),
);
