import { describe, expect, it } from 'vitest';
import { type Figure, makeContext } from '../../tools/measure.ts';
import { pairQuality } from '../metrics/pair-quality.ts';
import { measurement } from '../similarity.ts';
import { DEVELOPED_FAMILIES } from './developed-families.ts';
import { makeFailurePairs } from './failure-pairs.ts';
import { HELD_OUT_FAMILIES } from './held-out-families.ts';
import { parsePairs } from './pairs-file.ts';

describe('pair quality', () => {
  it('counts a case worked by hand', () => {
    const judged = [
      { same: true, judgedSame: true },
      { same: true, judgedSame: true },
      { same: true, judgedSame: false },
      { same: false, judgedSame: true },
      { same: false, judgedSame: false },
    ];
    expect(pairQuality(judged)).toEqual({ recall: 2 / 3, precision: 2 / 3, n: 5 });
  });

  it('is 1 where there is nothing to miss', () => {
    expect(pairQuality([])).toEqual({ recall: 1, precision: 1, n: 0 });
  });
});

describe('the pairs', () => {
  it('are the same for the same seed, and half of them are the same failure', () => {
    const pairs = makeFailurePairs(3, 1);
    expect(makeFailurePairs(3, 1)).toEqual(pairs);
    expect(makeFailurePairs(4, 1)).not.toEqual(pairs);
    expect(pairs.filter((pair) => pair.same).length * 2).toBe(pairs.length);
    expect(new Set(pairs.map((pair) => pair.family)).size).toBe(
      DEVELOPED_FAMILIES.length + HELD_OUT_FAMILIES.length,
    );
  });

  it('leave no hole unfilled', () => {
    for (const { a, b } of makeFailurePairs(1, 1))
      expect(JSON.stringify([a, b])).not.toMatch(
        /\{(?:path|host|num|tool|agent|user|id|name|class|var)\}/,
      );
  });

  it('are read from a file, and a bad line is named', () => {
    expect(parsePairs('{"a":"x","b":{"message":"y"},"same":true}\n\n')).toHaveLength(1);
    expect(() =>
      parsePairs('{"a":"x","b":"y","same":true}\n{"a":1,"b":"y","same":true}'),
    ).toThrowError(/line 2/);
  });
});

describe('the measurement', () => {
  it('meets its aims on its own pairs at a small scale', async () => {
    const figures: Figure[] = [];
    for await (const figure of measurement.run(
      makeContext({ scale: 0.01, quiet: true, data: '/nonexistent' }),
    ))
      figures.push(figure);
    const total = (metric: string) =>
      figures.find((figure) => figure.set === 'total' && figure.metric === metric)!.value;
    expect(total('recall')).toBeGreaterThanOrEqual(0.9);
    expect(total('precision')).toBeGreaterThanOrEqual(0.95);
    expect(figures.some((figure) => figure.set?.startsWith('held/'))).toBe(true);
  });
});
