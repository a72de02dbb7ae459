import { expect, test } from 'vitest';
import { signsOf } from './expected-signs.ts';

const other = { kind: 'other' } as const;

test('what is written grows to at most what a larger limit of tokens allows, and so does what it takes', () => {
  const signs = signsOf(other, { value: 1000, limits: 'tokens' }, 2500);
  expect(signs).toMatchObject({ failures: 'less', latencyTimes: 2.5, sizeTimes: 2.5 });
  // With a smaller one, more may be cut off.
  expect(signsOf(other, { value: 1000, limits: 'tokens' }, 500)).toBeUndefined();
});

test('a longer time limit makes calls longer, and more tries make more of them', () => {
  expect(signsOf({ kind: 'timeout' }, { value: 10 }, 30)).toMatchObject({ latencyTimes: 3 });
  const tries = signsOf(other, { value: 1, limits: 'tries' }, 3);
  expect(tries).toMatchObject({ calls: 'more', tries: { before: 1, after: 3 } });
  expect(signsOf(other, { value: 1 }, 3)).toBeUndefined();
});
