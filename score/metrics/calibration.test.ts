import { expect, test } from 'vitest';
import { brierScore, calibrationError, separation } from './calibration.ts';

const stated = (confidence: number, ...right: boolean[]) =>
  right.map((isRight) => ({ confidence, isRight }));

test('who is right as often as they say is calibrated', () => {
  const honest = [
    ...stated(0.75, true, true, true, false),
    ...stated(0.25, true, false, false, false),
  ];
  expect(calibrationError(honest)).toBeCloseTo(0);
  expect(brierScore(honest)).toBeCloseTo(0.1875);
  expect(separation(honest)).toBe(0.75);
});

test('who is sure and wrong is not', () => {
  expect(calibrationError(stated(1, false, false))).toBe(1);
  expect(brierScore(stated(1, false, true))).toBe(0.5);
  expect(separation(stated(1, false, true))).toBe(0.5);
  expect(separation(stated(1, true))).toBeUndefined();
});
