import { spawn, spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ManualClock, nextTurn, systemClock } from '../base/index.ts';
import { GitProcesses } from './git-processes.ts';
import { baseEnvironment } from './hermetic.ts';
import { openRepository } from './index.ts';
import { Launcher } from './launcher.ts';
import { DEFAULT_GIT_LIMITS, type GitLimits } from './limits.ts';
import {
  type ProcessOrder,
  runToEnd,
  type Sinks,
  startHere,
  startProcess,
} from './start-process.ts';
import { commitFiles, git, initRepository, temporaryFolder } from './test-repositories.ts';

const launcher = new Launcher(startHere);
const WAYS = {
  'by this process': (order: ProcessOrder, sinks: Sinks) => startHere(spawn, order, sinks),
  'by a launcher': (order: ProcessOrder, sinks: Sinks) => launcher.start(order, sinks),
};
const call = (script: string) => ({ args: ['-c', script], env: baseEnvironment(), cwd: '/' });

describe.each(Object.entries(WAYS))('processes started %s', (_, start) => {
  /** The pool with a shell in git's place. */
  const shells = (limits: Partial<GitLimits> = {}, clock = systemClock) =>
    new GitProcesses({
      ...{ binary: '/bin/sh', clock, start },
      limits: { ...DEFAULT_GIT_LIMITS, ...limits },
    });

  test('what a process prints and its exit code come back; its input reaches it', async () => {
    const output = await shells().run({ ...call('cat; echo no >&2; exit 3'), input: 'x\0y' });
    expect(output).toEqual({ exit: 3, stdout: Buffer.from('x\0y'), stderr: 'no' });
  });

  test('a process that does not read its input is judged by its exit code', async () => {
    const output = await shells().run({ ...call('exit 7'), input: Buffer.alloc(4 * 1024 * 1024) });
    expect(output.exit).toBe(7);
  });

  test('too much output ends it', async () => {
    const run = shells({ outputBytesMax: 1000 }).run(call('while :; do echo x; done'));
    await expect(run).rejects.toMatchObject({ code: 'too_large' });
  });

  test('one that takes too long is told to end, and killed if it does not', async () => {
    for (const [script, steps] of [
      ['sleep 3 & wait', 1],
      ['trap "" TERM; while :; do sleep 0.01; done', 2],
    ] as const) {
      const clock = new ManualClock();
      const run = shells({ timeoutMs: 60_000, graceMs: 500 }, clock).run(call(script));
      let over = false;
      const result = run
        .catch((error) => error)
        .finally(() => {
          over = true;
        });
      await nextTurn();
      clock.advance(59_999);
      await nextTurn();
      expect(over).toBe(false);
      clock.advance(1);
      // The script has to come as far as its trap before it is told anything; turns, not time.
      for (let turn = 0; turn < 50; turn++) await nextTurn();
      if (steps === 2) clock.advance(500);
      expect(await result).toMatchObject({ code: 'timeout' });
    }
  });

  test('no more than the limit run at the same time, in the order they came', async () => {
    await using folder = await temporaryFolder();
    const pool = shells({ processesMax: 2 });
    const script = (name: number) => `cd ${folder.path}; mkdir ${name}; ls | wc -l; rmdir ${name}`;
    const counts = await Promise.all(
      Array.from({ length: 12 }, async (_, at) =>
        Number((await pool.run(call(script(at)))).stdout),
      ),
    );
    expect(Math.max(...counts)).toBeLessThanOrEqual(2);
  });

  test('a git that is missing is said so', async () => {
    const pool = new GitProcesses({
      binary: '/nonexistent/git',
      clock: systemClock,
      limits: DEFAULT_GIT_LIMITS,
      start,
    });
    await expect(pool.run(call(''))).rejects.toMatchObject({ code: 'git_missing' });
  });

  test('a group is ended with what it started, also when its first has ended before', async () => {
    await using folder = await temporaryFolder();
    const clock = new ManualClock();
    const script = `(trap '' TERM; sh -c 'echo $PPID' > ${folder.path}/pid; while [ -e ${folder.path}/pid ]; do sleep 0.01; done) & wait`;
    const run = shells({ timeoutMs: 60_000, graceMs: 500 }, clock)
      .run({ ...call(script), isGroup: true })
      .catch((error) => error);
    await expect.poll(() => readdir(folder.path)).toEqual(['pid']);
    clock.advance(60_000);
    expect(await run).toMatchObject({ code: 'timeout' });
    const pid = (await readFile(join(folder.path, 'pid'), 'utf8')).trim();
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  test('nothing of our environment reaches a process', async () => {
    const output = await shells().run({ args: ['-c', 'env'], env: { ONLY: 'this' }, cwd: '/' });
    const names = String(output.stdout)
      .split('\n')
      .map((line) => line.split('=')[0]!)
      .filter((name) => !['', 'PWD', 'OLDPWD', 'SHLVL', '_'].includes(name));
    expect(names).toEqual(['ONLY']);
  });
});

/** One that has ended may stay in the list until its parent asks for it. */
const isRunning = (pid: string) =>
  /^[^Z]/.test(spawnSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' }).stdout);

test('a launcher that is killed: what it had started counts as killed, and it is not asked again', async () => {
  const own = new Launcher(startHere);
  const said: string[] = [];
  const sinks = { onOutput: () => {}, onMessages: (chunk: Buffer) => said.push(String(chunk)) };
  const order = { binary: '/bin/sh', ...call('kill -9 $PPID; sleep 0.1') };
  expect(await own.start(order, sinks).ended).toBe(-1);
  expect(said.join('')).toContain('was ended');
  expect(own.isOpen).toBe(false);
  expect(await own.start(order, sinks).ended).toBe(-1);
});

test('once starting has cost enough, another process starts them', async () => {
  const parentOf = async () => {
    let said = '';
    const onOutput = (chunk: Buffer) => {
      said += chunk;
    };
    const order = { binary: '/bin/sh', ...call('echo $PPID') };
    await startProcess(order, { onOutput, onMessages: () => {} }).ended;
    return Number(said);
  };
  let starts = 0;
  while ((await parentOf()) === process.pid) expect(++starts).toBeLessThan(1000);
  expect(await parentOf()).not.toBe(process.pid);
});

test('one that is asked a single thing is heard to its end, and started by that other too', async () => {
  const order = { binary: '/bin/sh', ...call('echo $PPID; echo aside >&2; exit 3') };
  const { exit, output } = await runToEnd({ ...order, env: { ...order.env, ABSENT: undefined } });
  expect(exit).toBe(3);
  expect(String(output)).toMatch(/^\d+\n$/);
  expect(Number(output)).not.toBe(process.pid);
  await expect(runToEnd({ ...order, binary: '/nowhere/git' })).rejects.toThrow('ENOENT');
});

test('a process that is done is not held up by its launcher', () => {
  const here = new URL('./', import.meta.url).pathname;
  const code = `
    import { Launcher } from '${here}launcher.ts';
    import { startHere } from '${here}start-process.ts';
    const sinks = { onOutput: (text) => process.stdout.write(text), onMessages() {} };
    const order = { binary: '/bin/echo', args: ['started'], env: {}, cwd: '/' };
    await new Launcher(startHere).start(order, sinks).ended;
  `;
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', code]);
  expect([child.status, String(child.stdout)]).toEqual([0, 'started\n']);
});

test('configuration that never ends does not hold us up', async () => {
  await using folder = await temporaryFolder();
  initRepository(folder.path);
  const clock = new ManualClock();
  await using repository = await openRepository({ root: folder.path, durable: false, clock });
  const head = await commitFiles(repository, undefined, { f: 'x' });
  spawnSync('/bin/sh', ['-c', `mkfifo ${join(folder.path, 'pipe')}`]);
  git(folder.path, ['config', 'include.path', join(folder.path, 'pipe')]);
  expect((await repository.readFile(head, 'f'))?.length).toBe(1);
  // The clock stands: waiting for the pipe would never end.
  expect(await repository.resolve('refs/heads/main')).toBeUndefined();
});

test('operations that fail leave no scratch behind', async () => {
  await using folder = await temporaryFolder();
  await mkdir(join(folder.path, 'temp'));
  await mkdir(join(folder.path, 'root'));
  initRepository(join(folder.path, 'root'));
  await using repository = await openRepository({
    root: join(folder.path, 'root'),
    durable: false,
    tempFolder: join(folder.path, 'temp'),
  });
  const base = await commitFiles(repository, undefined, { f: 'a\n' });
  await writeFile(
    join(folder.path, 'root', '.git', 'objects', 'info', 'alternates'),
    '/nonexistent\n',
  );
  await repository.applyPatch(base, 'diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-b\n+c\n');
  await expect(repository.writeFiles('x', [])).rejects.toThrow();
  const [bench] = await readdir(join(folder.path, 'temp'));
  expect((await readdir(join(folder.path, 'temp', bench!))).sort()).toEqual(['git', 'no-hooks']);
});
