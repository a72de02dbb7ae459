import { describe, expect, test } from 'vitest';
import { drawer } from './calls.test-support.ts';
import { findLoadLimit, type LoadedCall } from './load-limit.ts';

interface World {
  readonly calls: number;
  readonly perMinute: number;
  readonly meanMs: number;
  readonly seed?: number;
}

/** Calls that come by chance; `admit` is asked in the order of time. */
function played(
  { calls, perMinute, meanMs, seed = 7 }: World,
  admit: (startMs: number, draw: number, end: (ms: number) => void) => boolean,
): LoadedCall[] {
  const draw = drawer(seed);
  let nowMs = 1_000_000;
  return Array.from({ length: calls }, () => {
    nowMs += (-Math.log(1 - draw()) * 60_000) / perMinute;
    const latencyMs = -Math.log(1 - draw()) * meanMs;
    let endMs = nowMs + latencyMs;
    const isAdmitted = admit(nowMs, draw(), (ms) => {
      endMs = ms;
    });
    const startMs = nowMs;
    if (!isAdmitted) endMs = startMs + 2;
    return {
      agent: 'a',
      tool: 't',
      startMs,
      endMs,
      failedWith: isAdmitted ? null : 'busy',
      isRefused: !isAdmitted,
    };
  });
}

function withSlots(world: World, capacity: number): LoadedCall[] {
  const draw = drawer(99);
  let ends: number[] = [];
  return played(world, (nowMs, _, setEnd) => {
    ends = ends.filter((ms) => ms > nowMs);
    if (ends.length >= capacity) return false;
    const endMs = nowMs - Math.log(1 - draw()) * world.meanMs;
    ends.push(endMs);
    setEnd(endMs);
    return true;
  });
}

function withBucket(world: World, quota: number, burst: number): LoadedCall[] {
  let [tokens, lastMs] = [burst, 1_000_000];
  return played(world, (nowMs) => {
    tokens = Math.min(burst, tokens + ((nowMs - lastMs) / 60_000) * quota);
    lastMs = nowMs;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  });
}

describe('a limit on load', () => {
  test.each([2, 5, 17])('slots are found exactly: %i', (capacity) => {
    const world = { calls: 2000, perMinute: 1.2 * capacity, meanMs: 40_000 };
    expect(findLoadLimit(withSlots(world, capacity))).toMatchObject({ kind: 'slots', capacity });
  });

  test.each([
    [3, 1, 0.7],
    [12, 3, 0.7],
    [60, 10, 1.05],
    [600, 60, 1.1],
  ])('a quota is found within a tenth: %i a minute, %i at once', (quota, burst, demand) => {
    const world = { calls: 2500, perMinute: quota * demand, meanMs: 800 };
    const found = findLoadLimit(withBucket(world, quota, burst));
    expect(found?.kind).toBe('rate');
    if (found?.kind !== 'rate') return;
    expect(found.perMinute / quota).toBeGreaterThan(0.9);
    expect(found.perMinute / quota).toBeLessThan(1.12);
  });

  test('a quota of the clock’s minutes is found', () => {
    let [minute, used] = [0, 0];
    const calls = played({ calls: 2500, perMinute: 20, meanMs: 500 }, (nowMs) => {
      const now = Math.floor(nowMs / 60_000);
      if (now !== minute) [minute, used] = [now, 0];
      used++;
      return used <= 20;
    });
    expect(findLoadLimit(calls)).toMatchObject({ kind: 'rate', lowPerMinute: 20 });
  });

  test('what is refused by chance shows no limit, whatever its share', () => {
    for (const share of [0.02, 0.1, 0.5, 0.9])
      for (let seed = 1; seed <= 2; seed++) {
        const world = { calls: 1500, perMinute: 30, meanMs: 5000, seed };
        expect(findLoadLimit(played(world, (_, draw) => draw >= share))).toBeUndefined();
      }
  });

  test('nor does an outage', () => {
    const calls = played(
      { calls: 1500, perMinute: 30, meanMs: 5000 },
      (nowMs) => nowMs < 1_000_000 + 20 * 60_000 || nowMs > 1_000_000 + 26 * 60_000,
    );
    expect(findLoadLimit(calls)).toBeUndefined();
  });

  test('a few refusals are not enough', () => {
    expect(
      findLoadLimit(withSlots({ calls: 14, perMinute: 40, meanMs: 60_000 }, 1)),
    ).toBeUndefined();
  });
});
