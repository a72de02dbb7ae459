import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { systemClock } from '../base/index.ts';
import { deployRunner } from './deploy-runner.ts';

const environment = { PATH: process.env['PATH'], HOME: '/home/operator', HONE_TOKEN: 'secret' };
const never = new AbortController().signal;
const runner = (signal = never) => deployRunner({ environment, clock: systemClock })(signal);
const options = { variables: { HONE_EVENT: 'deployed' }, timeoutMs: 15_000 };

test('a command gets an environment and a folder of its own', async () => {
  const { how, output } = await runner().run(
    ['sh', '-c', 'env; echo "in $(pwd)"; ls -A >&2'],
    options,
  );
  expect(how).toBe('done');
  const names = output.split('\n').flatMap((line) => /^([A-Z_]+)=/.exec(line)?.[1] ?? []);
  expect(names.filter((name) => !['PWD', 'SHLVL', '_', 'OLDPWD'].includes(name)).sort()).toEqual([
    'HOME',
    'HONE_EVENT',
    'PATH',
  ]);
  const folder = /^in (.*)$/m.exec(output)![1]!;
  expect(folder).not.toBe(process.cwd());
  expect(existsSync(folder)).toBe(false);
});

test('how it ends is its answer', async () => {
  const run = (...words: string[]) => runner().run(words, options);
  expect(await run('sh', '-c', 'echo no; exit 7')).toEqual({
    how: 'failed',
    code: 7,
    output: 'no\n',
  });
  expect(await run('/no/such/program')).toMatchObject({ how: 'not_started', code: null });
  const long = await run('sh', '-c', 'yes line | head -c 2000000; echo end');
  expect(long.output.length).toBeLessThan(300_000);
  expect(long.output.endsWith('end\n')).toBe(true);
});

test('one that takes too long is ended with all that it started', async () => {
  const words = ['sh', '-c', 'sleep 600 & echo $!; wait'];
  const { how, output } = await runner().run(words, { ...options, timeoutMs: 300 });
  expect(how).toBe('timeout');
  await expect.poll(() => isRunning(Number(output))).toBe(false);
});

test('when Hone ends, it is ended, and that is no answer', async () => {
  const stop = new AbortController();
  const ran = runner(stop.signal).run(['sleep', '600'], options);
  stop.abort();
  await expect(ran).rejects.toThrow();
});

test('an address is asked, and what is no answer is said', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/moved') response.writeHead(302, { location: '/version' });
    else response.statusCode = request.url === '/version' ? 200 : 500;
    response.end('abc1234');
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const get = (path: string) => runner().get(`${url}${path}`, { timeoutMs: 5000 });
  expect(await get('/version')).toEqual({ text: 'abc1234' });
  expect(await get('/broken')).toEqual({ why: 'status 500' });
  expect(await get('/moved')).toEqual({ why: expect.any(String) });
  await new Promise((done) => server.close(done));
  expect(await get('/version')).toEqual({ why: expect.any(String) });
});

/** A zombie has ended; whoever is its parent here may not have noticed. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
