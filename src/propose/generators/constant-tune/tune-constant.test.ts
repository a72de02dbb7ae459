import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Pattern, SettingSubject } from '../../../facts/index.ts';
import { pattern, service, settingOf } from '../../patterns.test-support.ts';
import { readableDown, readableUp } from './readable-number.ts';
import { estimateLatency, isGapBefore } from './timeout-estimate.ts';
import { neededFailures, tuneConstant } from './tune-constant.ts';

interface Changed extends Partial<Pattern> {
  readonly setting?: SettingSubject;
}

function answered({ setting = settingOf({}), ...changes }: Changed) {
  return tuneConstant(pattern(changes), setting);
}

function tuned(changes: Changed) {
  const answer = answered(changes);
  if (answer === undefined || 'declined' in answer) throw new Error(answer?.declined);
  return answer;
}

describe('the estimate', () => {
  test.each([
    [400, 0.5, 800],
    [400, 0.3, 500],
    [1500, 0.8, 3000],
    [50, 0.4, 60],
  ])('finds what a limit hides: median %d, sigma %d, limit %d', (medianMs, sigma, limitMs) => {
    const { succeeded, failures } = service({ medianMs, sigma, limitMs, calls: 5000 });
    const truth = medianMs * Math.exp(sigma * 2.5758);
    const { ms } = estimateLatency(succeeded, failures, 0.995)!;
    expect(ms / truth).toBeGreaterThan(0.9);
    expect(ms / truth).toBeLessThan(1.1);
  });

  test('knows when it knows nothing', () => {
    const flat = { count: 100, minMs: 10, maxMs: 10, buckets: [{ uptoMs: 10, count: 100 }] };
    expect(estimateLatency(null, 10, 0.995)).toBeUndefined();
    expect(estimateLatency({ ...flat, count: 29 }, 10, 0.995)).toBeUndefined();
    expect(estimateLatency(flat, 10, 0.995)).toBeUndefined();
    expect(estimateLatency({ ...flat, buckets: [] }, 10, 0.995)).toBeUndefined();
    const zero = { count: 50, minMs: 0, maxMs: 0, buckets: [{ uptoMs: 0, count: 50 }] };
    expect(estimateLatency(zero, 10, 0.995)).toBeUndefined();
  });
});

describe('calls of another kind', () => {
  /** One call in eight takes far longer than the rest, which end well before the limit. */
  const mixed = service({ medianMs: 200, sigma: 0.3, limitMs: 1000, calls: 3500 });
  const failures = 500;

  test('a gap before the limit is seen, and none where there is none', () => {
    const estimate = estimateLatency(mixed.succeeded, failures, 0.995)!;
    const limit = { limitMs: 1000, failures };
    expect(isGapBefore(mixed.succeeded, estimate, limit)).toBe(true);
    const plain = service({ medianMs: 600, sigma: 0.5, limitMs: 1000, calls: 4000 });
    const fit = estimateLatency(plain.succeeded, plain.failures, 0.995)!;
    const same = { limitMs: 1000, failures: plain.failures };
    expect(isGapBefore(plain.succeeded, fit, same)).toBe(false);
    expect(isGapBefore(null, fit, same)).toBe(false);
  });

  test('then the largest step is taken, and it is said that nobody knows', () => {
    const setting = settingOf({ value: 1000 });
    const answer = tuned({ setting, occurrences: failures, succeededLatency: mixed.succeeded });
    expect(answer.value).toBe(4000);
    expect(answer.why).toContain('another kind');
  });
});

test('a trial goes no further than what it holds meanwhile allows', () => {
  const mixed = service({ medianMs: 200, sigma: 0.3, limitMs: 1000, calls: 3500 });
  const upTo = (timesMax: number) =>
    tuned({
      ...{ setting: settingOf({ value: 1000 }), occurrences: 500 },
      succeededLatency: mixed.succeeded,
      trial: { cutOffMs: 1000, timesMax, ifLong: 0.8 },
    });
  expect(upTo(4)).toMatchObject({ value: 4000, why: expect.stringContaining('About 50 %') });
  expect(upTo(2.6)).toMatchObject({ value: 2500, why: expect.stringContaining('2.5 times') });
});

describe('tries', () => {
  const more = (occurrences: number, value: number) =>
    tuned({
      kind: 'other',
      occurrences,
      calls: 1000,
      setting: settingOf({ value, limits: 'tries' }),
    });

  test('so many more that hardly anything is lost', () => {
    expect(more(50, 0)).toMatchObject({ value: 1, capped: false });
    expect(more(125, 0).value).toBe(2);
    expect(more(125, 1).value).toBe(3);
    expect(more(125, 0).why).toContain('would be lost');
  });
});

describe('readable numbers', () => {
  test.each([
    [1450, 1500],
    [2000, 2000],
    [2001, 2500],
    [0.81, 1],
    [0.13, 0.15],
    [8001, 10_000],
    [1.25, 1.5],
  ])('%d is rounded up to %d', (value, up) => {
    expect(readableUp(value, false)).toBe(up);
  });

  test('are whole where a whole number stood', () => {
    expect(readableUp(1.25, true)).toBe(2);
    expect(readableUp(0.002, true)).toBe(1);
    expect(readableDown(4, true)).toBe(4);
    expect(readableDown(2800, true)).toBe(2500);
  });

  test('are on the right side, and near', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-6, max: 1e12, noNaN: true }),
        fc.boolean(),
        (value, whole) => {
          const up = readableUp(value, whole);
          expect(up).toBeGreaterThanOrEqual(value * (1 - 1e-9));
          expect(up).toBeLessThanOrEqual(whole ? Math.max(1, value * 2) : value * 1.36);
          if (whole && value < 1) return;
          expect(readableDown(value, whole)).toBeLessThanOrEqual(value * (1 + 1e-9));
        },
      ),
    );
  });
});

