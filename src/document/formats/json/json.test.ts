import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from '../../../../test/any-character.ts';
import { formatContract, read } from '../../format-contract.test-support.ts';
import { readDocument, replaceValue } from '../../index.ts';
import { json, jsonc } from './json.ts';

const blank = fc.constantFrom('', ' ', '\n', '\r\n', '\t  ');
const numbers = fc.oneof(
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => JSON.stringify(one)),
  fc.constantFrom('0', '-0', '1E3', '1.50', '2e-7', '1.0e+3'),
);
const texts = fc.oneof(
  fc.string({ unit: anyCharacter }).map((one) => JSON.stringify(one.toWellFormed())),
  fc.constantFrom('"5s"', '"800"', '"1h30m"', '"\\u00e9\\n\\/"', '"true"', '""'),
);

/** With blanks between everything; `gap` may also be a comment, and `comma` one too many. */
function jsonTexts(gap: fc.Arbitrary<string>, comma: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const { any } = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      numbers,
      texts,
      fc.constantFrom('true', 'false', 'null'),
      tie('map'),
      tie('list'),
    ),
    map: fc
      .tuple(
        fc.uniqueArray(fc.tuple(fc.string({ maxLength: 5 }), tie('any'), gap, gap), {
          selector: ([key]) => key,
          maxLength: 4,
        }),
        gap,
        comma,
      )
      .map(([entries, end, last]) => {
        const inner = entries.map(
          ([key, value, before, after]) =>
            `${before}${JSON.stringify(key)}${after}:${before}${value}${after}`,
        );
        return `{${inner.join(',')}${inner.length > 0 ? last : ''}${end}}`;
      }),
    list: fc
      .tuple(fc.array(fc.tuple(tie('any'), gap), { maxLength: 4 }), gap, comma)
      .map(([items, end, last]) => {
        const inner = items.map(([value, after]) => `${after}${value}${after}`);
        return `[${inner.join(',')}${inner.length > 0 ? last : ''}${end}]`;
      }),
  })) as { any: fc.Arbitrary<string> };
  return fc.tuple(gap, any, gap).map((parts) => parts.join(''));
}

const BROKEN = [
  '',
  '{',
  '{"a":1,"a":2}',
  '{"a":1,"\\u0061":2}',
  '{secret: 1}',
  "{'secret': 1}",
  '{"secret" 1}',
  '{"a": secret}',
  '["a" "secret"]',
  '[,]',
  '{,}',
  '"secret\n"',
  '"\\x secret"',
  '"\u0001secret"',
  '01',
  '+1',
  '1.',
  'NaN',
  '[1] secret',
  '/* secret',
];
const common = {
  oracle: (text: string) => [JSON.parse(text) as unknown],
  many: (values: number) => `[${'1,'.repeat(values - 1)}1]`,
  nested: (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`,
};

formatContract('json', {
  ...common,
  format: json,
  samples: [
    [
      '{"a": 800, "b": {"c": [true, null, "800"]}, "": -1.5e3}',
      [
        ['a', 800, '800'],
        ['b.c.0', true, 'true'],
        ['b.c.1', null, 'null'],
        ['b.c.2', '800', '"800"'],
        ['', -1500, '-1.5e3'],
      ],
    ],
    [' "x" ', [['', 'x', '"x"']]],
    ['{"__proto__": {"x": 1}}', [['__proto__.x', 1, '1']]],
  ],
  broken: BROKEN,
  texts: jsonTexts(blank, fc.constant('')),
});

/** Comments and commas go; what is inside of texts stays. */
const strict = (text: string) =>
  text
    .replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, kept = ' ') => kept)
    .replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_, kept = '') => kept);

formatContract('jsonc', {
  ...common,
  oracle: (text) => [JSON.parse(strict(text))],
  format: jsonc,
  samples: [
    [
      '// 1\n{/* "x": 2 */ "a": 5, // 3\n"b": ["//", true,],}',
      [
        ['a', 5, '5'],
        ['b.0', '//', '"//"'],
        ['b.1', true, 'true'],
      ],
    ],
  ],
  broken: BROKEN,
  texts: jsonTexts(
    fc.oneof(blank, fc.constantFrom('// "a": 1,\n', '/* ] */', ' /***/ ')),
    fc.constantFrom('', ',', ' ,'),
  ),
});

describe('a .json file that only lenient readers take', () => {
  test.each([
    ['// x\n{}', 1, 'a comment'],
    ['{\n"a": 1,\n}', 2, 'a comma before a closing bracket'],
    ['\ufeff{}', 1, 'a byte order mark'],
  ])('%j is read, with the problem', (text, line, what) => {
    expect(read('a.json', text).problems).toEqual([
      { code: 'not_strict', line, why: `it is not JSON: there is ${what}` },
    ]);
    expect(read('a.jsonc', text).problems).toEqual([]);
  });
});

test.each([
  ['{"a": "5s"}', 10, '{"a": "10s"}'],
  ['{"a": "800"}', 900, '{"a": "900"}'],
  ['{"a": "x"}', 'say "y"\u2028', '{"a": "say \\"y\\"\u2028"}'],
  ['{"a": 1.0}', 2, '{"a": 2.0}'],
  ['{"a": 1.5E+3}', 20_000, '{"a": 2.0E+4}'],
  ['{"a": true}', false, '{"a": false}'],
  ['{"a": null}', 5, '{"a": 5}'],
])('%s with %j', (text, to, expected) => {
  const document = read('a.json', text);
  const answer = replaceValue(document, document.values[0]!, to);
  expect('declined' in answer ? answer.declined : answer.document.text).toBe(expected);
});

test('a long comment without an end costs no more than its length', () => {
  expect(readDocument('a.json', `/*${'*'.repeat(500_000)}`).ok).toBe(false);
  expect(readDocument('a.json', `"${'\\'.repeat(500_000)}`).ok).toBe(false);
});
