import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineReader } from './lines.ts';

const MAX = 12;

test('however the bytes arrive, each line comes once and whole; one that is too long is told', () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'é', ' ', '{', '🙂'), maxLength: 9 });
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat(40)), (lines, cuts) => {
      const bytes = Buffer.from(lines.map((one) => `${one}\n`).join(''));
      const reader = new LineReader(MAX);
      const read: (string | undefined)[] = [];
      let from = 0;
      for (const length of [...cuts, bytes.length]) {
        read.push(...reader.push(bytes.subarray(from, from + length)));
        from = Math.min(bytes.length, from + length);
      }
      const expected = lines
        .map((one) => (Buffer.byteLength(one) > MAX ? undefined : one.trim()))
        .filter((one) => one !== '');
      expect(read).toEqual(expected);
    }),
  );
});
