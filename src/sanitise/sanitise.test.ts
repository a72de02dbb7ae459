import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from '../../test/any-character.ts';
import { sanitise } from './sanitise.ts';
import type { SanitiserRules } from './types.ts';

const RULES: SanitiserRules = {
  allowedDomains: ['api.openai.com', 'api.anthropic.com', 'github.com'],
  allowedPaths: ['/opt/agents'],
  redactUuids: false,
};
const clean = (text: string, rules: Partial<SanitiserRules> = {}) =>
  sanitise(text, { ...RULES, ...rules }).text;
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P';
const PEM = '-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA7v\n-----END RSA PRIVATE KEY-----';

describe('OBS-4 marks', () => {
  test.each([
    ['key sk-ant-api03-tkwzrb4hq7x0nm2vu9sc refused', 'key [REDACTED:API_KEY] refused'],
    ['push with ghp_tkwbdfrhixjzlemnyoqr5018293647PC', 'push with [REDACTED:API_KEY]'],
    ['AKIAQ3EGRIKTVLXF2ZSM is unknown', '[REDACTED:API_KEY] is unknown'],
    ['Bearer abc.def-123456 expired', 'Bearer [REDACTED] expired'],
    [`token ${JWT} expired`, 'token [REDACTED:JWT] expired'],
    [`read ${PEM} from disk`, 'read [REDACTED:PRIVATE_KEY] from disk'],
    ['a torn -----BEGIN PRIVATE KEY-----\nMIIEow', 'a torn [REDACTED:PRIVATE_KEY]'],
    ['no secret f3Ab9cD2e8Gh1jK4mN7pQ here', 'no secret [REDACTED:KEY] here'],
    ['DB_PASSWORD=hunter2', 'DB_PASSWORD=[REDACTED:KEY]'],
    ['{"client_secret":"s3cr3t-value"}', '{"client_secret":"[REDACTED:KEY]"}'],
    ['postgres://app:p@ss/word@db:5432/x down', 'postgres://[REDACTED:CONNECTION] down'],
    ['https://tok3n@example.org/x', 'https://[REDACTED:CONNECTION]'],
    ['Server=db;User=app;Password=pa55;', 'Server=db;User=app;Password=[REDACTED:KEY];'],
    ['mail operator@example.org', 'mail [REDACTED:EMAIL]'],
    ['Authorization: Basic dXNlcjpwdw==', 'Authorization: [REDACTED:HEADER]'],
    ['Authorization: Bearer x', 'Authorization: Bearer [REDACTED]'],
    ['Cookie: a=b; c=d\nHost: x', 'Cookie: [REDACTED:HEADER]\nHost: x'],
    ['curl -H "X-Api-Key: a b" x', 'curl -H "X-Api-Key: [REDACTED:HEADER]" x'],
    [`{"set-cookie":"a=\\"b\\"; c","x":1}`, `{"set-cookie":"[REDACTED:HEADER]","x":1}`],
    [`rawHeaders: [ 'Cookie', 'a=b' ]`, `rawHeaders: [ 'Cookie', '[REDACTED:HEADER]' ]`],
    ['connect 192.168.1.17:80', 'connect 192.168.x.x:80'],
    ['connect 10.1.2.3', 'connect 10.x.x.x'],
    ['connect 172.31.9.1', 'connect 172.16.x.x'],
    ['connect 172.32.9.1 or 8.8.8.8.', 'connect [EXTERNAL_IP] or [EXTERNAL_IP].'],
    ['connect fe80::1 or [2001:db8::2]:443', 'connect [EXTERNAL_IP] or [EXTERNAL_IP]:443'],
    ['open /home/agent/work/a.py:12:3', 'open /home/agent:12:3'],
    ['open C:\\Users\\agent\\a\\b.txt', 'open C:\\Users\\agent'],
    ['at file:///srv/app/lib/x.js', 'at file:///srv/app'],
    ['GET https://example.org:8080/a/b?c=d.', 'GET https://example.org:8080.'],
    ['GET http://10.0.0.7/a/b', 'GET http://10.x.x.x'],
    ['https://github.com/a/b/c?token=abc&x=1', 'https://github.com/a/b/c?token=[REDACTED:KEY]&x=1'],
    ['\u001b[31mred\u001b[0m and\u0000 hid\u200bden', 'red and hidden'],
  ])('%j becomes %j', (text, expected) => {
    expect(clean(text)).toBe(expected);
  });

  test('UUIDs stay unless they are to go', () => {
    const text = 'request 123e4567-e89b-42d3-a456-426614174000 of the api';
    expect(clean(text)).toBe(text);
    expect(clean(text, { redactUuids: true })).toBe('request [REDACTED:UUID] of the api');
  });

  test('paths below an allowed one stay, except by a way out of it', () => {
    expect(clean('/opt/agents/a/b/c.md')).toBe('/opt/agents/a/b/c.md');
    expect(clean('/opt/agents2/a/b')).toBe('/opt/agents2');
    expect(clean('/opt/agents/../../etc/shadow')).toBe('/opt/agents');
  });

  test('it says what it replaced, and how often', () => {
    expect(sanitise('a@example.org, b@example.org at 8.8.8.8', RULES).replaced).toEqual({
      email: 2,
      address: 1,
    });
    expect(sanitise('nothing to see', RULES).replaced).toEqual({});
  });
});

