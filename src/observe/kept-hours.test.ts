import { expect, test } from 'vitest';
import type { Window } from '../facts/index.ts';
import { eventsByHour, KeptHours } from './kept-hours.ts';
import { HOUR_MS } from './units.ts';

/** Two rows for each hour; `events` says how many were counted in each, and every read is noted. */
function kept(events: Map<number, number>, rowsMax?: number) {
  const reads: [number, number][] = [];
  const store = {
    all: async (_: string, [fromMs, toMs]: readonly unknown[] = []) =>
      [...events]
        .map(([hour, count]) => ({ at_ms: hour * HOUR_MS, events: count }))
        .filter(({ at_ms }) => at_ms >= Number(fromMs) && at_ms < Number(toMs)),
  };
  const read = async ({ fromMs, toMs }: Window) => {
    reads.push([fromMs / HOUR_MS, toMs / HOUR_MS]);
    const hours = [...events.keys()].filter(
      (hour) => hour * HOUR_MS >= fromMs && hour * HOUR_MS < toMs,
    );
    return hours.flatMap((hour) => [{ at_ms: hour * HOUR_MS }, { at_ms: hour * HOUR_MS + 1 }]);
  };
  const hours = new KeptHours(store, read, rowsMax);
  const ask = async (from: number, to: number) => {
    const rows = await hours.rows({ fromMs: from * HOUR_MS, toMs: to * HOUR_MS });
    return { rows: rows.length, read: reads.splice(0) };
  };
  return { ask };
}

const eventsOf = (hours: number) =>
  new Map<number, number>(Array.from({ length: hours }, (_, hour) => [hour, 1]));

test('only hours that changed are read again, not those between them', async () => {
  const events = eventsOf(10);
  const { ask } = kept(events);
  expect(await ask(0, 10)).toEqual({ rows: 20, read: [[0, 10]] });
  expect(await ask(0, 10)).toEqual({ rows: 20, read: [] });
  for (const hour of [1, 8, 9]) events.set(hour, 2);
  expect(await ask(0, 10)).toEqual({
    rows: 20,
    read: [
      [1, 2],
      [8, 10],
    ],
  });
});

test('what is kept is bounded by rows, and what was asked for last stays', async () => {
  const { ask } = kept(eventsOf(10), 8);
  expect((await ask(0, 4)).read).toEqual([[0, 4]]);
  expect((await ask(6, 8)).read).toEqual([[6, 8]]);
  expect((await ask(6, 8)).read).toEqual([]);
  // The two oldest had to go.
  expect((await ask(0, 4)).read).toEqual([[0, 2]]);
  // More than can be kept is answered all the same.
  expect((await ask(0, 10)).rows).toBe(20);
});

test('hours that are gone are not answered', async () => {
  const events = eventsOf(3);
  const { ask } = kept(events);
  await ask(0, 3);
  events.delete(0);
  expect((await ask(0, 3)).rows).toBe(4);
});

test('events are counted once for each content of the store, also for a part of what was asked', async () => {
  const asked: unknown[] = [];
  let [revision, count] = ['a', 1];
  const store = {
    revision: async () => revision,
    all: async (_: string, values: readonly unknown[] = []) => {
      asked.push(values);
      return [0, 1, 2].map((hour) => ({ at_ms: hour * HOUR_MS, events: count }));
    },
  };
  const counted = async (from: number, to: number) =>
    [...(await eventsByHour(store, { fromMs: from * HOUR_MS, toMs: to * HOUR_MS })).entries()].map(
      ([hour, events]) => [hour / HOUR_MS, events],
    );
  expect((await counted(0, 3)).length).toBe(3);
  expect(await counted(1, 2)).toEqual([[1, 1]]);
  expect(asked).toEqual([[0, 3 * HOUR_MS]]);
  [revision, count] = ['b', 2];
  expect((await counted(0, 3)).at(-1)).toEqual([2, 2]);
  expect(await counted(1, 2)).toEqual([[1, 2]]);
  await counted(0, 4);
  expect(asked.length).toBe(3);
});
