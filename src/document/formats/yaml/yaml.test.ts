import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { formatContract, read } from '../../format-contract.test-support.ts';
import { readDocument, replaceValue } from '../../index.ts';
import { yaml } from './yaml.ts';
import { yamlTexts } from './yaml-texts.test-support.ts';

formatContract('yaml', {
  format: yaml,
  samples: [
    [
      'a: 800 # why\nb: [true, "800", 5s]\nc:\n  - ~\n  - x: 1_200\n',
      [
        ['a', 800, '800'],
        ['b.0', true, 'true'],
        ['b.1', '800', '"800"'],
        ['b.2', '5s', '5s'],
        ['c.0', null, '~'],
        ['c.1.x', '1_200', '1_200'],
      ],
    ],
    [
      "\ufeffa: 1\r\n---\r\n{\"a\": 0x1F, ? b : .5}\r\n...\r\n---\r\n- |\r\n  x\r\n- 'it''s'\r\n",
      [
        ['a', 1, '1'],
        ['a', 31, '0x1F'],
        ['b', 0.5, '.5'],
        ['0', 'x\n', '|\r\n  x\r\n'],
        ['1', "it's", "'it''s'"],
      ],
    ],
    ['x: &x { n: &n 1 }\ny: { <<: *x, m: *n }\n', [['x.n', 1, '1']]],
    [
      '%YAML 1.1\n---\na: yes\nb: 1_000\nc: 1:30\nd: 2001-01-01\n',
      [
        ['a', true, 'yes'],
        ['b', 1000, '1_000'],
        ['c', 90, '1:30'],
        ['d', '2001-01-01', '2001-01-01'],
      ],
    ],
    ['', []],
    ['# nothing\n', []],
  ],
  broken: [
    'secret: [1\n',
    'secret: "x\n',
    'a: secret: c\n',
    'a: 1\n  secret: 2\n',
    'a: 1\n\tsecret: 2\n',
    'a: 1\na: 2\n',
    'a:\n  b: 1\n  "b": 2\n',
    'a: *secret\n',
    'x: &x {}\n<<: *x\n<<: *x\n',
    '<<: secret\n',
    'a: &a\n  <<: *a\n',
    'a: &a [*a]\n',
    '? [secret]\n: 1\n',
    'a: 1\n---\na: 1\na: 2\n',
    '}\n',
    '"\\q"\n',
  ],
  texts: yamlTexts,
  oracle: (text) => {
    const documents = parseAllDocuments(text, { merge: true, logLevel: 'silent' });
    return (Array.isArray(documents) ? documents : []).map((one) =>
      one.toJS({ maxAliasCount: -1 }),
    );
  },
  many: (values) => `[${'1,'.repeat(values)}]`,
  nested: (levels) => `${'['.repeat(levels)}1${']'.repeat(levels)}`,
});

/** The text with its first value at the path replaced, or the sentence that declines it. */
function replaced(text: string, path: string, to: string | number | boolean): string {
  const document = read('a.yaml', text);
  const value = document.values.find((one) => one.path.join('.') === path);
  const answer = replaceValue(document, value!, to);
  return 'declined' in answer ? answer.declined : answer.document.text;
}

