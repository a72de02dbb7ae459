import { expect, test } from 'vitest';
import type { WhyNow } from '../../facts/index.ts';
import { replayedWindow } from './validate.ts';

const HOUR_MS = 3_600_000;
const WINDOW = { fromMs: 0, toMs: 24 * HOUR_MS };
const began = (trigger: WhyNow['trigger'], atMs: number): WhyNow => ({
  ...{ trigger, during: 1, otherwise: 0, endedAtMs: null, wait: null },
  since: { atMs, lowMs: atMs - HOUR_MS, highMs: atMs + HOUR_MS },
});

test('sessions are replayed that came after what changed outside', () => {
  const from = (trigger: WhyNow['trigger'], atMs = 12 * HOUR_MS) =>
    replayedWindow({ whyNow: began(trigger, atMs) }, WINDOW).fromMs;
  expect(from('outside')).toBe(13 * HOUR_MS);
  expect(from('load')).toBe(13 * HOUR_MS);
  // Longer ago than anything that is replayed.
  expect(from('outside', -30 * HOUR_MS)).toBe(0);
  // What a commit broke is replayed on the files of today.
  expect(from('change')).toBe(0);
  expect(replayedWindow({}, WINDOW)).toEqual(WINDOW);
});
