/** What `hone sources` tells somebody who wonders why nothing happens. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as contracts from '../contracts/index.ts';
import { agentFile, calls, makeTarget, SETTINGS, type Target } from './target.test-support.ts';

const FILES = { 'agents/researcher.yaml': agentFile('researcher', 'web_search') };

async function sourcesOf(target: Target) {
  const run = await target.hone('sources', 'list', '--json');
  expect(run.exit).toBe(0);
  return contracts.sourcesListJson.parse(run.json()).sources;
}

async function textOf(target: Target): Promise<string> {
  const { exit, out } = await target.hone('sources');
  expect(exit).toBe(0);
  for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  return out;
}

async function setUp(target: Target, settings: string): Promise<void> {
  writeFileSync(join(target.repository, 'hone.yaml'), settings);
  await target.installation.stateDir();
}

test('no source, nothing at its path, nothing read yet, a folder of other files', async () => {
  using target = await makeTarget(FILES);
  await setUp(target, 'target:\n  agentFiles: ["agents/*.yaml"]\n');
  expect(await textOf(target)).toContain('No source is named');
  writeFileSync(
    join(target.repository, 'hone.yaml'),
    `${SETTINGS.replace('target:', '    - { name: others, path: ../logs }\ntarget:')}`,
  );
  mkdirSync(join(target.repository, '../logs'));
  writeFileSync(join(target.repository, '../logs/agents.log'), 'x\n');
  expect((await textOf(target)).replaceAll('\n', ' ')).toContain('"hone config accept"');
  expect((await target.installation.accept()).exit).toBe(0);
  const text = await textOf(target);
  expect(text).toContain('fleet  jsonl ../events.jsonl: there is nothing at this path');
  expect(text).toContain('Nothing in the folder is named *.jsonl; it holds 1 others.');
  expect(text).toContain('"hone cycle" reads it');
});

test('telemetry of the wrong shape: the reasons, with a place and without the lines', async () => {
  using target = await makeTarget(FILES);
  await setUp(target, SETTINGS);
  target.append('{"level":"error","msg":"hush-hush"}\n{"level":"info","msg":"hush-hush"}\nplain\n');
  const cycle = await target.hone('cycle');
  expect(cycle.out.replaceAll('\n', ' ')).toContain('kept aside ("hone sources list" says why)');
  const text = await textOf(target);
  expect(text).toContain('Not one event: 3 lines kept aside');
  expect(text).toContain('2 × The event_type is missing or unknown.\n');
  expect(text).toContain('      the last one: events.jsonl:2\n');
  expect(text).toContain('      the last one: events.jsonl:3\n');
  expect(text).toContain('"hone sources check" says what the files look like');
  expect(text).not.toContain('hush');
  const [source] = await sourcesOf(target);
  expect(source).toMatchObject({ name: 'fleet', exists: true, files: 1, events: 0, aside: 3 });
  expect(source!.reasons).toMatchObject([
    { reason: 'not_an_event', lines: 2, last: { file: 'events.jsonl', line: 2 } },
    { reason: 'not_json', lines: 1, last: { file: 'events.jsonl', line: 3 } },
  ]);
  target.append(calls({ agent: 'researcher', tool: 'web_search', untilMs: Date.now() }));
  expect((await target.hone('cycle')).exit).toBe(0);
  const [mended] = await sourcesOf(target);
  expect(mended!.events).toBeGreaterThan(0);
  expect(mended!.lastEventAt).not.toBeNull();
  expect(await textOf(target)).not.toContain('what the files look like');
});
