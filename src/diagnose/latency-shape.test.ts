import { expect, test } from 'vitest';
import { latencies } from './failures.test-support.ts';
import { cutOffAt, pileOf, quantileMs, totalMs } from './latency-shape.ts';

test('failures pile up where a timer ends them, and not where they are spread', () => {
  expect(pileOf(latencies([805, 400], [840, 12]))).toMatchObject({ share: 1 });
  expect(pileOf(latencies([100, 50], [200, 50], [400, 50]))).toBeNull();
  expect(pileOf(null)).toBeNull();
});

test('they are cut off only where successes end before', () => {
  const failed = latencies([805, 400]);
  expect(cutOffAt(failed, latencies([400, 900]))?.ms).toBeCloseTo(805 / 1.05);
  expect(cutOffAt(failed, latencies([400, 900], [2000, 100]))).toBeNull();
  expect(cutOffAt(failed, null)).toBeNull();
});

test('sums and quantiles are those of the buckets', () => {
  const view = latencies([100, 50], [1000, 50]);
  expect(totalMs(view)).toBe(55_000);
  expect([0.25, 0.5, 0.9].map((share) => quantileMs(view, share))).toEqual([100, 100, 1000]);
});
