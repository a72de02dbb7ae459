/**
 * Speed of the statistics. `online_ratio` compares the online detector with a plain exponential moving
 * average over the same points in the same process; `changepoints_100k_s` is the time for a series of
 * 100 000 points with season, outliers and five changes.
 */
import { type Random, seededRandom } from '../src/base/index.ts';
import { findChangePoints, OnlineDetector } from '../src/stats/index.ts';
import type { Measurement } from '../tools/measure.ts';

const POINTS = 1_000_000;
const SERIES_POINTS = 100_000;
const ROUNDS = 4;
const STRETCH = 10_000;

export const measurement: Measurement = {
  what: 'online detector against an exponential moving average; change points on 100 000 points',
  aims: { online_ratio: '>=0.02', changepoints_100k_s: '<=5' },
  async *run(context) {
    const random = seededRandom(context.seed);
    const stream = makeStream(random, Math.max(10_000, Math.round(POINTS * context.scale)));
    const measured = bestRate(stream, detectorRunner);
    const floor = bestRate(stream, averageRunner);
    yield { metric: 'online_ratio', value: measured / floor, measured, floor, unit: 'points/s' };

    const length = Math.max(1000, Math.round(SERIES_POINTS * context.scale));
    const series = makeSeries(random, length);
    const startMs = performance.now();
    const { changes } = findChangePoints(series);
    const seconds = (performance.now() - startMs) / 1000;
    const note = `${length} points, ${changes.length} of 5 changes found`;
    yield { metric: 'changepoints_100k_s', value: seconds, measured: seconds, unit: 's', note };
  },
};

interface Stream {
  readonly timesMs: Float64Array;
  readonly values: Float64Array;
}

/** Five-minute points with a daily season, noise and now and then a spike. */
function makeStream(random: Random, points: number): Stream {
  const timesMs = new Float64Array(points);
  const values = new Float64Array(points);
  for (let i = 0; i < points; i++) {
    timesMs[i] = i * 300_000;
    const season = 20 * Math.sin((2 * Math.PI * i) / 288);
    values[i] = 100 + season + 10 * (random.next() - 0.5) + (random.next() < 0.001 ? 80 : 0);
  }
  return { timesMs, values };
}

function makeSeries(random: Random, points: number): Float64Array {
  return Float64Array.from({ length: points }, (_, i) => {
    const level = [0, 4, 1, 6, 2, 5][Math.floor((6 * i) / points)]!;
    const season = Math.sin((2 * Math.PI * i) / 24);
    return level + season + 3 * (random.next() - 0.5) + (random.next() < 0.001 ? 50 : 0);
  });
}

/** Takes in points `from` to `to` of the stream and returns something that depends on them all. */
type Runner = (stream: Stream, from: number, to: number) => number;

/**
 * Points per second, from the fastest of many short stretches: on a shared machine a long stretch
 * measures its neighbours.
 */
function bestRate(stream: Stream, makeRunner: () => Runner): number {
  let best = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const run = makeRunner();
    for (let from = 0; from + STRETCH <= stream.values.length; from += STRETCH) {
      const startMs = performance.now();
      const result = run(stream, from, from + STRETCH);
      const rate = (1000 * STRETCH) / (performance.now() - startMs);
      if (!Number.isFinite(result)) throw new Error('The run gave no finite result.');
      best = Math.max(best, rate);
    }
  }
  return best;
}

function detectorRunner(): Runner {
  const detector = new OnlineDetector();
  return ({ timesMs, values }, from, to) => {
    let alarms = 0;
    for (let i = from; i < to; i++) {
      detector.push(timesMs[i]!, values[i]!);
      if (detector.alarm) alarms += 1;
    }
    return alarms;
  };
}

function averageRunner(): Runner {
  let kept = 0;
  return ({ values }, from, to) => {
    let average = kept;
    for (let i = from; i < to; i++) average += 0.05 * (values[i]! - average);
    kept = average;
    return average;
  };
}
