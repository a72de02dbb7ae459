import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '../../test/any-character.ts';
import { sha256Hex } from './canonical.ts';
import { smallSha256Hex } from './small-sha256.ts';

test('it is SHA-256', () => {
  expect(smallSha256Hex('abc')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
  for (let length = 0; length < 200; length++)
    expect(smallSha256Hex('a'.repeat(length))).toBe(sha256Hex('a'.repeat(length)));
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 3000 }), (text) => {
      expect(smallSha256Hex(text)).toBe(sha256Hex(text));
    }),
  );
});
