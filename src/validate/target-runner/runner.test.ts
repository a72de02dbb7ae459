import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { sandboxProblem } from '../../../test/sandbox.ts';
import { systemClock } from '../../base/index.ts';
import { memoryRepository } from '../../git/index.ts';
import { commitFiles } from '../../git/test-repositories.ts';
import { SETTINGS as VALIDATE } from '../validate.test-support.ts';
import { NotRunnable, SandboxRunner } from './index.ts';

const MB = 1024 * 1024;
const SETTINGS = {
  files: ['**'],
  ...{ memory: 256 * MB, processes: 64, testTimeout: 20_000 },
  ...{ prepare: [] as string[], hosts: [] as string[], model: VALIDATE.model },
};
const never = new AbortController().signal;

const temporary = mkdtempSync(join(tmpdir(), 'hone-runner-test-'));
// The user in the sandbox has to get through.
chmodSync(temporary, 0o755);
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

let made = 0;
const portsOf = (repository = memoryRepository()) => ({
  repository,
  clock: systemClock,
  newId: () => `runner-${process.pid}-${++made}`,
  settings: SETTINGS,
  temporary,
  keptIn: '/nowhere',
  secret: () => undefined,
  store: {} as never,
  probe: async () => ({ available: true, version: '0', kept: {} as never }) as const,
});

async function opened(files: Readonly<Record<string, string>>) {
  const ports = portsOf();
  const commit = await commitFiles(ports.repository, undefined, files);
  const target = await new SandboxRunner(ports).open({ commit, base: commit }, never);
  const sh = (
    script: string,
    more: { input?: string; report?: string; timeoutMs?: number; watched?: readonly string[] } = {},
  ) => target.run({ argv: ['/bin/sh', '-c', script], timeoutMs: 20_000, ...more }, never);
  return { sh, target, [Symbol.asyncDispose]: () => target[Symbol.asyncDispose]() };
}

