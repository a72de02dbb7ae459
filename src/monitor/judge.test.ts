import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Random, seededRandom } from '../base/index.ts';
import { composeSections, parseConfig } from '../config/index.ts';
import type { RateBin } from '../facts/index.ts';
import { monitorSection } from './config-section.ts';
import { cleanBins, groupBins, hoursOf } from './groups.ts';
import { type Baseline, type Count, judge, type Limits, type SeriesObserved } from './index.ts';
import { seasonOf } from './season.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 2, 3, 10, 17);

const LIMITS: Limits = {
  alpha: 0.05,
  errorRate: 0.25,
  otherMetrics: 0.1,
  duration: DAY,
  fast: HOUR,
  fastInterval: MINUTE,
  interval: 5 * MINUTE,
};

interface Fleet {
  readonly perMinute: number;
  readonly rate: number;
  /** How far traffic and rate swing over the day. */
  readonly swing: number;
  readonly phase: number;
}

/** Every event drawn by itself. `times` is what the change does to the rate. */
function traffic(
  random: Random,
  fleet: Fleet,
  fromMs: number,
  toMs: number,
  times = (_: number) => 1,
) {
  const bins: RateBin[] = [];
  for (let atMs = fromMs; atMs < toMs; atMs += MINUTE) {
    const day = fleet.swing * Math.sin(2 * Math.PI * (atMs / DAY + fleet.phase));
    const rate = Math.min(0.95, fleet.rate * (1 + day) * times(atMs - START));
    const wanted = fleet.perMinute * (1 + day);
    const all = Math.floor(wanted) + (random.next() < wanted % 1 ? 1 : 0);
    let bad = 0;
    for (let event = 0; event < all; event++) if (random.next() < rate) bad++;
    if (all > 0) bins.push({ atMs, bad, all });
  }
  return bins;
}

const BEFORE = { fromMs: START - DAY, toMs: START };

/** One watch to its end, with the given names of series all seeing the same. */
function watchOf(random: Random, fleet: Fleet, times: (sinceMs: number) => number, names: number) {
  const metrics = ['error_rate', 'task_failure_rate', 'correction_rate'] as const;
  const hours = hoursOf(traffic(random, fleet, BEFORE.fromMs, BEFORE.toMs), BEFORE);
  const bins = traffic(random, fleet, START + MINUTE, START + DAY, times);
  const series = Array.from({ length: names }, (_, at) => ({
    metric: metrics[at % 3]!,
    agent: at < 3 ? null : 'search',
  }));
  return judge(
    { startedAtMs: START, series: series.map((name) => ({ ...name, hours })) },
    series.map((name) => ({ ...name, bins })),
    LIMITS,
  );
}

describe('over many watches', () => {
  test('at most one harmless change in twenty is called, although the day has a shape', () => {
    const random = seededRandom(11);
    const watches = 400;
    let called = 0;
    for (let at = 0; at < watches; at++) {
      const fleet = { perMinute: 6, rate: 0.02, swing: 0.5, phase: random.next() };
      if (watchOf(random, fleet, () => 1, 1).worst !== undefined) called++;
    }
    expect(called / watches).toBeLessThanOrEqual(0.05);
  });

  test('a rate that jumps from 2 % to 6 % at once is found within two hours', () => {
    const random = seededRandom(12);
    let found = 0;
    for (let at = 0; at < 100; at++) {
      const fleet = { perMinute: 6, rate: 0.02, swing: 0, phase: 0 };
      const { worst } = watchOf(random, fleet, () => 3, 6);
      if (worst !== undefined && worst.finding.foundAtMs <= START + 2 * HOUR) found++;
    }
    expect(found).toBeGreaterThanOrEqual(90);
  });

  test('harm that comes late, after hours that were better than before, is found within one', () => {
    const random = seededRandom(13);
    let found = 0;
    for (let at = 0; at < 60; at++) {
      const beginsMs = (14 + 7 * random.next()) * HOUR;
      const times = (sinceMs: number) =>
        sinceMs >= beginsMs && sinceMs < beginsMs + 2 * HOUR ? 30 / 8 : 2 / 8;
      const fleet = { perMinute: 6, rate: 0.08, swing: 0.3, phase: random.next() };
      const finding = watchOf(random, fleet, times, 6).worst?.finding;
      if (finding === undefined) continue;
      const afterMs = finding.foundAtMs - START - beginsMs;
      if (afterMs > 0 && afterMs <= HOUR) found++;
      expect(Math.abs(finding.firstBadAtMs - START - beginsMs)).toBeLessThan(HOUR);
    }
    expect(found).toBeGreaterThanOrEqual(57);
  });
});

