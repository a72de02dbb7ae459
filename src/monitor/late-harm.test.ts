/** What is found anywhere: which hours count, which harm is clearest, and when it began. */
import { describe, expect, test } from 'vitest';
import { findingOf, lateHarm, lookAt } from './late-harm.ts';
import type { Series } from './measures.ts';
import type { HourCount } from './norm.ts';
import type { Ring } from './rings.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 2, 16);
const LIMITS = { alpha: 0.05, allowed: 0.25, hours: 336 };

interface Place {
  readonly agent: string;
  readonly tool: string;
  readonly ring: Ring;
}

function series(place: Place, since: number, rate: (hour: number) => number, calls = 100): Series {
  const hour = (at: number): HourCount => ({
    atMs: START + at * HOUR,
    bad: Math.round(calls * rate(at)),
    all: calls,
  });
  return {
    ...place,
    measure: 'failures',
    before: Array.from({ length: 336 }, (_, at) => hour(at - 336)),
    since: Array.from({ length: since }, (_, at) => hour(at)),
  };
}

const OWN = { agent: 'researcher', tool: 'search', ring: 0 } as const;
const FAR = { agent: 'clerk', tool: 'file', ring: 3 } as const;
const FARTHER = { agent: 'porter', tool: 'gate', ring: 3 } as const;
const since = (from: number, rate: number) => (hour: number) => (hour >= from ? rate : 0.02);
const hoursOf = (all: readonly Series[], { agent, tool }: Place) =>
  lookAt(all, LIMITS).find(({ series: one }) => one.agent === agent && one.tool === tool)!.series
    .since.length;

test('trouble at one unrelated place does not hide harm, and does not hide itself', () => {
  const all = [series(OWN, 24, since(0, 0.3)), series(FAR, 24, since(0, 0.5))];
  const found = lateHarm(all, LIMITS).map(({ series: { tool } }) => tool);
  expect(found.toSorted()).toEqual(['file', 'search']);
});

test('an outage that is a hundred times as clear does not hide harm in the same ring', () => {
  const all = [series(FAR, 72, since(0, 0.1), 20), series(FARTHER, 72, since(0, 0.9), 1000)];
  const found = lateHarm(all, LIMITS).map(({ series: { tool } }) => tool);
  expect(found.toSorted()).toEqual(['file', 'gate']);
});

test('an hour in which two tools and two agents out of reach are ill says nothing of the rest', () => {
  const outage = (hour: number) => (hour >= 40 && hour < 44 ? 0.5 : 0.02);
  const fleet = (second: Place) => [
    series(OWN, 72, outage),
    series(FAR, 72, outage),
    series(second, 72, outage),
  ];
  expect(hoursOf(fleet(FARTHER), OWN)).toBe(68);
  expect(hoursOf(fleet(FARTHER), FAR)).toBe(72);
  // One agent that is ill at all its tools is one place.
  expect(hoursOf(fleet({ ...FAR, tool: 'stamp' }), OWN)).toBe(72);
  // Beyond chance, but no worse than 25 %.
  const busy = (place: Place) => series(place, 72, (hour) => (hour === 40 ? 0.24 : 0.2), 10_000);
  expect(hoursOf([series(OWN, 72, outage), busy(FAR), busy(FARTHER)], OWN)).toBe(72);
});

test('a farther caller of the same tool explains an hour by itself', () => {
  const outage = (hour: number) => (hour >= 40 && hour < 44 ? 0.5 : 0.02);
  const near = { agent: 'auditor', tool: 'mail', ring: 2 } as const;
  const far = { agent: 'clerk', tool: 'mail', ring: 3 } as const;
  const all = [series(OWN, 72, since(0, 0.02)), series(near, 72, outage), series(far, 72, outage)];
  expect(hoursOf(all, near)).toBe(68);
  expect(hoursOf(all, OWN)).toBe(72);
});

test('trouble that lasts is no exception: at most a tenth of the hours is left out', () => {
  const ill = since(0, 0.5);
  const all = (hours: number) => [
    series(OWN, hours, ill),
    series(FAR, hours, ill),
    series(FARTHER, hours, ill),
  ];
  expect(hoursOf(all(24), OWN)).toBe(18);
  expect(hoursOf(all(200), OWN)).toBe(180);
  expect(lateHarm(all(24), LIMITS).some(({ series: { ring } }) => ring === 0)).toBe(true);
});

