import { describe, expect, test } from 'vitest';
import { isKept, keptShare, overheadShare } from './overhead.ts';
import { readSources } from './sources-view.ts';
import {
  collectorOf,
  failedCall,
  MemoryFiles,
  SETTINGS,
  START_MS,
  telemetryPerTest,
  toolCall,
} from './telemetry.test-support.ts';
import { Telemetry } from './telemetry-view.ts';
import type { CleanEvent } from './types.ts';

const WINDOW = { fromMs: START_MS - 3_600_000, toMs: START_MS + 3_600_000 };

describe.each(['memory', 'postgres'] as const)('OBS-9 what observing costs, on %s', (kind) => {
  const open = telemetryPerTest(kind);

  /** Each batch of 500 calls of 10 ms each costs so much; every tenth fails. */
  async function collect(costMs: number, batchSteps = 500) {
    const { store } = open();
    const lines = Array.from({ length: 6000 }, (_, n) => {
      const fields = { session_id: `s${Math.floor(n / 10)}`, latency_ms: 10 };
      return n % 10 === 9 ? failedCall(START_MS + n, 'no', fields) : toolCall(START_MS + n, fields);
    });
    const files = new MemoryFiles().append('events.jsonl', lines.join(''));
    let calls = 0;
    const collector = collectorOf(store, files, {
      settings: { ...SETTINGS, overhead: 0.05 },
      batchSteps,
      // Read before and after each batch.
      cpuMs: () => calls++ * costMs,
    });
    const { events, notes } = await collector.collect();
    const [source] = await readSources(store);
    const kept = await store.all('SELECT session, failed FROM observe_events');
    return { store, events, notes, source: source!, kept };
  }

  test('below the bound everything is kept', async () => {
    const { events, notes, source, kept } = await collect(249);
    expect([events, kept.length, source.sampled, notes]).toEqual([6000, 6000, 0, []]);
    expect(source.overheadShare).toBeLessThan(0.05);
  });

  test('where few events come at once, nothing is left out, whatever a commit costs', async () => {
    const { source, kept } = await collect(2000, 400);
    expect([kept.length, source.sampled, source.overheadShare]).toEqual([6000, 0, null]);
  });

  test('above it whole sessions are left out, failures are kept, counts are exact, and it is said', async () => {
    const { store, events, notes, source, kept } = await collect(2000);
    expect(events).toBe(6000);
    expect(kept.length).toBeLessThan(3000);
    expect(source).toMatchObject({ events: kept.length, sampled: 6000 - kept.length });
    expect(source.overheadShare).toBeGreaterThan(0.3);
    expect(kept.filter(({ failed }) => failed === 1)).toHaveLength(600);
    expect(await new Telemetry(store).totals(WINDOW)).toMatchObject({ events: 6000 });
    const [bin] = await new Telemetry(store).rates('error_rate', WINDOW, {});
    expect(bin).toMatchObject({ bad: 600, all: 6000 });
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(/Observing costs \d+\.\d % of what is observed, which is too much/);
    // A session is there as a whole, or with its failure alone.
    const sizes = [...Map.groupBy(kept, ({ session }) => session).values()].map((of) => of.length);
    expect(new Set(sizes)).toEqual(new Set([1, 10]));
  });
});

test('OBS-9 a smaller share is part of a larger one, and no share is unknown where nothing has a time', () => {
  const events = Array.from({ length: 2000 }, (_, n) => ({ session: `s${n}` }) as CleanEvent);
  const kept = (share: number) => events.filter((event) => isKept(event, share));
  for (const share of [1 / 2, 1 / 4, 1 / 16]) {
    expect(kept(share).length / events.length).toBeCloseTo(share, 1);
    expect(kept(2 * share)).toEqual(expect.arrayContaining(kept(share)));
  }
  const [event] = events;
  expect(isKept({ ...event!, traceId: 'a' }, 1 / 2)).toBe(
    isKept({ session: 'other', traceId: 'a' } as CleanEvent, 1 / 2),
  );
  expect(overheadShare({ costMs: 5, observedMs: 0 })).toBeNull();
  expect(keptShare({ costMs: 5, observedMs: 0 }, 0.05)).toBe(1);
  expect(keptShare({ costMs: 5, observedMs: 100 }, 0.05)).toBe(1);
  expect(keptShare({ costMs: 6, observedMs: 100 }, 0.05)).toBe(1 / 2);
  expect(keptShare({ costMs: 1e9, observedMs: 1 }, 0.05)).toBe(1 / 64);
});
