/** Nats that each clue adds to the odds of a cause, from 390 worlds. Weighed by `node lab/weigh-clues.ts --worlds 240 --judged 100`; not written by hand. */
import type { ClueWeights } from './weigh.ts';

export const CLUE_WEIGHTS: ClueWeights = {
  bias: 0.85,
  nats: {
    how: {
      'endless-loop strong': 0.11, // 1 right, 0 wrong
      'held-slots strong': 0.13, // 11 right, 1 wrong
      'load-limit fair': 0.75, // 27 right, 1 wrong
      'load-limit strong': -0.61, // 49 right, 20 wrong
      'lost-attempts fair': -0.84, // 13 right, 5 wrong
      'lost-attempts strong': -0.29, // 7 right, 1 wrong
      'lost-attempts weak': 0.12, // 1 right, 0 wrong
      'outside-service fair': 0.77, // 20 right, 0 wrong
      'outside-service strong': 0.34, // 60 right, 3 wrong
      'outside-service weak': 0.44, // 10 right, 11 wrong
      'refused-access strong': 0.51, // 23 right, 1 wrong
      'refused-access weak': -1.22, // 1 right, 10 wrong
      'regression fair': -0.6, // 3 right, 3 wrong
      'regression strong': 0.9, // 43 right, 2 wrong
      'regression weak': -0.91, // 0 right, 4 wrong
      'retry-storm strong': 0.02, // 9 right, 3 wrong
      'setting-limit strong': -0.85, // 101 right, 56 wrong
      'setting-limit weak': -0.77, // 2 right, 9 wrong
      'shared-tool fair': 1.13, // 90 right, 3 wrong
      'shared-tool weak': 1.24, // 59 right, 17 wrong
      'size-limit fair': 0.15, // 1 right, 0 wrong
      'size-limit strong': 0.37, // 16 right, 1 wrong
      'vain-tries fair': -0.96, // 2 right, 2 wrong
      'wrong-call strong': 0.07, // 21 right, 2 wrong
    },
    number: {
      'of two': -1.1, // 4 right, 3 wrong
    },
    others: {
      'files alike': -0.64, // 2 right, 8 wrong
      'files well': 0.26, // 25 right, 3 wrong
      'outside alike': 1.02, // 66 right, 1 wrong
      'outside well': -0.29, // 11 right, 6 wrong
    },
    strength: {
      fair: 0.4, // 157 right, 14 wrong
      strong: 0.7, // 341 right, 91 wrong
      weak: -1.09, // 74 right, 50 wrong
    },
    tail: {
      gap: -1.97, // 8 right, 36 wrong
      many: -0.69, // 0 right, 4 wrong
      'of a task': 0.53, // 4 right, 0 wrong
      'of an agent': 0.57, // 4 right, 0 wrong
      reaches: 0.82, // 88 right, 23 wrong
      thin: -0.53, // 0 right, 2 wrong
    },
    when: {
      'files even': 0.76, // 130 right, 42 wrong
      'files in bursts': 0.25, // 25 right, 14 wrong
      'files over': -2.3, // 0 right, 15 wrong
      'files since change': 0.29, // 56 right, 10 wrong
      'files since load': 1.63, // 29 right, 0 wrong
      'files since outside': 0.44, // 39 right, 8 wrong
      'files uneven': 0.3, // 1 right, 0 wrong
      'outside even': -0.28, // 75 right, 31 wrong
      'outside in bursts': -2.03, // 8 right, 14 wrong
      'outside over': 1.28, // 85 right, 1 wrong
      'outside since load': 0.3, // 17 right, 2 wrong
      'outside since outside': -0.23, // 85 right, 15 wrong
      'outside uneven': -1.04, // 0 right, 2 wrong
    },
    words: {
      'files bad form': 0.36, // 5 right, 0 wrong
      'files network': 0.66, // 10 right, 1 wrong
      'files other': -0.11, // 162 right, 45 wrong
      'files rate limit': 0.4, // 16 right, 1 wrong
      'files size limit': 0.12, // 2 right, 0 wrong
      'files timeout': -0.56, // 75 right, 45 wrong
      'files wrong call': 0.6, // 11 right, 0 wrong
      'outside network': -0.15, // 37 right, 12 wrong
      'outside other': 0.69, // 197 right, 29 wrong
      'outside rate limit': 0.06, // 17 right, 7 wrong
      'outside retries exhausted': 0.12, // 4 right, 0 wrong
      'outside size limit': -0.69, // 0 right, 4 wrong
      'outside timeout': 0.19, // 34 right, 9 wrong
      'outside wrong call': -0.67, // 1 right, 4 wrong
    },
  },
  calibration: { slope: 1.1, intercept: 0.2 },
};
