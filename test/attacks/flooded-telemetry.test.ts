/** Whoever writes telemetry makes up failures, so that real ones are not looked at or everything stands still. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isoTime } from '../../src/base/index.ts';
import {
  agentFile,
  calls,
  makeTarget,
  SETTINGS,
  type Target,
} from '../../src/cli/target.test-support.ts';
import * as contracts from '../../src/contracts/index.ts';
import {
  collectorOf,
  failedCall,
  MemoryFiles,
  START_MS,
  telemetryPerTest,
} from '../../src/observe/telemetry.test-support.ts';

const FILES = { 'agents/researcher.yaml': agentFile('researcher', 'web_search') };

async function cycleOf(target: Target) {
  await target.installation.stateDir();
  const ran = await target.hone('cycle', '--json');
  expect(ran.exit).toBe(0);
  const { report } = contracts.cycleJson.parse(ran.json());
  return report!;
}

/** 160 failures of each of 205 tools that do not exist: more than any real tool has. */
function madeUp(agentOf: (tool: number) => string): string {
  const untilMs = Date.now();
  const lines: string[] = [];
  for (let tool = 0; tool < 205; tool += 1)
    for (let call = 0; call < 160; call += 1)
      lines.push(
        JSON.stringify({
          timestamp: isoTime(untilMs - 3_600_000 + call * 1_000),
          session_id: `flood-${call}`,
          event_type: 'tool_call',
          agent: agentOf(tool),
          tool: `tool_${tool}`,
          success: false,
          error_code: 'TIMEOUT',
          error_message: 'timed out after 5000 ms',
          latency_ms: 5000,
        }),
      );
  return `${lines.join('\n')}\n`;
}

describe('made-up failures', () => {
  test.each([
    ['of one agent in the same log', SETTINGS, () => 'invented'],
    [
      'of many agents in a log of their own',
      SETTINGS.replace('jsonl }', 'jsonl }\n    - { name: stranger, path: ../stranger.jsonl }'),
      (tool: number) => `invented_${tool}`,
    ],
  ])('%s do not hide a real one, and are told of', async (_, settings, agentOf) => {
    using target = await makeTarget(FILES);
    writeFileSync(join(target.repository, 'hone.yaml'), settings);
    target.append(calls({ agent: 'researcher', tool: 'web_search', untilMs: Date.now() }));
    const flood = madeUp(agentOf);
    if (settings === SETTINGS) target.append(flood);
    else writeFileSync(join(dirname(target.repository), 'stranger.jsonl'), flood);
    const report = await cycleOf(target);
    expect(report.findings).toContainEqual(
      expect.objectContaining({
        did: 'proposed',
        title: expect.stringContaining('web_search of researcher'),
      }),
    );
    expect(report.notes).toContainEqual(
      expect.stringMatching(/^\d+ more kinds? of failure \(\d[\d ]* failures\) occurred/),
    );
  });
});

describe('messages that never repeat', () => {
  const open = telemetryPerTest('memory');

  test('cost what they bring, not what is known already', async () => {
    const { store } = open();
    const word = (seed: number) =>
      Array.from({ length: 6 }, (_, at) =>
        String.fromCharCode(
          97 + (((seed * 2_654_435_761 + at * 40_503 * (seed + 7)) >>> (at * 4)) % 26),
        ),
      ).join('');
    const files = new MemoryFiles();
    const written = async (from: number, to: number) => {
      let lines = '';
      for (let i = from; i < to; i += 1) {
        const length = 2 + (i % 40);
        const words = Array.from({ length }, (_, at) => word(i * 31 + at));
        lines += failedCall(START_MS, words.join(' '));
      }
      files.append('events.jsonl', lines);
      let bytes = 0;
      const counted: typeof store = {
        ...store,
        engine: store.engine,
        location: store.location,
        all: (sql, values) => store.all(sql, values),
        nowMs: () => store.nowMs(),
        commit: (plan) => {
          bytes += JSON.stringify(plan).length;
          return store.commit(plan);
        },
      };
      await collectorOf(counted, files).collect();
      return bytes;
    };
    const first = await written(0, 1_000);
    await written(1_000, 9_000);
    expect(await written(9_000, 10_000)).toBeLessThan(2 * first);
  });
});
