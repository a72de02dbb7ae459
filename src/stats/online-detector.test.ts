import { describe, expect, it } from 'vitest';
import { type Random, seededRandom } from '../base/index.ts';
import { ALARM_PROBABILITY } from './alarm-gate.ts';
import { StatsError } from './errors.ts';
import { autoregressive, gaussian, poissonCount } from './noise.test-support.ts';
import { OnlineDetector, type Reading } from './online-detector.ts';

const INTERVAL_MS = 300_000;
const PER_DAY = 288;

interface Watched {
  readonly detector: OnlineDetector;
  readonly alarms: readonly number[];
  readonly underThreshold: number;
  readonly readings: ReadonlyMap<number, Reading>;
}

function watch(values: ArrayLike<number>, intervalMs = INTERVAL_MS): Watched {
  const detector = new OnlineDetector();
  const alarms: number[] = [];
  const readings = new Map<number, Reading>();
  let underThreshold = 0;
  for (let i = 0; i < values.length; i++) {
    if (detector.push(i * intervalMs, values[i]!) < ALARM_PROBABILITY) underThreshold += 1;
    if (!detector.alarm) continue;
    alarms.push(i);
    readings.set(i, detector.reading());
  }
  return { detector, alarms, underThreshold, readings };
}

function noise(length: number, seed: number, signal: (i: number) => number = () => 0): number[] {
  const random = seededRandom(seed);
  return Array.from({ length }, (_, i) => signal(i) + gaussian(random));
}

const LAWS: readonly (readonly [string, (random: Random) => number])[] = [
  ['normal', gaussian],
  ['uniform', (random) => random.next()],
  ['exponential', (random) => -Math.log1p(-random.next())],
  ['lognormal', (random) => Math.exp(gaussian(random))],
  ['Cauchy', (random) => Math.tan(Math.PI * (random.next() - 0.5))],
  ['rare counts', (random) => poissonCount(random, 0.3)],
  ['counts', (random) => poissonCount(random, 12)],
];

