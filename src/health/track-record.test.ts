/** How Hone has done, from counts. */
import { expect, test } from 'vitest';
import { confidenceBands, trackChecks } from './index.ts';

const FIGURES = { deployed: 20, failed: 0, takenBack: 0, approved: 20, rejected: 0 };
const states = (some: Partial<typeof FIGURES>) =>
  trackChecks({ ...FIGURES, ...some }).map(({ id, state }) => `${id} ${state}`);

test('shares are judged at their bounds, in the direction that is bad', () => {
  expect(states({})).toEqual(['H2 ok', 'H3 ok', 'H7 ok']);
  expect(states({ failed: 1 })).toEqual(['H2 ok', 'H3 ok', 'H7 ok']);
  expect(states({ failed: 2, takenBack: 2, rejected: 6 })).toEqual([
    'H2 warning',
    'H3 warning',
    'H7 warning',
  ]);
  expect(states({ failed: 3, takenBack: 3, rejected: 14 })).toEqual([
    'H2 error',
    'H3 error',
    'H7 error',
  ]);
});

test('a handful says nothing, and the counts are told all the same', () => {
  const few = trackChecks({ deployed: 3, failed: 1, takenBack: 2, approved: 4, rejected: 5 });
  expect(few.map(({ state }) => state)).toEqual(['unknown', 'unknown', 'unknown']);
  expect(few.map(({ text }) => text)).toEqual([
    '3 of 4 deployments succeeded',
    '2 of 3 deployed changes were taken back',
    '4 of 9 proposals that people answered were approved',
  ]);
});

test('each outcome is in one band, both ends included', () => {
  const outcomes = [0, 0.49, 0.5, 0.7, 0.85, 0.9, 1].map((stated, at) => ({
    stated,
    isTrue: at % 2 === 0,
  }));
  const bands = confidenceBands(outcomes);
  expect(bands.map(({ count }) => count)).toEqual([2, 1, 1, 1, 2]);
  expect(bands.map(({ right }) => right)).toEqual([1, 1, 0, 1, 1]);
  expect(bands.at(-1)).toMatchObject({ from: 0.9, to: 1, said: expect.closeTo(0.95, 9) });
  expect(confidenceBands([])[0]).toMatchObject({ count: 0, said: null, right: 0 });
});
