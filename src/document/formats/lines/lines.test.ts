import { parseEnv } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatContract, read } from '../../format-contract.test-support.ts';
import { formatOf } from '../../formats.ts';
import { readDocument } from '../../read-document.ts';
import { replaceValue } from '../../replace-value.ts';
import { lines } from './lines.ts';

const words = fc.constantFrom(
  '800',
  '1_000',
  '5s',
  '0.25',
  'true',
  'off',
  'two words',
  '',
  'a:b',
  'x/y',
  '-3',
);
const values = fc
  .tuple(words, fc.constantFrom('', '"', "'"))
  .map(([word, sign]) => sign + word + sign);
const gaps = fc.constantFrom('', ' ', '\t');
const ends = fc.constantFrom('\n', '\r\n', ' # why\n', '\n\n# alone\n; too\n! and\n');
const names = fc.constantFrom('A', 'TIME_OUT', 'b-c', '3', 'x.y', 'x.z', 'n.m.k');
const pairs = fc
  .uniqueArray(fc.tuple(names, values, gaps, ends), { selector: ([name]) => name, maxLength: 5 })
  .map((all) =>
    all.map(([name, value, gap, end]) => `${name}${gap}=${gap}${value}${end}`).join(''),
  );
const texts = fc
  .tuple(pairs, pairs, pairs)
  .map(([top, one, two]) => `${top}[s]\n${one}[t.u]\n${two}`);

/** Values by another reader of environment files, one line at a time; what is below a section or a dot is nested here. */
function oracle(text: string): unknown[] {
  const root: Record<string, unknown> = {};
  const nested = (path: readonly string[]) => {
    let at = root;
    for (const name of path) {
      at[name] ??= {};
      at = at[name] as Record<string, unknown>;
    }
    return at;
  };
  let section: string[] = [];
  for (const line of text.replaceAll('\r', '').split('\n')) {
    if (line.startsWith('[')) {
      section = line.slice(1, -1).split('.');
      nested(section);
    }
    const equals = line.indexOf('=');
    if (/^[#;![]/.test(line) || equals < 0) continue;
    const path = line.slice(0, equals).trim().split('.');
    const { K } = parseEnv(`K=${line.slice(equals + 1)}\n`);
    nested([...section, ...path.slice(0, -1)])[path.at(-1)!] = K;
  }
  return [root];
}

formatContract('lines', {
  format: lines,
  samples: [
    [
      '# why\nexport WAIT=800 # ms\nNAME="a b"\n[tools.search]\nlimit = 5s\nkeep.alive=true\n',
      [
        ['WAIT', '800', '800'],
        ['NAME', 'a b', '"a b"'],
        ['tools.search.limit', '5s', '5s'],
        ['tools.search.keep.alive', 'true', 'true'],
      ],
    ],
    [
      'URL=http://x/?a=1#b\nHOME=$HOME/x\nP="a\\nb"\nN=\n',
      [
        ['URL', 'http://x/?a=1#b', 'http://x/?a=1#b'],
        ['HOME', '$HOME/x', '$HOME/x'],
        ['P', '"a\\nb"', '"a\\nb"'],
        ['N', '', ''],
      ],
    ],
  ],
  broken: [
    'secret\n',
    'A="secret\nB=1\n',
    'A=secret\\\nB=1\n',
    'A=1\n  B=secret\n',
    '[secret\n',
    'A=1\nA=2\n',
    'a=1\na.b=2\n',
    'a.b=1\na=2\n',
    'se cret=1\n',
  ],
  texts: fc.oneof(pairs, texts),
  oracle,
  many: (count) => Array.from({ length: count }, (_, at) => `K${at}=1\n`).join(''),
  nested: (levels) => `${Array(levels).fill('a').join('.')}=1\n`,
});

describe('what only such lines have', () => {
  const changed = (text: string, to: string | number | boolean) => {
    const document = read('run.env', text);
    const answer = replaceValue(document, document.values[0]!, to);
    return 'declined' in answer ? answer.declined : answer.document.text;
  };

  test.each([
    ['A=800 # ms\r\n', 900, 'A=900 # ms\r\n'],
    ['export A="5s"\n', 9, 'export A="9s"\n'],
    ['A=off\n', true, 'A=on\n'],
    ["A='x'\n", 'y z', "A='y z'\n"],
    ['\ufeffA=1\n', 2, '\ufeffA=2\n'],
  ])('%j becomes %j', (text, to, expected) => {
    expect(changed(text, to)).toBe(expected);
  });

  test('what readers take differently is never written', () => {
    for (const [text, to] of [
      ['A=$B\n', 'x'],
      ['A=x#y\n', 'x'],
      ['A=x\n', 'a # b'],
      ['A=x\n', 'a\nB=2'],
      ['A="x"\n', 'a"b'],
      ['A=x\n', '$(id)'],
      ['A=x\n', true],
    ] as const)
      expect(changed(text, to)).toMatch(/\.$/);
  });

  test('a file of secrets alone has no format', () => {
    for (const path of ['.env', 'a/.env']) expect(formatOf(path)).toBeUndefined();
    expect(readDocument('a/.env', 'A=1\n').ok).toBe(false);
  });
});