/** What agents' failures look like when nothing in them is anybody's. */
const HARMLESS = [
  '',
  'Request timed out after 30000 ms (limit 30 s)',
  'HTTP 429: rate limit of 60 requests/min reached, retry in 12.5s',
  'TypeError: Cannot read properties of undefined (reading "tokens")',
  'Unexpected token < in JSON at position 0',
  'context length exceeded: 131072 tokens, max_tokens=4096, token_count: 512',
  'model claude-3-5-sonnet-20241022 has no tool called web_search_v2; check the API version',
  'KeyError: "user_profile_settings" not found in cache, key=profile_settings_cache',
  'ModuleNotFoundError: No module named "langchain_core.output_parsers"',
  'npm ERR! code ERESOLVE while resolving eslint-plugin-react@7.33.2 and lodash@4.17.21',
  'AssertionError: expected 3 to equal 4 at src/agents/planner.test.ts:118:22',
  'Error: connect ECONNREFUSED 127.0.0.1:5432 or ::1, listening on 0.0.0.0',
  'deadlock detected at 2026-01-31T23:59:59.123+01:00, process 4711 waits for 0x7ffd',
  'upgraded from v1.2.3.4 to version 1.2.3.5, needs foo==2.0.0.1 and bar>=1.0.0.0',
  'SNMP OID 1.3.6.1.4.1.9 returned 42, ratio 3.14159, 12:34:56 elapsed',
  'std::vector<int>::at: out of range, see Foo::Bar and dead::beef',
  'password: must be at least 8 characters; invalid password. Bearer token missing',
  'secretary and tokenizer are words, so are monkey, keyboard and rapid-api-gateway',
  'max retries (3) exceeded: status=503 service unavailable, took 12m30s, 4.2MB of 16MiB',
  'git@github.com: permission denied (publickey)',
  'see https://github.com/org/repo/issues/42 and src/a/b/c.ts or ./lib/x/y or and/or',
  'sha256 mismatch for index2.html, got ResourceExhaustedException in getHTTPSConnectionPool',
  'Ünïcödé 日本語 emoji 🙂 — “quotes” … stay',
  '50 % of 1,234,567 rows failed; 99.9th percentile 1.5e3 µs; MAC 00:1a:2b:3c:4d:5e',
  'pod payment-api-7d9c5b6f4d-x2k8p restarted, image python:3.12-slim',
  'tool_call failed: {"code":"E_TIMEOUT","attempt":3,"retryable":true}',
];

test('what is nobody’s secret stays byte for byte', () => {
  for (const text of HARMLESS) expect(sanitise(text, RULES)).toEqual({ text, replaced: {} });
});

const letters = (alphabet: string, min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: min, maxLength: max });
const ALNUM = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const HEX = '0123456789abcdef';
/** The digit keeps a chance word out of it; one sign again and again stands for a key and is none. */
const body = letters(ALNUM, 40, 60)
  .filter((text) =>
    [...new Set(text)].every((sign) => text.split(sign).length - 1 < text.length / 4),
  )
  .map((text) => `${text}7Qz`);
const prefixed = (prefix: string) =>
  body.map((text) => ({ secret: `${prefix}${text}`, core: text }));

/** A secret whole, and what of it must not be seen. */
const secrets = fc.oneof(
  ...[
    'sk-',
    'sk-ant-api03-',
    'sk-proj-',
    'ghp_',
    'gho_',
    'github_pat_',
    'glpat-',
    'xoxb-',
    'npm_',
  ].map(prefixed),
  ...['AIza', 'hf_', 'gsk_', 'sk_live_', 'rk_test_', 'whsec_', 'hone_', 'Bearer '].map(prefixed),
  letters('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16, 16).map((text) => ({
    secret: `AKIA${text}`,
    core: text,
  })),
  fc.tuple(body, body, body).map(([a, b, c]) => ({ secret: `eyJ${a}.eyJ${b}.${c}`, core: b })),
  ...['password=', 'API_KEY=', 'aws_secret_access_key = ', 'token: ', 'secretKey='].map(prefixed),
  fc.tuple(letters(HEX, 32, 64)).map(([hex]) => ({ secret: `secret ${hex}a1b2c3`, core: hex })),
  body.map((text) => ({ secret: `postgres://app:${text}@db.example.org/x`, core: text })),
  letters('abcdefghijklmnopqrstuvwxyz', 6, 12).map((text) => ({
    secret: `${text}@example.org`,
    core: `${text}@`,
  })),
);
const SURROUNDINGS: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => `It failed with ${secret}.`,
  (secret) => `(${secret})`,
  (secret) => `[${secret}, ${secret}]`,
  (secret) => `first line\n${secret}\nlast line`,
  (secret) => `'${secret}'`,
  (secret) => `\`${secret}\``,
  (secret) => `<${secret}>`,
  (secret) => `env X=${secret};`,
  (secret) => `\t${secret}\r\n`,
  (secret) => JSON.stringify({ error: secret }),
  (secret) => JSON.stringify({ error: `first line\n${secret}` }),
  (secret) => JSON.stringify(JSON.stringify({ error: `"${secret}"`, next: 1 })),
  (secret) => `https://example.org/a?x=${secret}&y=1`,
  (secret) => `https://github.com/a?q=${encodeURIComponent(`"${secret}"`)}`,
  (secret) => `${secret} and /home/agent/a/b and 10.0.0.1`,
  (secret) => `${secret.slice(0, 9)}\u200b${secret.slice(9)}`,
  (secret) => `\u001b[1m${secret}\u001b[0m`,
];

