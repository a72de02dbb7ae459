import { describe, expect, it } from 'vitest';
import { hiddenClassOf, hiddenName, looksLike, scriptOf } from './code-points.ts';
import { UNICODE_VERSION } from './index.ts';
import { anyWordOf, spellingKey, wordOf } from './vocabulary.ts';

describe('the Unicode data', () => {
  it('is of one known version', () => {
    expect(UNICODE_VERSION).toBe('17.0.0');
  });

  it.each([
    [0x430, 'a'],
    [0x441, 'c'],
    [0x3bf, 'o'],
    [0x406, 'I'],
    [0x456, 'i'],
    [0x4cf, 'l'],
    [0x251, 'a'],
    [0x261, 'g'],
    [0x2215, '/'],
    [0xa789, ':'],
    [0x1d04, 'c'],
    [0x1f170, 'A'],
    [0x61, undefined],
    [0x436, undefined],
    [0x4e2d, undefined],
  ])('U+%s looks like %s', (point, ascii) => {
    expect(looksLike(point)).toBe(ascii);
  });

  it.each([
    [0x200b, 'zero_width', 'ZERO WIDTH SPACE'],
    [0x202e, 'bidi', 'RIGHT-TO-LEFT OVERRIDE'],
    [0xe0041, 'tag', 'TAG A'],
    [0xe0020, 'tag', 'TAG SPACE'],
    [0xfe0f, 'variation', 'VARIATION SELECTOR-16'],
    [0xe01ef, 'variation', 'VARIATION SELECTOR-256'],
    [0x3164, 'blank', 'HANGUL FILLER'],
    [0x07, 'control', 'ALERT'],
    [0xa0, 'space', 'NO-BREAK SPACE'],
    [0xd800, 'surrogate', 'LONE SURROGATE'],
    [0xffff, 'nonchar', 'NONCHARACTER'],
    [0xe000, 'private', 'PRIVATE USE'],
    [0x378, 'unassigned', 'UNASSIGNED'],
  ])('U+%s is %s', (point, hidden, name) => {
    expect(hiddenClassOf(point)).toBe(hidden);
    expect(hiddenName(point)).toBe(name);
  });

  it('leaves letters, signs and Arabic number marks seen', () => {
    for (const point of [0x41, 0x4e2d, 0x600, 0x6dd, 0x1f600, 0x0a])
      expect(hiddenClassOf(point)).toBe('seen');
    expect(scriptOf(-1)).toBe('Common');
    expect(scriptOf(0x430)).toBe('Cyrillic');
  });
});

describe('the vocabulary', () => {
  it('reads l and i as one, since 1 stands for both', () => {
    expect(wordOf(spellingKey('fiie'))).toBe('file');
    expect(anyWordOf(spellingKey('aii'))).toBe('all');
    expect(wordOf('all')).toBeUndefined();
  });
});
