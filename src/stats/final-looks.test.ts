import { describe, expect, test } from 'vitest';
import { type Random, seededRandom } from '../base/index.ts';
import { FinalLooks } from './final-looks.ts';

const RATE = 0.05;
const SIZE = 20_000;
const LEVEL = 0.02;
/** The line of the sequential test that the look stands beside. */
const LINE = 0.02;

/** By the gaps between failures. */
function countFailures(random: Random, rate: number, events: number): number {
  const gap = () => Math.floor(Math.log1p(-random.next()) / Math.log1p(-rate));
  let failures = 0;
  for (let at = gap(); at < events; at += 1 + gap()) failures += 1;
  return failures;
}

interface World {
  readonly rate: number;
  readonly raised: number;
  readonly runs: number;
  readonly isAlone?: boolean;
}

/** The share of runs in which the look passes without the line having been crossed before, and passes at all. */
function passes({ rate, raised, runs, isAlone = false }: World) {
  const random = seededRandom(7);
  let [passed, alone] = [0, 0];
  for (let run = 0; run < runs; run++) {
    const before = countFailures(random, RATE, SIZE);
    const usual = before / SIZE;
    const lineLevel = isAlone ? 1e-12 : LINE;
    const effects = [{ rate: (usual * raised) / RATE, level: LEVEL, lineLevel }];
    const looks = new FinalLooks({ rate: usual, size: SIZE, effects });
    let [failures, isCrossed] = [0, false];
    for (let events = 100; events <= 40_000; events += 100) {
      failures += countFailures(random, rate, 100);
      if (looks.look(failures, events)) {
        passed += 1;
        if (!isCrossed) alone += 1;
        break;
      }
      const information = (events * SIZE) / (events + SIZE);
      const effect = (raised - RATE) / Math.sqrt(RATE * (1 - RATE));
      const score = (((failures / events - usual) / Math.sqrt(RATE * (1 - RATE))) *
        information) as number;
      if (effect * score - (effect ** 2 * information) / 2 >= -Math.log(LINE)) isCrossed = true;
    }
  }
  return { passed: passed / runs, alone: alone / runs };
}

describe('a final look', () => {
  test('passes by chance as often as it may, beyond what the sequential test finds itself', () => {
    const { passed, alone } = passes({ rate: RATE, raised: 0.0625, runs: 3000 });
    // Three standard deviations of 3000 runs at .02 are .0077.
    expect(alone).toBeLessThan(LEVEL + 0.0077);
    expect(alone).toBeGreaterThan(LEVEL - 0.0077);
    expect(passed).toBeGreaterThan(1.2 * LEVEL);
  });

  test('without a test beside it, passes by chance as often as its level says', () => {
    const { passed } = passes({ rate: RATE, raised: 0.0625, runs: 3000, isAlone: true });
    expect(Math.abs(passed - LEVEL)).toBeLessThan(0.0077);
  });

  test('finds the effect that it is planned for', () => {
    const { passed } = passes({ rate: 0.0625, raised: 0.0625, runs: 300 });
    expect(passed).toBeGreaterThan(0.8);
  });
});

const looksAt = (size: number, failures: number, events: number) =>
  new FinalLooks({
    rate: RATE,
    size,
    effects: [{ rate: 2 * RATE, level: 1e-5, lineLevel: 1e-5 }],
  }).look(failures, events);

test('says nothing before its size is seen, and judges what there is if it comes late', () => {
  expect(looksAt(SIZE, 100, 100)).toBe(false);
  expect(looksAt(SIZE, 10_000, 100_000)).toBe(true);
  expect(looksAt(SIZE, 5_000, 100_000)).toBe(false);
});

test('never looks where the baseline is too small for the effect to show', () => {
  expect(looksAt(20, 100_000, 100_000)).toBe(false);
});
