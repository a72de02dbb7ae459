/** Tools that share places, learnt from calls that overlap; and everything else that makes two tools fail in the same hours. */
import { expect, test } from 'vitest';
import type { RecentCall } from '../facts/index.ts';
import { chanceOfOverlap } from './overlap.ts';
import { type PoolWorld, poolCalls } from './shared-pool.test-support.ts';

const HOUR = 3_600_000;
const PATIENT = () => 600_000;

function chanceIn(world: Partial<PoolWorld>): number {
  const hours = world.hours ?? 12;
  const { press, stamp } = poolCalls({ seed: 1, startMs: 0, hours, limitMs: PATIENT, ...world });
  return chanceOfOverlap({ suffering: failed(stamp), holding: press, untilMs: hours * HOUR });
}

const failed = (calls: readonly RecentCall[]) =>
  calls.map((call) => ({ call, suffered: call.failedWith === null ? 0 : 1 }));
const SEEDS = Array.from({ length: 20 }, (_, seed) => seed);

test('calls that find no place while another tool holds them all', () => {
  expect(SEEDS.filter((seed) => chanceIn({ seed, places: 9 }) < 0.001)).toHaveLength(20);
});

test('places that are full at the busy hours of the day alone: quiet hours say nothing against it', () => {
  const isBusy = (atMs: number) => atMs >= 8 * HOUR && atMs < 18 * HOUR;
  const limitMs = (atMs: number) => (isBusy(atMs) ? 600_000 : 60_000);
  const chances = SEEDS.map((seed) => chanceIn({ seed, hours: 24, places: 9, limitMs }));
  expect(chances.filter((chance) => chance < 0.001).length).toBeGreaterThan(14);
});

test.each<[string, PoolWorld['failing']]>([
  ['fails all the time', () => 0.3],
  ['has an outage of two hours', (atMs) => (atMs > 5 * HOUR && atMs < 7 * HOUR ? 0.6 : 0.005)],
  ['fails by the hour of the day', (atMs) => 0.2 * (1 - Math.cos((Math.PI * atMs) / (12 * HOUR)))],
])('a tool with places of its own that %s shares nothing', (_name, failing) => {
  const chances = SEEDS.map((seed) => chanceIn({ seed, ...(failing && { failing }) }));
  expect(chances.filter((chance) => chance < 0.001)).toHaveLength(0);
  expect(chances.filter((chance) => chance < 0.1).length).toBeLessThan(8);
});

test('a world a hundred times faster says the same', () => {
  const fast = (calls: readonly RecentCall[]) =>
    calls.map((one) => ({ ...one, startMs: one.startMs / 100, endMs: one.endMs / 100 }));
  const { press, stamp } = poolCalls({
    seed: 1,
    startMs: 0,
    hours: 12,
    limitMs: PATIENT,
    places: 9,
  });
  const asked = { suffering: failed(fast(stamp)), holding: fast(press), untilMs: 0.12 * HOUR };
  expect(chanceOfOverlap(asked)).toBeLessThan(0.001);
});

test('too little time, too few calls or none at all say nothing', () => {
  expect(chanceIn({ places: 9, hours: 2 })).toBe(1);
  const { press, stamp } = poolCalls({ seed: 1, startMs: 0, hours: 12, limitMs: PATIENT });
  const untilMs = 12 * HOUR;
  expect(chanceOfOverlap({ suffering: [], holding: press, untilMs })).toBe(1);
  expect(chanceOfOverlap({ suffering: failed(stamp), holding: [], untilMs })).toBe(1);
  const few = failed(stamp.filter((_, at) => at % 100 === 0));
  expect(chanceOfOverlap({ suffering: few, holding: press, untilMs })).toBe(1);
});
