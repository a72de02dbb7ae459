import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sandboxProblem } from '../../test/sandbox.ts';
import { systemClock } from '../base/index.ts';
import { bwrapArguments } from './arguments.ts';
import {
  openToSandbox,
  probeSandbox,
  runSandboxed,
  type SandboxRun,
  withinReach,
} from './index.ts';

let made = 0;
const ports = { clock: systemClock, newId: () => `test-${process.pid}-${++made}` };
const MB = 1024 * 1024;
const RUN: SandboxRun = {
  argv: ['/bin/sh', '-c', 'true'],
  readOnly: [],
  scratch: [],
  masked: [],
  cwd: '/tmp',
  environment: { PATH: '/usr/bin:/bin' },
  limits: {
    wallMs: 10_000,
    cpuSeconds: 5,
    memoryBytes: 256 * MB,
    processes: 64,
    fileBytes: 8 * MB,
    scratchBytes: 8 * MB,
    outputBytes: 64 * 1024,
    openFiles: 128,
  },
};
const sh = (script: string, more: Partial<SandboxRun> = {}): SandboxRun => ({
  ...RUN,
  argv: ['/bin/sh', '-c', script],
  ...more,
});
const limited = (changes: Partial<SandboxRun['limits']>) => ({
  limits: { ...RUN.limits, ...changes },
});

