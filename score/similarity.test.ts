/** DIAG-7: pairs of renamed and of different failures, made from families and written by hand. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { similarity } from '../src/text/similarity/index.ts';
import { pairQuality } from './metrics/pair-quality.ts';
import { makeFailurePairs } from './pairs/failure-pairs.ts';
import { type LabelledPair, parsePairs } from './pairs/pairs-file.ts';

const quality = (pairs: readonly LabelledPair[]) =>
  pairQuality(pairs.map(({ a, b, same }) => ({ same, judgedSame: similarity(a, b).same })));

test('DIAG-7 renamed patterns are recognised: recall ≥ .9 at precision ≥ .95, on families held out and on written pairs', () => {
  const made = makeFailurePairs(1, 3);
  const written = parsePairs(readFileSync(new URL('pairs/written.jsonl', import.meta.url), 'utf8'));
  const heldOut = made.filter(({ half }) => half === 'held');
  for (const pairs of [made, heldOut, written]) {
    expect(pairs.length).toBeGreaterThan(100);
    const { recall, precision } = quality(pairs);
    expect(recall).toBeGreaterThanOrEqual(0.9);
    expect(precision).toBeGreaterThanOrEqual(0.95);
  }
});
