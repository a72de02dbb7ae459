import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from './any-character.ts';

test('texts of it have every kind of character, and the dangerous words of fast-check', () => {
  const texts = fc.sample(fc.string({ unit: anyCharacter }), { seed: 1, numRuns: 2000 });
  expect(texts).toContain('__proto__');
  const all = texts.join('');
  expect(all).toMatch(/\p{Cc}/u);
  expect(all).toMatch(/[\u{e000}-\u{ffff}]/u);
  expect(all).toMatch(/[\u{10000}-\u{10ffff}]/u);
  expect(all.isWellFormed()).toBe(true);
});

test('both ends of Unicode and of the surrogates are characters, halves of one are not', () => {
  for (const one of ['\0', '\ud7ff', '\ue000', '\u{10ffff}'])
    expect(anyCharacter.canShrinkWithoutContext(one)).toBe(true);
  for (const none of ['\ud800', '\udfff', 'ab', '', 7])
    expect(anyCharacter.canShrinkWithoutContext(none)).toBe(false);
});
