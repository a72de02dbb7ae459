import fc from 'fast-check';
import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from '../../../../test/any-character.ts';
import { formatContract, read } from '../../format-contract.test-support.ts';
import { replaceValue } from '../../index.ts';
import { toml } from './toml.ts';

const numbers = fc.oneof(
  fc.integer().map(String),
  fc.constantFrom('1_000', '0x1F', '0o17', '+7', '1.5', '-0.25', '6.0e3', '1e-7', '0'),
);
const texts = fc.oneof(
  fc
    .string({ unit: anyCharacter })
    .map((one) => JSON.stringify(one.toWellFormed()).replaceAll('\u007f', '\\u007f')),
  fc.constantFrom('"5s"', "'800'", '"1h30m"', "'C:\\dir'", '"""\nlong\n"""', "''", '"true"'),
);
const gaps = fc.constantFrom('', ' ', '\t');
const ends = fc.constantFrom('\n', ' # why\n', '\r\n', '\n\n# alone\n');
const names = fc.constantFrom('a', 'b', 'time_out', '"two words"', "'q.r'", '3');
const inline = fc.oneof(
  numbers,
  texts,
  fc.constantFrom('true', 'false'),
  fc.array(numbers, { maxLength: 3 }).map((all) => `[${all.join(', ')}]`),
  fc.tuple(names, numbers).map(([name, value]) => `{ ${name} = ${value} }`),
);
const pairs = fc
  .uniqueArray(fc.tuple(names, inline, gaps, ends), { selector: ([name]) => name, maxLength: 4 })
  .map((all) =>
    all.map(([name, value, gap, end]) => `${name}${gap}=${gap}${value}${end}`).join(''),
  );
/** Tables below names that no pair has, in pieces and out of order. */
const tables = fc
  .tuple(pairs, pairs, pairs, pairs, pairs)
  .map(
    ([top, one, two, three, four]) =>
      `${top}[x]\n${one}[z.deep]\n${two}[x.more] # here\n${three}[[list]]\n${four}[[list]]\n${one}`,
  );

/** As another reader has it, in plain objects; dates do not come up here. */
const oracle = (text: string) => [structuredClone(parse(text))];

formatContract('toml', {
  format: toml,
  samples: [
    [
      'a = 800 # why\n[tools."web search"]\ntimeout = "5s"\non = true\n[x]\ny.z = 1.0\n[tools.other]\nn = 1_000\n',
      [
        ['a', 800, '800'],
        ['tools.web search.timeout', '5s', '"5s"'],
        ['tools.web search.on', true, 'true'],
        ['x.y.z', 1, '1.0'],
        ['tools.other.n', 1000, '1_000'],
      ],
    ],
    [
      'l = [1, { b = false }]\n[[t]]\nn = 1\n[[t]]\nn = 2\n[t.u]\nm = 3\n',
      [
        ['l.0', 1, '1'],
        ['l.1.b', false, 'false'],
        ['t.0.n', 1, '1'],
        ['t.1.n', 2, '2'],
        ['t.1.u.m', 3, '3'],
      ],
    ],
  ],
  broken: ['a = [\n', 'a = 1\na = 2\n', 'secret', 'a = "secret\n', '[a]\n[a]\n', 'a = 1 secret\n'],
  texts: fc.oneof(pairs, tables),
  oracle,
  many: (values) => `a = [${Array(values).fill('1').join(',')}]\n`,
  nested: (levels) => `a = ${'['.repeat(levels)}1${']'.repeat(levels)}\n`,
});

describe('what only TOML has', () => {
  const changed = (text: string, to: string | number) => {
    const document = read('a.toml', text);
    const answer = replaceValue(document, document.values[0]!, to);
    return 'declined' in answer ? answer.declined : answer.document.text;
  };

  test.each([
    ["a = 'C:\\x'\n", 'C:\\y', "a = 'C:\\y'\n"],
    ["a = 'x'\n", "it's", 'a = "it\'s"\n'],
    ['a = "5s"\n', 9, 'a = "9s"\n'],
    ['a = 1_000\n', 25_000, 'a = 25_000\n'],
    ['a = 2.0\n', 3, 'a = 3.0\n'],
    ['\ufeffa = 1\n', 2, '\ufeffa = 2\n'],
  ])('%j becomes %j', (text, to, expected) => {
    expect(changed(text, to)).toBe(expected);
  });

  test('dates, infinities and numbers beyond 2^53 are texts, and not written over by numbers', () => {
    for (const text of ['a = 1979-05-27\n', 'a = inf\n', 'a = 9223372036854775807\n'])
      expect(changed(text, 1)).toMatch(/\.$/);
  });
});
