/**
 * How long calls would take if no limit cut them off. Calls at the limit are censored: only their number
 * is known. Latencies are taken for log-normal, and two quantiles of what did succeed, placed among
 * all calls, give the rest of the curve.
 */
import type { LatencyView } from '../../../facts/index.ts';
import { normalCdf, normalQuantile, poissonCdf, poissonSf } from '../../../stats/index.ts';

/** Fewer successes say too little about the shape. */
const SUCCESSES_MIN = 30;
/** Of the successes: the middle, and near the limit but not at it. */
const LOW = 0.5;
const HIGH = 0.95;

export interface Estimate {
  readonly ms: number;
  /** The two points of the fit: this share of all calls took at most this long. */
  readonly low: { readonly share: number; readonly ms: number };
  readonly high: { readonly share: number; readonly ms: number };
}

/** The time within which `share` of all calls would end; undefined when too little is known. */
export function estimateLatency(
  succeeded: LatencyView | null,
  failures: number,
  share: number,
): Estimate | undefined {
  if (succeeded === null || succeeded.count < SUCCESSES_MIN) return undefined;
  const part = succeeded.count / (succeeded.count + failures);
  const low = { share: LOW * part, ms: quantileOf(succeeded, LOW) };
  const high = { share: HIGH * part, ms: quantileOf(succeeded, HIGH) };
  if (!(low.ms > 0) || !(high.ms > low.ms)) return undefined;
  const [zLow, zHigh] = [normalQuantile(low.share), normalQuantile(high.share)];
  const sigma = Math.log(high.ms / low.ms) / (zHigh - zLow);
  const ms = low.ms * Math.exp(sigma * (normalQuantile(share) - zLow));
  return Number.isFinite(ms) ? { ms, low, high } : undefined;
}

const NEAR = 1.25;
const GAP_CHANCE = 0.001;
const FEW_SHARE = 0.005;

/**
 * Whether the calls that are cut off are of another kind than those that succeed: by the curve through the successes
 * many should end just below the limit, and hardly any do, or far fewer should be cut off than are.
 */
export function isGapBefore(
  succeeded: LatencyView | null,
  { low, high }: Estimate,
  { limitMs, failures }: { readonly limitMs: number; readonly failures: number },
): boolean {
  if (succeeded === null) return false;
  const [zLow, zHigh] = [normalQuantile(low.share), normalQuantile(high.share)];
  const sigma = Math.log(high.ms / low.ms) / (zHigh - zLow);
  const within = (ms: number) => normalCdf(zLow + Math.log(ms / low.ms) / sigma);
  const expected = (succeeded.count + failures) * (within(limitMs) - within(limitMs / NEAR));
  let seen = 0;
  for (const { uptoMs, count } of succeeded.buckets) if (uptoMs > limitMs / NEAR) seen += count;
  const isGap = seen < expected / 2 && poissonCdf(seen, expected) < GAP_CHANCE;
  const beyond = (succeeded.count + failures) * (1 - within(limitMs));
  // A few calls that hang are no kind of their own.
  const isMany = failures > FEW_SHARE * (succeeded.count + failures);
  const isOutside = isMany && failures > 2 * beyond && poissonSf(failures - 1, beyond) < GAP_CHANCE;
  return isGap || isOutside;
}

/** Within a bucket latencies are taken to lie evenly on the logarithmic scale. */
export function quantileOf(view: LatencyView, share: number): number {
  const total = view.buckets.reduce((sum, bucket) => sum + bucket.count, 0);
  let before = 0;
  let fromMs = view.minMs;
  for (const { uptoMs, count } of view.buckets) {
    const wanted = share * total - before;
    if (count > 0 && wanted <= count) {
      // Buckets without calls are left out, so the lower edge is never far below the upper one.
      const low = Math.max(fromMs, uptoMs / 1.06, Number.MIN_VALUE);
      const high = Math.max(low, Math.min(uptoMs, view.maxMs));
      return low * (high / low) ** (wanted / count);
    }
    before += count;
    fromMs = uptoMs;
  }
  return view.maxMs;
}
