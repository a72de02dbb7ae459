import { describe, expect, test } from 'vitest';
import { isoTime } from '../base/index.ts';
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

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const HOUR = { fromMs: START_MS, toMs: START_MS + HOUR_MS };
const at = (minutes: number) => START_MS + minutes * MINUTE_MS;

describe.each(['memory', 'postgres'] as const)('telemetry on %s', (kind) => {
  const open = telemetryPerTest(kind);
  const view = () => new Telemetry(open().store);
  const collect = async (...lines: string[]) => {
    const { store, clock } = open();
    clock.advance(48 * HOUR_MS);
    const files = new MemoryFiles().append('events.jsonl', lines.join(''));
    expect(await collectorOf(store, files).collect()).toMatchObject({ aside: 0 });
  };

  test('nothing seen, nothing told', async () => {
    expect((await view().failures(HOUR)).groups).toEqual([]);
    expect(await view().rates('error_rate', HOUR, {})).toEqual([]);
    expect(await view().totals(HOUR)).toEqual({
      events: 0,
      aside: 0,
      firstAtMs: null,
      lastAtMs: null,
    });
  });

  test('sessions of an agent by the hour: each once, with those that failed or were corrected', async () => {
    await collect(
      ...[1, 2, 3].map((n) => toolCall(at(n), { session_id: 's1' })),
      toolCall(at(61), { session_id: 's1' }),
      taskFailure(at(4), { session_id: 's2' }),
      taskFailure(at(5), { session_id: 's2' }),
      feedback(at(6), 'thumbs_down', { session_id: 's3' }),
      toolCall(at(7), { session_id: 's4', agent: 'other' }),
    );
    const hours = await view().sessionHours({ fromMs: START_MS, toMs: START_MS + 2 * HOUR_MS });
    expect(hours).toEqual([
      {
        agent: 'coder',
        hours: [
          { atMs: START_MS, sessions: 3, failed: 1, corrected: 1 },
          { atMs: START_MS + HOUR_MS, sessions: 1, failed: 0, corrected: 0 },
        ],
      },
      { agent: 'other', hours: [{ atMs: START_MS, sessions: 1, failed: 0, corrected: 0 }] },
    ]);
  });

  test('tasks of an agent by name, where more than one failed', async () => {
    await collect(
      ...[1, 2, 61].map((minute) => taskFailure(at(minute), { task_name: 'report' })),
      taskFailure(at(4), { task_name: 'answer' }),
      taskFailure(at(7), { agent: 'other', task_name: 'only' }),
    );
    const window = { fromMs: START_MS, toMs: START_MS + 2 * HOUR_MS };
    const [coder, other] = await view().sessionHours(window);
    const second = { atMs: START_MS + HOUR_MS, failed: 1 };
    expect(coder!.tasks).toEqual([
      { name: 'answer', hours: [{ atMs: START_MS, failed: 1 }] },
      { name: 'report', hours: [{ atMs: START_MS, failed: 2 }, second] },
    ]);
    expect(other!.tasks).toBeUndefined();
  });

  test('a failure comes with its record: hours before the window, minutes in it, and who else calls the tool', async () => {
    const before = START_MS - 3 * HOUR_MS;
    await collect(
      failedCall(before, 'timed out after 1000 ms'),
      ...[1, 2].map((n) => toolCall(before + n * MINUTE_MS, { latency_ms: 40 })),
      failedCall(at(1), 'timed out after 2000 ms'),
      failedCall(at(1), 'timed out after 3000 ms', { agent: 'other' }),
      toolCall(at(2), { latency_ms: 60 }),
      toolCall(at(2), { agent: 'other' }),
      toolCall(at(2), { tool: 'read' }),
    );
    const { groups } = await view().failures(HOUR);
    const own = groups.find(({ agent }) => agent === 'coder')!;
    expect(own.history).toEqual([
      {
        ...{ atMs: before, bad: 1, all: 3, timed: 2, timedMs: 80 },
        ...{ toolCalls: 3, othersCalls: 0, othersFailed: 0, othersTimed: 0, othersTimedMs: 0 },
      },
      {
        ...{ atMs: at(1), bad: 1, all: 1, timed: 0, timedMs: 0 },
        ...{ toolCalls: 2, othersCalls: 1, othersFailed: 1, othersTimed: 0, othersTimedMs: 0 },
      },
      expect.objectContaining({ atMs: at(2), bad: 0, all: 1, timed: 1, timedMs: 60, toolCalls: 2 }),
    ]);
    expect(await view().callersOf('search', HOUR)).toEqual(['coder', 'other']);
    const rates = await view().rates('error_rate', HOUR, { agent: 'coder', tool: 'read' });
    expect(rates).toEqual([{ atMs: at(2), bad: 0, all: 1 }]);
  });

  test('the newest calls of a tool, one by one, in the order in which they began', async () => {
    await collect(
      toolCall(at(1), { latency_ms: 500, output_tokens: 7, argument_names: ['q'] }),
      failedCall(at(1) + 100, 'no room', { agent: 'other', latency_ms: 2, error_code: 'busy' }),
      toolCall(at(3), { tool: 'read' }),
      toolCall(START_MS - 5 * HOUR_MS),
    );
    const found = await view().recentCalls(HOUR, [{ tool: 'search', calls: 2 }]);
    expect(found.get('search')).toEqual([
      {
        ...{ agent: 'coder', tool: 'search', startMs: at(1) - 500, endMs: at(1) },
        ...{ failedWith: null, outputTokens: 7, argumentNames: ['q'] },
      },
      {
        ...{ agent: 'other', tool: 'search', startMs: at(1) + 98, endMs: at(1) + 100 },
        failedWith: 'busy',
      },
    ]);
    expect(found.has('read')).toBe(false);
    const asked = { tool: 'search', calls: 2, untilMs: at(1) + 50 };
    const earlier = await view().recentCalls(HOUR, [asked]);
    expect(earlier.get('search')).toMatchObject([{ agent: 'coder', endMs: at(1) }]);
  });

  test('failures that look alike at one place are one group, with calls, sessions and latencies', async () => {
    await collect(
      ...[1, 2, 3, 4].map((n) =>
        failedCall(at(n), `timed out after ${n}000 ms`, {
          session_id: `s${n % 2}`,
          latency_ms: n * 1000,
        }),
      ),
      failedCall(at(5), 'timed out after 7000 ms', { agent: 'other' }),
      failedCall(at(6), 'no such page', { error_code: 'E_404' }),
      ...[7, 8, 9].map((n) => toolCall(at(n), { latency_ms: n })),
      toolCall(at(9), { tool: 'read' }),
    );
    const { groups } = await view().failures(HOUR);
    expect(groups).toHaveLength(3);
    expect(groups[0]).toMatchObject({
      template: 'timed out after <*> ms',
      agent: 'coder',
      tool: 'search',
      errorCode: 'E_TIMEOUT',
      failures: 4,
      calls: 8,
      sessions: 2,
      firstAtMs: at(1),
      lastAtMs: at(4),
      failedLatency: { count: 4, minMs: 1000, maxMs: 4000 },
      succeededLatency: { count: 3, minMs: 7, maxMs: 9 },
    });
    const counted = await view().failureCounts(HOUR, 0);
    for (const [n, { examples, ...count }] of counted.entries()) {
      expect(groups[n]).toMatchObject(count);
      expect(await examples()).toEqual(groups[n]!.examples);
    }
    expect(counted).toHaveLength(3);
    expect(await view().failureCounts(HOUR, 0.4)).toMatchObject([
      { agent: 'coder', failures: 4 },
      { agent: 'other', failures: 1 },
    ]);
    const { buckets } = groups[0]!.failedLatency!;
    expect(buckets).toHaveLength(4);
    expect(
      buckets.every(({ uptoMs }, n) => uptoMs >= (n + 1) * 1000 && uptoMs < (n + 1) * 1051),
    ).toBe(true);
    expect(groups[0]!.examples.map(({ message }) => message)).toEqual(
      [1, 2, 3, 4].map((n) => `timed out after ${n}000 ms`),
    );
    const { id, ...example } = groups[0]!.examples[0]!;
    expect(example).toMatchObject({ atMs: at(1), session: 's1', latencyMs: 1000 });
    expect((await view().event(id))?.event).toMatchObject({ session: 's1', latencyMs: 1000 });
    expect(await view().event(`event:${id}`)).toEqual(await view().event(id));
  });

  test('failed tasks are groups too, without a tool', async () => {
    await collect(taskFailure(at(1)), taskFailure(at(2), { session_id: 's2' }));
    expect((await view().failures(HOUR)).groups).toMatchObject([
      {
        event: 'task_failure',
        template: 'timeout: gave up',
        tool: '',
        errorCode: 'timeout',
        failures: 2,
        calls: 2,
        sessions: 2,
        failedLatency: null,
        succeededLatency: null,
      },
    ]);
  });

  test('DIAG-2 failed tasks are shares of sessions, a session once in each hour it lives through', async () => {
    const calls = (session_id: string, minutes: readonly number[]) =>
      minutes.map((minute) => toolCall(at(minute), { session_id }));
    await collect(
      ...calls('s1', [1, 2, 3, 4, 5]),
      taskFailure(at(5), { session_id: 's1' }),
      ...calls('s2', [7, 8, 9]),
      // Of an hour and a half.
      ...calls('s3', [30, 40, 50, 60, 70, 80, 90]),
      ...calls('s4', [20]).map((line) => line.replace('"coder"', '"other"')),
    );
    const day = { fromMs: START_MS, toMs: START_MS + 2 * HOUR_MS };
    const { groups } = await view().failures(day);
    expect(groups).toMatchObject([{ event: 'task_failure', failures: 1, calls: 4 }]);
    const bins = (minutes: readonly number[], bad: number) =>
      minutes.map((minute) => ({ atMs: at(minute), all: 1, bad: Number(minute === bad) }));
    expect(groups[0]!.history).toMatchObject(bins([5, 9, 50, 90], 5));
    // Before the window by the hour: as many sessions as their minutes add up to.
    const later = { fromMs: START_MS + HOUR_MS, toMs: START_MS + 2 * HOUR_MS };
    await collect(taskFailure(at(90), { session_id: 's3' }));
    const [task] = (await view().failures(later)).groups;
    expect(task!.history.map(({ atMs, all }) => [atMs, all])).toEqual([
      [START_MS, 3],
      [at(90), 1],
    ]);
  });

  test('OBS-1 failed spans, tests and error lines are groups at places of their own, and no calls', async () => {
    const told = (event_type: string, fields: object) =>
      `${JSON.stringify({ timestamp: isoTime(at(1)), session_id: 's1', event_type, ...fields })}\n`;
    const span = { agent: 'coder', span_id: '1', name: 'search', duration_ms: 7 };
    const pays = { suite: 'checkout', test: 'pays', error_message: 'expected 1, got 2' };
    const line = { agent: 'coder', logger: 'db', message: 'no answer from the server' };
    await collect(
      toolCall(at(1)),
      failedCall(at(1), 'no answer'),
      told('trace_span', { ...span, success: true }),
      told('trace_span', { ...span, success: false, error_message: 'no answer' }),
      told('test_result', { suite: 'checkout', test: 'pays', status: 'passed' }),
      told('test_result', { suite: 'checkout', test: 'pays', status: 'skipped' }),
      told('test_result', { ...pays, status: 'failed' }),
      told('log_line', { ...line, level: 'info' }),
      told('log_line', { ...line, level: 'warning' }),
      told('log_line', { ...line, level: 'fatal' }),
    );
    const { groups } = await view().failures(HOUR);
    const failed = { failures: 1, sessions: 1 };
    expect(groups.toSorted((a, b) => (a.event! < b.event! ? -1 : 1))).toMatchObject([
      { event: 'log_line', agent: 'coder', tool: 'db', calls: 3, ...failed },
      { event: 'test_result', agent: 'checkout', tool: 'pays', calls: 2, ...failed },
      { event: 'tool_call', agent: 'coder', tool: 'search', calls: 2, ...failed },
      { event: 'trace_span', agent: 'coder', tool: 'search', calls: 2, ...failed },
    ]);
    const spans = groups.find(({ event }) => event === 'trace_span')!;
    expect(spans).toMatchObject({ failedLatency: { count: 1 }, succeededLatency: { count: 1 } });
    // The rate of errors is about calls alone.
    expect(await view().rates('error_rate', HOUR, {})).toEqual([{ atMs: at(1), bad: 1, all: 2 }]);
  });

  test('most failures first, at most 200 groups, at most 20 examples spread over the window', async () => {
    const lines: string[] = [];
    for (let n = 0; n < 210; n++) lines.push(failedCall(at(1), 'broken', { agent: `agent-${n}` }));
    for (let n = 0; n < 59; n++) lines.push(failedCall(at(n), 'slow', { session_id: `s${n}` }));
    await collect(...lines);
    const { groups } = await view().failures(HOUR);
    expect(groups).toHaveLength(200);
    expect(groups[0]).toMatchObject({ template: 'slow', failures: 59, sessions: 59 });
    const minutes = groups[0]!.examples.map(({ atMs }) => (atMs - START_MS) / MINUTE_MS);
    expect(minutes).toHaveLength(20);
    expect(minutes[0]).toBe(0);
    expect(minutes.at(-1)).toBeGreaterThan(53);
    expect(minutes.every((minute, n) => n === 0 || minute - minutes[n - 1]! <= 3)).toBe(true);
  });

  test('a window’s edge inside a minute is moved outwards', async () => {
    await collect(failedCall(at(5) + 10, 'broken'), failedCall(at(9) + 59_000, 'broken'));
    const inside = { fromMs: at(5) + 30_000, toMs: at(9) + 1 };
    expect((await view().failures(inside)).groups).toMatchObject([{ failures: 2 }]);
    const before = { fromMs: START_MS, toMs: at(5) };
    expect((await view().failures(before)).groups).toEqual([]);
    expect(await view().totals(inside)).toEqual({
      events: 2,
      aside: 0,
      firstAtMs: at(5) + 10,
      lastAtMs: at(9) + 59_000,
    });
  });

  test('templates that joined since are one group', async () => {
    const names = 'oak elm fir ash yew bay box fig gum may nut tea'.split(' ');
    const { store } = open();
    const files = new MemoryFiles();
    for (const [n, name] of names.entries()) {
      files.append('events.jsonl', failedCall(at(n), `access denied for user ${name} today`));
      await collectorOf(store, files).collect();
    }
    const given = await store.all('SELECT DISTINCT template FROM observe_series');
    expect(given.length).toBeGreaterThan(1);
    // Every name was new to the miner, also those whose template was known.
    const [saved] = await store.all('SELECT batch FROM observe_miner');
    expect(saved).toMatchObject({ batch: names.length });
    expect((await view().failures(HOUR)).groups).toMatchObject([
      { template: 'access denied for user <*> today', failures: names.length },
    ]);
  });

  test('error_rate is failed calls of all calls, by minute', async () => {
    await collect(
      toolCall(at(0)),
      failedCall(at(0) + 1, 'x'),
      toolCall(at(2), { agent: 'other' }),
      failedCall(at(2), 'x', { agent: 'other' }),
      failedCall(at(2), 'x'),
      taskFailure(at(3)),
    );
    expect(await view().rates('error_rate', HOUR, {})).toEqual([
      { atMs: at(0), bad: 1, all: 2 },
      { atMs: at(2), bad: 2, all: 3 },
    ]);
    expect(await view().rates('error_rate', HOUR, { agent: 'other' })).toEqual([
      { atMs: at(2), bad: 1, all: 2 },
    ]);
  });

  test('rates of sessions that are asked for together are read once, and anew afterwards', async () => {
    await collect(taskFailure(at(0), { session_id: 'a' }), feedback(at(1), 'thumbs_down'));
    const { store } = open();
    let reads = 0;
    const all: typeof store.all = (sql, values) => {
      reads += 1;
      return store.all(sql, values);
    };
    const counting = new Telemetry({ ...store, all } as typeof store);
    const ask = () =>
      Promise.all([
        counting.rates('task_failure_rate', HOUR, {}),
        counting.rates('correction_rate', HOUR, {}),
        counting.rates('correction_rate', HOUR, { agent: 'other' }),
      ]);
    const bad = async () => (await ask()).map((bins) => bins.map((bin) => bin.bad));
    expect(await bad()).toEqual([[1, 0], [0, 1], []]);
    // How much each hour has, then the minutes of all and of the agent.
    expect(reads).toBe(3);
    await collect(taskFailure(at(1), { session_id: 'b' }));
    expect(await bad()).toEqual([[1, 1], [0, 1], []]);
    expect(reads).toBe(6);
  });

  test('task_failure_rate and correction_rate are shares of the sessions that were active', async () => {
    await collect(
      toolCall(at(0), { session_id: 'a' }),
      toolCall(at(0) + 5, { session_id: 'a', agent: 'other' }),
      taskFailure(at(0) + 6, { session_id: 'a' }),
      taskFailure(at(0) + 7, { session_id: 'a' }),
      toolCall(at(0), { session_id: 'b' }),
      feedback(at(0), 'thumbs_up', { session_id: 'b' }),
      feedback(at(1), 'thumbs_down', { session_id: 'c' }),
      toolCall(at(1), { session_id: 'b', agent: 'other' }),
    );
    // Session b is active in both minutes, and begins in the first.
    expect(await view().rates('task_failure_rate', HOUR, {})).toEqual([
      { atMs: at(0), bad: 1, all: 2, begun: 2 },
      { atMs: at(1), bad: 0, all: 2, begun: 1 },
    ]);
    expect(await view().rates('correction_rate', HOUR, {})).toEqual([
      { atMs: at(0), bad: 0, all: 2, begun: 2 },
      { atMs: at(1), bad: 1, all: 2, begun: 1 },
    ]);
    expect(await view().rates('correction_rate', HOUR, { agent: 'coder' })).toEqual([
      { atMs: at(0), bad: 0, all: 2, begun: 2 },
      { atMs: at(1), bad: 1, all: 1, begun: 1 },
    ]);
  });

  test('a step of a task is activity of its session; any other span is none', async () => {
    const step = (session_id: string, more: object) =>
      `${JSON.stringify({
        ...{ event_type: 'trace_span', timestamp: isoTime(at(0)), agent: 'coder', session_id },
        ...{ span_id: session_id, name: 'step', success: true, ...more },
      })}\n`;
    await collect(
      taskFailure(at(0), { session_id: 'a' }),
      step('b', { task_name: 'notes/plan' }),
      step('c', {}),
    );
    expect(await view().rates('task_failure_rate', HOUR, {})).toEqual([
      { atMs: at(0), bad: 1, all: 2, begun: 2 },
    ]);
  });

  test('tries are what fails in a session soon after a failure, whoever numbers them', async () => {
    const fail = (minutes: number, session_id: string, fields = {}) =>
      failedCall(at(minutes), 'timed out', { session_id, ...fields });
    await collect(
      // A failed call takes half a minute here, so that up to 90 s later is a try.
      ...[0, 1, 2.4].map((minutes) => fail(minutes, 'a')),
      fail(9, 'a'),
      ...[3, 4].map((minutes) => fail(minutes, 'b')),
      fail(3, 'c', { agent: 'other' }),
      fail(3, 'd', { tool: 'read' }),
      toolCall(at(4.5), { session_id: 'b' }),
    );
    const { groups } = await view().failures(HOUR);
    const own = groups.find(({ agent, tool }) => agent === 'coder' && tool === 'search')!;
    expect(own.tries).toEqual({
      fromMs: HOUR.fromMs,
      chains: [
        { failed: 1, count: 1 },
        { failed: 2, count: 1 },
        { failed: 3, count: 1 },
      ],
      bins: [
        { atMs: at(0), first: 1, again: 0 },
        { atMs: at(1), first: 0, again: 1 },
        { atMs: at(2), first: 0, again: 1 },
        { atMs: at(3), first: 2, again: 0 },
        { atMs: at(4), first: 0, again: 1 },
        { atMs: at(9), first: 1, again: 0 },
      ],
    });
    const other = groups.find(({ agent }) => agent === 'other')!;
    expect(other.tries!.chains).toEqual([{ failed: 1, count: 1 }]);
  });

  test('of a rare failure the task that it is most of is named, also by the counts', async () => {
    await collect(
      ...Array.from({ length: 60 }, (_, n) => toolCall(at(n % 50), { task_name: 'read' })),
      ...[1, 2, 3].map((n) => failedCall(at(n), 'no such form', { task_name: 'export' })),
      failedCall(at(5), 'no such form', { task_name: 'read' }),
    );
    const tasks = [
      { task: 'export', failures: 3, calls: 3 },
      { task: 'read', failures: 1, calls: 61 },
    ];
    expect((await view().failures(HOUR)).groups[0]).toMatchObject({ failures: 4, tasks });
    expect(await view().failureCounts(HOUR, 0.5)).toMatchObject([{ failures: 4, tasks }]);
  });

  test('sessions that called a tool: the newest, oldest first', async () => {
    await collect(
      ...['a', 'b', 'c', 'd', 'b'].map((session_id, n) => toolCall(at(n), { session_id })),
      toolCall(at(9), { session_id: 'e', tool: 'read' }),
      toolCall(at(9), { session_id: 'f', agent: 'other' }),
    );
    const place = { agent: 'coder', tool: 'search' };
    expect(await view().sessions(HOUR, place, 3)).toEqual(['c', 'd', 'b']);
    expect(await view().sessions(HOUR, place, 100)).toEqual(['a', 'c', 'd', 'b']);
    expect(await view().sessions({ fromMs: 0, toMs: 1 }, place, 3)).toEqual([]);
    expect(await view().sessions(HOUR, { agent: 'nobody', tool: '' }, 3)).toEqual([]);
    // A failure of whole tasks is at no tool.
    expect(await view().sessions(HOUR, { agent: 'coder', tool: '' }, 3)).toEqual(['d', 'b', 'e']);
  });

  test('an id that names no event finds none', async () => {
    for (const id of ['', '0', '-1', '1', 'event:1', 'event:', '1e3', '9'.repeat(40), "1' OR 1=1"])
      expect(await view().event(id)).toBeUndefined();
  });
});
