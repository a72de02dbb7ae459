/** Nats that each clue adds to the odds of a cause, from 165 worlds. Weighed by `node lab/weigh-clues.ts`; not written by hand. */
import type { ClueWeights } from './weigh.ts';

export const CLUE_WEIGHTS: ClueWeights = {
  bias: 1.15,
  nats: {
    how: {
      'endless-loop strong': 0.04, // 1 right, 0 wrong
      'held-slots strong': -0.44, // 1 right, 3 wrong
      'load-limit fair': 0.63, // 7 right, 0 wrong
      'load-limit strong': 0.41, // 103 right, 9 wrong
      'lost-attempts strong': -0.26, // 9 right, 2 wrong
      'lost-attempts weak': -0.19, // 0 right, 1 wrong
      'outside-service fair': 0.08, // 26 right, 2 wrong
      'outside-service strong': 0.86, // 58 right, 0 wrong
      'outside-service weak': -0.74, // 2 right, 8 wrong
      'refused-access strong': 0.26, // 18 right, 0 wrong
      'refused-access weak': -0.54, // 1 right, 5 wrong
      'regression strong': 0.24, // 16 right, 1 wrong
      'regression weak': -0.34, // 0 right, 1 wrong
      'retry-storm strong': 0.82, // 7 right, 0 wrong
      'setting-limit strong': -1.72, // 26 right, 71 wrong
      'setting-limit weak': -0.79, // 0 right, 8 wrong
      'shared-tool fair': -0.18, // 32 right, 5 wrong
      'shared-tool weak': 1.13, // 10 right, 0 wrong
      'size-limit strong': 0.3, // 4 right, 0 wrong
      'wrong-call strong': 0.45, // 9 right, 0 wrong
    },
    number: {
      'of two': -1.63, // 2 right, 11 wrong
    },
    others: {
      'files alike': -1.34, // 1 right, 9 wrong
      'files well': 0, // 3 right, 3 wrong
      'outside alike': 1.39, // 65 right, 0 wrong
      'outside well': 0, // 17 right, 0 wrong
    },
    strength: {
      fair: 0.53, // 66 right, 7 wrong
      strong: 0.95, // 251 right, 86 wrong
      weak: -1.47, // 13 right, 23 wrong
    },
    tail: {
      gap: -2.3, // 0 right, 63 wrong
      reaches: 1.14, // 25 right, 11 wrong
      thin: -0.11, // 1 right, 4 wrong
    },
    when: {
      'files even': 0.93, // 32 right, 11 wrong
      'files in bursts': -0.47, // 17 right, 45 wrong
      'files over': -1.43, // 1 right, 9 wrong
      'files since change': 0.68, // 21 right, 3 wrong
      'files since load': -0.23, // 2 right, 1 wrong
      'files since outside': -0.06, // 6 right, 4 wrong
      'files uneven': 0.02, // 6 right, 14 wrong
      'outside even': 0.47, // 15 right, 8 wrong
      'outside in bursts': -0.9, // 62 right, 9 wrong
      'outside over': 1.31, // 81 right, 0 wrong
      'outside since load': -0.38, // 10 right, 3 wrong
      'outside since outside': 0.07, // 45 right, 5 wrong
      'outside uneven': -0.52, // 25 right, 4 wrong
    },
    words: {
      'files bad form': 0.23, // 5 right, 0 wrong
      'files network': 0.37, // 9 right, 0 wrong
      'files other': -0.69, // 27 right, 43 wrong
      'files rate limit': 0.55, // 9 right, 0 wrong
      'files timeout': -0.56, // 25 right, 44 wrong
      'files wrong call': 0.49, // 10 right, 0 wrong
      'outside network': -0.68, // 58 right, 10 wrong
      'outside other': 0.69, // 165 right, 7 wrong
      'outside rate limit': -0.69, // 0 right, 6 wrong
      'outside retries exhausted': 0.09, // 4 right, 0 wrong
      'outside timeout': 0.69, // 18 right, 1 wrong
      'outside wrong call': -0.69, // 0 right, 5 wrong
    },
  },
  calibration: { slope: 1.54, intercept: -0.5 },
};
