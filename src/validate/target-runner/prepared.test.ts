import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sandboxProblem } from '../../../test/sandbox.ts';
import { systemClock } from '../../base/index.ts';
import { memoryRepository } from '../../git/index.ts';
import { commitFiles } from '../../git/test-repositories.ts';
import { SETTINGS } from '../validate.test-support.ts';
import { NotRunnable, SandboxRunner } from './index.ts';

const { model: NO_MODEL } = SETTINGS;
const never = new AbortController().signal;
const temporary = mkdtempSync(join(tmpdir(), 'hone-prepared-test-'));
chmodSync(temporary, 0o755);
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

/** Through the proxy that the environment names, one absolute URL and one tunnel. */
const FETCH = `
const { request } = require('node:http');
const [host, port] = process.argv[2].split(':');
const proxy = new URL(process.env.HTTP_PROXY);
const through = { host: proxy.hostname, port: proxy.port };
const said = (reply) => reply.on('data', (bytes) => console.log(reply.statusCode + ' ' + bytes));
request({ ...through, path: \`http://\${host}:\${port}/plain\`, headers: { host } }, (reply) => {
  said(reply).on('end', () => {
    const tunnel = request({ ...through, method: 'CONNECT', path: \`\${host}:\${port}\` });
    tunnel.on('connect', ({ statusCode }, socket) => {
      if (statusCode !== 200) process.exit(1);
      request({ createConnection: () => socket, path: '/tunnel', headers: { host } }, said).end();
      socket.on('end', () => process.exit(0));
    });
    tunnel.end();
  });
}).end();
`;

describe.skipIf(sandboxProblem() !== undefined)('VAL-4 what is prepared from the base', () => {
  let keptIn: string;
  let made = 0;
  const repository = memoryRepository();
  beforeEach(() => {
    keptIn = mkdtempSync(join(tmpdir(), 'hone-kept-test-'));
  });
  afterEach(() => rmSync(keptIn, { recursive: true, force: true }));

  const runnerOf = (prepare: readonly string[], hosts: readonly string[] = []) =>
    new SandboxRunner({
      repository,
      clock: systemClock,
      newId: () => `prepared-${process.pid}-${++made}`,
      settings: {
        files: ['**'],
        ...{ memory: 256 * 1024 * 1024, processes: 64, testTimeout: 20_000 },
        ...{ prepare: [...prepare], hosts: [...hosts], model: NO_MODEL },
      },
      temporary,
      keptIn,
      secret: () => undefined,
      store: {} as never,
      probe: async () => ({ available: true, version: '0', kept: {} as never }),
    });
  const sh = (script: string) => ['/bin/sh', '-c', script];

  async function output(
    runner: SandboxRunner,
    where: { commit: string; base: string },
    script: string,
  ): Promise<string> {
    await using target = await runner.open(where, never);
    return (await target.run({ argv: sh(script), timeoutMs: 20_000 }, never)).output.toString();
  }

  test('is there for base and candidate, made once, and by the base’s files alone', async () => {
    const base = await commitFiles(repository, undefined, {
      lock: 'one\n',
      'src/a': 'a\n',
      old: '',
    });
    const commit = await commitFiles(repository, base, {
      lock: 'two\n',
      'src/a': 'b\n',
      old: null,
    });
    const prepare =
      'mkdir -p deps/bin && cat lock /proc/sys/kernel/random/uuid > deps/built && ln -s ../built deps/bin/x && echo mine > lock';
    const runner = runnerOf(sh(prepare));
    const look = 'cat lock src/a deps/bin/x; ls';
    const onBase = await output(runner, { commit: base, base }, look);
    const onCandidate = await output(runner, { commit, base }, look);
    expect(onBase).toMatch(/^one\na\none\n[0-9a-f-]{36}\ndeps\nlock\nold\nsrc\n$/);
    // What the change removed stays away.
    expect(onCandidate).toBe(onBase.replace('one\na\n', 'two\nb\n').replace('old\n', ''));
    expect(readdirSync(keptIn)).toHaveLength(1);
    // Another command, or another base, is another preparation; few are kept.
    for (const other of ['echo 1 > x', 'echo 2 > x', 'echo 3 > x', 'echo 4 > x'])
      expect(await output(runnerOf(sh(other)), { commit, base }, 'cat x')).toBe(`${other[5]}\n`);
    expect(readdirSync(keptIn)).toHaveLength(3);
  });

  test('that cannot be made is told with its last lines, and nothing is kept', async () => {
    const base = await commitFiles(repository, undefined, { lock: 'broken\n' });
    const runner = runnerOf(sh('echo "lock is broken" >&2; exit 4'));
    const error = await runner.open({ commit: base, base }, never).catch((one: unknown) => one);
    expect(error).toBeInstanceOf(NotRunnable);
    expect((error as NotRunnable).reasons).toEqual([
      'What validate.prepare makes cannot be made from the base: the command ended with exit code 4.',
      '> lock is broken',
    ]);
    expect(readdirSync(keptIn)).toEqual([]);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('and is interrupted leaves nothing half', async () => {
    const base = await commitFiles(repository, undefined, { a: 'a\n' });
    const stop = new AbortController();
    const opening = runnerOf(sh('sleep 60')).open({ commit: base, base }, stop.signal);
    stop.abort(new Error('the lease is lost'));
    await expect(opening).rejects.toThrow('the lease is lost');
    expect(readdirSync(keptIn)).toEqual([]);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('may reach the hosts that are named, and no others', async () => {
    const asked: string[] = [];
    const server = createServer((request, answer) => {
      asked.push(request.url!);
      answer.setHeader('connection', 'close').end('package');
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    try {
      const { port } = server.address() as AddressInfo;
      const base = await commitFiles(repository, undefined, { 'fetch.js': FETCH });
      const prepare = (host: string) => sh(`node fetch.js ${host} > got`);
      const where = { commit: base, base };
      const named = runnerOf(prepare(`127.0.0.1:${port}`), [`127.0.0.1:${port}`]);
      expect(await output(named, where, 'cat got')).toBe('200 package\n200 package\n');
      expect(asked).toEqual(['/plain', '/tunnel']);
      // Another port, another name, and a name that leads into a private network.
      for (const [host, allowed] of [
        [`127.0.0.1:${port}`, '127.0.0.1:1'],
        [`127.0.0.1:${port}`, 'registry.example.org'],
        [`localhost:${port}`, `localhost:${port}`],
      ] as const) {
        const error = await runnerOf(prepare(host), [allowed])
          .open(where, never)
          .catch((one: unknown) => one);
        expect((error as NotRunnable).reasons.slice(0, 2)).toEqual([
          expect.stringContaining('cannot be made from the base'),
          `It asked for what validate.hosts does not allow: ${host}.`,
        ]);
      }
      expect(asked).toHaveLength(2);
    } finally {
      server.close();
    }
  });
});