describe('a new value in the old style', () => {
  test.each([
    ['a:  800   # why\n', 2000, 'a:  2000   # why\n'],
    ['x: 1\r\na: 800\r\n', 2000, 'x: 1\r\na: 2000\r\n'],
    ['\ufeffa: 800', 2000, '\ufeffa: 2000'],
    ['a: &t 800\nb: *t\n', 2000, 'a: &t 2000\nb: *t\n'],
    ["q: '800'\na: 800\nt: |\n  a: 800\n", 2000, "q: '800'\na: 2000\nt: |\n  a: 800\n"],
    ['k: "\u{1F600}"\na: 800\n', 2000, 'k: "\u{1F600}"\na: 2000\n'],
    ['a: 5s', 10, 'a: 10s'],
    ['a: 5 s', 7.5, 'a: 7.5 s'],
    ['a: 1h30m', 100, 'a: 1h40m'],
    ['a: "10m"', 15, 'a: "15m"'],
    ["a: '800'", 900, "a: '900'"],
    ['a: 1_200', 1500, 'a: 1_500'],
    ['a: 0x1F', 255, 'a: 0xFF'],
    ['a: 0o17', 8, 'a: 0o10'],
    ['a: 8e2', 2000, 'a: 2e3'],
    ['a: 1.0e+3', 2000, 'a: 2.0e+3'],
    ['a: .5', 2, 'a: 2.0'],
    ['a: 1.0', 2, 'a: 2.0'],
    ['a: +7', 9, 'a: +9'],
    ['a: 50%', 75, 'a: 75%'],
    ['a: true', false, 'a: false'],
    ['a: True', false, 'a: False'],
    ['a: ON', false, 'a: OFF'],
    ['a: yes', false, 'a: no'],
    ['a: yes', 'no', 'a: no'],
    ['%YAML 1.1\n---\na: Yes\n', false, '%YAML 1.1\n---\na: No\n'],
    ['a: ~', 5, 'a: 5'],
    ['a: fast', 'slow', 'a: slow'],
    ['a: fast', 'no', 'a: "no"'],
    ['a: fast', '12', 'a: "12"'],
    ['a: fast', 'x: y', 'a: "x: y"'],
    ['a: fast', 'two\nlines', 'a: "two\\nlines"'],
    ['a: 5s', '10s', 'a: 10s'],
    ['a: 5s', '10', 'a: "10"'],
    ["a: 'x'", "it's", "a: 'it''s'"],
    ["a: 'x'", 'a\tb', 'a: "a\\tb"'],
    ['a: "x"', 'say "hi"', 'a: "say \\"hi\\""'],
    ['a: one\n  two\nb: 1\n', 'x', 'a: x\nb: 1\n'],
  ])('%j with %j', (text, to, expected) => {
    expect(replaced(text, 'a', to)).toBe(expected);
  });

  test.each([
    ['a: !!int 800\n', 2000, 'The value has a tag, which says how it is read.'],
    ['a:\n', 2000, 'There is nothing to replace there.'],
    ['a: |\n  x\n', 'y', 'A block of text is not replaced as a value.'],
    ['a: fast\n', 5, 'The value is a string, and the new one is a number.'],
    ['a: fast\n', true, 'The value is a string that is neither true nor false.'],
    ['a: "yes"\n', false, 'The value is a string that is neither true nor false.'],
    ['a: 800\n', '900', 'The value is a number, and the new one is a string.'],
    ['a: 800\n', Number.NaN, 'The new value is not a number.'],
    ['a: 800\n', Number.POSITIVE_INFINITY, 'The new value is not a number.'],
    ['a: x\n', '\ud800', 'The new value is not a sound text.'],
    ['a: 1h30m\n', 0.5, 'The number is written in a form that Hone cannot write.'],
    ['a: 017\n', 20, 'The number is written in a form that Hone cannot write.'],
    ['a: 1_200\n', 999, 'The new value cannot be written in the form used there.'],
    ['a: .inf\n', 20, 'The number is written in a form that Hone cannot write.'],
  ])('%j with %j is declined', (text, to, why) => {
    expect(replaced(text, 'a', to)).toBe(why);
  });

  test('a value that a key is made of is not changed behind its back', () => {
    expect(replaced('a: &k 1\n*k : 2\n', 'a', 3)).toMatch(/without changing something else/);
  });
});