describe.skipIf(sandboxProblem() !== undefined)('VAL-4 the sandbox', () => {
  let tree: string;
  beforeAll(() => {
    tree = mkdtempSync(join(tmpdir(), 'hone-sandbox-test-'));
    mkdirSync(join(tree, '.git'));
    writeFileSync(join(tree, '.git', 'config'), 'hidden');
    writeFileSync(join(tree, 'policy.yaml'), 'hidden');
    writeFileSync(join(tree, 'a.txt'), 'seen\n');
    symlinkSync('/etc', join(tree, 'link'));
    // Readable by the user that runs inside.
    chmodSync(tree, 0o755);
  });
  afterAll(() => rmSync(tree, { recursive: true, force: true }));

  test('a program gets its input and gives its output and exit code', async () => {
    const result = await runSandboxed(sh('cat; echo err >&2; exit 7', { input: 'in' }), ports);
    expect(result).toMatchObject({ ended: 'exited', exitCode: 7 });
    expect([result.stdout.toString(), result.stderr.toString()]).toEqual(['in', 'err\n']);
  });

  test('what it prints can go to a file, which is bounded', async () => {
    const path = join(tree, 'printed');
    const file = openSync(path, 'wx');
    try {
      const fileBytes = { ...limited({ fileBytes: 1 * MB }), outputFile: file };
      const result = await runSandboxed(sh('echo seen; echo err >&2', fileBytes), ports);
      expect([readFileSync(path, 'utf8'), result.stdout.length]).toEqual(['seen\n', 0]);
      expect(result.stderr.toString()).toBe('err\n');
      await runSandboxed(sh('head -c 5000000 /dev/zero', fileBytes), ports);
      expect(readFileSync(path).length).toBeLessThanOrEqual(MB);
    } finally {
      closeSync(file);
      rmSync(path);
    }
  });

  test('what Hone wrote out is within reach, wherever it was and however closed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hone-sandbox-reach-'));
    try {
      const closed = join(folder, 'closed');
      mkdirSync(join(closed, 'inner'), { recursive: true, mode: 0o700 });
      writeFileSync(join(closed, 'inner', 'a.txt'), 'seen\n', { mode: 0o600 });
      const opened = join(folder, 'opened');
      mkdirSync(opened, { mode: 0o700 });
      writeFileSync(join(opened, 'b.txt'), 'too\n', { mode: 0o600 });
      chmodSync(folder, 0o711);
      await openToSandbox(opened);
      const copy = await withinReach(join(closed, 'inner'), opened);
      const readOnly = [
        { from: opened, to: '/work/opened' },
        { from: copy, to: '/work/inner' },
      ];
      const script = 'cat /work/opened/b.txt /work/inner/a.txt';
      const result = await runSandboxed(sh(script, { readOnly }), ports);
      expect(result.stdout.toString()).toBe('too\nseen\n');
      expect(await withinReach('/usr/bin/env', opened)).toBe('/usr/bin/env');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('it sees what is bound, and not what is masked, there or not', async () => {
    const script =
      'cat a.txt; cat .git/config policy.yaml; ls .git; echo x > a.txt; mkdir .husky; echo y > /work/out/ok; cat /work/out/ok; mkdir /work/out/.git/x';
    const result = await runSandboxed(
      sh(script, {
        readOnly: [{ from: tree, to: '/work/tree' }],
        scratch: ['/work/out'],
        masked: [
          '/work/tree/.git',
          '/work/tree/policy.yaml',
          '/work/tree/.husky',
          '/work/out/.git',
        ],
        cwd: '/work/tree',
      }),
      ports,
    );
    expect(result.stdout.toString()).toBe('seen\ny\n');
    const problems = result.stderr.toString();
    expect(problems).toMatch(/a\.txt: Read-only file system/);
    expect(problems).toMatch(/\.husky.*Read-only file system/);
    expect(problems).toMatch(/out\/\.git\/x.*Read-only file system/);
  });

  test('a masked link is refused, and so are paths of the system', async () => {
    const readOnly = [{ from: tree, to: '/work/tree' }];
    for (const bad of [
      { readOnly, masked: ['/work/tree/link'] },
      { scratch: ['/usr/lib'] },
      { scratch: ['/work/../etc'] },
      { cwd: 'work' },
      { masked: ['/'] },
    ])
      await expect(runSandboxed(sh('true', bad), ports)).rejects.toMatchObject({ code: 'bad_run' });
  });

  test('what cannot be put in place is no result', async () => {
    const run = sh('echo ran', { readOnly: [{ from: '/no/such/folder', to: '/work/tree' }] });
    await expect(runSandboxed(run, ports)).rejects.toMatchObject({ code: 'not_started' });
  });

  test('the environment is what is given', async () => {
    process.env['HONE_TEST_SECRET'] = 'hush';
    const { stdout } = await runSandboxed(
      sh('env | grep -v ^PWD= | grep -v ^OLDPWD= | sort', {
        environment: { PATH: '/usr/bin', A: 'b' },
      }),
      ports,
    );
    delete process.env['HONE_TEST_SECRET'];
    expect(stdout.toString()).toBe('A=b\nPATH=/usr/bin\n');
  });

  test.each([true, false])('limits end a run, without a cgroup: %s', async (withoutCgroup) => {
    const ended = async (run: SandboxRun) =>
      (await runSandboxed(run, { ...ports, withoutCgroup })).ended;
    expect(await ended(sh('sleep 60', limited({ wallMs: 100 })))).toBe('time');
    const flood = sh('yes', limited({ outputBytes: 1000 }));
    const { ended: how, stdout } = await runSandboxed(flood, { ...ports, withoutCgroup });
    expect([how, stdout.length]).toEqual(['output', 1000]);
    const big = 'x=$(head -c 120000000 /dev/zero | tr "\\0" a); echo "$x" | wc -c; sleep 2';
    expect(await ended(sh(big, limited({ memoryBytes: 32 * MB })))).toBe('memory');
  });

  test('told to stop, it stops, and nothing of it is left', async () => {
    // Before it began, and while it runs.
    for (const isRunning of [false, true]) {
      const seconds = `4714${isRunning ? 1 : 0}`;
      const stop = new AbortController();
      const script = `echo on; sleep ${seconds} & sleep ${seconds}`;
      const running = runSandboxed(sh(script, { signal: stop.signal }), ports);
      if (isRunning) await expect.poll(() => isThere(seconds), { timeout: 8000 }).toBe(true);
      stop.abort();
      expect((await running).ended).toBe('aborted');
      expect(isThere(seconds)).toBe(false);
    }
  });

  test('each limit is tried before any is relied on', async () => {
    expect(await probeSandbox(ports)).toMatchObject({
      available: true,
      kept: { wallMs: 'timer', cpuSeconds: 'rlimit' },
    });
  });
});

/** By a number that no other program sleeps for. */
function isThere(seconds: string): boolean {
  return readdirSync('/proc').some((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8') === `sleep\0${seconds}\0`;
    } catch {
      return false;
    }
  });
}

test('VAL-4 where bwrap is missing or forbidden, it says so and what to do', async () => {
  const path = process.env['PATH'];
  process.env['PATH'] = '/nowhere';
  try {
    const probe = await probeSandbox(ports);
    expect(probe).toMatchObject({ available: false, why: expect.stringContaining('install it') });
  } finally {
    process.env['PATH'] = path;
  }
});

test('the arguments leave no wall out', () => {
  const system = { bound: ['/usr'], linked: [], files: [] };
  const args = bwrapArguments(RUN, { system, masks: [] }, { info: 3, block: 4, started: 5 });
  for (const wall of [
    ...['user', 'ipc', 'pid', 'net', 'uts'].map((name) => `--unshare-${name}`),
    ...['--disable-userns', '--die-with-parent', '--new-session', '--clearenv'],
  ])
    expect(args).toContain(wall);
  expect(args.join(' ')).toContain('--cap-drop ALL');
  expect(args.join(' ')).toContain('--remount-ro / --chdir /tmp --');
  expect(args).not.toContain('--share-net');
});
