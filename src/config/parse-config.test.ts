import { describe, expect, test } from 'vitest';
import { honeSections } from '../loop/sections.ts';
import { composeSections } from './fields.ts';
import { configDigest, expectConfig, parseConfig } from './parse-config.ts';
import { formatProblems } from './problem.ts';
import type { Problem } from './types.ts';

const schema = composeSections(honeSections);
const defaults = schema.parse({});

function parse(source: string | Uint8Array) {
  return parseConfig(source, 'hone.yaml', schema);
}

function problemsOf(source: string | Uint8Array): readonly Problem[] {
  const result = parse(source);
  return result.ok ? [] : result.problems;
}

function summary(source: string | Uint8Array): string[] {
  return problemsOf(source).map(({ line, code, key }) => `${line} ${code} ${key}`.trimEnd());
}

describe('CONFIG-1: a file without problems', () => {
  test.each([
    ['an empty file', ''],
    ['only comments', '# nothing yet\n\n# store:\n'],
    ['only a document start', '---\n'],
    ['empty sections', 'lease:\nidentity:\n  verification:\n'],
    ['an explicit null for a section', 'lease: ~\n'],
  ])('%s means the defaults', (_, text) => {
    expect(parse(text)).toEqual({ ok: true, config: defaults, digest: configDigest(defaults) });
  });

  test('a byte order mark, CRLF and bytes are read like plain text', () => {
    const text = 'lease:\n  ttl: 45s\nserver:\n  port: 0\n';
    const expected = parse(text);
    expect(expected.ok && expected.config.lease.ttl).toBe(45_000);
    expect(parse(`\uFEFF${text}`)).toEqual(expected);
    expect(parse(text.replaceAll('\n', '\r\n'))).toEqual(expected);
    expect(parse(Buffer.from(`\uFEFF${text}`))).toEqual(expected);
  });

  test('anchors and aliases mean what they repeat', () => {
    const result = parse('limits:\n  rejectionPause: &long 60d\n  failurePause: *long\n');
    expect(result.ok && result.config.limits.failurePause).toBe(60 * 86_400_000);
  });

  test('the digest is over the meaning', () => {
    const digest = (text: string) => expectConfig(parse(text)).digest;
    const plain = digest('lease: { ttl: 90s }\nserver: { port: 1 }\n');
    expect(plain).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(digest('# why\nserver:\n  port: 1\nlease:\n  ttl: "90000ms"\n')).toBe(plain);
    expect(digest('lease: { ttl: 91s }\nserver: { port: 1 }\n')).not.toBe(plain);
    expect(digest('lease: { ttl: 30s }\n')).toBe(digest(''));
  });
});

const TEN_MISTAKES = `# A configuration with ten different mistakes
store:
  url: mysql://localhost/hone
sever:
  port: 4663
server:
  port: 99999
  host: [127.0.0.1]
lease:
  ttl: 30
  ttl: 30s
schedules:
  digest:
    cron: "61 9 * * *"
    timezone: Europe/Atlantis
  telemetry:
    timeout: five minutes
switches:
  vetting: enforced
`;

describe('CONFIG-1: every problem at once', () => {
  test('ten different mistakes are ten problems, each at its line', () => {
    expect(summary(TEN_MISTAKES)).toEqual([
      '3 bad_form store.url',
      '4 unknown_key sever',
      '7 out_of_range server.port',
      '8 wrong_type server.host',
      '10 wrong_type lease.ttl',
      '11 duplicate_key lease.ttl',
      '14 bad_form schedules.digest.cron',
      '15 bad_form schedules.digest.timezone',
      '17 bad_form schedules.telemetry.timeout',
      '19 not_allowed switches.vetting',
    ]);
  });

  test('each says what was expected, what stood there, and what was probably meant', () => {
    const lines = formatProblems(problemsOf(TEN_MISTAKES)).split('\n');
    expect(lines[1]).toMatch(/^hone\.yaml:4:1: sever: .* "sever"\. Did you mean "server"\?$/);
    expect(lines[2]).toBe(
      'hone.yaml:7:9: server.port: expected a whole number from 0 to 65535, but found 99999.',
    );
    expect(lines[4]).toBe(
      'hone.yaml:10:8: lease.ttl: expected a duration from 1s to 1h, written like 90s, 5m, 24h or 7d, but found 30.',
    );
    expect(lines[5]).toContain('found "ttl" again (first in line 10)');
    expect(lines[9]).toContain('expected off, observe or enforce, but found "enforced".');
    expect(lines[9]).toContain('Did you mean "enforce"?');
  });

  test('CRLF and a byte order mark change no line and no column', () => {
    expect(problemsOf(`\uFEFF${TEN_MISTAKES.replaceAll('\n', '\r\n')}`)).toEqual(
      problemsOf(TEN_MISTAKES),
    );
  });

  test('a key in the wrong section is told where it belongs', () => {
    expect(problemsOf('minEvents: 1\n')[0]?.message).toContain(
      'There is such a key at monitor.minEvents.',
    );
  });

  test('a value that is missing is named, and so are the keys of list items', () => {
    const text =
      'server:\n  port:\nidentity:\n  agents:\n  - name: a\n  - { name: b, matches: [x], y: 1 }\n';
    expect(summary(text)).toEqual([
      '2 wrong_type server.port',
      '5 wrong_type identity.agents[0].matches',
      '6 unknown_key identity.agents[1].y',
    ]);
  });

  test('hundreds of problems end with how many more there are', () => {
    const text = Array.from({ length: 5000 }, (_, index) => `k${index}: 1`).join('\n');
    const problems = problemsOf(text);
    expect(problems).toHaveLength(200);
    expect(problems.at(-1)?.message).toContain('4801 more');
  });

  test('expectConfig throws all of them', () => {
    expect(() => expectConfig(parse('lease: 1\nfoo: 2\n'))).toThrow(
      /2 problems:\n.*:1:8.*\n.*:2:1/,
    );
  });
});