describe('places', () => {
  const ways = (text: string) =>
    read('a.yaml', text).places.map(({ value, document, steps }) => [
      `${document} ${steps.map(({ key }) => key).join('.')}`,
      value.path.join('.'),
    ]);

  test('an alias leads to where its anchor stands, the last of its name before it', () => {
    expect(ways('a: &x 1\nb: &x 2\nc: *x\n')).toEqual([
      ['0 a', 'a'],
      ['0 b', 'b'],
      ['0 c', 'b'],
    ]);
    expect(ways('a: &x [&y 1]\nb: &y 2\nc: *x\nd: *y\n').map(([, path]) => path)).toEqual([
      'a.0',
      'b',
      'a.0',
      'b',
    ]);
  });

  test('a merge key brings what a map does not have, the first source first', () => {
    expect(
      ways('x: &x { a: 1, b: 2 }\ny: &y { b: 3, c: 4 }\nz: { <<: [*y, *x], c: 5 }\n').slice(4),
    ).toEqual([
      ['0 z.c', 'z.c'],
      ['0 z.b', 'y.b'],
      ['0 z.a', 'x.a'],
    ]);
    expect(ways('x: &x { a: 1 }\ny: &y { <<: *x }\nz: { <<: *y }\n')).toHaveLength(3);
  });

  test('an anchor is one document’s own', () => {
    expect(readDocument('a.yaml', 'a: &x 1\n---\nb: *x\n')).toMatchObject({
      ok: false,
      line: 3,
      why: 'an alias has no anchor before it',
    });
  });

  test('a value that is shared changes everywhere it is', () => {
    const document = read('a.yaml', 'x: &x { a: 1 }\ny: *x\nz: { <<: *x }\n');
    const answer = replaceValue(document, document.values[0]!, 2);
    if ('declined' in answer) throw new Error(answer.declined);
    expect(answer.document.places.map(({ value }) => value.value)).toEqual([2, 2, 2]);
  });
});

describe('hostile texts end in time', () => {
  const laughs = `a: &a [x, x, x, x, x, x, x, x, x]\n${'bcdefgh'
    .split('')
    .map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[at]}`).join(', ')}]\n`)
    .join('')}`;
  const merges = Array.from(
    { length: 2000 },
    (_, at) => `m${at}: &m${at} { k${at}: 1${at === 0 ? '' : `, <<: *m${at - 1}`} }\n`,
  ).join('');

  test.each([
    ['a billion laughs', laughs, /values, counting aliases/],
    ['merge keys of merge keys', merges, /values, counting aliases/],
    ['200 000 brackets', '['.repeat(200_000), /./],
    ['dashes', '- '.repeat(50_000), /./],
    ['commas', `[${','.repeat(100_000)}]`, /./],
    ['anchors', '&a '.repeat(50_000), /./],
    ['quotes', '"'.repeat(100_000), /./],
    ['questions', '? '.repeat(50_000), /./],
  ])('%s', (_, text, why) => {
    const reading = readDocument('a.yaml', text);
    expect(reading.ok ? '' : reading.why).toMatch(why);
  });

  test('thousands of keys, documents and aliases are read', () => {
    const keys = Array.from({ length: 20_000 }, (_, at) => `k${at}: ${at}`).join('\n');
    expect(read('a.yaml', keys).values).toHaveLength(20_000);
    expect(read('a.yaml', 'a: 1\n---\n'.repeat(5000)).roots.length).toBeGreaterThan(4999);
    expect(read('a.yaml', `a: &a 1\nb: [${'*a, '.repeat(5000)}]\n`).places).toHaveLength(5001);
  });
});

test('a tag that is nobody’s is a problem with its line', () => {
  expect(read('a.yaml', 'a: 1\nb: !own 2\n').problems).toMatchObject([
    { code: 'unknown_tag', line: 2 },
  ]);
});

test('every text that was made can be replaced in most places', () => {
  const counts = { replaced: 0, declined: 0 };
  fc.assert(
    fc.property(yamlTexts, (text) => {
      const document = read('a.yaml', text);
      for (const value of document.values.filter((one) => typeof one.value === 'number'))
        counts['declined' in replaceValue(document, value, 7) ? 'declined' : 'replaced'] += 1;
    }),
  );
  expect(counts.replaced).toBeGreaterThan(10 * counts.declined);
});
