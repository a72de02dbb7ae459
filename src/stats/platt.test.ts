import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitLine, IDENTITY, type Outcome, onLine } from './platt.ts';

/** So many outcomes of one stated share, of which this share came true. */
const outcomes = (stated: number, count: number, share: number): Outcome[] =>
  Array.from({ length: count }, (_, at) => ({ stated, isTrue: at < Math.round(share * count) }));

test('nothing seen leaves what is stated as it is', () => {
  expect(fitLine([])).toEqual(IDENTITY);
  for (const share of [0.01, 0.3, 0.95]) expect(onLine(share, IDENTITY)).toBeCloseTo(share);
});

test('somebody who is too sure is drawn to the truth, by a handful a little, by hundreds nearly all the way', () => {
  const tooSure = (count: number) => [...outcomes(0.9, count, 0.6), ...outcomes(0.1, count, 0.4)];
  const few = onLine(0.9, fitLine(tooSure(5)));
  const many = onLine(0.9, fitLine(tooSure(400)));
  expect(few).toBeLessThan(0.9);
  expect(few).toBeGreaterThan(0.65);
  expect(many).toBeCloseTo(0.6, 1);
});

test('what is stated more surely stays so, whatever comes of it', () => {
  const outcome = fc.record({
    stated: fc.double({ min: 0, max: 1, noNaN: true }),
    isTrue: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(outcome, { maxLength: 60 }), (seen) => {
      const line = fitLine(seen);
      const shares = [0, 0.2, 0.5, 0.8, 1].map((share) => onLine(share, line));
      expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true);
      expect([...shares].sort((a, b) => a - b)).toEqual(shares);
    }),
  );
});
