import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonlEvent } from '../src/observe/index.ts';
import { HOUR_MS } from './arrivals.ts';
import { Fleet, type TargetFiles } from './fleet.ts';
import { firstFiles, type Scenario } from './scenario.ts';
import { bundledScenario } from './scenario-files.ts';
import { callsOf, editedFiles, eventsOf, failedShare } from './test-scenarios.ts';

const tooLow = bundledScenario('timeout-too-low');
const crowded = bundledScenario('helps-then-hurts');
const startMs = Date.parse(tooLow.start);
const patient = editedFiles(tooLow, {
  file: 'agents/researcher.yaml',
  from: 'timeout_ms: 800',
  to: 'timeout_ms: 2000',
});

const seedOf = (seed: number) => eventsOf({ scenario: tooLow, seed, hours: 3 });

describe('the same draws', () => {
  test('the same seed gives the same events, another seed others', () => {
    expect(seedOf(1)).toEqual(seedOf(1));
    expect(seedOf(1)).not.toEqual(seedOf(2));
  });

  test('any cutting into windows gives the same events', () => {
    const fromMs = startMs + 10 * HOUR_MS;
    const lengthMs = 2 * HOUR_MS;
    const files = firstFiles(crowded);
    const whole = new Fleet({ scenario: crowded, seed: 7 }).run({
      fromMs,
      toMs: fromMs + lengthMs,
      files,
    });
    expect(whole.length).toBeGreaterThan(1000);
    const cuts = fc.array(fc.integer({ min: 0, max: lengthMs }), { maxLength: 60 });
    fc.assert(
      fc.property(cuts, (points) => {
        const fleet = new Fleet({ scenario: crowded, seed: 7 });
        const edges = [0, ...points.sort((a, b) => a - b), lengthMs].map((ms) => fromMs + ms);
        const parts = edges
          .slice(1)
          .map((toMs, i) => fleet.run({ fromMs: edges[i]!, toMs, files }));
        expect(parts.flat()).toEqual(whole);
        for (const [i, part] of parts.entries())
          for (const { timestamp } of part) {
            expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(edges[i]!);
            expect(Date.parse(timestamp)).toBeLessThan(edges[i + 1]!);
          }
      }),
      { numRuns: 12 },
    );
  });

  test('a session draws the same on other files: calls differ only where a limit decides', () => {
    const latencies = (files: TargetFiles) => {
      const events = eventsOf({ scenario: tooLow, seed: 3, files, hours: 12 });
      const first = new Map<string, number>();
      for (const call of callsOf(events, ({ agent }) => agent === 'researcher'))
        if (!first.has(call.session_id)) first.set(call.session_id, call.latency_ms!);
      return first;
    };
    const before = latencies(firstFiles(tooLow));
    const after = latencies(patient);
    expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
    for (const [session, ms] of before) {
      if (ms < 800) expect(after.get(session)).toBe(ms);
      else expect(after.get(session)).toBeGreaterThanOrEqual(800);
    }
  });

  test('events come in the order of their time', () => {
    const times = seedOf(4).map(({ timestamp }) => timestamp);
    expect(times).toEqual([...times].sort());
  });

  test('windows must follow each other', () => {
    const fleet = new Fleet({ scenario: tooLow, seed: 1 });
    const files = firstFiles(tooLow);
    fleet.run({ fromMs: startMs, toMs: startMs + 1000, files });
    expect(() => fleet.run({ fromMs: startMs + 2000, toMs: startMs + 3000, files })).toThrow(
      'a window begins where the last one ended',
    );
  });
});

