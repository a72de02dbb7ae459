/** Nats that each clue adds to the odds of a cause, from 384 worlds. Weighed by `node lab/weigh-clues.ts --worlds 200 --judged 100`; not written by hand. */
import type { ClueWeights } from './weigh.ts';

export const CLUE_WEIGHTS: ClueWeights = {
  bias: 1.1,
  nats: {
    how: {
      'endless-loop strong': 0.11, // 1 right, 0 wrong
      'held-slots strong': -0.36, // 11 right, 3 wrong
      'held-slots weak': -0.76, // 0 right, 2 wrong
      'load-limit fair': 0.55, // 23 right, 2 wrong
      'load-limit strong': -0.56, // 50 right, 20 wrong
      'load-limit weak': 0.8, // 2 right, 0 wrong
      'lost-attempts fair': -0.67, // 10 right, 3 wrong
      'lost-attempts strong': -0.2, // 8 right, 1 wrong
      'outside-service fair': 0.83, // 32 right, 1 wrong
      'outside-service strong': 0.37, // 58 right, 3 wrong
      'outside-service weak': 0.28, // 13 right, 11 wrong
      'refused-access strong': 0.52, // 25 right, 1 wrong
      'refused-access weak': -1.08, // 1 right, 8 wrong
      'regression fair': -0.69, // 2 right, 2 wrong
      'regression strong': 1.21, // 42 right, 1 wrong
      'regression weak': -0.75, // 0 right, 3 wrong
      'retry-storm strong': -0.09, // 9 right, 3 wrong
      'setting-limit fair': 0.26, // 4 right, 0 wrong
      'setting-limit strong': -0.8, // 99 right, 48 wrong
      'setting-limit weak': -0.87, // 2 right, 10 wrong
      'shared-tool fair': 0.87, // 75 right, 6 wrong
      'shared-tool weak': 1.35, // 60 right, 11 wrong
      'size-limit fair': 0.19, // 1 right, 0 wrong
      'size-limit strong': 0.54, // 17 right, 1 wrong
      'vain-tries fair': -0.98, // 2 right, 2 wrong
      'wrong-call strong': -0.05, // 22 right, 3 wrong
    },
    number: {
      'of two': -1, // 10 right, 7 wrong
    },
    others: {
      'files alike': -0.05, // 2 right, 5 wrong
      'files well': 0, // 24 right, 3 wrong
      'outside alike': 1.17, // 74 right, 1 wrong
      'outside well': -0.12, // 11 right, 5 wrong
    },
    patience: {
      'files get it': 0.63, // 7 right, 0 wrong
      'limit get it': 0.23, // 43 right, 10 wrong
      'limit hang too': -0.06, // 0 right, 1 wrong
      'outside get it': -0.68, // 1 right, 1 wrong
      'outside hang too': -0.69, // 0 right, 1 wrong
    },
    strength: {
      fair: 0.36, // 149 right, 15 wrong
      strong: 0.68, // 340 right, 85 wrong
      weak: -1.03, // 79 right, 45 wrong
    },
    tail: {
      gap: -1.9, // 8 right, 30 wrong
      many: -0.36, // 0 right, 3 wrong
      'of a task': 0.41, // 3 right, 0 wrong
      'of an agent': 0.43, // 3 right, 0 wrong
      reaches: 0.71, // 92 right, 23 wrong
      thin: -0.4, // 0 right, 1 wrong
    },
    when: {
      'files even': 0.71, // 131 right, 36 wrong
      'files in bursts': 0.14, // 25 right, 13 wrong
      'files over': -2.3, // 0 right, 14 wrong
      'files since change': 0.28, // 53 right, 8 wrong
      'files since load': 1.55, // 28 right, 0 wrong
      'files since outside': 0.06, // 40 right, 12 wrong
      'files uneven': 0.35, // 1 right, 0 wrong
      'outside even': 0.04, // 81 right, 25 wrong
      'outside in bursts': -1.94, // 10 right, 15 wrong
      'outside over': 1.16, // 84 right, 1 wrong
      'outside since load': 0.39, // 15 right, 2 wrong
      'outside since outside': -0.22, // 81 right, 15 wrong
      'outside uneven': -0.91, // 0 right, 2 wrong
    },
    words: {
      'files bad form': 0.45, // 6 right, 0 wrong
      'files network': 0.19, // 13 right, 1 wrong
      'files other': -0.25, // 151 right, 41 wrong
      'files rate limit': 0.5, // 18 right, 1 wrong
      'files size limit': 0.11, // 2 right, 0 wrong
      'files timeout': -0.61, // 80 right, 40 wrong
      'files wrong call': 0.54, // 11 right, 0 wrong
      'outside network': -0.31, // 54 right, 13 wrong
      'outside other': 0.16, // 173 right, 31 wrong
      'outside rate limit': -0.28, // 16 right, 8 wrong
      'outside retries exhausted': 0.09, // 4 right, 0 wrong
      'outside timeout': 0.04, // 38 right, 7 wrong
      'outside wrong call': -0.6, // 2 right, 2 wrong
    },
  },
  calibration: { slope: 1.09, intercept: 0.19 },
};
