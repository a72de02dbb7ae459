/**
 * Latencies in buckets whose upper edge is 5 % above their lower one: counts of any windows can be added,
 * and any percentile is known to 5 %. Edges are powers of 1.05 milliseconds, from a microsecond up.
 */
const WIDTH = 1.05;
const LOG_WIDTH = Math.log(WIDTH);
/** Below a microsecond everything is one bucket. */
const LOWEST = Math.ceil(Math.log(0.001) / LOG_WIDTH);

/** The bucket whose edges are `uptoMs(bucket - 1) < ms <= uptoMs(bucket)`. */
export function bucketOf(ms: number): number {
  if (ms <= uptoMs(LOWEST)) return LOWEST;
  let bucket = Math.ceil(Math.log(ms) / LOG_WIDTH);
  // The logarithm of an edge may fall on its other side.
  while (uptoMs(bucket) < ms) bucket += 1;
  while (uptoMs(bucket - 1) >= ms) bucket -= 1;
  return bucket;
}

export function uptoMs(bucket: number): number {
  return WIDTH ** bucket;
}
