/** `hone look`: in a folder that is no repository, with nothing set up, and nothing is left behind. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runHere } from '../../test/cli.ts';
import { makeContext } from '../compose/context.ts';
import { processSurroundings } from '../compose/surroundings.ts';
import * as contracts from '../contracts/index.ts';
import { captureIo } from './captured-io.ts';
import { runCli } from './program.ts';
import { calls } from './target.test-support.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hone-look-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const environment = () => ({ PATH: process.env['PATH'] ?? '', HOME: root, NO_COLOR: '1' });
const hone = (...args: string[]) => runHere(args, root, { environment: environment() });
const plain = (text: string) => text.replace(/\s+/g, ' ');

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const MESSAGE = 'gave up: password=hunter2xyz for bob@example.org';
const timedOut = (agent: string, message = MESSAGE) =>
  calls({ agent, tool: 'web_search', untilMs: Date.now(), message });

test('what recurs, how often, since when, three examples, sanitised; and no trace is left', async () => {
  write('logs/deep/events.jsonl', `${timedOut('researcher')}{"no": "event"}\nplain\n`);
  write('logs/readme.txt', 'hello\n');
  const before = readdirSync(root, { recursive: true }).sort();
  const run = await hone('look', 'logs', '--json');
  expect(run.exit).toBe(0);
  const looked = contracts.lookJson.parse(run.json());
  expect(looked).toMatchObject({ files: 1, events: 250, aside: 2, interrupted: false });
  const [project] = looked.projects;
  expect(project).toMatchObject({
    project: '~/logs',
    read: [{ kind: 'jsonl', files: 1 }],
    connect: 'hone sources add ~/logs --kind jsonl',
  });
  const [failure] = project!.failures;
  expect(failure).toMatchObject({
    agent: 'researcher',
    tool: 'web_search',
    failures: 31,
    calls: 250,
  });
  expect(failure!.examples).toHaveLength(3);
  expect(looked.notRecognised).toMatchObject([{ looksLike: 'plain text', files: 1 }]);

  const { out } = await hone('look', 'logs');
  expect(plain(out)).toContain('31 of 250 calls (12 %) in 31 sessions, since');
  expect(out).toContain('web_search of researcher: gave up: password=[REDACTED:KEY]');
  expect(out).toMatch(/2\. +There, connect this: hone sources add ~\/logs --kind jsonl/);
  expect(out + run.out).not.toMatch(/hunter2xyz|bob@example/);
  expect(out).not.toContain(root);
  expect(readdirSync(root, { recursive: true }).sort()).toEqual(before);
});

test('--top, --examples and --since narrow it; a time that is none is usage', async () => {
  write('a.jsonl', timedOut('one') + timedOut('two'));
  const asked = async (...args: string[]) =>
    contracts.lookJson.parse((await hone('look', 'a.jsonl', '--json', ...args)).json());
  const [top] = (await asked('--top', '1', '--examples', '1')).projects;
  expect([top!.failures.length, top!.moreFailures]).toEqual([1, 1]);
  expect(top!.failures[0]!.examples).toHaveLength(1);
  const [recent] = (await asked('--since', '2h')).projects;
  expect(recent!.events).toBeLessThan(200);
  expect(recent!.events).toBeGreaterThan(100);
  expect((await hone('look', 'a.jsonl', '--since', 'lately')).exit).toBe(2);
  expect((await hone('look')).exit).toBe(2);
});

test('credentials and history of a coding agent’s folder stay closed', async () => {
  write('.claude/projects/-work/s.jsonl', timedOut('coder'));
  write('.claude/history.jsonl', timedOut('history'));
  write('.claude/.credentials.json', '{"token":"hush"}');
  const looked = contracts.lookJson.parse((await hone('look', '~/.claude', '--json')).json());
  expect(looked).toMatchObject({ files: 1, events: 250, leftOut: { private: 2 } });
  expect(JSON.stringify(looked)).not.toContain('history');
  expect(plain((await hone('look', '~/.claude')).out)).toContain(
    '2 files of coding agents’ own folders stayed closed',
  );
});

test('nothing recognised, nothing there: what it looks like, and what Hone reads', async () => {
  write('x.csv', 'time,level,msg\n1,info,hush\n');
  write('zero.bin', '\u0000\u0001');
  const { exit, out } = await hone('look', '.', 'nowhere');
  expect(exit).toBe(0);
  expect(plain(out)).toContain('There is nothing at ~/nowhere.');
  expect(out).toContain('jsonl');
  expect(out).not.toContain('hush');
  expect(plain(out)).toContain('docs/guides/connect.md');
});

test('a project that is not there is refused with those that are', async () => {
  write('a.jsonl', timedOut('one'));
  const { exit, err } = await hone('look', 'a.jsonl', '--project', 'shop');
  expect(exit).toBe(2);
  expect(plain(err)).toContain('No project is called shop. There are: ~/a.jsonl.');
});

test('Ctrl-C shows what was read so far', async () => {
  write('many.jsonl', timedOut('researcher').repeat(60));
  // A library that another file of this worker loaded may end the process on a signal: only what came since is asked.
  const before = process.listeners('SIGINT');
  const progress = (text: string) => {
    if (!text.startsWith('Read')) return;
    const own = process.listeners('SIGINT').filter((one) => !before.includes(one));
    for (const listener of own) listener('SIGINT');
  };
  const { io, said } = captureIo({ progress });
  const surroundings = { ...processSurroundings(), environment: environment(), cwd: root, io };
  const exit = await runCli(['look', 'many.jsonl'], (json) =>
    makeContext(json, 'test', surroundings),
  );
  expect(exit).toBe(0);
  expect(said.out).toMatch(/^Stopped: this is what was read so far\.\n/);
  expect(said.out).toContain('5000 events');
});

test('a metric at another level than before is told, with since when', async () => {
  const untilMs = Date.now() - 3_600_000;
  const lines = Array.from({ length: 120 }, (_, at) => ({
    timestamp: new Date(untilMs - (120 - at) * 3_600_000).toISOString(),
    session_id: 'meter',
    event_type: 'metric',
    name: 'queue',
    value: (at < 90 ? 10 : 40) + ((at * 37) % 11) / 5,
  }));
  write('metrics.jsonl', `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
  const { out } = await hone('look', 'metrics.jsonl');
  expect(plain(out)).toContain('At another level than before queue changed from 11 to 41 since');
  const looked = contracts.lookJson.parse((await hone('look', 'metrics.jsonl', '--json')).json());
  expect(looked.projects[0]!.shifts).toHaveLength(1);
});
