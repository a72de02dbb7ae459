/**
 * Mann and Whitney's test at a fixed horizon: do values of one sample tend to be larger than those of
 * the other? Exact for small samples without ties, else by the normal approximation with corrections
 * for ties and continuity. It is not valid when looked at repeatedly.
 */
import { normalSf } from './distributions.ts';
import { requireCount, requireFinite } from './errors.ts';

export interface RankTest {
  /** Pairs in which the second sample's value is larger, ties counted half. */
  readonly u: number;
  /** P(b > a) + ½P(b = a): 0.5 when neither tends to be larger. */
  readonly superiority: number;
  /** Two-sided. */
  readonly pValue: number;
  readonly method: 'exact' | 'normal';
}

const EXACT_PAIRS_MAX = 400;

export function mannWhitney(a: readonly number[], b: readonly number[]): RankTest {
  requireCount(a.length, 1, 'a');
  requireCount(b.length, 1, 'b');
  requireFinite(a, 'a');
  requireFinite(b, 'b');
  const { u, tieTerm } = rankSum(a, b);
  const pairs = a.length * b.length;
  const exact = tieTerm === 0 && pairs <= EXACT_PAIRS_MAX;
  const pValue = exact
    ? exactTail(a.length, b.length, Math.min(u, pairs - u))
    : normalTail({ u, tieTerm, sizeA: a.length, sizeB: b.length });
  return { u, superiority: u / pairs, pValue, method: exact ? 'exact' : 'normal' };
}

function rankSum(a: readonly number[], b: readonly number[]): { u: number; tieTerm: number } {
  const all = [
    ...a.map((value) => ({ value, second: 0 })),
    ...b.map((value) => ({ value, second: 1 })),
  ];
  all.sort((x, y) => x.value - y.value);
  let ranksOfB = 0;
  let tieTerm = 0;
  for (let from = 0; from < all.length; ) {
    let to = from + 1;
    let seconds = all[from]!.second;
    while (to < all.length && all[to]!.value === all[from]!.value) {
      seconds += all[to]!.second;
      to += 1;
    }
    const tied = to - from;
    ranksOfB += seconds * (from + (tied + 1) / 2);
    tieTerm += tied ** 3 - tied;
    from = to;
  }
  return { u: ranksOfB - (b.length * (b.length + 1)) / 2, tieTerm };
}

/** Twice the share of orderings with at most `u`, by counting them (Mann and Whitney's recursion). */
function exactTail(sizeA: number, sizeB: number, u: number): number {
  const pairs = sizeA * sizeB;
  let counts = new Float64Array(pairs + 1);
  counts[0] = 1;
  // The generating function is a product of (1 - q^(sizeB+i)) / (1 - q^i), one factor at a time.
  for (let i = 1; i <= sizeA; i++) {
    const next = Float64Array.from(counts);
    for (let k = pairs; k >= sizeB + i; k--) next[k]! -= counts[k - sizeB - i]!;
    for (let k = i; k <= pairs; k++) next[k]! += next[k - i]!;
    counts = next;
  }
  let below = 0;
  let total = 0;
  for (let k = 0; k <= pairs; k++) {
    total += counts[k]!;
    if (k <= u) below += counts[k]!;
  }
  return Math.min(1, (2 * below) / total);
}

function normalTail(sample: { u: number; tieTerm: number; sizeA: number; sizeB: number }): number {
  const { u, tieTerm, sizeA, sizeB } = sample;
  const n = sizeA + sizeB;
  const ties = n > 1 ? tieTerm / (n * (n - 1)) : 0;
  const variance = ((sizeA * sizeB) / 12) * (n + 1 - ties);
  if (!(variance > 0)) return 1;
  const distance = Math.max(0, Math.abs(u - (sizeA * sizeB) / 2) - 0.5);
  return Math.min(1, 2 * normalSf(distance / Math.sqrt(variance)));
}
