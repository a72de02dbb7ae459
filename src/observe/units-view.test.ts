/** What was counted while events came, against what all stored events say. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isoTime } from '../base/index.ts';
import { BREAKDOWNS, type BreakdownBy, layerOf, type Window } from '../facts/index.ts';
import type { Store } from '../store/index.ts';
import { type EventFacts, factsOf, SUM } from './event-facts.ts';
import { collectorOf, MemoryFiles, START_MS, telemetryPerTest } from './telemetry.test-support.ts';
import { Telemetry } from './telemetry-view.ts';
import type { CleanEvent } from './types.ts';
import { DAY_MS, floorTo, HOUR_MS, MINUTE_MS } from './units.ts';

const FILE = 'events.jsonl';
const WINDOW: Window = { fromMs: START_MS - 2 * DAY_MS, toMs: START_MS + HOUR_MS };

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const name = (...names: string[]) => fc.constantFrom(...names);
const small = fc.integer({ min: 0, max: 5000 });
/** Some come late, by a day. */
const timestamp = fc
  .oneof(
    { weight: 4, arbitrary: fc.integer({ min: START_MS - 10 * MINUTE_MS, max: START_MS }) },
    { weight: 1, arbitrary: fc.integer({ min: START_MS - DAY_MS - HOUR_MS, max: START_MS }) },
  )
  .map(isoTime);
const common = {
  timestamp,
  session_id: name('s1', 's2'),
  agent: name('coder', 'writer'),
  version: maybe(name('v1', 'v2')),
  model: maybe(name('m1', 'm2')),
  provider: maybe(name('p1')),
  variant: maybe(name('a', 'b')),
};
const spent = {
  attempt: maybe(fc.integer({ min: 1, max: 3 })),
  input_tokens: maybe(small),
  output_tokens: maybe(small),
  input_bytes: maybe(small),
  output_bytes: maybe(small),
  cost_usd: maybe(small),
};
const failure = {
  success: fc.boolean(),
  error_code: maybe(name('E1', 'E2')),
  error_message: maybe(name('no answer', 'refused by host', 'out of room')),
};
const kinds = [
  fc.record({
    ...{ ...common, ...spent, ...failure },
    event_type: fc.constant('tool_call'),
    tool: name('search', 'read'),
    task_name: maybe(name('fix', 'write')),
    latency_ms: maybe(small),
  }),
  fc.record({
    ...{ ...common, ...spent, ...failure },
    event_type: fc.constant('trace_span'),
    span_id: name('1', '2'),
    name: name('chat', 'plan'),
    duration_ms: maybe(small),
  }),
  fc.record({
    ...common,
    event_type: fc.constant('metric'),
    name: name('queue', 'load'),
    value: fc.integer({ min: -100, max: 100 }),
    is_sum: maybe(fc.boolean()),
  }),
  fc.record({
    ...common,
    event_type: fc.constant('log_line'),
    logger: maybe(name('db', 'web')),
    level: name('info', 'error'),
    message: name('started', 'no answer'),
  }),
  fc.record({ ...common, event_type: fc.constant('feedback'), rating: name('thumbs_down') }),
];

interface Stored {
  readonly atMs: number;
  readonly source: string;
  readonly facts: EventFacts;
}

async function storedEvents(store: Store): Promise<Stored[]> {
  const rows = await store.all('SELECT at_ms, source, body FROM observe_events');
  return rows.map((row) => ({
    atMs: row['at_ms'] as number,
    source: row['source'] as string,
    facts: factsOf(JSON.parse(row['body'] as string) as CleanEvent),
  }));
}

const SPENT = [
  ...['retries', 'inputTokens', 'outputTokens', 'inputBytes', 'outputBytes', 'costUsd'],
] as const;

function spentOf(events: readonly Stored[]) {
  const sum = (field: string) =>
    events.reduce((all, { facts }) => all + (facts.spent?.[field as 'retries'] ?? 0), 0);
  return Object.fromEntries(SPENT.map((field) => [field, sum(field)]));
}

function measuresOf(events: readonly Stored[]): number[] {
  return events.map(({ facts }) => facts.measure).filter((measure) => measure !== null);
}

const total = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);

/** As `units` gives them, flat. */
function minutesOf(events: readonly Stored[]) {
  const own = events.filter(({ facts }) => facts.type !== 'metric');
  const groups = Map.groupBy(own, ({ atMs, facts: { type, agent, tool, task, ok } }) =>
    JSON.stringify([type, agent, tool, task, floorTo(MINUTE_MS, atMs), ok]),
  );
  return [...groups].map(([key, some]) => {
    const [event, agent, tool, task, atMs, ok] = JSON.parse(key);
    const times = measuresOf(some);
    return {
      ...{ event, agent, tool, task, atMs, ok: ok === null ? null : ok === 1 },
      events: some.length,
      timed: times.length,
      latencySumMs: total(times),
      latencyMinMs: times.length === 0 ? null : Math.min(...times),
      latencyMaxMs: times.length === 0 ? null : Math.max(...times),
      ...spentOf(some),
    };
  });
}

function metricsOf(events: readonly Stored[]) {
  const own = events.filter(({ facts }) => facts.type === 'metric');
  const groups = Map.groupBy(own, ({ atMs, facts: { agent, tool, errorCode } }) =>
    JSON.stringify([agent, tool, errorCode === SUM, floorTo(HOUR_MS, atMs)]),
  );
  return [...groups].map(([key, some]) => {
    const [agent, metric, isSum, atMs] = JSON.parse(key);
    const values = measuresOf(some);
    const [min, max] = [Math.min(...values), Math.max(...values)];
    const sums = { values: values.length, sum: total(values), min, max };
    return { agent, name: metric, isSum, atMs, ...sums };
  });
}

