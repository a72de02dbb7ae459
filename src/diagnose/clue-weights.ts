/** Nats that each clue adds to the odds of a cause, from 145 worlds. Weighed by `node lab/weigh-clues.ts`; not written by hand. */
import type { ClueWeights } from './weigh.ts';

export const CLUE_WEIGHTS: ClueWeights = {
  bias: 1.34,
  nats: {
    how: {
      'endless-loop strong': 0.09, // 1 right, 0 wrong
      'held-slots strong': -0.67, // 1 right, 1 wrong
      'load-limit strong': -0.4, // 14 right, 5 wrong
      'lost-attempts fair': 0.26, // 6 right, 0 wrong
      'lost-attempts strong': 0.14, // 4 right, 0 wrong
      'outside-service fair': 0.14, // 17 right, 2 wrong
      'outside-service strong': 0.63, // 54 right, 1 wrong
      'outside-service weak': -0.93, // 1 right, 8 wrong
      'refused-access strong': 0.42, // 18 right, 0 wrong
      'regression strong': 0.56, // 19 right, 0 wrong
      'retry-storm strong': 1.02, // 9 right, 0 wrong
      'setting-limit strong': -1.4, // 23 right, 23 wrong
      'setting-limit weak': -1.3, // 0 right, 10 wrong
      'shared-tool fair': -0.15, // 34 right, 5 wrong
      'shared-tool weak': 1.43, // 12 right, 0 wrong
      'size-limit strong': -0.34, // 3 right, 1 wrong
      'wrong-call strong': 0.49, // 9 right, 0 wrong
    },
    number: {
      'of two': -0.76, // 1 right, 2 wrong
    },
    others: {
      'files alike': -0.19, // 0 right, 2 wrong
      'files well': 0.06, // 3 right, 0 wrong
      'outside alike': 1.31, // 55 right, 0 wrong
      'outside well': 0, // 4 right, 0 wrong
    },
    strength: {
      fair: 0.25, // 57 right, 6 wrong
      strong: 0.56, // 155 right, 31 wrong
      weak: -0.8, // 13 right, 18 wrong
    },
    tail: {
      gap: -1.39, // 0 right, 19 wrong
      reaches: 1.03, // 22 right, 4 wrong
      thin: -0.69, // 1 right, 8 wrong
    },
    when: {
      'files even': 0.84, // 34 right, 4 wrong
      'files in bursts': -0.26, // 14 right, 14 wrong
      'files over': -1.1, // 1 right, 8 wrong
      'files since change': 1.17, // 25 right, 0 wrong
      'files since load': 0.06, // 1 right, 0 wrong
      'files since outside': -0.25, // 6 right, 6 wrong
      'files uneven': 0.35, // 6 right, 3 wrong
      'outside even': -0.42, // 15 right, 10 wrong
      'outside in bursts': -1.33, // 8 right, 5 wrong
      'outside over': 1.02, // 62 right, 0 wrong
      'outside since load': -0.27, // 8 right, 1 wrong
      'outside since outside': -0.44, // 16 right, 2 wrong
      'outside uneven': 0.12, // 23 right, 2 wrong
    },
    words: {
      'files bad form': 0.26, // 9 right, 0 wrong
      'files network': 0.4, // 10 right, 0 wrong
      'files other': -0.38, // 31 right, 17 wrong
      'files rate limit': 0.69, // 8 right, 0 wrong
      'files timeout': -0.61, // 21 right, 18 wrong
      'files wrong call': 0.22, // 7 right, 0 wrong
      'outside network': -0.56, // 37 right, 10 wrong
      'outside other': 0.69, // 76 right, 5 wrong
      'outside rate limit': -0.69, // 0 right, 4 wrong
      'outside retries exhausted': 0.15, // 4 right, 0 wrong
      'outside timeout': 0.26, // 21 right, 2 wrong
    },
  },
  calibration: { slope: 1.71, intercept: -0.56 },
};