test('OBS-4 no secret survives, whatever surrounds it', () => {
  fc.assert(
    fc.property(secrets, fc.constantFrom(...SURROUNDINGS), ({ secret, core }, surround) => {
      expect(clean(surround(secret))).not.toContain(core);
    }),
    { numRuns: 2000 },
  );
});

/** Pieces that rules begin, end and stumble over. */
const PIECES = [
  ...'\n\t\\"\'`:;,.=@/()[]{}<>&?#%-_~+ ',
  ...['key', 'token', 'api', 'secret ', 'password', 'pwd=', 'apiKey', 'Bearer ', 'Authorization: '],
  ...['Cookie', 'x-api-key', 'eyJhbGci', 'sk-', 'ghp_', 'AKIAIOSFODNN7EXAMPLE', '-----BEGIN '],
  ...[
    'PRIVATE KEY-----',
    '-----END PRIVATE KEY-----',
    '://',
    'https://',
    'postgres://u:p@h',
    'git@',
  ],
  ...[
    'a@example.org',
    'github.com',
    'example.org',
    '10.1.2.3',
    '8.8.8.8',
    'fe80::1',
    '::1',
    'v1.2.3.4',
  ],
  ...[
    '/home/a/b/c',
    'C:\\a\\b\\c',
    '\\\\srv\\a\\b',
    '~/a/b/c',
    '\\n',
    '\\u0022',
    '%3D',
    '%40',
    '\u200b',
  ],
  ...[
    '\u001b[31m',
    '\u001b',
    'f3Ab9cD2e8Gh1jK4mN7pQ',
    'abcdefghij0123456789',
    'word',
    'ü',
    '🙂',
    '7',
  ],
  ...['123e4567-e89b-42d3-a456-426614174000', '[REDACTED:KEY]', '[REDACTED', 'Bearer [REDACTED]'],
  ...['--password ', '--pw=', '-u', 'curl -u ', 'mysql -p', 'a:b@tcp(', 'pass: ', 'pw:', 'auth='],
  ...['sig=', 'otp: ', 'value', ' is ', '$(', '$2b$10$', '<password>', '</', 'Basic ', 'YTpiY2Q='],
  ...['\\u0073', '\\\\u0041', '%73', '%22', '%3A%2F%2F', '123456789:', 'LS0tLS1CRUdJTiBQUklW'],
  ...['4111 1111 1111 1111', '4111111111111111', 'DE89370400440532013000', '219-09-9999'],
  ...['+49 30 ', '(415) 555-2671', '415-555-2671', '020 7946 0958', 'phone: ', 'tel ', '0123'],
];

test('a second pass changes nothing', () => {
  const soup = fc.array(fc.constantFrom(...PIECES), { maxLength: 25 }).map((all) => all.join(''));
  const texts = fc.oneof({ weight: 4, arbitrary: soup }, fc.string({ unit: anyCharacter }));
  fc.assert(
    fc.property(texts, fc.boolean(), (text, redactUuids) => {
      const once = clean(text, { redactUuids });
      expect(clean(once, { redactUuids })).toBe(once);
      expect(once.isWellFormed()).toBe(true);
    }),
    {
      numRuns: 5000,
      examples: [
        ['8.8.8.8::1219-09-9999', false],
        ['token--password 10.1.2.3', false],
      ],
    },
  );
});

test('OBS-4 any input takes time linear in its length', () => {
  const length = 32 * 1024;
  const repeated = [...PIECES, 'a', '1.', '1:', '-eyJ', 'eyJ.', 'token=a://', 'token:', 'token="'];
  const pairs = repeated.flatMap((one) => [one, `a${one}`]);
  let slowestMs = 0;
  for (const piece of pairs) {
    const text = piece.repeat(Math.ceil(length / piece.length));
    // The processor's time: other processes of a busy machine do not count.
    const start = process.cpuUsage();
    clean(text);
    const { user, system } = process.cpuUsage(start);
    slowestMs = Math.max(slowestMs, (user + system) / 1000);
  }
  // Linear is some 30 ms; what reads the rest again from every place takes many seconds.
  expect(slowestMs).toBeLessThan(1500);
});
