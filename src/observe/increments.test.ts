/** Sums by hours and days, and rates that are read in increments, against what all minutes and all events say. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RATE_METRICS, type RateBin, type RateMetric, type Window } from '../facts/index.ts';
import type { Store } from '../store/index.ts';
import {
  collectorOf,
  failedCall,
  feedback,
  MemoryFiles,
  START_MS,
  taskFailure,
  telemetryPerTest,
  toolCall,
} from './telemetry.test-support.ts';
import { Telemetry } from './telemetry-view.ts';
import { DAY_MS, floorTo, HOUR_MS, MINUTE_MS } from './units.ts';

const FILE = 'events.jsonl';

interface Told {
  readonly atMs: number;
  readonly what: 'call' | 'failed' | 'task' | 'corrected';
  readonly agent: string;
  readonly session: string;
}

/** Most are new, some come late, by days. */
const told = fc.record({
  atMs: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: START_MS - 2 * HOUR_MS, max: START_MS }) },
    { weight: 1, arbitrary: fc.integer({ min: START_MS - 3 * DAY_MS, max: START_MS }) },
  ),
  what: fc.constantFrom<Told['what']>('call', 'failed', 'task', 'corrected'),
  agent: fc.constantFrom('coder', 'writer'),
  session: fc.constantFrom('s1', 's2', 's3'),
});
const window = fc
  .tuple(fc.integer({ min: 0, max: 4 * 24 * 60 }), fc.integer({ min: 0, max: 3 * 24 * 60 }))
  .map(([before, length]) => {
    const fromMs = START_MS - before * MINUTE_MS - 1234;
    return { fromMs, toMs: fromMs + length * MINUTE_MS };
  });

function lineOf({ atMs, what, agent, session: session_id }: Told): string {
  const fields = { agent, session_id };
  if (what === 'call') return toolCall(atMs, fields);
  if (what === 'failed') return failedCall(atMs, 'no answer', fields);
  if (what === 'task') return taskFailure(atMs, fields);
  return feedback(atMs, 'thumbs_down', fields);
}

const outwards = ({ fromMs, toMs }: Window) => ({
  fromMs: floorTo(MINUTE_MS, fromMs),
  toMs: -floorTo(MINUTE_MS, -toMs),
});

/** From the events themselves. */
function ratesOf(
  all: readonly Told[],
  metric: RateMetric,
  asked: Window,
  agent?: string,
): RateBin[] {
  const { fromMs, toMs } = outwards(asked);
  const own = all.filter(
    (one) => one.atMs >= fromMs && one.atMs < toMs && (agent ?? one.agent) === one.agent,
  );
  const isCall = ({ what }: Told) => what === 'call' || what === 'failed';
  const counted = metric === 'error_rate' ? own.filter(isCall) : own;
  const bad = { error_rate: 'failed', task_failure_rate: 'task', correction_rate: 'corrected' }[
    metric
  ];
  const size = (some: readonly Told[]) =>
    metric === 'error_rate' ? some.length : new Set(some.map(({ session }) => session)).size;
  return [...Map.groupBy(counted, ({ atMs }) => floorTo(MINUTE_MS, atMs))]
    .sort(([a], [b]) => a - b)
    .map(([atMs, some]) => ({
      atMs,
      bad: size(some.filter(({ what }) => what === bad)),
      all: size(some),
      ...(metric === 'error_rate' ? {} : { begun: begunIn(atMs, all, agent) }),
    }));
}

/** Sessions of this minute that the hour had not seen before. */
function begunIn(minuteMs: number, all: readonly Told[], agent: string | undefined): number {
  const own = all.filter((one) => (agent ?? one.agent) === one.agent);
  const sessionsIn = (fromMs: number, toMs: number) =>
    new Set(own.filter(({ atMs }) => atMs >= fromMs && atMs < toMs).map(({ session }) => session));
  const earlier = sessionsIn(floorTo(HOUR_MS, minuteMs), minuteMs);
  return sessionsIn(minuteMs, minuteMs + MINUTE_MS).difference(earlier).size;
}

describe.each(['memory', 'postgres'] as const)('increments on %s', (kind) => {
  const open = telemetryPerTest(kind);
  let run = 0;
  const runs = { numRuns: kind === 'memory' ? 30 : 4 };

  async function emptied(store: Store): Promise<void> {
    for (const table of [
      'observe_rollups',
      'observe_activity',
      'observe_events',
      'observe_latencies',
    ])
      for (const row of await store.all(`SELECT * FROM ${table}`))
        await store.commit({ writes: [{ delete: table, where: row }] });
  }

  test('whoever looks again and again sees what all events say, also those that come late', async () => {
    const parts = fc.array(fc.tuple(fc.array(told, { maxLength: 25 }), window), {
      minLength: 2,
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(parts, async (given) => {
        const { store } = open();
        await emptied(store);
        const files = new MemoryFiles();
        // A file of its own for each run: none goes on with another's.
        files.append(FILE, `{"run":${++run}}\n`);
        const collector = collectorOf(store, files);
        const view = new Telemetry(store);
        const all: Told[] = [];
        for (const [more, asked] of given) {
          files.append(FILE, more.map(lineOf).join(''));
          all.push(...more);
          await collector.collect();
          for (const metric of RATE_METRICS) {
            for (const agent of [undefined, 'coder']) {
              const scope = agent === undefined ? {} : { agent };
              const bins = await view.rates(metric, asked, scope);
              expect(bins).toEqual(ratesOf(all, metric, asked, agent));
            }
          }
          const { fromMs, toMs } = outwards(asked);
          const own = all.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
          const times = own.map(({ atMs }) => atMs);
          expect(await view.totals(asked)).toMatchObject({
            events: own.length,
            firstAtMs: own.length === 0 ? null : Math.min(...times),
            lastAtMs: own.length === 0 ? null : Math.max(...times),
          });
          const failures = await view.failureCounts(asked, 0);
          const failed = own.filter(({ what }) => what === 'failed' || what === 'task');
          expect(failures.reduce((sum, one) => sum + one.failures, 0)).toBe(failed.length);
        }
      }),
      runs,
    );
  });

  test('a second look at a watched window reads its last hour only', async () => {
    const { store } = open();
    const files = new MemoryFiles();
    for (let minute = 0; minute < 600; minute++)
      files.append(FILE, toolCall(START_MS - minute * MINUTE_MS));
    const collector = collectorOf(store, files);
    await collector.collect();
    let rows = 0;
    const counted = Object.assign(Object.create(store) as Store, {
      all: async (sql: string, values: never) => {
        const found = await store.all(sql, values);
        if (sql.includes('minute_ms')) rows += found.length;
        return found;
      },
    });
    const view = new Telemetry(counted);
    const asked = { fromMs: START_MS - 10 * HOUR_MS, toMs: START_MS + HOUR_MS };
    expect(await view.rates('error_rate', asked, {})).toHaveLength(600);
    expect(rows).toBe(600);
    files.append(FILE, failedCall(START_MS + 90_000, 'no'));
    await collector.collect();
    rows = 0;
    const bins = await view.rates('error_rate', asked, {});
    expect(bins.at(-1)).toEqual({ atMs: START_MS + MINUTE_MS, bad: 1, all: 1 });
    expect(rows).toBeLessThanOrEqual(60);
  });
});
