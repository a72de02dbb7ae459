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
const ROUNDS = 5;

export const measurement: Measurement = {
  what: 'online detector against an exponential moving average; change points on 100 000 points',
  aims: { online_ratio: '>=0.02', changepoints_100k_s: '<=5' },
  async *run(context) {
    const random = seededRandom(context.seed);
    const stream = makeStream(random, Math.max(10_000, Math.round(POINTS * context.scale)));
    const measured = bestRate(stream, runDetector);
    const floor = bestRate(stream, runAverage);
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

/** Points per second, the best of a few rounds: the machine's other work only ever slows it down. */
function bestRate(stream: Stream, run: (stream: Stream) => number): number {
  let best = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const startMs = performance.now();
    const result = run(stream);
    const rate = (1000 * stream.values.length) / (performance.now() - startMs);
    if (!Number.isFinite(result)) throw new Error('The run gave no finite result.');
    best = Math.max(best, rate);
  }
  return best;
}

function runDetector({ timesMs, values }: Stream): number {
  const detector = new OnlineDetector();
  let alarms = 0;
  for (let i = 0; i < values.length; i++) {
    detector.push(timesMs[i]!, values[i]!);
    if (detector.alarm) alarms += 1;
  }
  return alarms;
}

function runAverage({ values }: Stream): number {
  let average = values[0]!;
  for (let i = 0; i < values.length; i++) average += 0.05 * (values[i]! - average);
  return average;
}
