/**
 * How well the similarity tells the same failure, renamed, from another one. With `--data <dir>` the
 * total is over `pairs.jsonl` there (`{"a","b","same"}`, texts or failures); without it over our own:
 * made ones, half of whose families were held out of development, and 190 written by hand. Beside it,
 * the near-neighbour search.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  compareReadings,
  NeighbourIndex,
  readFailure,
  SAME_FROM,
  similarity,
} from '../src/text/similarity/index.ts';
import type { Context, Figure, Measurement } from '../tools/measure.ts';
import { type Judged, pairQuality } from './metrics/pair-quality.ts';
import { makeFailurePairs } from './pairs/failure-pairs.ts';
import { type LabelledPair, parsePairs } from './pairs/pairs-file.ts';
import { makePatterns } from './pairs/pattern-library.ts';

interface Scored extends Judged {
  readonly set: readonly string[];
}

export const measurement: Measurement = {
  what: 'the same failure renamed is recognised, another one is not',
  aims: { recall: '>=0.9', precision: '>=0.95' },
  async *run(context) {
    const file = join(context.dataDir('similarity'), 'pairs.jsonl');
    const given = existsSync(file) ? readPairs(file) : undefined;
    const written = readPairs(new URL('pairs/written.jsonl', import.meta.url));
    const made = makeFailurePairs(context.seed, Math.max(1, Math.round(12 * context.scale)));
    const judgedOwn = [
      ...made.map((pair) => judge(pair, [pair.half, `${pair.half}/${pair.family}`])),
      ...written.map((pair) => judge(pair, [`written/${pair.set}`])),
    ];
    const judgedGiven = given?.map((pair) => judge(pair, [])) ?? [];
    for (const set of [...new Set(judgedOwn.flatMap((pair) => pair.set))].sort())
      yield* figures(
        set,
        judgedOwn.filter((pair) => pair.set.includes(set)),
      );
    yield* figures('own', judgedOwn);
    yield* figures('total', given === undefined ? judgedOwn : judgedGiven);
    yield* neighbours(context);
    yield* closeNeighbours(context);
  },
};

function readPairs(file: string | URL): LabelledPair[] {
  return parsePairs(readFileSync(file, 'utf8'));
}

function judge(pair: LabelledPair, set: readonly string[]): Scored {
  return { same: pair.same, judgedSame: similarity(pair.a, pair.b).same, set };
}

function* figures(set: string, pairs: readonly Judged[]): Generator<Figure> {
  const { recall, precision, n } = pairQuality(pairs);
  yield { set, metric: 'recall', value: recall, n };
  yield { set, metric: 'precision', value: precision, n };
}

/** Renamed patterns looked up among many: is the first answer the pattern, and what did it cost? */
function* neighbours(context: Context): Generator<Figure> {
  const count = Math.max(1_000, Math.round(100_000 * context.scale));
  const { patterns, renamed } = makePatterns(context.seed, count, 500);
  context.progress(`indexing ${count} patterns`);
  const index = new NeighbourIndex();
  for (const { id, failure } of patterns) index.add(id, failure);
  let found = 0;
  let comparisons = 0;
  const start = performance.now();
  for (const { id, failure } of renamed) {
    if (index.nearest(failure, { limit: 1 })[0]?.id === id) found += 1;
    comparisons += index.comparisons;
  }
  const perQueryMs = (performance.now() - start) / renamed.length;
  yield { set: 'neighbours', metric: 'found_first', value: found / renamed.length, n: count };
  yield {
    set: 'neighbours',
    metric: 'compared_mean',
    value: comparisons / renamed.length,
    n: count,
    note: 'patterns compared per query',
  };
  yield { set: 'neighbours', metric: 'query_ms', value: perQueryMs, n: count };
}

/** Among close relatives: is the best answer as good as the one that comparing with all would give? */
function* closeNeighbours(context: Context): Generator<Figure> {
  const library = makeFailurePairs(context.seed + 1, 4).filter((pair) => pair.same);
  const readings = library.map((pair) => readFailure(pair.a));
  const index = new NeighbourIndex();
  for (const [place, pair] of library.entries()) index.add(`p${place}`, pair.a);
  const step = Math.max(1, Math.floor(library.length / Math.max(10, 150 * context.scale)));
  let asked = 0;
  let asGood = 0;
  for (let place = 0; place < library.length; place += step) {
    const query = readFailure(library[place]!.b);
    const best = Math.max(...readings.map((reading) => compareReadings(query, reading).score));
    if (best < SAME_FROM) continue;
    asked += 1;
    const found = index.nearest(library[place]!.b, { limit: 1 })[0]?.comparison.score ?? 0;
    if (found >= best - 1e-9) asGood += 1;
  }
  yield {
    set: 'neighbours',
    metric: 'as_good_as_all',
    value: asGood / Math.max(1, asked),
    n: asked,
  };
}
