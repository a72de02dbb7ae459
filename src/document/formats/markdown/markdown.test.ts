import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { formatContract, read } from '../../format-contract.test-support.ts';
import { readDocument, replaceValue } from '../../index.ts';
import { markdown } from './markdown.ts';

const value = fc.oneof(
  fc.integer().map(String),
  fc.boolean().map(String),
  fc.string().map((text) => JSON.stringify(text)),
  fc.constantFrom('5s', '"800"', '1_200', 'gpt-5', '[1, 2]', '{ a: 1 }'),
);
const matter = fc
  .uniqueArray(fc.tuple(fc.stringMatching(/^[a-z]{1,5}$/), value), {
    selector: ([key]) => key,
    minLength: 1,
    maxLength: 4,
  })
  .map((entries) => entries.map(([key, one]) => `${key}: ${one}\n`).join(''));
const jsonMatter = fc
  .dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.oneof(fc.integer(), fc.string(), fc.boolean()))
  .map((entries) => JSON.stringify(entries, null, 2));
const body = fc
  .array(
    fc.constantFrom('# A\n', '## B\n', 'Text: 800\n', '---\n', '```\n# no\n```\n', '\n', 'T\n=\n'),
  )
  .map((lines) => lines.join(''));

const front = fc.oneof(
  matter.map((text) => `---\n${text}---\n`),
  jsonMatter.map((text) => `---json\n${text}\n---\n`),
  jsonMatter.map((text) => (text === '{}' ? '{\n}\n' : `${text}\n`)),
);

formatContract('markdown', {
  format: markdown,
  samples: [
    [
      '---\nname: a\nlimits: { wait: 5s }\n---\n# Title\nname: b\n',
      [
        ['name', 'a', 'a'],
        ['limits.wait', '5s', '5s'],
      ],
    ],
    ['---json\n{"a": "5s"}\n---\n', [['a', '5s', '"5s"']]],
    ['\ufeff{\n  "a": 1\n}\n\nText\n', [['a', 1, '1']]],
    ['---\r\na: 1\r\n---\r\nText', [['a', 1, '1']]],
    ['# T\n\n---\na: 1\n---\n', []],
    ['---\na: 1\n', []],
    ['', []],
  ],
  broken: ['---\nsecret: [\n---\n', '---\na: 1\na: 2\n---\n', '---json\n{secret}\n---\n'],
  texts: fc
    .tuple(fc.constantFrom('', '\ufeff'), front, body, fc.boolean())
    .map(([mark, head, text, crlf]) => {
      const all = mark + head + text;
      return crlf ? all.replaceAll('\n', '\r\n') : all;
    }),
  oracle: (text) => {
    const plain = text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
    if (plain.startsWith('{')) return [JSON.parse(plain.slice(0, plain.search(/^\}/m) + 1))];
    const [, head, ...lines] = plain.split(/(^---.*\n)/m).slice(0, 3);
    return [head === '---json\n' ? JSON.parse(lines[0]!) : parse(lines[0]!)];
  },
  many: (values) => `---\n[${'1,'.repeat(values)}]\n---\n`,
  nested: (levels) => `---\n${'['.repeat(levels)}1${']'.repeat(levels)}\n---\n`,
});

describe('sections', () => {
  const sections = (text: string) =>
    read('a.md', text).sections.map(({ headings, line, text: own }) => [
      headings.join(' > '),
      line,
      own,
    ]);

  test('have the headings that lead to them, and their own text', () => {
    expect(sections('Before\n# A\none\n## B ##\ntwo\n### C\n## D\n# E\n')).toEqual([
      ['', 1, 'Before\n'],
      ['A', 2, 'one\n'],
      ['A > B', 4, 'two\n'],
      ['A > B > C', 6, ''],
      ['A > D', 7, ''],
      ['E', 8, ''],
    ]);
  });

  test('underlined headings, those that skip levels, and lines behind front matter', () => {
    expect(sections('---\na: 1\n---\nTitle\n=====\nx\n\nSub\n---\ny\n\n#### Deep\n')).toEqual([
      ['Title', 4, 'x\n\n'],
      ['Title > Sub', 8, 'y\n\n'],
      ['Title > Sub > Deep', 12, ''],
    ]);
  });

  test('no heading is in code, in a comment, in a list, or without its blank', () => {
    const text =
      '```sh\n# no\n```\n~~~\n# no\n```\n~~~\n<!--\n# no\n-->\n#no\n- x\n---\n    # code\n';
    expect(sections(text)).toEqual([['', 1, text]]);
  });

  test('a section’s place cuts it out, and all of them together are the text', () => {
    const line = fc.constantFrom(
      '# A',
      '## B',
      '###### C',
      '#',
      'T\n=',
      'x',
      '',
      '```',
      '<!--',
      '-->',
    );
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom('\n', '\r\n'), (lines, end) => {
        const text = lines.join(end);
        let last = 0;
        for (const { start, end: to, text: own } of read('a.md', text).sections) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(text.slice(start, to)).toBe(own);
          last = to;
        }
        expect(last).toBe(text.trim() === '' ? 0 : text.length);
      }),
    );
  });

  test('hundreds of thousands of lines cost no more than their number', () => {
    for (const one of ['#\n', '# a\n', 'a\n', '=\n', '```\n', '<!--\n', '\n', ' '])
      expect(readDocument('a.md', one.repeat(150_000)).ok).toBe(true);
    expect(readDocument('a.md', '---\n'.repeat(250_000)).ok).toBe(true);
  });
});

test('a value of the front matter is replaced, and the text stays', () => {
  const text = '---\r\nlimits:\r\n  wait: 5s # why\r\n---\r\n# T\r\nwait: 5s\r\n';
  const document = read('a.md', text);
  const answer = replaceValue(document, document.values[0]!, 10);
  expect('declined' in answer ? answer.declined : answer.document.text).toBe(
    text.replace('5s', '10s'),
  );
});
