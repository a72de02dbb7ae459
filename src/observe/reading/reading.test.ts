import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from '../../../test/any-character.ts';
import { NAME_MAX } from '../../facts/index.ts';
import { delimiterOf, nextRow, rowsOf } from './csv.ts';
import { durationAt, durationWithUnit, unitInKey } from './durations.ts';
import { httpCall } from './http-call.ts';
import { levelOf, wentWell } from './outcomes.ts';
import { stemOf } from './records.ts';
import { allowedIn, errorIn, latencyIn, rolesOf, successIn } from './roles.ts';
import { documentOf, linesOf } from './sample-reading.ts';
import { timeOf } from './times.ts';
import { nameOf, valueAt } from './values.ts';

describe('times', () => {
  test('a count since 1970 tells its unit by its size', () => {
    const ms = Date.UTC(2026, 10, 17, 9, 12, 1);
    for (const value of [ms / 1000, ms, ms * 1000, ms * 1e6, String(ms), `${ms / 1000}.000`])
      expect(timeOf(value)).toBe(ms);
    for (const value of [0, 12, 2026, -5, Number.NaN, 1e30, '42', '', null, {}])
      expect(timeOf(value)).toBeUndefined();
  });

  test('what is written as ISO is read as the platform reads it', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }),
        (date) => {
          expect(timeOf(date.toISOString())).toBe(date.getTime());
          expect(timeOf(date.toISOString().replace('T', ' ').replace('Z', ''))).toBe(
            date.getTime(),
          );
        },
      ),
    );
  });

  test('a text with something behind the time is none', () => {
    expect(timeOf('2026-11-17T09:12:01Z or so')).toBeUndefined();
    expect(timeOf('2026-11-31T09:12:01Z')).toBeUndefined();
  });
});

test('durations with and without units', () => {
  expect(
    ['1.5s', '120 ms', '1m2.5s', '250µs', '00:01:02.5', '2h', '3 seconds'].map(durationWithUnit),
  ).toEqual([1500, 120, 62_500, 0.25, 62_500, 7_200_000, 3000]);
  expect(['', '12', 's', '1 week', '5x', '1s and more'].map(durationWithUnit)).toEqual(
    Array(6).fill(undefined),
  );
  expect(['took_ms', 'durationNanos', 'latency (s)', 'elapsed', 'ms'].map(unitInKey)).toEqual([
    'ms',
    'ns',
    's',
    undefined,
    undefined,
  ]);
  expect(durationAt('duration', 120)).toBe(120);
  expect(durationAt('duration', 0.5)).toBeUndefined();
  expect(durationAt('duration', 1234.5)).toBe(1234.5);
  expect(durationAt('latency_s', '0.5')).toBe(500);
  expect(durationAt('latency_ms', -1)).toBeUndefined();
});

test('outcomes and levels', () => {
  for (const good of [true, 'ok', 'SUCCESS', 200, '204', 1, 'allowed', 'erfolgreich'])
    expect(wentWell(good), String(good)).toBe(true);
  for (const bad of [
    false,
    'Error',
    'TIMED_OUT',
    503,
    '404',
    0,
    'denied',
    'HTTP error',
    'TimeoutError: error',
  ])
    expect(wentWell(bad), String(bad)).toBe(false);
  for (const open of ['pending', '', null, 42, 'banana', {}, 'no error was found here at all'])
    expect(wentWell(open), String(open)).toBeUndefined();
  expect([10, 20, 30, 40, 50, 60].map(levelOf)).toEqual([
    'debug',
    'info',
    'info',
    'warning',
    'error',
    'fatal',
  ]);
  expect([0, 3, 4, 6, 7].map(levelOf)).toEqual(['fatal', 'error', 'warning', 'info', 'debug']);
  expect(['WARN', 'E', 'Fehler', 'nothing'].map(levelOf)).toEqual([
    'warning',
    'error',
    'error',
    undefined,
  ]);
});

describe('names', () => {
  test('are one line within bounds, and no long word is cut in two', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 3000 }), (text) => {
        const name = nameOf(text);
        if (name === undefined) return;
        expect(name.length).toBeLessThanOrEqual(NAME_MAX);
        expect(name).not.toMatch(/[\n\r\t]/);
      }),
    );
    const secret = 'k'.repeat(400);
    expect(nameOf(`a ${secret}`)).toMatch(/^a …[0-9a-f]{8}$/);
    expect(nameOf(secret)).not.toContain('kkkk');
    expect(nameOf('b '.repeat(300))).not.toBe(nameOf('b '.repeat(301)));
  });

  test('of a file, without dates, rotation and packing', () => {
    expect(
      [
        'orders.log',
        'orders.log.1',
        'orders-2026-11-17.json.gz',
        'syslog',
        '.report.json',
        'a.b.log',
      ].map(stemOf),
    ).toEqual(['orders', 'orders', 'orders', 'syslog', '.report', 'a.b']);
  });
});