describe('a timeout', () => {
  test('grows to what 99.5 % of the calls need, rounded up', () => {
    const { value, factor, capped, why } = tuned({});
    expect({ value, factor, capped }).toEqual({ value: 1500, factor: 1.875, capped: false });
    expect(why).toMatch(
      /^45\.9 % of all calls end within 38\d ms and 87\.1 % within 70\d ms; by a log-normal/,
    );
    expect(why).toMatch(/99\.5 % would end within 1 4\d\d ms\..* The new value is 1500\.$/);
  });

  test('in seconds it is read as seconds', () => {
    const seconds = settingOf({ unit: 's', value: 0.8 });
    expect(tuned({ setting: seconds }).value).toBe(1.5);
  });

  test('without a unit the latencies of the failures tell it', () => {
    const bare = { path: ['tools', 'web_search', 'timeout'], unit: null };
    expect(tuned({ setting: settingOf({ ...bare, value: 0.8 }) }).value).toBe(1.5);
    expect(tuned({ setting: settingOf(bare) }).value).toBe(1500);
    for (const unknown of [
      { setting: settingOf({ ...bare, value: 7 }) },
      { setting: settingOf(bare), failedLatency: null },
    ])
      expect(answered(unknown)).toEqual({
        declined: 'The unit of timeout cannot be told from its name or from the latencies.',
      });
  });

  test('grows by a quarter at least and four times at most, and says so', () => {
    const near = service({ medianMs: 700, sigma: 0.02, limitMs: 800, calls: 4000 }).succeeded;
    expect(tuned({ succeededLatency: near, occurrences: 5 })).toMatchObject({
      value: 1000,
      capped: false,
      why: expect.stringContaining('less than the smallest step'),
    });
    const far = service({ medianMs: 2000, sigma: 1, limitMs: 800, calls: 4000 });
    expect(tuned({ succeededLatency: far.succeeded, occurrences: far.failures })).toMatchObject({
      value: 3000,
      capped: true,
      why: expect.stringContaining('at most 4 times'),
    });
  });

  test('is doubled where too little is known', () => {
    expect(tuned({ succeededLatency: null })).toMatchObject({
      value: 2000,
      why: expect.stringContaining('doubled'),
    });
    expect(tuned({ succeededLatency: null, setting: settingOf({ value: 1000 }) }).value).toBe(2000);
  });

  test('stays within its bounds whatever the numbers are', () => {
    const latency = fc.record({
      count: fc.integer({ min: 0, max: 1000 }),
      minMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
      maxMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
      buckets: fc.array(
        fc.record({ uptoMs: fc.double({ min: 0, max: 1e6, noNaN: true }), count: fc.nat(500) }),
        { maxLength: 5 },
      ),
    });
    const old = fc.oneof(
      fc.integer({ min: 1, max: 1e6 }),
      fc.double({ min: 0.01, max: 1e5, noNaN: true }),
    );
    fc.assert(
      fc.property(
        latency,
        old,
        fc.integer({ min: 3, max: 1000 }),
        (succeededLatency, value, occurrences) => {
          const { value: next, factor } = tuned({
            succeededLatency,
            occurrences,
            setting: settingOf({ value }),
          });
          expect(next).toBeGreaterThanOrEqual(value * 1.25 * (1 - 1e-9));
          expect(next).toBeLessThanOrEqual(value * 4 * (1 + 1e-9));
          expect(factor).toBeCloseTo(next / value);
          if (Number.isInteger(value)) expect(Number.isInteger(next)).toBe(true);
        },
      ),
    );
  });

  test.each([0, -1])('of %d sets no limit', (value) => {
    expect(answered({ setting: settingOf({ value }) })).toMatchObject({
      declined: expect.stringContaining('is not a limit'),
    });
  });
});

describe('other limits', () => {
  const retries = (value: number) =>
    answered({ kind: 'retries_exhausted', setting: settingOf({ value }) });

  test('retries grow by one, to five', () => {
    expect(retries(2)).toMatchObject({ value: 3, factor: 1.5 });
    expect(retries(0)).toMatchObject({ value: 1, factor: 2 });
    for (const value of [5, 9, 2.5, -1]) expect(retries(value)).toHaveProperty('declined');
  });

  test('are not known, nor are values that are not numbers', () => {
    for (const kind of ['rate_limit', 'size_limit', 'other'] as const)
      expect(answered({ kind })).toBeUndefined();
    for (const value of [true, 'a'])
      expect(answered({ setting: settingOf({ value }) })).toBeUndefined();
  });

  test('a value that counts suggest is taken, down as well as up, and readable', () => {
    const to = (value: number, aim: number) =>
      answered({ kind: 'other', setting: settingOf({ value, aim: { value: aim, why: 'Seen.' } }) });
    expect(to(400_000, 100_000)).toMatchObject({ value: 100_000, factor: 4 });
    expect(to(30, 8.3)).toMatchObject({ value: 10, factor: 3 });
    expect(to(8, 2)).toMatchObject({ value: 2, why: 'Seen. The new value is 2.' });
    expect(to(2, 3.4)).toMatchObject({ value: 4, factor: 2 });
    for (const [value, aim] of [
      [8, 8],
      [1, 0.3],
      [0, 2],
    ] as const)
      expect(to(value, aim)).toHaveProperty('declined');
  });

  test('the larger the change, the more failures it needs', () => {
    expect([1, 1.25, 2, 2.5, 4].map(neededFailures)).toEqual([3, 5, 12, 19, 48]);
  });
});