describe('the online detector', () => {
  it.each(LAWS)('is under its threshold at most as often as the threshold says: %s', (_, draw) => {
    let under = 0;
    const length = 6000;
    for (let seed = 1; seed <= 5; seed++) {
      const random = seededRandom(seed);
      under += watch(Array.from({ length }, () => draw(random))).underThreshold;
    }
    // Cauchy's law, whose mean does not exist, uses all of it; the others use half.
    expect(under / (5 * length)).toBeLessThanOrEqual(1.25 * ALARM_PROBABILITY);
  });

  it('keeps that promise on correlated noise and on a noisy season', () => {
    const correlated = autoregressive(seededRandom(3), 10_000, 0.8);
    expect(watch(correlated).underThreshold / 10_000).toBeLessThanOrEqual(ALARM_PROBABILITY);
    const season = noise(10_000, 4, (i) => 5 * Math.sin((2 * Math.PI * i) / PER_DAY));
    expect(watch(season).underThreshold / 10_000).toBeLessThanOrEqual(ALARM_PROBABILITY);
  });

  it('finds a spike at once and says what it saw', () => {
    const values = noise(3000, 5);
    values[2500] = 12;
    const { readings } = watch(values);
    expect(readings.get(2500)).toMatchObject({ alarm: true, direction: 'up' });
    expect(readings.get(2500)!.witness).toBeDefined();
  });

  it('does not expect an outlier to last, however much neighbours have in common', () => {
    const values = autoregressive(seededRandom(17), 3000, 0.95);
    const detector = new OnlineDetector();
    values[2500]! += 60;
    values[2501]! += 60;
    for (let i = 0; i <= 2501; i++) detector.push(i * INTERVAL_MS, values[i]!);
    expect(detector.reading().probability).toBeLessThan(1e-5);
    expect(detector.reading().witness).toBe('step for the time of day');
  });

  it('makes a lasting new level one alarm, not many', () => {
    const { alarms } = watch(noise(4000, 6, (i) => (i < 2500 ? 0 : 9)));
    expect(alarms).toContain(2500);
    expect(alarms.filter((index) => index > 2500).length).toBeLessThanOrEqual(4);
  });

  it('misses a daily peak that does not come', () => {
    const isPeak = (i: number) => i % PER_DAY >= 100 && i % PER_DAY < 160;
    const quietDay = 9;
    const values = noise(12 * PER_DAY, 7, (i) =>
      isPeak(i) && Math.floor(i / PER_DAY) !== quietDay ? 30 : 0,
    );
    const { alarms } = watch(values);
    const expectedAt = quietDay * PER_DAY + 100;
    expect(alarms.some((index) => index >= expectedAt && index < expectedAt + 10)).toBe(true);
    const afterLearning = alarms.filter((index) => index > 3 * PER_DAY && index < expectedAt);
    expect(afterLearning.length).toBeLessThanOrEqual(2);
  });

  it('gets used to a spike that comes every day', () => {
    const values = noise(20 * PER_DAY, 8, (i) => (i % PER_DAY === 50 ? 40 : 0));
    const { alarms } = watch(values);
    const atSpike = alarms.filter((index) => index % PER_DAY >= 50 && index % PER_DAY <= 52);
    expect(atSpike.filter((index) => index > 3 * PER_DAY)).toEqual([]);
  });

  it('learns that weekends are quiet', () => {
    const isWeekend = (i: number) => Math.floor(i / 24) % 7 >= 5;
    const values = noise(24 * 7 * 16, 9, (i) => (isWeekend(i) ? 0 : 20));
    const { alarms, detector } = watch(values, 3_600_000);
    const expectedAt = (index: number) => {
      detector.push(index * 3_600_000, isWeekend(index) ? 0 : 20);
      return detector.reading().expected;
    };
    expect(expectedAt(values.length + 24 * 2 + 12)).toBeGreaterThan(16);
    expect(expectedAt(values.length + 24 * 5 + 12)).toBeLessThan(8);
    const switches = alarms.filter((index) => [0, 1, 120, 121].includes(index % (24 * 7)));
    expect(switches.length).toBeGreaterThan(0);
    // Of twenty later switches, one now and then is a record by a little.
    expect(switches.filter((index) => index > 24 * 7 * 6).length).toBeLessThanOrEqual(2);
  });

  it('notices a stuck sensor', () => {
    const values = noise(3000, 10);
    values.fill(values[2500]!, 2500, 2700);
    const { alarms, readings } = watch(values);
    const found = alarms.find((index) => index >= 2500 && index < 2600);
    expect(readings.get(found!)?.witness).toBe('stillness');
  });

  it('follows a slow trend without alarms', () => {
    const { underThreshold } = watch(noise(8000, 11, (i) => i / 400));
    expect(underThreshold / 8000).toBeLessThanOrEqual(ALARM_PROBABILITY);
  });

  it('calls the first move of a constant as rare as the points before it', () => {
    const values = new Array<number>(1000).fill(7);
    values[900] = 8;
    const { alarms, detector } = watch(values);
    expect(alarms).toEqual([900]);
    expect(detector.reading().expected).toBe(7);
    expect(watch(new Array<number>(5000).fill(0)).alarms).toEqual([]);
  });

  it('is silent while it is cold', () => {
    const values = noise(100, 12, (i) => (i === 60 ? 1000 : 0));
    expect(watch(values).alarms).toEqual([]);
    expect(watch([]).alarms).toEqual([]);
    expect(watch([3]).alarms).toEqual([]);
  });

  it('does not depend on the unit', () => {
    const values = noise(3000, 13, (i) => (i === 2000 ? 15 : 0));
    const { alarms } = watch(values);
    for (const unit of [2 ** -30, 2 ** 30, -1])
      expect(watch(values.map((value) => value * unit)).alarms).toEqual(alarms);
  });

  it('takes a gap as no evidence, in values and in time', () => {
    const values = noise(2000, 14);
    const holes = values.map((value, i) => (i % 7 === 3 ? Number.NaN : value));
    expect(watch(holes).underThreshold / 2000).toBeLessThanOrEqual(2 * ALARM_PROBABILITY);
    const detector = new OnlineDetector();
    values.forEach((value, i) => {
      detector.push(i * INTERVAL_MS, value);
    });
    const hourMs = 3_600_000;
    expect(detector.push(2000 * INTERVAL_MS + 77 * hourMs, 0.5)).toBe(1);
  });

  it('bears a clock that is set back', () => {
    const detector = new OnlineDetector();
    const values = noise(2000, 15);
    values.forEach((value, i) => {
      expect(detector.push((i % 500) * INTERVAL_MS, value)).toBeGreaterThan(0);
    });
  });

  it('refuses infinities by name and goes on afterwards', () => {
    const detector = new OnlineDetector();
    expect(() => detector.push(0, Infinity)).toThrow(StatsError);
    expect(() => detector.push(Number.NaN, 1)).toThrow(/not finite/);
    expect(detector.push(0, 1)).toBe(1);
  });

  it('stays finite for numbers at the ends of the range', () => {
    const random = seededRandom(16);
    for (const size of [1e-300, 1e300]) {
      const detector = new OnlineDetector();
      for (let i = 0; i < 500; i++) {
        const probability = detector.push(i * INTERVAL_MS, size * random.next());
        expect(probability).toBeGreaterThan(0);
        expect(probability).toBeLessThanOrEqual(1);
      }
    }
  });
});