describe('one series', () => {
  const flat = (bad: number, all: number): Baseline => ({
    startedAtMs: START,
    series: [
      {
        metric: 'error_rate',
        agent: null,
        hours: Array.from({ length: 24 }, () => ({ bad, all })),
      },
    ],
  });
  const seen = (bins: readonly RateBin[]): SeriesObserved[] => [
    { metric: 'error_rate', agent: null, bins },
  ];
  const every = (minutes: number, bad: number, all: number) =>
    Array.from({ length: minutes }, (_, at) => ({ atMs: START + (at + 1) * MINUTE, bad, all }));

  test('sessions that get shorter end in fewer minutes, and no more of them fail', () => {
    // Ten sessions a minute. Before, each is active for eight minutes and one of ten fails; then for two.
    const [long, short] = [
      { bad: 60, all: 60 * 80, begun: 600 },
      { bad: 60, all: 60 * 20, begun: 600 },
    ];
    const worstAt = (before: Count, since: (hour: number) => Count) => {
      const hours = Array.from({ length: 24 }, () => before);
      const series = [{ metric: 'task_failure_rate', agent: 'a', hours } as const];
      const bins = Array.from({ length: 600 }, (_, at) => {
        const { bad, all, begun } = since(at / 60);
        return {
          atMs: START + (at + 1) * MINUTE,
          bad: bad / 60,
          all: all / 60,
          begun: begun! / 60,
        };
      });
      const observed = [{ metric: 'task_failure_rate', agent: 'a', bins } as const];
      return judge({ startedAtMs: START, series }, observed, LIMITS).worst;
    };
    expect(worstAt(long, () => short)).toBeUndefined();
    // Three of ten are harm, however short they are.
    const worse = worstAt(long, () => ({ ...short, bad: 180 }));
    expect(worse!.finding.foundAtMs).toBeLessThanOrEqual(START + HOUR);
    // Of a record that does not say how many began, nothing can be said of their length.
    const { begun: _, ...unsaid } = long;
    expect(worstAt(unsaid, () => short)).toBeDefined();
  });

  test('failures where there never were any are harm', () => {
    const { worst } = judge(flat(0, 360), seen(every(20, 1, 6)), LIMITS);
    expect(worst?.finding.foundAtMs).toBeLessThanOrEqual(START + 20 * MINUTE);
    expect(judge(flat(0, 360), seen(every(1380, 0, 6)), LIMITS).worst).toBeUndefined();
  });

  test('MON-1 nothing is called on few events or few failures, however clear', () => {
    expect(judge(flat(0, 36_000), seen(every(1, 19, 19)), LIMITS).worst).toBeUndefined();
    expect(judge(flat(0, 36_000), seen(every(1, 4, 60)), LIMITS).worst).toBeUndefined();
    expect(judge(flat(0, 36_000), seen(every(1, 20, 20)), LIMITS).worst).toBeDefined();
  });

  test('a rise that is certain but smaller than what is allowed is not called', () => {
    const baseline = flat(20_000, 100_000);
    expect(judge(baseline, seen(every(120, 480, 2000)), LIMITS).worst).toBeUndefined();
    expect(judge(baseline, seen(every(120, 520, 2000)), LIMITS).worst).toBeDefined();
  });

  describe('MON-1 relative to the baseline, by the limits of an empty configuration', () => {
    const parsed = parseConfig('', 'hone.yaml', composeSections([monitorSection]));
    if (!parsed.ok) throw new Error('the defaults are not taken');
    const { monitor } = parsed.config as unknown as { monitor: Limits };

    test.each([
      ['error_rate', 1.2, 1.3],
      ['task_failure_rate', 1.05, 1.15],
      ['correction_rate', 1.05, 1.15],
    ] as const)('%s may be %d times what it was, and not %d times', (metric, allowed, harm) => {
      // A rate of 20 % over 2000 events a minute: every rise is certain, only its size counts.
      const baseline = flat(20_000, 100_000);
      const worstOf = (times: number) => {
        const bins = every(120, Math.round(400 * times), 2000);
        const series = baseline.series.map((one) => ({ ...one, metric }));
        return judge({ ...baseline, series }, [{ metric, agent: null, bins }], monitor).worst;
      };
      expect(worstOf(allowed)).toBeUndefined();
      expect(worstOf(harm)).toMatchObject({
        metric,
        finding: { increase: expect.closeTo(harm - 1) },
      });
    });
  });

  test('without a baseline nothing can be compared, and it says so', () => {
    const { readings, worst } = judge(flat(0, 0), seen(every(60, 6, 6)), LIMITS);
    expect(worst).toBeUndefined();
    expect(readings).toMatchObject([{ comparable: false, observed: { bad: 360, all: 360 } }]);
  });

  test('more series ask for more evidence from each: the changed agents have half of the budget, the fleet a fifth', () => {
    const one = flat(7, 360);
    const [series] = one.series;
    const three = {
      ...one,
      series: [series!, { ...series!, agent: 'a' }, { ...series!, agent: 'b' }],
    };
    const bins = every(58, 1, 6);
    const [alone, among] = [one, three].map(
      (from) => judge(from, seen(bins), LIMITS).worst!.finding,
    );
    expect(among!.evidenceNeeded).toBeCloseTo((0.7 / 0.2) * alone!.evidenceNeeded);
    // A quarter of it is for the minutes, the rest for the hours.
    expect(alone!.evidenceNeeded).toBeCloseTo(1 / (0.25 * LIMITS.alpha));
    expect(among!.foundAtMs).toBeGreaterThan(alone!.foundAtMs);
  });

  test('the same counts give the same answer, and more time changes nothing that was found', () => {
    const bins = every(240, 1, 6).map((bin, at) => (at > 100 ? { ...bin, bad: 4 } : bin));
    const found = judge(flat(30, 360), seen(bins), LIMITS).worst?.finding;
    expect(found).toBeDefined();
    expect(judge(flat(30, 360), seen([...bins]), LIMITS).worst?.finding).toEqual(found);
    const until = bins.filter(({ atMs }) => atMs < found!.foundAtMs);
    expect(judge(flat(30, 360), seen(until), LIMITS).worst?.finding).toEqual(found);
    expect(judge(flat(30, 360), seen(until.slice(0, -5)), LIMITS).worst).toBeUndefined();
  });

  test('evidence beyond all numbers is still a number', () => {
    const { worst } = judge(flat(1, 100_000), seen(every(60, 90_000, 90_000)), LIMITS);
    expect(Number.isFinite(worst?.finding.evidence)).toBe(true);
    expect(worst?.finding.pValue).toBeGreaterThan(0);
  });
});

