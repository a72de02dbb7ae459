import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../test/any-character.ts';
import { type Failure, readFailure, SAME_FROM, similarity } from './index.ts';

type Side = Failure | string;

const SAME: readonly (readonly [string, Side, Side])[] = [
  [
    'names and numbers',
    "Tool 'web_search' timed out after 30000ms",
    "Tool 'code_exec' timed out after 45 s",
  ],
  [
    'hosts and ports',
    'connect ECONNREFUSED 10.0.0.1:5432',
    'connect ECONNREFUSED 192.168.7.20:6379',
  ],
  [
    'paths',
    "ENOENT: no such file or directory, open '/home/a/x.txt'",
    "ENOENT: no such file or directory, open '/srv/b/y.json'",
  ],
  [
    'bare names after naming nouns',
    'table users not found in database main',
    'table invoices not found in database reporting',
  ],
  ['names before naming nouns', 'billing service unavailable', 'payments service unavailable'],
  [
    'wrappers',
    '2026-01-02T03:04:05Z ERROR [worker-3] Connection refused: redis://cache:6379',
    'Connection refused: redis://localhost:6380',
  ],
  [
    'order of pairs',
    'level=error msg="fetch failed" status=503 url=http://a/b',
    'url=http://c/d status=503 msg="fetch failed" level=error',
  ],
  [
    'other words for the same',
    'Request timed out after 30s',
    'request deadline exceeded after 10s',
  ],
  [
    'class in the message or beside it',
    "KeyError: 'user_id'",
    { message: "'order_id'", errorClass: 'KeyError' },
  ],
  ['lists of other lengths', 'removed files a1.txt b2.txt c3.txt d4.txt', 'removed files x9.txt'],
  [
    'stack lines',
    'TypeError: x.map is not a function\n    at run (/app/a.js:1:2)',
    'TypeError: rows.map is not a function\n    at run (/srv/b.js:90:11)',
  ],
  [
    'JSON',
    '{"error":{"type":"overloaded_error","message":"Overloaded","id":"req_1"}}',
    '{"error":{"type":"overloaded_error","message":"Overloaded","id":"req_2"}}',
  ],
  [
    'templates and redacted values',
    'connect timeout to <*> after <*> for [REDACTED:EMAIL]',
    'connect timeout to db-1.example:5432 after 30s for bob@example.com',
  ],
  [
    'tries',
    'upload failed: connection reset (attempt 1 of 5)',
    'upload failed: connection reset (attempt 4 of 5)',
  ],
];

const DIFFERENT: readonly (readonly [string, Side, Side])[] = [
  ['what was being done', 'connect timeout to 10.0.0.1:80', 'read timeout from 10.0.0.1:80'],
  [
    'what went wrong',
    "EACCES: permission denied, open '/a'",
    "ENOENT: no such file or directory, open '/a'",
  ],
  [
    'status codes',
    'GET https://a.example/x returned status 429',
    'GET https://a.example/x returned status 500',
  ],
  [
    'status codes in attributes',
    { message: 'request failed', attributes: { status: 429 } },
    { message: 'request failed', attributes: { status: 500 } },
  ],
  ['classes', "KeyError: 'user_id'", "ValueError: 'user_id'"],
  ['outcome', 'Login succeeded for user alice', 'Login failed for user alice'],
  ['negation', 'signature of release is valid', 'signature of release is not valid'],
  ['resources', 'Disk quota exceeded for user bob', 'Memory quota exceeded for user bob'],
  [
    'what expired',
    'certificate of host a.example has expired',
    'token of host a.example has expired',
  ],
  [
    'reasons in pairs',
    'upload failed bucket=a reason=access_denied',
    'upload failed bucket=a reason=checksum_mismatch',
  ],
  [
    'the same tool',
    { message: 'element not visible', tool: 'browser' },
    { message: 'page crashed', tool: 'browser' },
  ],
  [
    'errors of one compiler',
    "error TS2304: Cannot find name 'x'.",
    'error TS2554: Expected 2 arguments, but got 1.',
  ],
  [
    'states in capitals inside',
    'Pod web-1 is in CrashLoopBackOff',
    'Pod web-1 is in ImagePullBackOff',
  ],
  ['names, when there is nothing else', 'maxRetryCount 3', 'poolSizeLimit 10'],
];

describe('the same failure', () => {
  it.each(SAME)('is recognised through other %s', (_, a, b) => {
    expect(similarity(a, b).score).toBeGreaterThanOrEqual(SAME_FROM);
  });
});

describe('another failure', () => {
  it.each(DIFFERENT)('is told apart by %s', (_, a, b) => {
    expect(similarity(a, b).score).toBeLessThan(SAME_FROM);
  });
});

const word = fc.constantFrom(
  'connect',
  'timeout',
  'not',
  'found',
  'users',
  'TS2304',
  "'a'",
  '/x/y',
  '404',
  'status',
  'tool',
  'search',
  'failed',
  'ENOENT',
  'x=1',
  'FooError:',
  '\n    at f (a.js:1:1)',
  '{"error":"x"}',
  '\ud800',
  '\u0000',
);
const message = fc.oneof(
  fc.array(word, { maxLength: 12 }).map((words) => words.join(' ')),
  fc.string({ unit: anyCharacter, maxLength: 60 }),
);
const failure: fc.Arbitrary<Failure> = fc.record(
  {
    message,
    errorClass: fc.constantFrom('TimeoutError', 'java.io.IOException', 'x'),
    tool: fc.constantFrom('bash', 'browser'),
    stack: fc.oneof(
      fc.constant('  File "a.py", line 3, in run'),
      fc.array(fc.constantFrom('    at f (b.js:1:1)', 'noise')),
    ),
    attributes: fc.dictionary(
      fc.constantFrom('status', 'reason', 'user'),
      fc.oneof(fc.string(), fc.integer(), fc.boolean()),
    ),
  },
  { requiredKeys: ['message'] },
);
const side = fc.oneof(message, failure);

