/**
 * The two measures of the Turing Change Point benchmark (van den Burg and Williams 2020), for one
 * series marked by several people. A change point is the index of the first point of a new segment;
 * index 0 counts as a trivial change point in every set, so that "none" has a score.
 */

export interface FMeasure {
  readonly f1: number;
  readonly precision: number;
  readonly recall: number;
}

/** How many of `truth` have a prediction of their own within the margin; a prediction serves once. */
export function truePositives(
  truth: readonly number[],
  predicted: readonly number[],
  margin: number,
): number {
  const unused = new Set(predicted);
  let found = 0;
  for (const point of [...truth].sort((a, b) => a - b)) {
    let nearest: number | undefined;
    for (const candidate of unused) {
      const distance = Math.abs(candidate - point);
      if (distance > margin) continue;
      if (nearest === undefined || closer(candidate, nearest, point)) nearest = candidate;
    }
    if (nearest === undefined) continue;
    unused.delete(nearest);
    found += 1;
  }
  return found;
}

function closer(a: number, b: number, target: number): boolean {
  const difference = Math.abs(a - target) - Math.abs(b - target);
  return difference < 0 || (difference === 0 && a < b);
}

/** Precision against the union of all people's points, recall as the mean over people. */
export function fMeasure(
  annotations: readonly (readonly number[])[],
  predicted: readonly number[],
  margin = 5,
): FMeasure {
  const guesses = [...new Set([0, ...predicted])];
  const sets = annotations.map((points) => [...new Set([0, ...points])]);
  const union = [...new Set([0, ...annotations.flat()])];
  const precision = truePositives(union, guesses, margin) / guesses.length;
  const recall = mean(sets.map((set) => truePositives(set, guesses, margin) / set.length));
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  return { f1, precision, recall };
}

/** Mean over people of how well the predicted segments cover theirs (weighted Jaccard index). */
export function coverMeasure(
  annotations: readonly (readonly number[])[],
  predicted: readonly number[],
  length: number,
): number {
  const guesses = segments(predicted, length);
  return mean(annotations.map((points) => cover(segments(points, length), guesses, length)));
}

type Segment = readonly [from: number, to: number];

function segments(points: readonly number[], length: number): readonly Segment[] {
  const starts = [...new Set([0, ...points])]
    .filter((point) => point >= 0 && point < length)
    .sort((a, b) => a - b);
  return starts.map((start, index) => [start, starts[index + 1] ?? length] as const);
}

function cover(truth: readonly Segment[], guesses: readonly Segment[], length: number): number {
  let sum = 0;
  for (const [from, to] of truth) {
    let best = 0;
    for (const [start, end] of guesses) {
      const shared = Math.max(0, Math.min(to, end) - Math.max(from, start));
      best = Math.max(best, shared / (to - from + end - start - shared));
    }
    sum += (to - from) * best;
  }
  return sum / length;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
