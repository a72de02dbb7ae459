/** Events by filter, traces, tools, corrections and days: what people ask for, on both engines. */
import { describe, expect, test } from 'vitest';
import { isoTime } from '../base/index.ts';
import { eventPages, findEvents, firstFailure, traceEvents } from './events-view.ts';
import {
  collectorOf,
  failedCall,
  MemoryFiles,
  START_MS,
  telemetryPerTest,
  toolCall,
} from './telemetry.test-support.ts';
import {
  correctionCounts,
  eventsBySource,
  failuresByDay,
  quantile,
  toolCounts,
} from './tools-view.ts';
import { findTraces } from './trace-list.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const at = (minutes: number) => START_MS + minutes * MINUTE_MS;
const window = { fromMs: START_MS, toMs: START_MS + 40 * DAY_MS };

describe.each(['memory', 'postgres'] as const)('events on %s', (kind) => {
  const open = telemetryPerTest(kind);
  const collect = async (...lines: string[]) => {
    const { store, clock } = open();
    clock.advance(40 * DAY_MS);
    const files = new MemoryFiles().append('events.jsonl', lines.join(''));
    expect(await collectorOf(store, files).collect()).toMatchObject({ aside: 0 });
    return store;
  };

  test('filters: kind, agent, tool, session, failed, text; the newest that fit, ascending', async () => {
    const store = await collect(
      toolCall(at(1), { session_id: 'abc-1' }),
      toolCall(at(2), { agent: 'other', tool: 'read' }),
      failedCall(at(3), 'no such 100% Page_1', { session_id: 'abc-2' }),
      failedCall(at(4), 'timed out'),
    );
    const minutes = async (filter: object, limit = 10) => {
      const { events, more } = await findEvents(store, { window, limit, ...filter });
      return [events.map(({ atMs }) => (atMs - START_MS) / MINUTE_MS), more];
    };
    expect(await minutes({})).toEqual([[1, 2, 3, 4], false]);
    expect(await minutes({}, 2)).toEqual([[3, 4], true]);
    expect(await minutes({ agent: 'other' })).toEqual([[2], false]);
    expect(await minutes({ tool: 'search', failed: true })).toEqual([[3, 4], false]);
    expect(await minutes({ session: 'abc' })).toEqual([[1, 3], false]);
    expect(await minutes({ text: 'page_1' })).toEqual([[3], false]);
    expect(await minutes({ text: 'pageX1' })).toEqual([[], false]);
    expect(await minutes({ kind: 'feedback' })).toEqual([[], false]);
    expect(await minutes({ source: 'agents' })).toEqual([[1, 2, 3, 4], false]);
    expect(await minutes({ window: { fromMs: at(2), toMs: at(4) } })).toEqual([[2, 3], false]);
  });

  test('more than a page of events, many at one time: all of them, each once', async () => {
    const lines = Array.from({ length: 2500 }, (_, n) =>
      toolCall(at(Math.floor(n / 1200)), { session_id: `s${n}` }),
    );
    const store = await collect(...lines);
    const { events } = await findEvents(store, { window, limit: 1000, session: 's24' });
    expect(events).toHaveLength(111);
    const sessions = new Set<string>();
    let count = 0;
    for await (const page of eventPages(store, window)) {
      for (const { event } of page) sessions.add(event.session);
      count += page.length;
    }
    expect([sessions.size, count]).toEqual([2500, 2500]);
  });

  test('a trace by its id or session, by a beginning, or the names that begin alike', async () => {
    const store = await collect(
      toolCall(at(1), { session_id: 'run-1', trace_id: 'aa%1', span_id: 'x' }),
      toolCall(at(2), { session_id: 'run-1', trace_id: 'aa%2' }),
      failedCall(at(3), 'e', { session_id: 'run-2' }),
    );
    const found = async (id: string) => {
      const { events, ambiguous } = await traceEvents(store, id, window);
      return { minutes: events.map(({ atMs }) => (atMs - START_MS) / MINUTE_MS), ambiguous };
    };
    expect(await found('aa%1')).toEqual({ minutes: [1], ambiguous: [] });
    expect(await found('run-1')).toEqual({ minutes: [1, 2], ambiguous: [] });
    expect(await found('run-2')).toEqual({ minutes: [3], ambiguous: [] });
    expect(await found('aa')).toEqual({ minutes: [], ambiguous: ['aa%1', 'aa%2'] });
    expect(await found('run')).toMatchObject({ minutes: [], ambiguous: ['run-1', 'run-2'] });
    expect(await found('a_%')).toEqual({ minutes: [], ambiguous: [] });
    const { traces } = await findTraces(store, { window, limit: 10, onlyFailed: false });
    expect(traces.map(({ id, isTrace, failed }) => [id, isTrace, failed])).toEqual([
      ['run-2', false, 1],
      ['aa%2', true, 0],
      ['aa%1', true, 0],
    ]);
    const paged: string[] = [];
    for (let before: string | undefined; ; ) {
      const page = await findTraces(store, { window, limit: 2, onlyFailed: false, before });
      paged.push(...page.traces.map(({ id }) => id));
      if (page.next === null) break;
      before = page.next;
    }
    expect(paged).toEqual(traces.map(({ id }) => id));
    const failed = await findTraces(store, { window, limit: 10, onlyFailed: true });
    expect(failed.traces.map(({ id }) => id)).toEqual(['run-2']);
  });

  test('every trace of a window is found, page by page, each once, however few events a page reads', async () => {
    // A call every minute of two days; sessions of three calls that overlap, and one that goes on all the time.
    const lines = Array.from({ length: 2880 }, (_, n) =>
      toolCall(at(n), { session_id: n % 50 === 0 ? 'long' : `s${Math.floor(n / 6)}-${n % 2}` }),
    );
    const store = await collect(...lines);
    const seen: { readonly id: string; readonly events: number }[] = [];
    let pages = 0;
    for (let before: string | undefined; ; pages++) {
      const options = { window, limit: 100, onlyFailed: false, before, readMax: 500 };
      const page = await findTraces(store, options);
      seen.push(...page.traces);
      if (page.next === null) break;
      before = page.next;
    }
    const wanted = new Set(lines.map((line) => JSON.parse(line).session_id as string));
    expect(new Set(seen.map(({ id }) => id))).toEqual(wanted);
    expect(seen).toHaveLength(wanted.size);
    expect(pages).toBeLessThan(30);
    // Those of a page are whole, but for one that goes on for longer than anybody reads at once.
    expect(seen.filter(({ id, events }) => id !== 'long' && events < 2)).toEqual([]);
  });

  test('where a session’s trouble began: the first failure up to an hour before', async () => {
    const store = await collect(
      failedCall(at(1), 'long ago', { session_id: 's' }),
      failedCall(at(100), 'first', { session_id: 's', tool: 'read' }),
      failedCall(at(101), 'of another', { session_id: 't' }),
      failedCall(at(110), 'then', { session_id: 's' }),
    );
    const first = await firstFailure(store, { session: 's', atMs: at(110) });
    expect(first?.event).toMatchObject({ tool: 'read', errorMessage: 'first' });
  });

  test('tools with calls, failures and latencies; corrections; failures by day; events by source', async () => {
    const correction = (minutes: number, correction_type: string) =>
      `${JSON.stringify({ timestamp: isoTime(at(minutes)), event_type: 'user_correction', session_id: 's', agent: 'coder', correction_type })}\n`;
    const store = await collect(
      ...[10, 20, 30, 40, 1000].map((latency_ms, n) => toolCall(at(n), { latency_ms })),
      failedCall(at(6), 'a'),
      failedCall(at(6) + DAY_MS, 'b'),
      correction(1, 'retry'),
      correction(2, 'retry'),
      correction(3, 'rephrase'),
    );
    const [tool] = await toolCounts(store, window);
    expect(tool).toMatchObject({ agent: 'coder', tool: 'search', calls: 7, failed: 2 });
    expect(quantile(tool!.latency!, 0.5)).toBeGreaterThan(39);
    expect(quantile(tool!.latency!, 0.5)).toBeLessThan(43);
    expect(quantile(tool!.latency!, 0.95)).toBeGreaterThanOrEqual(30_000);
    expect(await correctionCounts(store, window)).toEqual([
      { agent: 'coder', correction: 'retry', count: 2 },
      { agent: 'coder', correction: 'rephrase', count: 1 },
    ]);
    const place = { agent: 'coder', tool: 'search', errorCode: 'E_TIMEOUT' };
    expect(await failuresByDay(store, window, place)).toEqual([
      { dayMs: Date.UTC(2026, 0, 1), failures: 1 },
      { dayMs: Date.UTC(2026, 0, 2), failures: 1 },
    ]);
    expect(await eventsBySource(store, window)).toEqual(new Map([['agents', 10]]));
  });
});
