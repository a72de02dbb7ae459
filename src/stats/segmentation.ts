/**
 * Optimal segmentations of a series: for each number of changes up to a limit, the places that leave
 * the smallest sum of squared residuals, with a level or a straight line in each segment. Exact, by
 * dynamic programming over the positions: O(changes · n²) time, O(changes · n) memory, so callers
 * thin long series first.
 */

export type Shape = 'level' | 'trend';

export interface Segmentation {
  readonly shape: Shape;
  /** First indices of the second and later segments, ascending. */
  readonly changes: readonly number[];
  readonly residualSquares: number;
}

/** A line through one segment: value = intercept + slope · index. */
export interface Line {
  readonly intercept: number;
  readonly slope: number;
}

/** Prefix sums of a series, from which any segment's fit is O(1). */
export class SegmentSums {
  readonly length: number;
  readonly #sum: Float64Array;
  readonly #square: Float64Array;
  readonly #moment: Float64Array;

  constructor(values: ArrayLike<number>) {
    const n = values.length;
    this.length = n;
    this.#sum = new Float64Array(n + 1);
    this.#square = new Float64Array(n + 1);
    this.#moment = new Float64Array(n + 1);
    for (let i = 0; i < n; i++) {
      const value = values[i]!;
      this.#sum[i + 1] = this.#sum[i]! + value;
      this.#square[i + 1] = this.#square[i]! + value * value;
      this.#moment[i + 1] = this.#moment[i]! + value * (i - n / 2);
    }
  }

  /** Sum of squared residuals of [from, to). */
  residualSquares(shape: Shape, from: number, to: number): number {
    const count = to - from;
    const sum = this.#sum[to]! - this.#sum[from]!;
    let rest = this.#square[to]! - this.#square[from]! - (sum * sum) / count;
    if (shape === 'trend' && count > 1) {
      const covariance = this.#covariance(from, to);
      rest -= (covariance * covariance) / indexSquares(count);
    }
    return rest > 0 ? rest : 0;
  }

  fit(shape: Shape, from: number, to: number): Line {
    const count = to - from;
    const mean = (this.#sum[to]! - this.#sum[from]!) / count;
    if (shape === 'level' || count < 2) return { intercept: mean, slope: 0 };
    const slope = this.#covariance(from, to) / indexSquares(count);
    return { intercept: mean - slope * (from + (count - 1) / 2), slope };
  }

  #covariance(from: number, to: number): number {
    const sum = this.#sum[to]! - this.#sum[from]!;
    const centre = from + (to - from - 1) / 2 - this.length / 2;
    return this.#moment[to]! - this.#moment[from]! - sum * centre;
  }
}

/** Sum of squares of `count` successive whole numbers about their mean. */
function indexSquares(count: number): number {
  return (count * (count * count - 1)) / 12;
}

export interface SegmentationOptions {
  readonly shape: Shape;
  readonly changesMax: number;
  readonly segmentMin: number;
}

/** One segmentation for each number of changes that fits, from none upwards. */
export function optimalSegmentations(
  sums: SegmentSums,
  options: SegmentationOptions,
): readonly Segmentation[] {
  const { shape, changesMax, segmentMin } = options;
  const n = sums.length;
  let best = new Float64Array(n + 1).fill(Infinity);
  for (let to = segmentMin; to <= n; to++) best[to] = sums.residualSquares(shape, 0, to);
  const origins: Int32Array[] = [];
  const found: Segmentation[] = [{ shape, changes: [], residualSquares: best[n]! }];
  for (let k = 1; k <= changesMax && (k + 1) * segmentMin <= n; k++) {
    const next = new Float64Array(n + 1).fill(Infinity);
    const origin = new Int32Array(n + 1);
    for (let to = (k + 1) * segmentMin; to <= n; to++) {
      let least = Infinity;
      for (let from = k * segmentMin; from <= to - segmentMin; from++) {
        // Costs are never negative, so most starts are out before their segment is priced.
        if (best[from]! >= least) continue;
        const cost = best[from]! + sums.residualSquares(shape, from, to);
        if (cost >= least) continue;
        least = cost;
        origin[to] = from;
      }
      next[to] = least;
    }
    origins.push(origin);
    best = next;
    found.push({ shape, changes: trace(origins, n), residualSquares: best[n]! });
  }
  return found;
}

function trace(origins: readonly Int32Array[], end: number): readonly number[] {
  const changes: number[] = [];
  let at = end;
  for (let k = origins.length - 1; k >= 0; k--) {
    at = origins[k]![at]!;
    changes.push(at);
  }
  return changes.reverse();
}
