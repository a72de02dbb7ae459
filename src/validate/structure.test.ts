import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { readStructure } from './structure.ts';

const values = (text: string, format: 'yaml' | 'json' | 'md' = 'yaml') => {
  const read = readStructure(`a.${format}`, text);
  if (read === undefined) return read;
  if (!read.ok) return `line ${read.line}: ${read.why}`;
  return Object.fromEntries(
    [...read.leaves.values()].map(({ path, value }) => [path.join('/'), value]),
  );
};

describe('values by path', () => {
  test('maps, lists by name or value, empty ones, several documents', () => {
    expect(
      values(
        'a: 1\nb: [x, 2, x]\nc: []\nd: {}\ne:\nt:\n  - name: s\n    ms: 5\n  - [q]\n---\na: 2\n',
      ),
    ).toEqual({
      a: 1,
      'b/- x': 'x',
      'b/- 2': 2,
      'b/- x (2)': 'x',
      c: '(empty)',
      d: '(empty)',
      e: null,
      't/- s/name': 's',
      't/- s/ms': 5,
      't/- #2/- q': 'q',
      'document 2/a': 2,
    });
  });

  test('aliases and merge keys are what they stand for, chained too', () => {
    const text =
      'x: &x {tools: [shell], n: 1}\ny: &y\n  <<: *x\n  n: 2\nz:\n  <<: [*y, {n: 3, m: 4}]\nw: *x\n"<<": 1\n';
    expect(values(text)).toMatchObject({
      'y/tools/- shell': 'shell',
      'y/n': 2,
      'z/tools/- shell': 'shell',
      'z/n': 2,
      'z/m': 4,
      'w/tools/- shell': 'shell',
      '<<': 1,
    });
  });

  test('an alias means the anchor before it, not a later one of the same name', () => {
    expect(values('a: &k 1\nb: *k\nc: &k 2\nd: *k\n')).toEqual({ a: 1, b: 1, c: 2, d: 2 });
  });

  test('lines are those where a value is asked for', () => {
    const read = readStructure('a.yaml', 'x: &x\n  n: 1\ny:\n  <<: *x\n');
    expect(read?.ok && [...read.leaves.values()].map(({ line }) => line)).toEqual([2, 4]);
  });

  test('of Markdown those of its front matter, and nothing where it has none', () => {
    expect(values('---\ntools: [a]\n---\n# T\n', 'md')).toEqual({ 'tools/- a': 'a' });
    expect(values('# T\n---\na: 1\n---\n', 'md')).toBeUndefined();
  });

  test('what was written is what is read', () => {
    // Written without quotes it is a merge key, which has its own test.
    const key = fc.string().filter((text) => text !== '<<');
    const value = fc.letrec((tie) => ({
      any: fc.oneof({ maxDepth: 3 }, fc.integer(), fc.boolean(), fc.string(), tie('map')),
      map: fc.dictionary(key, tie('any'), { maxKeys: 4 }),
    })).map;
    fc.assert(
      fc.property(value, (made) => {
        const flat = (one: unknown, path: string[]): [string, unknown][] =>
          typeof one === 'object' && one !== null && Object.keys(one).length > 0
            ? Object.entries(one).flatMap(([key, inner]) => flat(inner, [...path, key]))
            : [[JSON.stringify(path), typeof one === 'object' ? '(empty)' : one]];
        const text = JSON.stringify(made);
        for (const read of [
          readStructure('a.json', text),
          readStructure('a.yaml', stringify(made)),
        ]) {
          expect(
            read?.ok && [...read.leaves].map(([key, leaf]) => [key, leaf.value]).sort(),
          ).toEqual(flat(made, []).sort());
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('strict', () => {
  test.each([
    ['a: 1\na: 2\n', 'line 2: a key appears twice in one map'],
    ['a:\n  b: 1\n  "b": 2\n', 'line 3: a key appears twice in one map'],
    ['x: &x {}\n<<: *x\n<<: *x\n', 'line 3: a key appears twice in one map'],
    ['a: [1\n', 'line 1: expected a closing quote, bracket or brace, but found none'],
    [
      'a: b: c\n',
      'line 1: expected one "key: value" on a line, and quotes around a string with ": ", but found a second colon',
    ],
    ['a: *nobody\n', 'line 1: an alias has no anchor before it'],
    ['? [a]\n: 1\n', 'line 1: a key is not a plain string'],
    ['<<: 1\n', 'line 1: a merge key (<<) takes a map or a list of maps'],
    ['a: &a\n  <<: *a\n', 'line 2: an alias refers to itself'],
    ['a: &a [*a]\n', 'line 1: an alias refers to itself'],
  ])('%j', (text, why) => {
    expect(values(text)).toBe(why);
  });

  test.each([
    '{"a":1,"a":2}',
    '{"a":1,"\\u0061":2}',
    '{a: 1}',
    '{"a":1,}',
    '// x\n{}',
    '\ufeff{}',
    '',
  ])('%j is no JSON here', (text) => {
    expect(values(text, 'json')).toMatch(/^line 1: /);
  });

  test('a reason never repeats the text', () => {
    expect(values('{"secret": "hunter22" x}', 'json')).toBe(
      'line 1: it is not JSON: expected a comma or a closing }',
    );
  });
});

describe('hostile text ends in time', () => {
  const laughs = `a: &a [x, x, x, x, x, x, x, x, x]\n${'bcdefgh'
    .split('')
    .map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[at]}`).join(', ')}]\n`)
    .join('')}`;
  test.each([
    ['a billion laughs', laughs],
    ['100 000 brackets', '['.repeat(100_000)],
    ['30 000 keys', Array.from({ length: 30_000 }, (_, i) => `k${i}:\n`).join('')],
    ['megabytes', 'a'.repeat(1_000_000)],
  ])('%s', (_, text) => {
    expect(readStructure('a.yaml', text)?.ok).toBe(false);
  });
});
