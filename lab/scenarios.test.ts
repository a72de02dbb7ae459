/** Whether the worlds of the given scenarios are what their stories say. */
import { describe, expect, test } from 'vitest';
import { jsonlEventSchema } from '../src/observe/sources/jsonl/wire-schema.ts';
import { bundledScenario } from './scenario-files.ts';
import { callsOf, editedFiles, eventsOf, failedShare, hourOfDay } from './test-scenarios.ts';

const SEEDS = [1, 2, 3];
const file = 'agents/researcher.yaml';

test.each(['timeout-too-low', 'healthy', 'helps-then-hurts'])(
  'every event of %s is one that Hone takes in, and there are not too many',
  (name) => {
    const scenario = bundledScenario(name);
    const hours = scenario.days * 24;
    const events = eventsOf({ scenario, seed: 1, hours });
    for (const event of events) jsonlEventSchema.parse(event);
    expect(events.length).toBeLessThan(200_000);
    expect(callsOf(events).length / hours).toBeGreaterThan(300);
    expect(callsOf(events).length / hours).toBeLessThan(600);
    const types = new Set(events.map(({ event_type }) => event_type));
    expect([...types].sort()).toEqual([
      'escalation',
      'feedback',
      'task_failure',
      'tool_call',
      'user_correction',
    ]);
  },
);

describe('timeout-too-low', () => {
  const scenario = bundledScenario('timeout-too-low');
  const searches = (seed: number, timeoutMs: number) => {
    const files =
      timeoutMs === 800
        ? undefined
        : editedFiles(scenario, { file, from: '800', to: String(timeoutMs) });
    return callsOf(
      eventsOf({ scenario, seed, hours: 48, ...(files && { files }) }),
      ({ tool }) => tool === 'web_search',
    );
  };

  test.each(SEEDS)(
    'many searches time out, and hardly any with a longer timeout (seed %d)',
    (seed) => {
      const before = failedShare(searches(seed, 800), 'timeout');
      expect(before).toBeGreaterThan(0.08);
      expect(before).toBeLessThan(0.15);
      expect(failedShare(searches(seed, 1200))).toBeLessThan(0.015);
      expect(failedShare(searches(seed, 1600))).toBeLessThan(0.008);
    },
  );
});

describe('healthy', () => {
  const scenario = bundledScenario('healthy');
  const calls = callsOf(eventsOf({ scenario, seed: 2, hours: scenario.days * 24 }));
  const dayOf = ({ timestamp }: { readonly timestamp: string }) =>
    1 + Math.floor((Date.parse(timestamp) - Date.parse(scenario.start)) / 86_400_000);

  test('every tool fails now and then, for many reasons, and rarely by its timeout', () => {
    for (const tool of Object.keys(scenario.world.tools)) {
      const share = failedShare(calls.filter((call) => call.tool === tool && dayOf(call) !== 5));
      expect(share, tool).toBeGreaterThan(0.003);
      expect(share, tool).toBeLessThan(0.013);
      const timeouts = failedShare(
        calls.filter((call) => call.tool === tool),
        'timeout',
      );
      expect(timeouts, tool).toBeGreaterThan(0.001);
      expect(timeouts, tool).toBeLessThan(0.0045);
    }
    expect(new Set(calls.map(({ error_code }) => error_code)).size).toBeGreaterThan(10);
    expect(failedShare(calls, 'overloaded')).toBe(0);
  });

  test('has a quiet weekend, twenty bad minutes on day 5 and double traffic from day 9', () => {
    const perDay = Array.from(
      { length: 15 },
      (_, day) => calls.filter((call) => dayOf(call) === day).length,
    );
    expect(perDay[6]! / perDay[4]!).toBeLessThan(0.6);
    expect(perDay[9]! / perDay[2]!).toBeGreaterThan(1.8);
    const fetches = calls.filter((call) => dayOf(call) === 5 && call.tool === 'fetch_page');
    const during = fetches.filter(({ timestamp }) => /T10:[01]/.test(timestamp));
    expect(failedShare(during, 'unavailable')).toBeGreaterThan(0.5);
    expect(
      failedShare(fetches.filter(({ timestamp }) => !/T10:[012]/.test(timestamp))),
    ).toBeLessThan(0.03);
  });
});

describe('helps-then-hurts', () => {
  const scenario = bundledScenario('helps-then-hurts');
  const shares = (seed: number, factor: number) => {
    const files = editedFiles(scenario, {
      file,
      from: '90000',
      to: `${90_000 * factor} # ${factor}`,
    });
    const calls = callsOf(eventsOf({ scenario, seed, files, hours: 48 }));
    return {
      quiet: failedShare(calls.filter((call) => hourOfDay(call) < 9)),
      peak: failedShare(calls.filter((call) => hourOfDay(call) >= 11 && hourOfDay(call) < 16)),
    };
  };

  test.each(SEEDS)(
    'a longer timeout helps in quiet hours and hurts at the peak (seed %d)',
    (seed) => {
      const before = shares(seed, 1);
      expect(before.quiet).toBeGreaterThan(0.06);
      expect(before.peak).toBeLessThan(1.3 * before.quiet);
      for (const factor of [1.5, 2, 4]) {
        const after = shares(seed, factor);
        expect(after.quiet, `×${factor}`).toBeLessThan(before.quiet / 2);
        expect(after.peak, `×${factor}`).toBeGreaterThan(2 * before.peak);
      }
    },
  );
});
