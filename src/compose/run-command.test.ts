import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock, nextTurn, systemClock } from '../base/index.ts';
import { Collector, type CommandLimits, type RunningCommand } from '../observe/index.ts';
import {
  emptyStore,
  MemoryFiles,
  SETTINGS,
  START_MS,
  toolCall,
} from '../observe/telemetry.test-support.ts';
import { nodeCommands } from './run-command.ts';

const LIMITS = { timeoutMs: 10_000, idleMs: 10_000, outputBytesMax: 1_000_000, withErrors: true };

describe('OBS-2 commands that sources name', () => {
  let cwd: string;
  beforeEach(() => {
    cwd = mkdtempSync(join(tmpdir(), 'hone-command-'));
  });
  afterEach(() => rmSync(cwd, { recursive: true }));

  const environment = { ...process.env, HONE_SECRET: 'secret', LANG: 'C' };
  const commands = () => nodeCommands({ environment, cwd, clock: systemClock });

  async function run(command: readonly string[], limits: Partial<CommandLimits> = {}) {
    await using running = commands().run(command, { ...LIMITS, ...limits });
    const pieces: Uint8Array[] = [];
    for (let piece = await running.next(false); piece !== undefined; ) {
      if (piece !== 'later') pieces.push(piece);
      piece = await running.next(false);
    }
    return { text: Buffer.concat(pieces).toString(), end: running.end };
  }
  const node = (script: string) => [process.execPath, '-e', script];

  test('both outputs are read in the order in which they are written', async () => {
    const script = `const {writeSync} = require('fs');
for (let at = 0; at < 200; at++) writeSync(1 + at % 2, at + ' ');`;
    const expected = Array.from({ length: 200 }, (_, at) => `${at} `);
    expect(await run(node(script))).toEqual({
      text: expected.join(''),
      end: { how: 'exited', code: 0 },
    });
    const { text } = await run(node(script), { withErrors: false });
    expect(text).toBe(expected.filter((_, at) => at % 2 === 0).join(''));
  });

  test('no shell reads its words, and nothing of the environment but three variables reaches it', async () => {
    const words = ['$HOME', '`id`', '; echo x', 'a b', "'", '"', '*', '-n', ''];
    const script = 'console.log(JSON.stringify([process.argv.slice(1), process.env]))';
    for (const withErrors of [true, false]) {
      const { text } = await run([...node(script), '--', ...words], { withErrors });
      const [given, env] = JSON.parse(text) as [string[], Record<string, string>];
      expect(given).toEqual(words);
      // A shell adds variables of its own.
      for (const name of ['PWD', 'OLDPWD', 'SHLVL', '_']) delete env[name];
      expect(Object.keys(env).sort()).toEqual(['HOME', 'LANG', 'PATH']);
    }
  });

  test.each([true, false])('one that is not there is told (joined: %s)', async (withErrors) => {
    for (const program of ['hone-no-such-program', './no-such-program', '/no/such/program'])
      expect(await run([program], { withErrors })).toEqual({
        text: '',
        end: { how: 'not_started', code: 'ENOENT' },
      });
  });

  test('what one prints is collected, and only what is new', async () => {
    const store = await emptyStore();
    await using all = commands();
    const source = { name: 'a', kind: 'command', command: ['cat', 'log'], format: 'jsonl' };
    const settings = { ...SETTINGS, sources: [source] };
    const files = new MemoryFiles();
    for (const count of [1, 2, 3]) {
      appendFileSync(join(cwd, 'log'), toolCall(START_MS + count).repeat(count));
      const collector = new Collector({ store, files, settings, commands: all });
      expect(await collector.collect()).toMatchObject({ events: count, aside: 0, notes: [] });
    }
    await store.close();
  });

  test('its exit code is told', async () => {
    const { end } = await run(node('process.exitCode = 3'));
    expect(end).toEqual({ how: 'exited', code: 3 });
  });

  test('one that never ends is ended, with what it started', async () => {
    const script = `const child = require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {stdio: 'inherit'});
console.log(child.pid); setInterval(() => {}, 1000);`;
    for (const [limits, how] of [
      [{ idleMs: 300 }, 'idle'],
      [{ timeoutMs: 1500 }, 'timeout'],
    ] as const) {
      const { text, end } = await run(node(script), limits);
      expect(end).toEqual({ how });
      if (text === '') continue; // ended before it said so
      await expect.poll(() => isRunning(Number(text)), { timeout: 5000 }).toBe(false);
    }
  });

  test('one that prints without end is ended, and nothing piles up', async () => {
    const script = `const text = 'x'.repeat(65536); const {writeSync} = require('fs');
for (;;) writeSync(1, text);`;
    const { text, end } = await run(node(script), { outputBytesMax: 300_000 });
    expect(end).toEqual({ how: 'too_much' });
    expect(text.length).toBeLessThanOrEqual(300_000);
  });

  test('whoever has others to read does not wait for one that prints slowly, and gets all of it', async () => {
    const clock = new ManualClock();
    const slow = `const {writeSync, existsSync} = require('fs'); writeSync(1, 'a');
const waiting = setInterval(() => { if (existsSync('go')) { writeSync(1, 'b'); clearInterval(waiting); } }, 20);`;
    await using running = nodeCommands({ environment, cwd, clock }).run(node(slow), LIMITS);
    expect(String(await running.next(false))).toBe('a');
    expect(await asked(running, clock)).toBe('later');
    writeFileSync(join(cwd, 'go'), '');
    expect(String(await running.next(false))).toBe('b');
    expect(await running.next(false)).toBeUndefined();
    expect(running.end).toEqual({ how: 'exited', code: 0 });
  });

  test('one that is idle over several askings is ended', async () => {
    const clock = new ManualClock();
    const idle = node('setInterval(() => {}, 1000)');
    const limits = { ...LIMITS, timeoutMs: 1e6 };
    await using running = nodeCommands({ environment, cwd, clock }).run(idle, limits);
    let answers = 0;
    for (; running.end === undefined; answers++) await asked(running, clock);
    expect(answers).toBeGreaterThan(3);
    expect(running.end).toEqual({ how: 'idle' });
  });

  /** Time passes until there is an answer. */
  async function asked(running: RunningCommand, clock: ManualClock) {
    let isAnswered = false;
    const answer = running.next(true).finally(() => {
      isAnswered = true;
    });
    while (!isAnswered) {
      clock.advance(100);
      await nextTurn();
    }
    return answer;
  }

  test('whoever closes all of them ends those that run', async () => {
    const all = commands();
    const running = all.run(node('console.log(process.pid); setInterval(() => {}, 1000)'), LIMITS);
    const printed = await running.next(false);
    const pid = Number(Buffer.from(printed as Uint8Array).toString());
    expect(isRunning(pid)).toBe(true);
    await all[Symbol.asyncDispose]();
    await expect.poll(() => isRunning(pid), { timeout: 5000 }).toBe(false);
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
