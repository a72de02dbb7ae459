import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '../../test/any-character.ts';
import { RECORDED_MAX as REASON_MAX, recordedText as recordedReason } from './index.ts';

test.each([
  ['harm', 'harm'],
  ['  two  words ', 'two  words'],
  ['first\nsecond\tthird', 'first\nsecond\tthird'],
  ['a\u0000b', 'a b'],
  ['\u001b[2Jgone\u009b', '[2Jgone'],
  ['\u0000 \u0007', ''],
  ['\ud800', '\ufffd'],
  ['\u{1f469}\u200d\u{1f4bb} ü', '\u{1f469}\u200d\u{1f4bb} ü'],
])('%j is recorded as %j', (given, recorded) => {
  expect(recordedReason(given)).toBe(recorded);
});

test('whatever is given, every engine keeps it, and to record it again changes nothing', () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 40 }),
    fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
    fc.string({ unit: anyCharacter, minLength: REASON_MAX - 3, maxLength: REASON_MAX + 3 }),
  );
  fc.assert(
    fc.property(text, (given) => {
      const recorded = recordedReason(given);
      expect(recorded.isWellFormed()).toBe(true);
      expect(recorded).not.toMatch(/[^\P{Cc}\n\t]/u);
      expect(recorded.length).toBeLessThanOrEqual(REASON_MAX);
      expect(recordedReason(recorded)).toBe(recorded);
    }),
    { numRuns: 100 },
  );
});
