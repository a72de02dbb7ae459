import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bucketOf, uptoMs } from './latency-buckets.ts';

test('a latency lies between its bucket’s edges, which are 5 % apart', () => {
  const latencies = fc.oneof(
    fc.double({ min: 0.001, max: 1e9, noNaN: true }),
    fc.integer({ min: -141, max: 424 }).map(uptoMs),
    fc.integer({ min: -141, max: 424 }).map((bucket) => uptoMs(bucket) * (1 + Number.EPSILON)),
  );
  fc.assert(
    fc.property(latencies, (ms) => {
      const bucket = bucketOf(ms);
      expect(ms).toBeLessThanOrEqual(uptoMs(bucket));
      expect(ms).toBeGreaterThan(uptoMs(bucket - 1));
      expect(uptoMs(bucket) / uptoMs(bucket - 1)).toBeCloseTo(1.05);
    }),
  );
});

test('nothing and less than a microsecond share the lowest bucket', () => {
  expect(bucketOf(0)).toBe(bucketOf(0.0005));
  expect(uptoMs(bucketOf(0))).toBeLessThanOrEqual(0.00105);
});
