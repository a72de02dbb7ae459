/** The newest calls of a tool, read again and again: as if they had never been read before. */
import { describe, expect, test } from 'vitest';
import { RecentCalls } from './recent-calls.ts';
import {
  collectorOf,
  MemoryFiles,
  START_MS,
  telemetryPerTest,
  toolCall,
} from './telemetry.test-support.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY = { fromMs: START_MS, toMs: START_MS + 24 * HOUR_MS };
const at = (minutes: number) => START_MS + minutes * MINUTE_MS;
const ALL = { tool: 'search', calls: 1 };

describe('recent calls', () => {
  const open = telemetryPerTest('memory');
  const writer = () => {
    const { store, clock } = open();
    clock.advance(48 * HOUR_MS);
    const files = new MemoryFiles();
    const collector = collectorOf(store, files);
    return async (...lines: string[]) => {
      files.append('events.jsonl', lines.join(''));
      await collector.collect();
    };
  };

  test('a call that comes late into an hour that was read is found, and hours without news are not read again', async () => {
    const write = writer();
    const { store } = open();
    const reads: string[] = [];
    const counted = {
      ...store,
      all: (sql: string, values?: readonly (string | number)[]) => {
        if (sql.includes('e.body')) reads.push(sql);
        return store.all(sql, values);
      },
    };
    const calls = new RecentCalls(counted as typeof store);
    await write(toolCall(at(1)), toolCall(at(70)), toolCall(at(71), { tool: 'read' }));
    const times = async () => (await calls.read([ALL], DAY)).get('search')!.map((one) => one.endMs);
    expect(await times()).toEqual([at(1), at(70)]);
    expect(reads).toHaveLength(2);
    expect(await times()).toEqual([at(1), at(70)]);
    expect(reads).toHaveLength(2);
    await write(toolCall(at(2)));
    expect(await times()).toEqual([at(1), at(2), at(70)]);
    expect(reads).toHaveLength(3);
  });

  test('with any window and little memory they are the same as when they are read for the first time', async () => {
    await writer()(...Array.from({ length: 60 }, (_, n) => toolCall(at(n * 4.1))));
    const { store } = open();
    const limits = { callsMax: 9 };
    const calls = new RecentCalls(store, { ...limits, keptMax: 20 });
    const roomy = new RecentCalls(store, limits);
    for (let minute = 5; minute < 250; minute += 13) {
      const window = { fromMs: at(minute / 3), toMs: at(minute) };
      for (const asked of [ALL, { ...ALL, untilMs: at(minute - 20) }, { ...ALL, calls: 90 }]) {
        const fresh = await new RecentCalls(store, limits).read([asked], window);
        expect(await calls.read([asked], window)).toEqual(fresh);
        expect(await roomy.read([asked], window)).toEqual(fresh);
      }
    }
  });

  test('of an hour with more calls than are kept, those before a time in it are found too', async () => {
    await writer()(...Array.from({ length: 30 }, (_, n) => toolCall(at(n))));
    const calls = new RecentCalls(open().store, { callsMax: 5 });
    const times = async (untilMs: number) => {
      const found = await calls.read([{ ...ALL, untilMs }], DAY);
      return found.get('search')!.map(({ endMs }) => (endMs - START_MS) / MINUTE_MS);
    };
    expect(await times(at(60))).toEqual([25, 26, 27, 28, 29]);
    expect(await times(at(10))).toEqual([5, 6, 7, 8, 9]);
  });
});
