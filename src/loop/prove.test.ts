/** The example of docs/guides/prove-a-change.md, from its telemetry to a verdict, in a real sandbox. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sandboxProblem } from '../../test/sandbox.ts';
import { isoTime, systemClock } from '../base/index.ts';
import { latestByMode } from '../proposal/index.ts';
import { SandboxRunner } from '../validate/index.ts';
import { textOf } from './adapters/target.ts';
import { HOUR_MS, traffic, worldPerTest } from './loop.test-support.ts';

const EXAMPLE = join(import.meta.dirname, '..', '..', 'examples', 'agent-service');
const GUIDE = join(import.meta.dirname, '..', '..', 'docs', 'guides', 'prove-a-change.md');

/** As the guide writes it. */
function inGuide(key: 'test' | 'replay'): string[] {
  const [, words] = new RegExp(`^validate:\\n {2}${key}: \\[(node, .*)\\]$`, 'm').exec(
    readFileSync(GUIDE, 'utf8'),
  )!;
  return words!.split(', ');
}
const VALIDATE = { test: inGuide('test'), replay: inGuide('replay') };

const files = readdirSync(EXAMPLE, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => join(parentPath, name));

describe.skipIf(sandboxProblem() !== undefined)('a team proves a change on its own target', () => {
  const open = worldPerTest('memory');

  async function proven(changed: Readonly<Record<string, string>>, validate: object) {
    const world = await open();
    for (const file of files) {
      const path = relative(EXAMPLE, file);
      await world.commit(path, changed[path] ?? readFileSync(file, 'utf8'));
    }
    world.files.text = traffic({ untilMs: world.clock.nowMs(), overMs: 6 * HOUR_MS });
    world.config = world.configured({ validate });
    let made = 0;
    const runner = new SandboxRunner({
      repository: world.repository,
      clock: systemClock,
      newId: () => `prove-${process.pid}-${++made}`,
      settings: world.config.validate,
      keptIn: '/nowhere', // Nothing is prepared.
      secret: () => undefined,
      store: {} as never,
      probe: async () => ({ available: true, version: '0', kept: {} as never }),
    });
    const dossier = await world.propose(world.loop({ replay: undefined, runner }));
    const said = [...latestByMode(dossier.attestations, dossier.proposal.digest).values()];
    const words = await Promise.all(
      said.map(async ({ mode, verdict, artifacts }) => ({
        mode,
        verdict,
        text: await textOf(world.store, artifacts[1] as never),
        report: JSON.parse(await textOf(world.store, artifacts[0] as never)),
      })),
    );
    return { dossier, said: words.map(({ mode, verdict }) => `${mode} ${verdict}`), words };
  }

  test('VAL-3 VAL-4 by its own tests and by a replay of its recorded sessions', async () => {
    const { said, words, dossier } = await proven({}, VALIDATE);
    expect(words.map(({ text }) => text).join('')).toContain('significantly better');
    expect(said).toEqual([
      'diff passed',
      'policy passed',
      'replay passed',
      'syntax passed',
      'unit passed',
    ]);
    expect(dossier.proposal.state).toBe('pending');
    const [, , replay] = words;
    expect(replay!.report.found).toMatchObject({
      counts: { better: 24, worse: 0 },
      rails: [{ metric: 'latency', isHarmed: false }],
      replay: { command: VALIDATE.replay, runs: [{ exitCode: 0 }, {}, {}] },
    });
  });

  test('VAL-3 and its own tests stop one that breaks them', async () => {
    const path = 'test/call-tool.test.js';
    const strict = readFileSync(join(EXAMPLE, path), 'utf8').replace('10_000', '800');
    const { said, words, dossier } = await proven({ [path]: strict }, { test: VALIDATE.test });
    expect(said).toContain('unit failed');
    expect(words.at(-1)!.text).toContain('timeout_ms is ');
    expect(dossier.proposal.state).toBe('failed');
  });
});

describe('a team proves a change by the ready replay', () => {
  const open = worldPerTest('memory');

  async function replayed(slow: readonly number[]) {
    const world = await open();
    const untilMs = world.clock.nowMs();
    const lines = traffic({ untilMs, overMs: 6 * HOUR_MS })
      .trim()
      .split('\n');
    // An editor waits longer for the same tool.
    const editors = slow.map((latency_ms, at) => ({
      ...{ timestamp: isoTime(untilMs - (at + 1) * 60_000), session_id: `editor-${at}` },
      ...{
        event_type: 'tool_call',
        agent: 'editor',
        tool: 'web_search',
        success: true,
        latency_ms,
      },
    }));
    world.files.text = `${[...lines, ...editors.map((one) => JSON.stringify(one))].join('\n')}\n`;
    world.config = world.configured({ validate: { replay: 'recorded' } });
    const dossier = await world.propose(world.loop({ replay: undefined }));
    const latest = latestByMode(dossier.attestations, dossier.proposal.digest);
    const { verdict, artifacts } = latest.get('replay')!;
    return { verdict, text: await textOf(world.store, artifacts[1] as never) };
  }

  test('VAL-3 from telemetry alone, without a sandbox', async () => {
    const slow = Array.from({ length: 30 }, (_, at) => 850 + at * 10);
    const { verdict, text } = await replayed(slow);
    expect(text).toContain('24 that failed now work and 0 that worked now fail');
    expect(text).toContain('24 end here as calls of the same tool that were waited for longer');
    expect(verdict).toBe('passed');
  });

  test('VAL-3 where nobody waits longer it says that it cannot know', async () => {
    const { verdict, text } = await replayed([]);
    expect(verdict).toBe('inconclusive');
    expect(text).toContain('of 24 no end is known');
  });
});