describe('counts', () => {
  const anyBin = fc.record({
    atMs: fc.oneof(fc.integer({ min: START - DAY, max: START + DAY }), fc.double()),
    bad: fc.oneof(fc.integer(), fc.double()),
    all: fc.oneof(fc.integer(), fc.double()),
  });

  test('whatever comes, minutes are whole, once, in order, inside, and bad is at most all', () => {
    fc.assert(
      fc.property(fc.array(anyBin), (bins) => {
        const clean = cleanBins(bins, BEFORE);
        clean.forEach(({ atMs, bad, all }, at) => {
          expect(atMs % MINUTE).toBe(0);
          expect(atMs).toBeGreaterThanOrEqual(BEFORE.fromMs);
          expect(atMs).toBeLessThan(BEFORE.toMs);
          expect(Number.isSafeInteger(bad) && Number.isSafeInteger(all)).toBe(true);
          expect(bad >= 0 && bad <= all).toBe(true);
          if (at > 0) expect(atMs).toBeGreaterThan(clean[at - 1]!.atMs);
        });
        const total = (counts: readonly { all: number }[]) =>
          counts.reduce((sum, { all }) => sum + all, 0);
        expect(total(hoursOf(bins, BEFORE))).toBe(total(clean));
      }),
      { numRuns: 200, seed: 1 },
    );
  });

  test('groups are looks: by the minute first, by five later, never over an hour’s end', () => {
    const bins = Array.from({ length: 180 }, (_, at) => ({
      atMs: START + at * MINUTE,
      bad: 0,
      all: 1,
    }));
    const groups = groupBins(bins, START, {
      fast: 62 * MINUTE,
      fastInterval: MINUTE,
      interval: 7 * MINUTE,
    });
    expect(groups.slice(0, 62).every(({ all }) => all === 1)).toBe(true);
    expect(groups.slice(62).map(({ all }) => all)).toEqual([
      5, 7, 7, 7, 7, 7, 7, 7, 4, 7, 7, 7, 7, 7, 7, 7, 7, 4,
    ]);
    const times = groups.map(({ atMs }) => atMs);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  test('the shape of the day: 1 where nothing is known, the hours’ own where much is', () => {
    const hours = (count: (hour: number) => number, all: number) =>
      Array.from({ length: 24 }, (_, hour) => ({ bad: count(hour), all }));
    expect(seasonOf([])).toEqual(Array(24).fill(1));
    expect(seasonOf(hours(() => 0, 100))).toEqual(Array(24).fill(1));
    for (const factor of seasonOf(hours(() => 5, 100))) expect(factor).toBeCloseTo(1);
    const evening = seasonOf(hours((hour) => (hour >= 12 ? 3000 : 1000), 100_000));
    expect(evening[3]).toBeCloseTo(0.5, 1);
    expect(evening[18]).toBeCloseTo(1.5, 1);
    // Twelve hours before a deployment speak of the second half of the day that follows.
    const half = seasonOf(hours((hour) => (hour >= 12 ? 3000 : 1000), 100_000).slice(6, 18));
    expect(half[6]).toBe(half[3]);
    expect(half[13]).toBeLessThan(half[22]!);
  });
});
