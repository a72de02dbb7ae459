/** The story of `npm start`, as a process; and every scenario that comes with Hone, with a blind approver. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
    'did not hold',
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

test('the same story on PostgreSQL', async () => {
  const urls = await Promise.all([freshDatabase({ empty: true }), freshDatabase({ empty: true })]);
  let out = '';
  const io = {
    json: false,
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
  expectTold(out);
  for (const { drop } of urls) await drop();
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