describe('roles', () => {
  test('are found however the keys are written', () => {
    const one = rolesOf({
      ts: 1,
      sessionId: 'a',
      tool_name: 't',
      error: { message: 'no', code: 7 },
      duration_ms: 5,
    });
    const other = rolesOf({
      '@timestamp': 1,
      attributes: { 'session.id': 'a', toolName: 't' },
      err: { message: 'no', code: 7 },
      durationMs: '5',
    });
    for (const roles of [one, other]) {
      expect(roles.session?.value).toBe('a');
      expect(roles.tool?.value).toBe('t');
      expect(errorIn(roles)).toEqual({ message: 'no', code: '7' });
      expect(latencyIn(roles)).toBe(5);
      expect(successIn(roles)).toBe(false);
    }
  });

  test('a decision is read by its key and its value', () => {
    expect(allowedIn(rolesOf({ blocked: true }))).toBe(false);
    expect(allowedIn(rolesOf({ blocked: false }))).toBe(true);
    expect(allowedIn(rolesOf({ decision: 'deny' }))).toBe(false);
    expect(allowedIn(rolesOf({ status: 'denied' }))).toBe(false);
    expect(successIn(rolesOf({ decision: 'allow', status_code: 500 }))).toBe(false);
    expect(successIn(rolesOf({ is_error: true }))).toBe(false);
  });

  test('a million keys cost what two hundred do', () => {
    const record = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`k${at}`, at]));
    const started = process.cpuUsage().user;
    for (let round = 0; round < 20; round++) rolesOf(record);
    expect(process.cpuUsage().user - started).toBeLessThan(1_500_000);
  });
});

describe('CSV', () => {
  const cell = fc.string({
    unit: fc.constantFrom('a', 'b', ' ', ',', ';', '"', '\n', '|', '\t', 'ü'),
    maxLength: 8,
  });
  const written = (cells: readonly string[], delimiter: string) =>
    cells.map((one) => `"${one.replaceAll('"', '""')}"`).join(delimiter);

  test('what is written by the rules is read back, by any delimiter', () => {
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(rows, fc.constantFrom(',', ';', '\t', '|'), (given, delimiter) => {
        const lines = given
          .map((cells) => written(cells, delimiter))
          .join('\n')
          .split('\n');
        expect(rowsOf(lines, delimiter)).toEqual(given);
      }),
    );
  });

  test('the delimiter is the one by which the rows agree', () => {
    expect(delimiterOf(['a;b;c', '1,5;2;3', '4;5,5;6'])).toMatchObject({
      delimiter: ';',
      cells: 3,
    });
    expect(delimiterOf(['no table', 'at all'])).toBeUndefined();
  });

  test('a quote that nobody closes ends at a limit, a key at once', () => {
    let open = '"';
    let ended = false;
    for (let count = 0; count < 100 && !ended; count++) {
      const next = nextRow(open, 'x'.repeat(1000), ',');
      ended = next === 'unreadable';
      if (typeof next === 'object' && 'open' in next) ({ open } = next);
    }
    expect(ended).toBe(true);
    expect(nextRow('', '"-----BEGIN PRIVATE KEY-----', ',')).toBe('unreadable');
  });
});

test('a route names no single thing', () => {
  expect(httpCall('get', 'https://shop.test/a/123/b?c=d#e', 200)?.tool).toBe('GET /a/:id/b');
  expect(httpCall('GET', '/x/0f8fad5b-d9cb-469f-a165-70867728950e', 500)).toMatchObject({
    tool: 'GET /x/:id',
    success: false,
  });
  expect(httpCall('FROB', '/x', 200)).toBeUndefined();
  expect(httpCall('GET', '/x', 42)).toBeUndefined();
});

describe('samples', () => {
  test('a document of which the end is missing is closed where it was whole', () => {
    const head = '{"a":[{"b":1,"c":"x"},{"b":2,"c":"a long te';
    expect(documentOf({ head, isWhole: false })).toEqual({ a: [{ b: 1, c: 'x' }, { b: 2 }] });
    expect(documentOf({ head, isWhole: true })).toBeUndefined();
  });

  test('cut anywhere, a document is read or not, and nothing throws', () => {
    fc.assert(
      fc.property(fc.json(), fc.double({ min: 0, max: 1, noNaN: true }), (text, share) => {
        const head = text.slice(0, Math.floor(share * text.length));
        documentOf({ head, isWhole: false });
        const value = documentOf({ head: text, isWhole: false });
        if (/^\s*[{[]/.test(text)) expect(value).toEqual(JSON.parse(text));
      }),
    );
  });

  test('a line without its end is not there yet', () => {
    expect(linesOf({ head: 'a\r\nb\nc', isWhole: false })).toEqual(['a', 'b']);
    expect(linesOf({ head: 'a\nb', isWhole: true })).toEqual(['a', 'b']);
  });
});

test('paths lead through objects and lists, and to keys with dots', () => {
  const value = { a: [{ b: 1 }], 'x.y': 2, __proto__: { z: 3 } };
  expect(valueAt(value, 'a.0.b')).toBe(1);
  expect(valueAt(value, 'x.y')).toBe(2);
  expect(valueAt(value, 'z')).toBeUndefined();
  expect(valueAt(value, 'a.length')).toBeUndefined();
});
