import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../base/index.ts';
import { autoregressive, gaussian } from '../../stats/noise.test-support.ts';
import { HOUR_MS } from './find-shift.ts';
import type { HourSeries } from './hour-series.ts';
import { movingTogether, togetherWords } from './together.ts';

const HOURS = 240;
const day = (at: number) => 40 * Math.sin((2 * Math.PI * at) / 24);

/** NaN is an hour in which nothing was measured. */
function series(tool: string, values: readonly number[]): HourSeries {
  const hours = values
    .map((value, at) => ({ atMs: at * HOUR_MS, value }))
    .filter(({ value }) => !Number.isNaN(value));
  return { event: 'metric', agent: 'shop', tool, measure: 'value', hours };
}

const noise = (seed: number, carry = 0.3) => autoregressive(seededRandom(seed), HOURS + 12, carry);
const at = (from: number, of: (hour: number) => number) =>
  Array.from({ length: HOURS }, (_, hour) => of(hour + from));

describe('DIAG-4 measures that move together', () => {
  const cause = noise(1);
  const own = seededRandom(9);
  const queue = series(
    'queue',
    at(6, (hour) => 100 + day(hour) + 10 * cause[hour]!),
  );
  const follows = (lag: number, sign = 1) =>
    series(
      'wait',
      at(6, (hour) => 50 + day(hour) + sign * 8 * cause[hour - lag]! + 2 * gaussian(own)),
    );

  test('are told with how strongly, and by how many hours one follows the other', async () => {
    for (const [lag, words] of [
      [0, /^wait of shop moves with queue of shop \(correlation 0\.9\d\)\.$/],
      [2, /^wait of shop follows queue of shop by 2 hours \(correlation 0\.9\d\)\.$/],
    ] as const) {
      const [found, ...others] = await movingTogether([queue, follows(lag)]);
      expect(others).toEqual([]);
      expect(togetherWords(found!)).toMatch(words);
    }
    const [against] = await movingTogether([queue, follows(0, -1)]);
    expect(togetherWords(against!)).toMatch(/moves against .+ \(correlation -0\.9/);
  });

  test('also with gaps; not below 0.7, and not where too little was measured', async () => {
    const holed = (share: number) => {
      const random = seededRandom(4);
      const { hours } = follows(0);
      return { ...follows(0), hours: hours.filter(() => random.next() > share) };
    };
    expect(await movingTogether([queue, holed(0.15)])).toHaveLength(1);
    expect(await movingTogether([queue, holed(0.5)])).toEqual([]);
    const weak = series(
      'weak',
      at(6, (hour) => 10 * cause[hour]! + 14 * gaussian(own)),
    );
    expect(await movingTogether([queue, weak])).toEqual([]);
  });

  test('the same time of day is no reason, nor is one place', async () => {
    const other = noise(2);
    const rhythm = series(
      'rhythm',
      at(6, (hour) => 9 + day(hour) + 10 * other[hour]!),
    );
    expect(await movingTogether([queue, rhythm])).toEqual([]);
    const same = { ...queue, measure: 'rate' as const };
    expect(await movingTogether([queue, same])).toEqual([]);
  });

  test.each([0, 0.5, 0.9])(
    'of 435 pairs of noise (autocorrelation %d) none is told',
    async (carry) => {
      const all = Array.from({ length: 30 }, (_, seed) =>
        series(`m${seed}`, noise(100 + seed, carry).slice(0, HOURS)),
      );
      expect(await movingTogether(all)).toEqual([]);
    },
  );
});