describe('CONFIG-1: syntax errors do not hide the rest', () => {
  test.each([
    ['an open quote', 'store:\n  url: "sqlite\n', ['2 syntax']],
    ['an open bracket', 'server:\n  allowedHosts: [a, b\n', ['2 syntax']],
    ['an open brace', 'server: {port: 1\n', ['1 syntax']],
    ['a tab', 'server:\n\tport: 99999\n', ['2 syntax']],
    [
      'a line without a colon',
      'outbox:\n  attempts: 0\n  backoffMax\n  timeout: 1\n',
      ['2 out_of_range outbox.attempts', '3 syntax'],
    ],
    ['a line indented too far', 'server:\n  port: 1\n   host: a\n', ['3 syntax']],
    ['a line indented too little', 'server:\n    port: 1\n  host: a\n', ['3 syntax']],
    [
      'a cron expression without quotes',
      'schedules:\n  digest:\n    cron: */5 * * * *\n',
      ['3 syntax'],
    ],
    ['a stray text', 'hello world\n', ['1 wrong_type']],
    ['an unknown escape', 'store:\n  url: "\\q"\n', ['2 bad_form store.url', '2 syntax']],
  ])('%s', (_, text, expected) => {
    const lines = text.split('\n').length;
    expect(summary(`${text}lease:\n  tll: 3\n`)).toEqual([
      ...expected,
      `${lines + 1} unknown_key lease.tll`,
    ]);
  });

  test('what stands behind the damage in its section is left for the next time', () => {
    const text = 'outbox:\n  attempts: 1\n  oops\n  timeout: 0s\n  attempts: 0\n  attempt: 1\n';
    expect(summary(text)).toEqual(['3 syntax']);
  });

  test('a blank that is missing after a colon is named', () => {
    expect(problemsOf('lease:\n  ttl:3s\n')[0]?.message).toContain('Put a space after');
  });

  test('what is not a mapping is told what one looks like', () => {
    for (const text of ['- a\n- b\n', 'just text\n', '42', '[]'])
      expect(summary(text), text).toEqual(['1 wrong_type']);
  });
});

describe('CONFIG-1: YAML that is not used here', () => {
  test.each([
    [
      'tags',
      'lease: !!map { ttl: !seconds 30s }\n',
      ['1 unsupported lease', '1 unsupported lease.ttl'],
    ],
    ['known tags', 'a: !!binary aGk=\n', ['1 unknown_key a', '1 unsupported a']],
    ['directives', '%YAML 1.1\n---\nlease: {}\n', ['1 unsupported']],
    ['tag directives', '%TAG ! tag:x,2000:\n---\nlease: {}\n', ['1 unsupported']],
    ['a second document', 'lease: {}\n---\nserver: {}\n', ['2 syntax']],
    ['merge keys', 'lease: &l { ttl: 30s }\nserver:\n  <<: *l\n', ['3 unsupported server.<<']],
    [
      '__proto__',
      '__proto__:\n  a: 1\nserver: { __proto__: { port: 1 } }\n',
      ['1 unsupported __proto__', '3 unsupported server.__proto__'],
    ],
    ['keys that are lists', '? [a]\n: 1\n', ['1 syntax']],
    ['an alias of nothing', 'lease: *missing\n', ['1 syntax lease']],
    ['constructor', 'constructor: 1\n', ['1 unknown_key constructor']],
  ])('%s', (_, text, expected) => {
    expect(summary(text)).toEqual(expected);
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  });
});
