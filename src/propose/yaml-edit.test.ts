import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findNumber, replaceNumber } from './yaml-edit.ts';

function change(text: string, path: string, value: number, next: number, line = 1) {
  const number = findNumber(text, { path: path.split('.'), value, line });
  return number && replaceNumber(text, number, next);
}

describe('one number', () => {
  test.each([
    ['a comment beside it', 'a:  800   # why\n', 'a', 800, 'a:  2000   # why\n'],
    ['CRLF', 'x: 1\r\na: 800\r\n', 'a', 800, 'x: 1\r\na: 2000\r\n'],
    ['a byte order mark', '\uFEFFa: 800', 'a', 800, '\uFEFFa: 2000'],
    [
      'JSON with tabs',
      '{\n\t"a": 800,\n\t"b": "800"\n}',
      'a',
      800,
      '{\n\t"a": 2000,\n\t"b": "800"\n}',
    ],
    ['a list', 'a: [1, 800 , 3]', 'a.1', 800, 'a: [1, 2000 , 3]'],
    ['an exponent', 'a: 8e2', 'a', 800, 'a: 2000'],
    ['hexadecimal', 'a: 0x10', 'a', 16, 'a: 2000'],
    ['no leading zero', 'a: .5', 'a', 0.5, 'a: 2000'],
    ['an anchor', 'a: &t 800\nb: *t\n', 'a', 800, 'a: &t 2000\nb: *t\n'],
    ['a second document', 'a: 1\n---\na: 800\n', 'a', 800, 'a: 1\n---\na: 2000\n'],
    [
      'quotes and blocks around it',
      "q: '800'\na: 800\nt: |\n  a: 800\n",
      'a',
      800,
      "q: '800'\na: 2000\nt: |\n  a: 800\n",
    ],
    ['a key with signs', '"a b": 800\n', 'a b', 800, '"a b": 2000\n'],
    [
      'a character of two units before it',
      'k: "\u{1F600}"\na: 800\n',
      'a',
      800,
      'k: "\u{1F600}"\na: 2000\n',
    ],
  ])('%s', (_, text, path, value, expected) => {
    expect(change(text, path, value, 2000)).toBe(expected);
  });

  test.each([
    ['a quoted number', 'a: "800"\n'],
    ['a tagged one', 'a: !!int 800\n'],
    ['an underscore', 'a: 8_00\n'],
    ['another value', 'a: 801\n'],
    ['another path', 'b: 800\n'],
    ['no YAML', 'a: 800\nb: [\n'],
    ['equal keys', 'a: 800\na: 800\n'],
    ['an alias', 'b: &t 800\na: *t\n'],
    ['very deep', `${'['.repeat(20_000)}`],
    ['nothing', ''],
  ])('is not found in %s', (_, text) => {
    expect(change(text, 'a', 800, 2000)).toBeUndefined();
  });

  test('several documents are told apart by the line, and only by it', () => {
    const text = 'a: 800\n---\na: 800\n';
    expect(change(text, 'a', 800, 2000, 3)).toBe('a: 800\n---\na: 2000\n');
    expect(change(text, 'a', 800, 2000, 7)).toBeUndefined();
    expect(findNumber(text, { path: ['a'], value: 800, line: 3 })).toMatchObject({ line: 3 });
  });

  test('the aliases that lead to it are counted, also by what is around it', () => {
    const text = 'd: &d\n  t: &t 800\nx: *d\ny: *t\nz: *t\n';
    expect(findNumber(text, { path: ['d', 't'], value: 800, line: 2 })).toMatchObject({
      aliases: 3,
    });
  });

  test('a place that is not that number changes nothing', () => {
    const text = 'a: 800 # 800\nb: "800"\n';
    const at = (needle: string, length: number) => {
      const start = text.lastIndexOf(needle);
      return { value: 800, start, end: start + length, line: 1, aliases: 0 };
    };
    expect(replaceNumber(text, at('800"', 3), 2000)).toBeUndefined();
    expect(replaceNumber(text, at('# 800', 5), 2000)).toBeUndefined();
    expect(replaceNumber(text, { ...at('b:', 1), start: 3, end: 4 }, 2)).toBeUndefined();
  });
});

/** Maps of numbers, texts and lists, written with comments, blanks and line ends of every kind. */
const entry = fc.record({
  key: fc.stringMatching(/^[a-z]{1,6}$/),
  indent: fc.nat(2),
  value: fc.oneof(
    fc.integer({ min: -1e6, max: 1e6 }).map(String),
    fc.double({ min: 0.001, max: 1e6, noNaN: true }).map(String),
    fc.constantFrom(
      '"7"',
      'text',
      "'it # 7'",
      '0x1F',
      '1e3',
      '.5',
      '~',
      'true',
      '[1, 2]',
      '{ x: 3 }',
      '!!str 5',
    ),
  ),
  gap: fc.constantFrom(' ', '   ', '\t'),
  after: fc.constantFrom('', ' # 800 comment', '   # ü: 7', ' '),
  end: fc.constantFrom('\n', '\r\n', '\n\n', '\n# 5: 6\n'),
});

test('on any YAML one number changes and every other byte stays', () => {
  const entries = fc.uniqueArray(entry, {
    selector: ({ key }) => key,
    minLength: 1,
    maxLength: 10,
  });
  let changed = 0;
  fc.assert(
    fc.property(entries, fc.nat(), fc.constantFrom('', '\uFEFF'), (all, pick, mark) => {
      const target = all[pick % all.length]!;
      const line = (one: (typeof all)[number]) =>
        `${one.key}:${one.gap}${one.value}${one.after}${one.end}`;
      const text = mark + all.map(line).join('');
      const value = Number(target.value);
      const next = change(text, target.key, value, 4242);
      const isNumber = /^[-.\d]/.test(target.value) || target.value === '0x1F';
      expect(next !== undefined).toBe(isNumber);
      if (next === undefined) return;
      changed += 1;
      const written = all.map((one) => line(one === target ? { ...one, value: '4242' } : one));
      expect(next).toBe(mark + written.join(''));
    }),
    { numRuns: 200 },
  );
  expect(changed).toBeGreaterThan(50);
});