describe('any two failures', () => {
  it('have a score from 0 to 1 that is the same in both directions', () => {
    fc.assert(
      fc.property(side, side, (a, b) => {
        const there = similarity(a, b);
        const back = similarity(b, a);
        expect(there.score).toBeGreaterThanOrEqual(0);
        expect(there.score).toBeLessThanOrEqual(1);
        expect(back.score).toBeCloseTo(there.score, 10);
      }),
      { numRuns: 400 },
    );
  });

  it('are the same failure when they are the same text', () => {
    fc.assert(
      fc.property(side, (a) => {
        expect(similarity(a, a).score).toBeCloseTo(1, 10);
      }),
      { numRuns: 300 },
    );
  });

  it('have a score that their reasons add up to', () => {
    fc.assert(
      fc.property(side, side, (a, b) => {
        const { score, reasons, same } = similarity(a, b);
        const weights = reasons.reduce((sum, reason) => sum + reason.weight, 0);
        const mean =
          reasons.reduce((sum, reason) => sum + reason.weight * reason.similarity, 0) / weights;
        const raw = mean * reasons.reduce((product, reason) => product * reason.remains, 1);
        expect(score).toBeCloseTo(
          raw < 0.72 ? (raw / 0.72) * 0.8 : 0.8 + ((raw - 0.72) / 0.28) * 0.2,
          9,
        );
        expect(same).toBe(score >= SAME_FROM);
      }),
      { numRuns: 300 },
    );
  });
});

describe('reasons', () => {
  it('name the words that differ, first failure first', () => {
    const { reasons } = similarity('read timeout from a.example', 'connect timeout to a.example');
    expect(reasons[0]).toMatchObject({ component: 'message', note: '"read" / "connect"' });
    const { reasons: back } = similarity(
      'connect timeout to a.example',
      'read timeout from a.example',
    );
    expect(back[0]).toMatchObject({ component: 'message', note: '"connect" / "read"' });
  });

  it('name codes and classes', () => {
    const { reasons } = similarity('FooError: got HTTP 404', {
      message: 'got HTTP 500',
      errorClass: 'TimeoutError',
    });
    expect(reasons.map((reason) => reason.note)).toEqual(
      expect.arrayContaining(['"http:404" / "http:500"']),
    );
  });
});

describe('bad input', () => {
  it.each([
    ['nothing', ''],
    ['white space', ' \n\t '],
    ['one character', 'x'],
    ['lone surrogates', '\ud800\udc00\ud800'],
    ['binary', String.fromCharCode(...Array.from({ length: 512 }, (_, index) => index % 256))],
    ['ten million characters', 'connection refused '.repeat(530_000)],
    ['one long word', 'a'.repeat(10_000_000)],
    ['quotes', '"'.repeat(100_000)],
    ['brackets', '{'.repeat(100_000)],
    ['slashes', '/a'.repeat(100_000)],
    ['equal signs', 'a='.repeat(100_000)],
    ['dots', 'a.'.repeat(100_000)],
    ['frames', '    at f (a.js:1:1)\n'.repeat(50_000)],
  ])('gives an answer for %s', (_, text) => {
    expect(similarity(text, text).score).toBeCloseTo(1, 10);
    expect(similarity(text, 'permission denied').score).toBeLessThan(SAME_FROM);
    expect(readFailure(text).tokens.length).toBeLessThanOrEqual(96);
  });

  it('refuses what is no failure by name', () => {
    expect(() => similarity(null as unknown as string, 'x')).toThrowError(
      expect.objectContaining({ code: 'not_text' }),
    );
  });

  it('ignores fields of a wrong kind', () => {
    const odd = {
      message: 'x failed',
      tool: 7,
      errorClass: null,
      stack: [1],
      attributes: { a: null },
    };
    expect(similarity(odd as unknown as Failure, 'x failed').score).toBeGreaterThan(0);
  });
});

describe('how values are tied to what happened', () => {
  it.each([
    ['DHCP relay from 10.0.0.5 via eth0.17', 'DHCP relay from 10.0.0.9 to eth1.4'],
    [
      'level=error msg="delete old files" err="permission denied"',
      'level=error msg="delete old files" err="connection reset by peer"',
    ],
  ])('%s is another than %s', (a, b) => {
    expect(similarity(a, b).same).toBe(false);
  });

  it.each([
    ['DHCP relay from 10.0.0.5 via eth0.17', 'DHCP relay from 10.0.0.9 via eth1.4'],
    [
      'level=error msg="delete old files" err="permission denied"',
      'level=warn msg="delete old files" err="permission denied"',
    ],
  ])('%s is the same as %s', (a, b) => {
    expect(similarity(a, b).same).toBe(true);
  });
});
