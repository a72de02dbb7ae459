/**
 * Change points against the marks of five people per series, with the measures of the Turing Change
 * Point benchmark. Default settings for every series; "no change" is printed beside it, and the mean
 * of the two halves of the series (by turns in the order of their names).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findChangePoints } from '../src/stats/index.ts';
import type { Figure, Measurement } from '../tools/measure.ts';
import { coverMeasure, fMeasure } from './metrics/segmentation.ts';

interface Marked {
  readonly name: string;
  readonly values: readonly (number | null)[];
  readonly annotations: Readonly<Record<string, readonly number[]>>;
}

interface Scored {
  readonly name: string;
  readonly f1: number;
  readonly cover: number;
  readonly noneF1: number;
  readonly noneCover: number;
}

export const measurement: Measurement = {
  what: 'change points against people’s marks, F1 (margin 5) and cover, default settings',
  aims: { f1: '>=0.74', cover: '>=0.7' },
  async *run(context) {
    const folder = context.dataDir('changepoints');
    const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
    const scored = files.sort().map((file) => score(join(folder, file)));
    for (const { name, f1, cover } of scored) {
      yield { set: name, metric: 'f1', value: f1, n: 1 };
      yield { set: name, metric: 'cover', value: cover, n: 1 };
    }
    yield* means(
      'half-a',
      scored.filter((_, index) => index % 2 === 0),
    );
    yield* means(
      'half-b',
      scored.filter((_, index) => index % 2 === 1),
    );
    yield* means('total', scored);
  },
};

function score(path: string): Scored {
  const { name, values, annotations } = JSON.parse(readFileSync(path, 'utf8')) as Marked;
  const series = values.map((value) => value ?? Number.NaN);
  const people = Object.values(annotations);
  const found = findChangePoints(series).changes.map((change) => change.index);
  return {
    name,
    f1: fMeasure(people, found).f1,
    cover: coverMeasure(people, found, series.length),
    noneF1: fMeasure(people, []).f1,
    noneCover: coverMeasure(people, [], series.length),
  };
}

function* means(set: string, scored: readonly Scored[]): Generator<Figure> {
  const n = scored.length;
  const mean = (pick: (one: Scored) => number) =>
    scored.reduce((sum, one) => sum + pick(one), 0) / n;
  yield { set, metric: 'none_f1', value: mean((one) => one.noneF1), n, note: 'saying "no change"' };
  yield { set, metric: 'none_cover', value: mean((one) => one.noneCover), n };
  yield { set, metric: 'f1', value: mean((one) => one.f1), n };
  yield { set, metric: 'cover', value: mean((one) => one.cover), n };
}
