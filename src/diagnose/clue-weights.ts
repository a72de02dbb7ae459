/** Nats that each clue adds to the odds of a cause, from 169 worlds. Weighed by `node lab/weigh-clues.ts`; not written by hand. */
import type { ClueWeights } from './weigh.ts';

export const CLUE_WEIGHTS: ClueWeights = {
  bias: 1.51,
  nats: {
    how: {
      'endless-loop strong': 0.11, // 1 right, 0 wrong
      'held-slots strong': -0.65, // 1 right, 1 wrong
      'load-limit strong': -0.37, // 14 right, 5 wrong
      'lost-attempts fair': 0.24, // 6 right, 0 wrong
      'lost-attempts strong': -0.53, // 4 right, 1 wrong
      'outside-service fair': 0.06, // 17 right, 2 wrong
      'outside-service strong': 0.79, // 70 right, 1 wrong
      'outside-service weak': -0.68, // 3 right, 8 wrong
      'refused-access strong': 0.41, // 23 right, 0 wrong
      'regression strong': 0.56, // 19 right, 0 wrong
      'retry-storm strong': 1.08, // 9 right, 0 wrong
      'setting-limit strong': -1.21, // 23 right, 34 wrong
      'setting-limit weak': -1.3, // 0 right, 10 wrong
      'shared-tool fair': -0.11, // 37 right, 5 wrong
      'shared-tool weak': 1.37, // 14 right, 0 wrong
      'size-limit strong': -0.29, // 3 right, 1 wrong
      'wrong-call strong': 0.54, // 9 right, 0 wrong
    },
    number: {
      'of two': -0.71, // 1 right, 3 wrong
    },
    others: {
      'files alike': -0.11, // 0 right, 2 wrong
      'files well': 0.06, // 3 right, 0 wrong
      'outside alike': 1.22, // 66 right, 0 wrong
      'outside well': 0, // 6 right, 0 wrong
    },
    strength: {
      fair: 0.19, // 61 right, 6 wrong
      strong: 0.44, // 176 right, 43 wrong
      weak: -0.62, // 16 right, 18 wrong
    },
    tail: {
      gap: -2.24, // 0 right, 28 wrong
      reaches: 0.74, // 22 right, 6 wrong
      thin: -0.76, // 1 right, 9 wrong
    },
    when: {
      'files even': 0.7, // 34 right, 6 wrong
      'files in bursts': -0.27, // 14 right, 19 wrong
      'files over': -1.26, // 1 right, 10 wrong
      'files since change': 1.22, // 25 right, 0 wrong
      'files since load': 0.06, // 1 right, 0 wrong
      'files since outside': -0.43, // 6 right, 7 wrong
      'files uneven': 0.42, // 6 right, 4 wrong
      'outside even': -0.65, // 18 right, 10 wrong
      'outside in bursts': -1.34, // 11 right, 5 wrong
      'outside over': 1.05, // 76 right, 0 wrong
      'outside since load': 0.22, // 14 right, 1 wrong
      'outside since outside': -0.23, // 19 right, 2 wrong
      'outside uneven': 0.03, // 23 right, 2 wrong
    },
    words: {
      'files bad form': 0.24, // 9 right, 0 wrong
      'files network': 0.52, // 10 right, 0 wrong
      'files other': -0.49, // 31 right, 24 wrong
      'files rate limit': 0.69, // 8 right, 0 wrong
      'files timeout': -0.69, // 21 right, 23 wrong
      'files wrong call': 0.23, // 7 right, 0 wrong
      'outside network': -0.51, // 47 right, 10 wrong
      'outside other': 0.69, // 91 right, 5 wrong
      'outside rate limit': -0.69, // 0 right, 4 wrong
      'outside retries exhausted': 0.14, // 4 right, 0 wrong
      'outside timeout': 0.45, // 25 right, 2 wrong
    },
  },
  calibration: { slope: 1.51, intercept: -0.23 },
};