test('the clearest harm is first, whichever agent is named first', () => {
  const far = Array.from({ length: 6 }, (_, at) =>
    series({ agent: `a${at}`, tool: `t${at}`, ring: 3 }, 24, since(0, 0.1)),
  );
  const all = [...far, series({ ...OWN, agent: 'z' }, 24, since(0, 0.6))];
  const order = (some: readonly Series[]) => lateHarm(some, LIMITS)[0]!.series.tool;
  expect(order(all)).toBe('search');
  expect(order(all.toReversed())).toBe('search');
});

test('harm began when it did, and not with the morning that always fails more', () => {
  // Mornings fail nearly six times as often as evenings.
  const daily = (hour: number) => 0.05 * (1 + 0.7 * Math.sin((hour * Math.PI) / 12));
  const harmed = series(OWN, 60, (hour) => daily(hour) * (hour >= 30 ? 2 : 1), 1000);
  const [found] = lateHarm([harmed], LIMITS);
  expect(found!.onsetMs).toBe(START + 30 * HOUR);
  // The same morning without harm is nothing.
  const [quiet] = lookAt([series(OWN, 53, daily, 1000)], LIMITS);
  expect(findingOf(quiet!, LIMITS)).toBeUndefined();
});

describe('harm that no level shows the beginning of', () => {
  const hoursFrom = (from: number, rates: readonly number[]) =>
    rates.map((rate, at) => ({
      atMs: START + (from + at) * HOUR,
      bad: Math.round(120 * rate),
      all: 120,
    }));
  const found = (before: HourCount[], now: HourCount[]) =>
    findingOf(lookAt([{ ...OWN, measure: 'failures', before, since: now }], LIMITS)[0]!, LIMITS)!;
  /** Few failures, and all of them at once: a step between two such rates takes weeks to show. */
  const rare = Array.from({ length: 36 }, (_, at) => (at % 6 === 5 ? 6 / 120 : 0));

  test('may have begun with the change, where it was well before, however short that was', () => {
    const { onsetLowMs, onsetHighMs } = found(hoursFrom(-9, Array(9).fill(0)), hoursFrom(0, rare));
    expect(onsetLowMs).toBeLessThanOrEqual(START + 6 * HOUR);
    expect(onsetHighMs).toBeGreaterThanOrEqual(START);
  });

  test('is told from the deployment by the time before that, however long ago it was', () => {
    // Four hours on every day but the first.
    const spells = Array.from({ length: 200 }, (_, at) => (at > 24 && at % 24 < 4 ? 0.5 : 0.01));
    const { onsetHighMs } = found(hoursFrom(-9, Array(9).fill(0.01)), hoursFrom(0, spells));
    expect(onsetHighMs).toBeGreaterThan(START + 24 * HOUR);
  });

  test('began before it, where it was as ill then', () => {
    const weeks = [...Array(168).fill(0.025), ...Array(168).fill(0.1)];
    const { onsetHighMs } = found(hoursFrom(-336, weeks), hoursFrom(0, Array(72).fill(0.1)));
    expect(onsetHighMs).toBeLessThan(START);
  });
});

describe('telemetry that is not in order', () => {
  const whole = series(OWN, 60, since(20, 0.035), 120);
  /** How near it is to an alarm, by a process that has looked at all of these before. */
  const evidenceAfter = (...looks: readonly (readonly HourCount[])[]) => {
    // Counts of hours before are the same array at every look; a process that starts anew has another.
    const before = [...whole.before];
    let last: ReturnType<typeof lookAt> = [];
    for (const hours of looks) last = lookAt([{ ...whole, before, since: hours }], LIMITS);
    return last[0]!.evidence;
  };
  const hours = whole.since;
  const expected = evidenceAfter(hours);

  test('looks at every hour end where one look at all of them does', () => {
    const looks = hours.map((_, at) => hours.slice(0, at + 1));
    expect(evidenceAfter(...looks)).toBe(expected);
    expect(expected).toBeGreaterThan(1);
  });

  test('an hour that comes late, in part or whole, counts as if it had come in time', () => {
    const late = hours.filter((_, at) => at !== 30);
    const half = hours.map((hour, at) => (at === 40 ? { ...hour, bad: 0, all: 60 } : hour));
    expect(evidenceAfter(late.slice(0, 45), late, half, hours)).toBe(expected);
    expect(evidenceAfter(late)).not.toBe(expected);
  });

  test('a clock that jumps back shows fewer hours, and nothing that was seen is kept', () => {
    expect(evidenceAfter(hours, hours.slice(0, 10))).toBe(evidenceAfter(hours.slice(0, 10)));
    expect(evidenceAfter(hours, hours.slice(0, 10), hours)).toBe(expected);
  });
});
