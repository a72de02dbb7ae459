import { describe, expect, test } from 'vitest';
import { deleteOutdated, outdated, type RetentionInput } from './retention.ts';
import {
  collectorOf,
  failedCall,
  MemoryFiles,
  START_MS,
  taskFailure,
  telemetryPerTest,
  toolCall,
} from './telemetry.test-support.ts';
import { Telemetry } from './telemetry-view.ts';

const DAY_MS = 86_400_000;
const signal = new AbortController().signal;
const KEEP = { eventsMs: 30 * DAY_MS, countsMs: 90 * DAY_MS };
const daysAgo = (days: number) => START_MS - days * DAY_MS;
const window = (fromDays: number, toDays: number) => ({
  fromMs: daysAgo(fromDays),
  toMs: daysAgo(toDays),
});

describe.each(['memory', 'postgres'] as const)('STORE-4 retention on %s', (kind) => {
  const open = telemetryPerTest(kind);
  const input = (named: readonly string[] = []): RetentionInput => ({
    nowMs: START_MS,
    keep: KEEP,
    named: new Set(named),
  });
  const ids = async () =>
    (await open().store.all('SELECT id FROM observe_events ORDER BY id')).map(({ id }) => id);

  /** Events 1 to 4: 100, 40, 31 and 2 days old. */
  async function collect(): Promise<void> {
    const lines = [100, 40, 31, 2].map((days) =>
      days === 40
        ? taskFailure(daysAgo(days))
        : days === 31
          ? failedCall(daysAgo(days), 'broken')
          : toolCall(daysAgo(days)),
    );
    const files = new MemoryFiles().append('events.jsonl', lines.join(''));
    expect(await collectorOf(open().store, files).collect()).toMatchObject({ events: 4 });
  }

  test('a dry run says what would go, and nothing goes', async () => {
    await collect();
    const found = await outdated(open().store, input(['event:3', 'event:99']));
    // Of the oldest event: a minute, an hour and a day, and a latency.
    expect(found).toEqual({ events: 2, named: 1, activeMinutes: 3, counts: 4 });
    expect(await ids()).toEqual([1, 2, 3, 4]);
    expect(await outdated(open().store, input())).toMatchObject({ events: 3, named: 0 });
  });

  test('old events go, counts stay longer, and what a proposal names stays', async () => {
    await collect();
    const { store } = open();
    const would = await outdated(store, input(['event:3']));
    const { named: _, ...went } = would;
    expect(await deleteOutdated(store, input(['event:3']), signal)).toEqual(went);
    expect(await ids()).toEqual([3, 4]);
    const view = new Telemetry(store);
    expect(await view.totals(window(101, 99))).toMatchObject({ events: 0 });
    expect(await view.totals(window(41, 0))).toMatchObject({ events: 3 });
    expect(await outdated(store, input(['event:3']))).toMatchObject({ events: 0, counts: 0 });
    const nothing = { events: 0, activeMinutes: 0, counts: 0 };
    expect(await deleteOutdated(store, input(['event:3']), signal)).toEqual(nothing);
    // Once nothing names it, it goes too.
    expect(await deleteOutdated(store, input(), signal)).toMatchObject({ events: 1 });
  });

  test('stopped half-way it goes on the next time; many pages all go', async () => {
    const lines = Array.from({ length: 2300 }, (_, at) => toolCall(daysAgo(31) - at));
    const files = new MemoryFiles().append('events.jsonl', lines.join(''));
    await collectorOf(open().store, files).collect();
    const { store } = open();
    const stopping = new AbortController();
    const commit = store.commit.bind(store);
    const stops = Object.assign(Object.create(store) as typeof store, {
      commit: (plan: Parameters<typeof commit>[0]) => {
        stopping.abort();
        return commit(plan);
      },
    });
    expect(await deleteOutdated(stops, input(), stopping.signal)).toMatchObject({ events: 1000 });
    expect(await deleteOutdated(store, input(), signal)).toMatchObject({ events: 1300 });
    expect(await ids()).toEqual([]);
  });
});
