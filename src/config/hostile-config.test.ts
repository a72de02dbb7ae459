/** Files that want to harm: agents can write `hone.yaml`. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { anyCharacter } from '../../test/any-character.ts';
import { honeSections } from '../loop/sections.ts';
import { composeSections } from './fields.ts';
import { parseConfig } from './parse-config.ts';
import { formatProblems } from './problem.ts';
import { showConfig } from './show-config.ts';
import type { Problem } from './types.ts';

const schema = composeSections(honeSections);

function problemsOf(source: string | Uint8Array): readonly Problem[] {
  const result = parseConfig(source, 'hone.yaml', schema);
  return result.ok ? [] : result.problems;
}

function summary(source: string | Uint8Array): string[] {
  return problemsOf(source).map(({ line, code, key }) => `${line} ${code} ${key}`.trimEnd());
}

describe('limits', () => {
  test('1 MB is refused without being parsed', () => {
    expect(problemsOf('# x\n'.repeat(250_000))[0]?.message).toBe(
      'expected a file of at most 256 KiB, but found 1000000 bytes.',
    );
    expect(summary(`lease: {}\n${'#'.repeat(256 * 1024)}`)).toEqual(['1 too_large']);
    expect(summary(Buffer.alloc(300_000, '#'))).toEqual(['1 too_large']);
    expect(summary(`${'#'.repeat(256 * 1024)}`)).toEqual([]);
  });

  test('binary, other encodings and control characters are named with their line', () => {
    expect(summary(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2]))).toEqual(['1 not_text']);
    expect(summary('lease: {}\nserver: "\u001b[2J"\n')).toEqual(['2 not_text']);
    expect(summary(Buffer.from([...Buffer.from('a:\n  b: '), 0xff, 0xfe]))).toEqual(['2 not_text']);
    expect(summary(Buffer.from('lease: {}\n', 'utf16le'))).toEqual(['1 not_text']);
  });

  test('aliases that grow without end stop at the limits', () => {
    const laughs = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let i = 1; i < 12; i += 1)
      laughs.push(
        `a${i}: &a${i} [${Array(9)
          .fill(`*a${i - 1}`)
          .join(', ')}]`,
      );
    expect(summary(laughs.join('\n'))).toContainEqual(expect.stringContaining('too_large'));
    expect(summary('lease: &l { ttl: *l }\n')).toContainEqual(
      expect.stringContaining('too_large lease.ttl.ttl'),
    );
    const many = `a: &a 1\nb: [${Array(101).fill('*a').join(', ')}]\n`;
    expect(problemsOf(many).map(({ found }) => found)).toContain('more');
  });

  test('depth has a limit of its own', () => {
    const nested = (levels: number) => `lease: ${'['.repeat(levels)}${']'.repeat(levels)}\n`;
    expect(summary(nested(31))).toEqual(['1 wrong_type lease']);
    expect(summary(nested(33))).toContainEqual(expect.stringContaining('1 too_large lease[0]'));
  });

  test.each([
    ['brackets', '['.repeat(50_000)],
    ['braces', '{a: '.repeat(50_000)],
    ['dashes', '- '.repeat(50_000)],
    ['questions', '? '.repeat(50_000)],
    ['colons', 'a: '.repeat(50_000)],
    ['quotes', '"'.repeat(100_000)],
    ['commas', `[${','.repeat(100_000)}]`],
    ['anchors', '&a '.repeat(50_000)],
    ['documents', '---\n'.repeat(50_000)],
    ['directives', '%a\n'.repeat(50_000)],
    ['keys', Array.from({ length: 30_000 }, (_, i) => `k${i}:`).join('\n')],
    ['depth', Array.from({ length: 100 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')],
  ])('thousands of %s give problems, and not too many', (_, text) => {
    const problems = problemsOf(text);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.length).toBeLessThanOrEqual(200);
  });
});

describe('secrets stay out of messages', () => {
  const SECRET = 'hunter2-Xy9';
  test.each([
    ['a URL', `store:\n  url: postgres://hone:${SECRET}@db/hone\n`],
    ['a URL without a blank', `store:\n  url:postgres://hone:${SECRET}@db/hone\n`],
    ['a URL as a section', `store: postgres://hone:${SECRET}@db/hone\n`],
    ['a URL as a key', `postgres://hone:${SECRET}@db/hone: 1\n`],
    ['a URL with unencoded signs', `store: { url: "postgres://hone:a/b@${SECRET}@db/hone" }\n`],
    ['a query', `store:\n  url: postgres://db/hone?password=${SECRET}\n`],
    ['a connection string', `store:\n  url: host=db password=${SECRET}\n`],
    ['a wrong type', `server:\n  port: postgres://hone:${SECRET}@db/hone\n`],
    ['a key that says so', `password: ${SECRET}\nserver: { token: ${SECRET} }\n`],
    ['a duplicate', `store:\n  url: sqlite\n  url: postgres://hone:${SECRET}@db/hone\n`],
    ['an open quote', `store:\n  url: "postgres://hone:${SECRET}@db/hone\nlease: {}\n`],
    ['an open bracket', `store:\n  url: [postgres://hone:${SECRET}@db/hone\nlease: {}\n`],
    ['a tag', `store:\n  url: !postgres://hone:${SECRET}@db x\n`],
    ['an alias', `store:\n  url: *postgres://hone:${SECRET}@db\n`],
    ['a long text', `store:\n  url: postgres://hone:${SECRET.repeat(500)}\n`],
  ])('%s', (_, text) => {
    const problems = problemsOf(text);
    expect(problems.length).toBeGreaterThan(0);
    expect(JSON.stringify(problems)).not.toContain('hunter2');
  });

  test('a literal password is told to move to the environment', () => {
    const [problem, ...others] = problemsOf(`store:\n  url: postgres://hone:${SECRET}@db/hone\n`);
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ code: 'secret', line: 2, key: 'store.url' });
    expect(problem?.found).toBe('"postgres://[REDACTED:CONNECTION]"');
    expect(problem?.message).toContain('env:HONE_DATABASE_URL');
  });

  test('references to the environment and URLs without a password are welcome', () => {
    for (const url of ['env:HONE_DATABASE_URL', 'postgres://hone@db:5432/hone', 'sqlite'])
      expect(summary(`store: { url: "${url}" }\n`), url).toEqual([]);
  });
});

describe('messages are safe for a terminal', () => {
  test('direction marks and line separators are written as escapes, long texts cut', () => {
    const text = formatProblems(problemsOf(`"a\u202Eb": 1\nserver: { host: "x\u2028y\\e[2J" }\n`));
    expect(text).toContain('a\\u{202e}b');
    expect(text).toContain('x\\u{2028}y\\u{1b}[2J');
    expect(problemsOf(`server: { port: ${'x'.repeat(300)} }\n`)[0]?.found.length).toBeLessThan(70);
  });
});

describe('any text', () => {
  const sign = fc.constantFrom(...'abc:-?,[]{}#&*!|>\'"%@` \t\n\r~0159./\\<='.split(''));
  // Every key, not only those that "hone init" writes.
  const rendered = stringify(showConfig(schema, schema.parse({})));

  test('random signs of YAML never throw', () => {
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 200 }), (signs) => {
        expect(() => problemsOf(signs.join(''))).not.toThrow();
      }),
      { numRuns: 1500 },
    );
  });

  test('random text and bytes never throw', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: anyCharacter }), fc.uint8Array()), (source) => {
        expect(() => problemsOf(source)).not.toThrow();
      }),
      { numRuns: 500 },
    );
  });

  test('a good file with random damage is good or has problems within its lines', () => {
    const damage = fc.record({
      at: fc.nat(rendered.length),
      cut: fc.nat(20),
      put: fc.string({ unit: sign, maxLength: 10 }),
    });
    fc.assert(
      fc.property(damage, ({ at, cut, put }) => {
        const text = rendered.slice(0, at) + put + rendered.slice(at + cut);
        const lines = text.split('\n').length;
        for (const { line, column, message } of problemsOf(text)) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(lines);
          expect(column).toBeGreaterThanOrEqual(1);
          expect(message).not.toContain('gave up');
        }
      }),
      { numRuns: 300 },
    );
  });
});
