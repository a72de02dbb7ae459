import { describe, expect, test } from 'vitest';
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
import { Thresholds } from './thresholds.ts';
import { triggersSchema } from './trigger-settings.ts';

const MINUTE_MS = 60_000;
const at = (minutesAgo: number) => START_MS - minutesAgo * MINUTE_MS;
const many = <T>(count: number, make: (n: number) => T) =>
  Array.from({ length: count }, (_, n) => make(n));

describe.each(['memory', 'postgres'] as const)('OBS-8 limits on %s', (kind) => {
  const open = telemetryPerTest(kind);
  const passed = async (lines: readonly string[], ...triggers: object[]) => {
    const { store } = open();
    const files = new MemoryFiles().append('events.jsonl', lines.join(''));
    await collectorOf(store, files).collect();
    const settings = triggersSchema.parse(triggers.map((one, n) => ({ name: `t${n}`, ...one })));
    return new Thresholds(store, new Telemetry(store)).passed(settings, START_MS);
  };

  test('a rate above its limit, with enough calls, of the agent that is meant', async () => {
    const calls = [
      ...many(15, (n) => failedCall(at(n + 1), 'no', { agent: 'a' })),
      ...many(15, (n) => toolCall(at(n + 1), { agent: 'a' })),
      ...many(70, (n) => toolCall(at((n % 40) + 1), { agent: 'b' })),
    ];
    const rate = { when: 'rate', of: 'error_rate', within: '1h' };
    const found = await passed(
      calls,
      { ...rate, above: 0.4, agent: 'a', urgency: 'high' },
      { ...rate, above: 0.5, agent: 'a' },
      { ...rate, above: 0.14 },
      { ...rate, above: 0.15 },
      { ...rate, above: 0.1, agent: 'a', least: 31 },
      { ...rate, above: 0, agent: 'b' },
    );
    expect(found).toEqual([
      {
        name: 't0',
        urgency: 'high',
        detail: 'error_rate of a is 50 % (15 of 30) in the last 1h; the limit is 40 %.',
      },
      {
        name: 't2',
        urgency: 'normal',
        detail: 'error_rate of all agents is 15 % (15 of 100) in the last 1h; the limit is 14 %.',
      },
    ]);
  });

  test('a count of failures, by agent and tool, in its time', async () => {
    const lines = [
      ...many(4, (n) => failedCall(at(n + 1), 'no', { tool: 'search' })),
      ...many(3, (n) => failedCall(at(n + 100), 'no', { tool: 'search' })),
      taskFailure(at(3)),
    ];
    const count = { when: 'count', within: '1h' };
    const found = await passed(
      lines,
      { ...count, above: 4 },
      { ...count, above: 3, agent: 'coder', tool: 'search' },
      { ...count, above: 4, tool: 'search' },
      { ...count, above: 5 },
      { ...count, within: '3h', above: 7 },
    );
    expect(found.map(({ name }) => name)).toEqual(['t0', 't1', 't4']);
    expect(found[1]!.detail).toBe('4 failures of search of coder in the last 1h; the limit is 3.');
  });

  test('a percentile of latencies', async () => {
    const lines = many(100, (n) => toolCall(at((n % 50) + 1), { latency_ms: n < 90 ? 100 : 9000 }));
    const latency = { when: 'percentile', within: '1h', above: '5s' };
    const found = await passed(
      lines,
      { ...latency, percentile: 95 },
      { ...latency, percentile: 90 },
      { ...latency, percentile: 95, above: '10s' },
      { ...latency, percentile: 95, tool: 'other' },
      { ...latency, percentile: 95, least: 101 },
    );
    expect(found).toHaveLength(1);
    expect(found[0]!.detail).toMatch(
      /^The latency of all agents is 9\d\d\dms at the 95th percentile of 100 calls; the limit is 5s\.$/,
    );
  });

  test('absence: what sent something before and is silent now; never what was never there', async () => {
    const lines = [toolCall(at(90), { agent: 'a' }), toolCall(at(5), { agent: 'b' })];
    const absence = { when: 'absence', within: '1h' };
    const found = await passed(
      lines,
      { ...absence, agent: 'a' },
      { ...absence, agent: 'b' },
      { ...absence, agent: 'nobody' },
      absence,
    );
    expect(found).toMatchObject([
      {
        name: 't0',
        detail: 'Nothing of a was seen for 1h; the last event is of 2026-01-01 10:30 UTC.',
      },
    ]);
  });
});

test('OBS-8 a trigger is checked as it is configured', () => {
  const good = { name: 'a', when: 'count', above: 1, within: '1h' };
  expect(triggersSchema.safeParse([good]).success).toBe(true);
  for (const bad of [
    { ...good, within: 3600 },
    { ...good, when: 'never' },
    { ...good, above: -1 },
    { ...good, urgency: 'now' },
    { ...good, name: 'a b' },
    { ...good, of: 'error_rate' },
    { name: 'a', when: 'rate', of: 'errors', above: 0.1, within: '1h' },
    { name: 'a', when: 'rate', of: 'error_rate', above: 2, within: '1h' },
    { name: 'a', when: 'percentile', above: '5s', within: '1h' },
  ])
    expect(triggersSchema.safeParse([bad]).success, JSON.stringify(bad)).toBe(false);
  expect(triggersSchema.safeParse([good, good]).success).toBe(false);
});
