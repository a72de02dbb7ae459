/**
 * The online detector on labelled streams, scored as the Numenta Anomaly Benchmark does, point by
 * point with one threshold for all files: the detector's own documented constant, which is not fitted
 * here. What the benchmark's optimiser would pick on these files is printed beside it as
 * `nab_standard_optimised`, for comparison with published figures, which are all optimised that way.
 *
 * Halves are the files by turns in the order of their names. A windowed Gaussian, the plain method of
 * most monitoring, runs beside it with its best threshold.
 */
import { ALARM_PROBABILITY, AlarmGate, normalSf, OnlineDetector } from '../src/stats/index.ts';
import type { Figure, Measurement } from '../tools/measure.ts';
import {
  type FileTally,
  NAB_PROFILES,
  type NabProfile,
  normalisedScore,
  tallyFile,
} from './metrics/nab.ts';
import { type LabelledSeries, readCorpus } from './metrics/nab-corpus.ts';

const STANDARD = NAB_PROFILES[0]!;

/** Tail probabilities of one file, and whether they pass the detector's gate or each is an alarm. */
interface Scored {
  readonly series: LabelledSeries;
  readonly probabilities: Float64Array;
  readonly gated: boolean;
}

export const measurement: Measurement = {
  what: 'online anomaly detection with NAB scoring, one threshold for all files',
  aims: { nab_standard: '>=70' },
  async *run(context) {
    const corpus = readCorpus(context.dataDir('anomalies'));
    context.progress(`${corpus.length} files`);
    const ours = corpus.map((series) => scoreFile(series));
    for (const scored of ours) yield* fileFigures(scored);
    for (const [set, rest] of [
      ['half-a', 0],
      ['half-b', 1],
    ] as const) {
      const half = ours.filter((_, index) => index % 2 === rest);
      yield { set, metric: 'nab_standard', value: total(half, STANDARD), n: half.length };
    }
    yield* optimised('total', 'nab_standard_optimised', ours);
    yield* optimised('windowed-gaussian', 'nab_standard_optimised', corpus.map(windowedGaussian));
    for (const profile of NAB_PROFILES)
      yield { set: 'total', metric: profile.name, value: total(ours, profile), n: ours.length };
  },
};

function scoreFile(series: LabelledSeries): Scored {
  const detector = new OnlineDetector();
  const probabilities = series.values.map((value, i) => detector.push(series.timesMs[i]!, value));
  return { series, probabilities, gated: true };
}

function tally(scored: Scored, threshold: number, profile: NabProfile): FileTally {
  const gate = new AlarmGate(threshold);
  const detections: number[] = [];
  scored.probabilities.forEach((probability, index) => {
    const isAlarm = scored.gated ? gate.push(probability) : probability < threshold;
    if (isAlarm) detections.push(index);
  });
  return tallyFile(scored.series.values.length, scored.series.windows, detections, profile);
}

function total(all: readonly Scored[], profile: NabProfile, threshold = ALARM_PROBABILITY): number {
  return normalisedScore(
    all.map((scored) => tally(scored, threshold, profile)),
    profile,
  );
}

function* fileFigures(scored: Scored): Generator<Figure> {
  const result = tally(scored, ALARM_PROBABILITY, STANDARD);
  const note = `${result.windowsHit} of ${result.windows} windows, ${result.falseAlarms} false alarms`;
  yield { set: scored.series.name, metric: 'nab_raw', value: result.raw, n: 1, note };
}

/** The best score over a grid of thresholds, as NAB's optimiser looks for it. */
function* optimised(set: string, metric: string, all: readonly Scored[]): Generator<Figure> {
  let value = Number.NEGATIVE_INFINITY;
  let best = 1;
  for (let exponent = 1; exponent <= 12; exponent += 0.1) {
    const threshold = 10 ** -exponent;
    const score = total(all, STANDARD, threshold);
    if (score <= value) continue;
    value = score;
    best = threshold;
  }
  yield { set, metric, value, n: all.length, note: `threshold ${best.toPrecision(2)}` };
}

/** Mean and deviation of the last 6400 points (NAB's setting), the tail of the normal law. */
function windowedGaussian(series: LabelledSeries): Scored {
  const windowLength = 6400;
  let sum = 0;
  let squares = 0;
  const probabilities = series.values.map((value, i) => {
    const count = Math.min(i, windowLength);
    const mean = count > 0 ? sum / count : value;
    const deviation = count > 1 ? Math.sqrt(Math.max(0, squares / count - mean * mean)) : 0;
    sum += value - (i >= windowLength ? series.values[i - windowLength]! : 0);
    squares += value ** 2 - (i >= windowLength ? series.values[i - windowLength]! ** 2 : 0);
    return deviation > 0 ? 2 * normalSf(Math.abs(value - mean) / deviation) : 1;
  });
  return { series, probabilities, gated: false };
}
