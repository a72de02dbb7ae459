import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '../../test/any-character.ts';
import { jsonLine, plain } from './io.ts';
import { shown, shownLines } from './shown.ts';

const UNSEEN =
  /[^\P{Cc}\n]|[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\p{Zl}\p{Zp}]/u;
const anyText = fc.string({ unit: anyCharacter, maxLength: 200 });

test('others’ text on one line moves no cursor and turns nothing around', () => {
  expect(shown('\u001b[2Ja\r\nb\u202ec')).toBe(
    '⟨U+001B ESCAPE⟩[2Ja b⟨U+202E RIGHT-TO-LEFT OVERRIDE⟩c',
  );
  fc.assert(fc.property(anyText, (text) => !UNSEEN.test(shown(text).replaceAll('\n', '\u0000'))));
});

test('lines stay lines; tabs and other ends of line can be told from spaces and from each other', () => {
  expect(shownLines('-a\n+a\r\n+\tb\u001b')).toBe(
    '-a\n+a⟨U+000D CARRIAGE RETURN⟩\n+\tb⟨U+001B ESCAPE⟩',
  );
  fc.assert(
    fc.property(anyText, (text) => {
      const lines = shownLines(text);
      return (
        lines.split('\n').length === text.split('\n').length &&
        !UNSEEN.test(lines.replaceAll('\t', ''))
      );
    }),
  );
});

test('JSON is the same document, with everything unseen written as escapes', () => {
  expect(jsonLine({ a: '\u009b\u202e\u{e0041}é' })).toBe('{"a":"\\u009b\\u202e\\udb40\\udc41é"}\n');
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const line = jsonLine(value);
      expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(value)));
      return !UNSEEN.test(line);
    }),
  );
});

test('sentences keep their words', () => {
  expect(plain('a\u001b[31m b\u202ec\n')).toBe('a [31m b c\n');
});
