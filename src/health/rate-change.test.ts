import { describe, expect, test } from 'vitest';
import { rateChange } from './rate-change.ts';

const hours = (count: number, calls: number, failed: (at: number) => number) =>
  Array.from({ length: count }, (_, at) => ({ calls, failed: failed(at) }));

describe('whether the fleet got better', () => {
  test('8 % against 7.8 % of some thousand calls is about the same', () => {
    const before = hours(20, 500, () => 39);
    const now = hours(20, 500, () => 40);
    expect(rateChange(before, now)?.verdict).toBe('same');
  });

  test('half as many failures is better, twice as many is worse', () => {
    const [few, many] = [hours(20, 500, () => 20), hours(20, 500, () => 40)];
    expect(rateChange(many, few)?.verdict).toBe('better');
    expect(rateChange(few, many)?.verdict).toBe('worse');
  });

  test('of a handful of calls nothing is said', () => {
    expect(rateChange([{ calls: 5, failed: 0 }], [{ calls: 5, failed: 2 }])?.verdict).toBe('same');
  });

  test('one bad hour among calm ones is a burst, not a trend', () => {
    const calm = hours(20, 500, () => 5);
    const burst = hours(20, 500, (at) => (at === 7 ? 60 : 5));
    // The totals alone would say otherwise: 155 of 10 000 against 100 of 10 000.
    expect(rateChange(calm, burst)?.verdict).toBe('same');
    expect(
      rateChange(
        calm,
        hours(20, 500, (at) => 7 + (at % 2)),
      )?.verdict,
    ).toBe('worse');
  });

  test('without calls on one side there is nothing to compare', () => {
    expect(
      rateChange(
        [],
        hours(3, 10, () => 1),
      ),
    ).toBeNull();
    expect(
      rateChange(
        hours(3, 10, () => 1),
        [{ calls: 0, failed: 0 }],
      ),
    ).toBeNull();
  });

  test('no failures at all, and only failures, are compared too', () => {
    expect(
      rateChange(
        hours(9, 100, () => 0),
        hours(9, 100, () => 0),
      )?.verdict,
    ).toBe('same');
    expect(
      rateChange(
        hours(9, 100, () => 0),
        hours(9, 100, () => 100),
      )?.verdict,
    ).toBe('worse');
  });
});
