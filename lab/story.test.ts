/** The story of `npm start`, as a process; and every scenario that comes with Hone, with a blind approver. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { demoJson } from '../src/contracts/cli-json.ts';
import { run } from '../test/cli.ts';
import { freshDatabase } from '../test/stores.ts';
import { runDemo } from './demo.ts';
import { playScenario } from './play.ts';
import { bundledScenario } from './scenario-files.ts';

const MAIN = new URL('../src/main.ts', import.meta.url).pathname;

/** The lines the story stands on; diffs are shown as they are, however wide. */
function expectTold(out: string): void {
  for (const told of [
    'web_search of researcher times out',
    'Raise timeout_ms of web_search from 800 to',
    'agents/researcher.yaml:7',
    '-    timeout_ms: 800',
    'implemented',
    'Act 2',
    'monitoring',
    'verdict=degraded',
    'deploy.reverted',
    'did harm and was taken back',
    'All of them are covered by a checkpoint.',
  ])
    expect(out).toContain(told);
  const wide = out.split('\n').filter((line) => line.length > 80 && !line.startsWith('index '));
  expect(wide).toEqual([]);
}

test('the demo tells the whole story, without a git identity or settings', async () => {
  const home = mkdtempSync(join(tmpdir(), 'hone-demo-'));
  const environment = { PATH: process.env['PATH'] ?? '', HOME: home, NO_COLOR: '1' };
  const told = await run([process.execPath, MAIN, 'demo', '--once'], home, environment);
  rmSync(home, { recursive: true, force: true });
  expect(told.err).toBe('');
  expect(told.exit).toBe(0);
  expectTold(told.out);
});

test('the same story on PostgreSQL, as one JSON document', async () => {
  const urls = await Promise.all([freshDatabase({ empty: true }), freshDatabase({ empty: true })]);
  let out = '';
  const io = {
    isTerminal: false,
    json: true,
    out: (text: string) => {
      out += text;
    },
    err: () => {},
    progress: () => {},
    progressDone: () => {},
    style: (_: string, text: string) => text,
  };
  const databases = urls.map(({ url }) => url);
  expect(await runDemo({ io, seed: 1, pause: false, postgresUrls: databases })).toBe(0);
  const { acts } = demoJson.parse(JSON.parse(out));
  expect(acts).toMatchObject([
    { scenario: 'timeout-too-low', state: 'implemented' },
    { scenario: 'helps-then-hurts', state: 'reverted' },
  ]);
  expect(acts[0]!.title).toContain('Raise timeout_ms of web_search from 800 to');
  expect(acts[0]!.failedAfter).toBeLessThan(acts[0]!.failedBefore);
  for (const { drop } of urls) await drop();
});

test('Ctrl-C ends the demo with 130, and nothing of it stays', async () => {
  const home = mkdtempSync(join(tmpdir(), 'hone-demo-'));
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, TMPDIR: home };
  const child = spawn(process.execPath, [MAIN, 'demo', '--once'], { env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  for await (const { filename } of watch(home)) {
    if (filename?.startsWith('hone-git-')) break; // the first command works on the repository
  }
  child.kill('SIGINT');
  expect(await ended).toEqual([130, null]);
  expect(readdirSync(home).filter((name) => name.startsWith('hone-'))).toEqual([]);
  rmSync(home, { recursive: true, force: true });
});

test.each(['healthy', 'helps-then-hurts', 'timeout-too-low'])(
  '%s comes out as it should, whatever is asked is approved',
  async (name) => {
    const played = await playScenario({
      scenario: bundledScenario(name),
      seed: 1,
      approver: 'blind',
    });
    expect(played).toMatchObject({ ok: true, harmLeft: false, violations: [] });
  },
);
