/** The story of `npm start`: as a process, and its acts on PostgreSQL. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { captureIo } from '../src/cli/captured-io.ts';
import { demoJson } from '../src/contracts/index.ts';
import { run } from '../test/cli.ts';
import { freshDatabase } from '../test/stores.ts';
import { runDemo } from './demo.ts';
import { bundledScenario } from './scenario-files.ts';
import { thinned } from './thinned.ts';

const MAIN = new URL('../src/main.ts', import.meta.url).pathname;

/** The lines the story stands on; diffs are shown as they are, however wide. */
function expectTold(out: string): void {
  for (const told of [
    'web_search of researcher times out',
    'Raise timeout_ms of web_search from 800 to',
    'agents/researcher.yaml:7',
    '-    timeout_ms: 800',
    'implemented',
    'Watch this act in a browser',
    'http://127.0.0.1:',
    'Act 2',
    'monitoring',
    'verdict=degraded',
    'deploy.reverted',
    'All of them are covered by a checkpoint.',
    'Act 3',
    'refused at level 3: The combination secret-out',
    'All of it is on record',
  ])
    expect(out).toContain(told);
  expect(out.replaceAll(/\s+/g, ' ')).toContain('did harm and was taken back');
  // In a pipe nothing is cut: the rows of a list, whole digests and addresses are as wide as they are.
  const isWhole = /^index |^p_|^http:\/\/127|sha256:\w+$/;
  const wide = out.split('\n').filter((line) => line.length > 80 && !isWhole.test(line));
  expect(wide).toEqual([]);
}

test('the demo tells the whole story, without a git identity or settings', async () => {
  const home = mkdtempSync(join(tmpdir(), 'hone-demo-'));
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const environment = { PATH, HOME: home, TMPDIR: home, NODE_COMPILE_CACHE, NO_COLOR: '1' };
  const told = await run([process.execPath, MAIN, 'demo', '--once'], home, environment);
  rmSync(home, { recursive: true, force: true });
  expect(told.err).toBe('');
  expect(told.exit).toBe(0);
  expectTold(told.out);
  // Each act can be watched.
  expect(told.out.match(/^Watch this act in a browser/gm)).toHaveLength(3);
});

const ACTS = [
  { act: 1, scenario: 'timeout-too-low', state: 'implemented' },
  { act: 2, scenario: 'helps-then-hurts', state: 'reverted' },
] as const;

test.each(ACTS)('act $act on PostgreSQL, as a JSON document', async ({ act, scenario, state }) => {
  const { url, drop } = await freshDatabase({ empty: true });
  const { io, said } = captureIo();
  const only = { act, postgresUrl: url };
  const few = (name: string) => thinned(bundledScenario(name));
  const options = { io: io(true), seed: 1, pause: false, only, scenario: few };
  expect(await runDemo(options)).toBe(0);
  const { acts, task } = demoJson.parse(JSON.parse(said.out));
  expect(acts).toMatchObject([{ scenario, state }]);
  expect(task).toBeNull();
  if (act === 1) {
    expect(acts[0]!.title).toContain('Raise timeout_ms of web_search from 800 to');
    expect(acts[0]!.failedAfter).toBeLessThan(acts[0]!.failedBefore);
  }
  await drop();
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