/** As `unitHours` gives them, flat. */
function unitHoursOf(events: readonly Stored[]) {
  const own = events.filter(({ facts: { type } }) => type === 'tool_call' || type === 'trace_span');
  const groups = Map.groupBy(own, ({ atMs, facts: { type, agent, tool } }) =>
    JSON.stringify([type, agent, tool, floorTo(HOUR_MS, atMs)]),
  );
  return [...groups].map(([key, some]) => {
    const [event, agent, tool, atMs] = JSON.parse(key);
    const times = measuresOf(some.filter(({ facts }) => facts.ok === 1));
    const { inputTokens, outputTokens, costUsd } = spentOf(some);
    return {
      ...{ event, agent, tool, atMs, events: some.length },
      timed: times.length,
      latencySumMs: total(times),
      tokens: inputTokens! + outputTokens!,
      costUsd,
    };
  });
}

function nameIn({ facts, source }: Stored, by: Exclude<BreakdownBy, 'template'>): string {
  if (by === 'source') return source;
  if (facts.type === 'aside') return '';
  if (by === 'layer') return layerOf(facts.type);
  return by === 'event' ? facts.type : facts[by];
}

const byContent = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row, keys)).sort();
/** Sorts a row's fields, so that only their values count. */
function keys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

describe.each(['memory', 'postgres'] as const)('OBS-7 counts on %s', (kind) => {
  const open = telemetryPerTest(kind);
  let run = 0;

  test('recomputed from the stored events they are what was counted as they came', async () => {
    const batches = fc.array(fc.array(fc.oneof(...kinds), { maxLength: 30 }), {
      minLength: 1,
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(batches, async (given) => {
        const { store } = open();
        await emptied(store);
        const files = new MemoryFiles().append(FILE, `{"run":${++run}}\n`);
        const collector = collectorOf(store, files);
        for (const events of given) {
          for (const event of events) files.append(FILE, `${JSON.stringify(event)}\n`);
          await collector.collect();
        }
        const events = await storedEvents(store);
        expect(events).toHaveLength(given.flat().length);
        const view = new Telemetry(store);
        const units = (await view.units(WINDOW)).flatMap(({ minutes, ...unit }) =>
          minutes.map((minute) => ({ ...unit, ...minute })),
        );
        expect(byContent(units)).toEqual(byContent(minutesOf(events)));
        const metrics = (await view.metrics(WINDOW)).flatMap(({ hours, ...metric }) =>
          hours.map((hour) => ({ ...metric, ...hour })),
        );
        expect(byContent(metrics)).toEqual(byContent(metricsOf(events)));
        const hours = (await view.unitHours(WINDOW)).flatMap(({ hours: own, ...unit }) =>
          own.map((hour) => ({ ...unit, ...hour })),
        );
        expect(byContent(hours)).toEqual(byContent(unitHoursOf(events)));
        await expectBreakdowns(view, events);
      }),
      { numRuns: kind === 'memory' ? 25 : 4 },
    );
  });

  test('only the units that are asked for are read', async () => {
    const { store } = open();
    const files = new MemoryFiles();
    for (const [agent, tool] of [
      ['coder', 'search'],
      ['coder', 'read'],
      ['writer', 'read'],
    ]) {
      const call = { event_type: 'tool_call', session_id: 's', agent, tool, success: true };
      files.append(FILE, `${JSON.stringify({ ...call, timestamp: isoTime(START_MS) })}\n`);
    }
    await collectorOf(store, files).collect();
    const view = new Telemetry(store);
    expect(await view.units(WINDOW)).toHaveLength(3);
    expect(await view.units(WINDOW, { agent: 'coder' })).toHaveLength(2);
    expect(await view.units(WINDOW, { agent: 'coder', tool: 'read' })).toMatchObject([
      {
        event: 'tool_call',
        agent: 'coder',
        tool: 'read',
        minutes: [{ atMs: START_MS, events: 1 }],
      },
    ]);
    expect(await view.units(WINDOW, { event: 'trace_span' })).toEqual([]);
  });
});

async function expectBreakdowns(view: Telemetry, events: readonly Stored[]): Promise<void> {
  const counted = events.filter(({ facts }) => facts.type !== 'metric');
  for (const by of BREAKDOWNS) {
    const rows = await view.breakdown(WINDOW, by);
    expect(total(rows.map((row) => row.events))).toBe(counted.length);
    if (by === 'template') continue;
    const expected = [...Map.groupBy(counted, (one) => nameIn(one, by))].map(([of, some]) => ({
      name: of,
      events: some.length,
      failed: some.filter(({ facts }) => facts.ok === 0).length,
      judged: some.filter(({ facts }) => facts.ok !== null).length,
      timed: measuresOf(some).length,
      ...spentOf(some),
    }));
    const seen = rows.map(({ latency, ...row }) => ({ ...row, timed: latency?.count ?? 0 }));
    expect(byContent(seen)).toEqual(byContent(expected));
  }
}

async function emptied(store: Store): Promise<void> {
  for (const table of ['rollups', 'spent', 'latencies', 'activity', 'events', 'event_hours'])
    for (const row of await store.all(`SELECT * FROM observe_${table}`))
      await store.commit({ writes: [{ delete: `observe_${table}`, where: row }] });
}
