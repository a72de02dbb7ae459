/** Layout as pure functions of the width. */
import { styleText } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutToWidth, displayWidth, padToWidth } from './display-width.ts';
import { fields, table, wrap, wrapLines } from './layout.ts';

const red = (text: string) => styleText('red', text, { validateStream: false });
const anyText = fc.string({ unit: 'grapheme', maxLength: 200 });
const anyColumns = fc.oneof(fc.integer({ min: 20, max: 200 }), fc.constant(Infinity));
const words = (text: string) => text.split(/\s+/).filter((word) => word !== '');
const widest = (text: string) => Math.max(...text.split('\n').map(displayWidth));

test.each([
  ['plain', 5],
  ['é', 1],
  ['e\u0301', 1],
  ['漢字', 4],
  ['ｶﾅ', 2],
  ['한글', 4],
  ['１', 2],
  ['🚀', 2],
  ['👩‍💻', 2],
  ['🇩🇪', 2],
  ['❤️', 2],
  ['©', 1],
  ['…×→', 3],
  ['\u200b', 0],
  ['\u001b[31mred\u001b[39m', 3],
  ['', 0],
])('%j is %i columns wide', (text, width) => {
  expect(displayWidth(text)).toBe(width);
});

test('padding and cutting count columns, not characters', () => {
  expect(padToWidth('漢', 4)).toBe('漢  ');
  expect(padToWidth(red('a'), 2)).toBe(`${red('a')} `);
  expect(cutToWidth('漢字漢字', 6)).toBe('漢字…');
  expect(cutToWidth('漢字', 4)).toBe('漢字');
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 50 }), (text, width) => {
      expect(displayWidth(cutToWidth(text, width))).toBeLessThanOrEqual(width);
    }),
  );
});

test('prose is as wide as the terminal up to a readable measure, and 80 in a pipe', () => {
  const prose = 'word '.repeat(100);
  expect(widest(wrap(prose, 40))).toBe(39);
  expect(widest(wrap(prose, 200))).toBe(99);
  expect(widest(wrap(prose, Infinity))).toBe(79);
  expect(wrap('', 80, '  ')).toBe('\n');
  expect(wrap('a bc', 4, ' ')).toBe(' a\n bc\n');
  expect(wrap('a  b', 80)).toBe('a  b\n');
});

test('wrapping loses no word and breaks none; a line that is too wide is one word', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), anyColumns, (text, columns) => {
      const lines = wrap(text, columns, '  ').split('\n');
      expect(words(lines.join(' '))).toEqual(words(text));
    }),
  );
  const id = 'sha256:0123456789abcdef0123456789abcdef';
  expect(wrap(`It is ${id} now`, 20)).toBe(`It is\n${id}\nnow\n`);
});

test('a command to copy is never broken; one that is too wide has a line to itself', () => {
  const command = '("hone proposals show p_0123456789").';
  expect(wrap(`Look at it ${command} Then decide.`, 40)).toBe(
    `Look at it\n${command}\nThen decide.\n`,
  );
  expect(wrap(`Look at it ${command}`, 20)).toBe(`Look at it\n${command}\n`);
  expect(wrap('Look: hone proposals show p_1. Settle it: hone settle p_1', 20)).toBe(
    'Look:\nhone proposals show p_1.\nSettle it:\nhone settle p_1\n',
  );
  expect(wrap('Not you: hone stop-all, then hone config show.', 20)).toBe(
    'Not you:\nhone stop-all, then\nhone config show.\n',
  );
});

test('text without spaces breaks between wide characters, styles take no room', () => {
  expect(wrap('漢字'.repeat(10), 20)).toBe(`${'漢字'.repeat(5)}\n${'漢字'.repeat(5)}\n`);
  expect(wrap(`${red('12345678')} ${red('123456789')} 1`, 20).split('\n')).toHaveLength(2);
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('漢', '🚀', '한') }), (text) => {
      expect(widest(wrap(text, 20))).toBeLessThanOrEqual(20);
    }),
  );
});

test('lines keep their indent', () => {
  expect(wrapLines('ab cd\n  ef gh ij kl mn op qr\n', 20)).toBe(
    'ab cd\n  ef gh ij kl mn op\n  qr\n',
  );
});

const PAIRS = [
  ['Where', '/a/path/that/is/long/and/whole'],
  ['Why', 'because it is so'],
] as const;

test('labels stand beside what they name, or above it where it does not fit', () => {
  expect(fields(PAIRS, Infinity)).toBe(
    'Where  /a/path/that/is/long/and/whole\nWhy    because it is so\n',
  );
  expect(fields(PAIRS, 24, ' ')).toBe(
    ' Where\n   /a/path/that/is/long/and/whole\n Why    because it is so\n',
  );
  expect(fields(PAIRS, 20, '# ')).toBe(
    '# Where\n#   /a/path/that/is/long/and/whole\n# Why\n#   because it is so\n',
  );
});

const EFFECTS = {
  head: ['STATE', 'KEY', 'ERROR'],
  rows: [
    ['dead', 'deploy/p_0123456789', 'the forge said no, and said it again'],
    ['delivered', 'notice/1', ''],
  ],
};

test('a table that fits is rows of columns, also in a pipe, however long they are', () => {
  const flat = [
    'STATE      KEY                  ERROR\n',
    'dead       deploy/p_0123456789  the forge said no, and said it again\n',
    'delivered  notice/1\n',
  ].join('');
  expect(table(EFFECTS, Infinity)).toBe(flat);
  expect(table(EFFECTS, 80)).toBe(flat);
  const long = { head: ['A', 'B'], rows: [['x'.repeat(200), 'y '.repeat(100).trim()]] };
  expect(table({ ...long, isLastProse: true }, Infinity).split('\n')[1]).toBe(
    long.rows[0]!.join('  '),
  );
});

test('where it does not fit, prose is broken within its column', () => {
  expect(table({ ...EFFECTS, isLastProse: true }, 52)).toBe(
    [
      'STATE      KEY                  ERROR\n',
      'dead       deploy/p_0123456789  the forge said no,\n',
      '                                and said it again\n',
      'delivered  notice/1\n',
    ].join(''),
  );
});

test('where even that does not fit, rows become blocks, with every key whole', () => {
  const blocks = [
    'STATE  dead\n',
    'KEY    deploy/p_0123456789\n',
    'ERROR  the forge said no, and\n',
    '       said it again\n',
    '    a note\n',
    '\n',
    'STATE  delivered\n',
    'KEY    notice/1\n',
  ].join('');
  expect(table({ ...EFFECTS, isLastProse: true, notes: ['a note', null] }, 30)).toBe(blocks);
  expect(table({ ...EFFECTS, notes: ['a note', null] }, 30)).toBe(blocks);
});

test('no table is too wide but for one word on a line, and none loses a word', () => {
  const cell = fc.array(fc.stringMatching(/^[a-z/]{1,30}$/), { maxLength: 8 });
  const anyRows = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(anyRows, anyColumns, fc.boolean(), (cells, columns, isLastProse) => {
      const rows = cells.map((row) => row.map((some) => some.join(' ')));
      const text = table({ head: ['ONE', 'TWO', 'THREE'], rows, isLastProse }, columns);
      for (const line of text.split('\n')) {
        expect(displayWidth(line) <= columns || words(line).length === 1).toBe(true);
      }
      const all = words(text);
      for (const word of words(rows.flat().join(' '))) expect(all).toContain(word);
    }),
  );
});