describe('calls', () => {
  const timeouts = callsOf(
    eventsOf({ scenario: tooLow, seed: 5, hours: 24 }),
    ({ error_code }) => error_code === 'timeout',
  );

  test('that take too long fail at the timeout of the file, noticed at most 2 % late', () => {
    expect(timeouts.length).toBeGreaterThan(100);
    for (const { tool, latency_ms, error_message } of timeouts) {
      const limit = tool === 'web_search' ? 800 : 6000;
      expect(latency_ms).toBeGreaterThanOrEqual(limit);
      expect(latency_ms).toBeLessThanOrEqual(limit * 1.02);
      expect(error_message).toMatch(
        new RegExp(`^${tool} timed out after ${limit} ms \\(request [0-9a-f]{12}\\)$`),
      );
    }
  });

  test('are tried again as often as the file says, each try an event of its own', () => {
    const flaky = structuredClone(tooLow) as Scenario;
    flaky.world.tools['save_note']!.errors[0]!.rate = 1;
    const events = eventsOf({ scenario: flaky, seed: 6, hours: 6 });
    const failed = events.filter(
      (event) => event.event_type === 'task_failure' && event.error_category === 'conflict',
    );
    expect(failed.length).toBeGreaterThan(50);
    for (const failure of failed) {
      expect(failure).toMatchObject({ agent: 'librarian', retry_count: 2, final_status: 'failed' });
      const tries = callsOf(
        events,
        (call) => call.session_id === failure.session_id && call.tool === 'save_note',
      );
      expect(tries.map(({ success }) => success)).toEqual([false, false, false]);
    }
  });

  test('find no free slot when all are taken, and never take more', () => {
    const narrow = structuredClone(tooLow) as Scenario;
    narrow.world.tools['fetch_page'] = {
      ...narrow.world.tools['fetch_page']!,
      capacity: 1,
      latency: { median_ms: 5000, sigma: 0.1 },
    };
    const calls = callsOf(
      eventsOf({ scenario: narrow, seed: 8, hours: 24 }),
      ({ tool }) => tool === 'fetch_page',
    );
    const refused = calls.filter(({ error_code }) => error_code === 'overloaded');
    // What the agent itself got wrong never reached the tool.
    const atOnce = new Set(['overloaded', 'invalid_arguments']);
    const served = calls
      .filter(({ error_code = '' }) => !atOnce.has(error_code))
      .map(({ timestamp, latency_ms }) => {
        const toMs = Date.parse(timestamp);
        return { fromMs: toMs - latency_ms!, toMs };
      });
    expect(refused.length).toBeGreaterThan(100);
    expect(refused[0]).toMatchObject({
      error_message: 'no free worker for fetch_page (1 of 1 busy)',
    });
    for (const [i, next] of served.slice(1).entries())
      expect(next.fromMs).toBeGreaterThanOrEqual(served[i]!.toMs);
    // The last of them may meet a call that ends after the window.
    for (const { timestamp, latency_ms } of refused.slice(0, -5)) {
      const atMs = Date.parse(timestamp) - latency_ms!;
      expect(served.some(({ fromMs, toMs }) => fromMs <= atMs && atMs <= toMs)).toBe(true);
    }
  });

  test('sometimes carry what must not be kept', () => {
    const messages = callsOf(eventsOf({ scenario: tooLow, seed: 9, hours: 72 })).map(
      (call) => call.error_message ?? '',
    );
    for (const secret of [/@example\.org/, /Bearer tok_\w{32}/, /\b10\.\d+\.\d+\.\d+/])
      expect(messages.filter((message) => secret.test(message)).length).toBeGreaterThan(0);
    expect(messages.filter((message) => /[{}]/.test(message))).toEqual([]);
  });
});

describe('files', () => {
  test('a new file is in force for the sessions that begin after it', () => {
    const fleet = new Fleet({ scenario: tooLow, seed: 10 });
    const changeMs = startMs + 12 * HOUR_MS;
    const before = fleet.run({ fromMs: startMs, toMs: changeMs, files: firstFiles(tooLow) });
    const begun = new Set(before.map(({ session_id }) => session_id));
    const after = fleet.run({ fromMs: changeMs, toMs: changeMs + 12 * HOUR_MS, files: patient });
    const searches = (events: JsonlEvent[]) =>
      callsOf(
        events,
        ({ tool, session_id }) =>
          tool === 'web_search' && !(events === after && begun.has(session_id)),
      );
    expect(failedShare(searches(before), 'timeout')).toBeGreaterThan(0.07);
    expect(failedShare(searches(after), 'timeout')).toBeLessThan(0.002);
  });

  test.each([
    ['no YAML', /^[\s\S]*$/, 'tools: {', 'cannot be read'],
    ['a timeout of 0', 'timeout_ms: 800', 'timeout_ms: 0', 'timeout_ms of "web_search"'],
    ['a missing number', 'retries: 0', '', 'retries of "web_search"'],
    ['a tool taken away', / {2}web_search:\n.*\n.*\n/, '', 'has no settings for web_search'],
  ])(
    'with %s the agent fails every task and says why, and the others go on',
    (_, from, to, why) => {
      const files = editedFiles(tooLow, { file: 'agents/researcher.yaml', from, to });
      const events = eventsOf({ scenario: tooLow, seed: 11, files, hours: 4 });
      const mine = callsOf(events, ({ agent }) => agent === 'researcher');
      const failures = events.filter(
        (event) => event.event_type === 'task_failure' && event.agent === 'researcher',
      );
      expect(mine.length).toBeGreaterThan(50);
      expect(failures).toHaveLength(mine.length);
      for (const call of mine)
        expect(call).toMatchObject({
          success: false,
          error_code: 'bad_settings',
          error_message: expect.stringContaining(why),
        });
      expect(failedShare(callsOf(events, ({ agent }) => agent === 'librarian'))).toBeLessThan(0.05);
    },
  );

  test('a missing file is such a failure, too', () => {
    const events = eventsOf({ scenario: tooLow, seed: 12, files: new Map(), hours: 1 });
    expect(failedShare(callsOf(events))).toBe(1);
    expect(callsOf(events)[0]!.error_message).toMatch(/^agents\/\w+\.yaml is missing$/);
  });
});