describe.skipIf(sandboxProblem() !== undefined)('VAL-4 commands on the target’s files', () => {
  test('run on a copy, with nothing of the machine around them, and each run begins anew', async () => {
    process.env['HONE_CANARY'] = 'canary';
    await using target = await opened({ 'a/b.txt': 'of git\n', 'run.sh': 'x' });
    const script =
      'pwd; cat a/b.txt; echo mine > a/b.txt && echo new > n; ls; env | sort; id -u; ls /work /etc; ls -a | grep -c .git; touch /work/mirror/x';
    const first = await target.sh(script);
    const said = first.output.toString();
    expect(said).toContain('/work/target\nof git\na\nn\nrun.sh\n');
    expect(said).toContain('TZ=UTC\n');
    expect(said).toContain('HOME=/tmp/home\n');
    expect(said).not.toContain('canary');
    expect(said).toContain('\n65534\n');
    expect(said).toMatch(/\n0\n$/);
    expect(first.messages.toString()).toContain('Read-only file system');
    delete process.env['HONE_CANARY'];
    const second = await target.sh('cat a/b.txt; ls n');
    expect(second.output.toString()).toBe('of git\n');
  });

  test('VAL-6 which files they read is known, and is no part of what they print', async () => {
    const files = {
      ...{ 'a.txt': 'a', 'b/with space.txt': 'b', 'c.json': '{}', 'empty.py': '', 'd.txt': 'd' },
      'go.js': 'process.stdout.write(JSON.stringify(require("./c.json")))',
    };
    const watched = Object.keys(files).concat('not/there.txt');
    await using target = await opened(files);
    const script = 'ls -R > /dev/null; cat "b/with space.txt" empty.py; node go.js; exit 3';
    const { output, exitCode, read } = await target.sh(script, { watched });
    expect([output.toString(), exitCode]).toEqual(['b{}', 3]);
    expect([...read!].sort()).toEqual([
      ...['b/with space.txt', 'c.json', 'empty.py', 'go.js', 'not/there.txt'],
    ]);
    const reported = await target.sh('cat a.txt; mkdir out; cp d.txt out/r', {
      ...{ watched, report: 'out/r' },
    });
    expect([reported.output.toString(), reported.messages.toString()]).toEqual(['d', 'a']);
    expect([...reported.read!].sort()).toEqual(['a.txt', 'd.txt', 'not/there.txt']);
    const killed = await target.sh('cat a.txt; kill -9 $PPID', { watched, timeoutMs: 5000 });
    expect(killed.read).toBeUndefined();
    expect((await target.sh('cat a.txt')).read).toBeUndefined();
  });

  test('have the Node that runs Hone, a name for localhost, and no network', async () => {
    await using target = await opened({
      'go.js': `
        const { lookup } = require('node:dns/promises');
        const { userInfo } = require('node:os');
        (async () => {
          console.log(userInfo().username, (await lookup('localhost')).address);
          await fetch('http://192.0.2.1/').catch((error) => console.log(error.cause.code));
        })();`,
    });
    const { output, messages } = await target.sh('node go.js');
    expect([output.toString(), messages.toString()]).toEqual([
      'nobody 127.0.0.1\nENETUNREACH\n',
      '',
    ]);
  });

  test('get their input, and give back a report apart from what they print', async () => {
    await using target = await opened({ a: 'x' });
    const plain = await target.sh('cat', { input: 'one\ntwo\n' });
    expect(plain.output.toString()).toBe('one\ntwo\n');
    const reported = await target.sh('echo noise; mkdir out; echo "<a/>" > out/r.xml; exit 3', {
      report: 'out/r.xml',
    });
    expect(reported).toMatchObject({ ended: 'exited', exitCode: 3 });
    expect(reported.output.toString()).toBe('<a/>\n');
    expect(reported.messages.toString()).toBe('noise\n');
    const none = await target.sh('exit 0', { report: 'out/r.xml' });
    expect([none.exitCode, none.output.length]).toEqual([0, 0]);
  });

  test('are ended with the time, and leave nothing behind', async () => {
    {
      await using target = await opened({ a: 'x' });
      expect(readdirSync(temporary)).toHaveLength(1);
      expect((await target.sh('sleep 60', { timeoutMs: 300 })).ended).toBe('time');
    }
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('APP-3 see the files of validate.files and nothing else', async () => {
    const ports = { ...portsOf(), settings: { ...SETTINGS, files: ['/app/**'] } };
    const files = { 'app/a': '1', 'other/b': '2', c: '3' };
    const commit = await commitFiles(ports.repository, undefined, files);
    await using target = await new SandboxRunner(ports).open({ commit, base: commit }, never);
    const found = await target.run({ argv: ['find', '.', '-type', 'f'], timeoutMs: 20_000 }, never);
    expect(found.output.toString()).toBe('./app/a\n');
    const mirror = await target.run(
      { argv: ['find', '/work', '-type', 'f'], timeoutMs: 20_000 },
      never,
    );
    expect(mirror.output.toString()).not.toMatch(/other|\/c\n/);
  });

  test('a program of the machine reads a text, and nothing of the target', async () => {
    const runner = new SandboxRunner(portsOf());
    const run = async (...argv: string[]) =>
      (await runner.runTool(argv, 'hi\n', never))?.toString();
    expect(await run('cat')).toBe('hi\n');
    expect(await run('ls', '/work/target', '/work/mirror')).toBe('/work/target:\n');
    expect(await run('no-such-linter')).toBeUndefined();
  });

  test('an interruption is the caller’s own reason', async () => {
    const stop = new AbortController();
    await using target = await opened({ a: 'x' });
    const running = target.target.run({ argv: ['sleep', '60'], timeoutMs: 60_000 }, stop.signal);
    stop.abort(new Error('the lease is lost'));
    await expect(running).rejects.toThrow('the lease is lost');
  });
});

test('VAL-4 where no sandbox can be made, nothing is run, and the reason is given', async () => {
  const ports = portsOf();
  const commit = await commitFiles(ports.repository, undefined, { a: 'x' });
  const probe = async () => ({ available: false, why: 'There is no bubblewrap here.' }) as const;
  const open = new SandboxRunner({ ...ports, probe }).open({ commit, base: commit }, never);
  await expect(open).rejects.toThrow(new NotRunnable('There is no bubblewrap here.'));
});
