import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type OpenProxy, openProxy } from './proxy.ts';

let folder: string;
let upstream: Server;
let port: number;
let proxy: OpenProxy | undefined;
/** What the host gets first, and answers. */
let asked: string[];
let answer: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hone-proxy-test-'));
  asked = [];
  answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok';
  upstream = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (bytes) => {
      asked.push(bytes.toString());
      socket.end(answer);
    });
  });
  await new Promise<void>((done) => upstream.listen(0, '127.0.0.1', done));
  port = (upstream.address() as AddressInfo).port;
});
afterEach(async () => {
  await proxy?.[Symbol.asyncDispose]();
  proxy = undefined;
  upstream.close();
  rmSync(folder, { recursive: true, force: true });
});

const start = async (...hosts: readonly string[]) => {
  proxy = await openProxy({ hosts, socket: join(folder, 'proxy') });
};

/** All that comes back for these bytes. */
function said(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(join(folder, 'proxy'), () => socket.write(bytes));
    socket.on('data', (some) => {
      text += some;
      if (text.startsWith('HTTP/1.1 200 Connection')) socket.write('GET / HTTP/1.1\r\n\r\n');
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });
}
const get = (url: string, host = 'x') =>
  said(
    `GET ${url} HTTP/1.1\r\nHost: ${host}\r\nProxy-Authorization: secret\r\nConnection: close\r\n\r\n`,
  );
const tunnel = (authority: string) => said(`CONNECT ${authority} HTTP/1.1\r\nHost: x\r\n\r\n`);

test('VAL-4 a host that is named is reached by both ways, by its own name and without secrets', async () => {
  await start(`127.0.0.1:${port}`);
  expect(await get(`http://127.0.0.1:${port}/a?b=1`, 'other')).toMatch(/200 OK.*ok$/s);
  expect(asked[0]).toMatch(/^GET \/a\?b=1 HTTP\/1\.1\r\n/);
  expect(asked[0]).toContain(`127.0.0.1:${port}\r\n`);
  expect(asked[0]).not.toMatch(/other|secret/);
  expect(await tunnel(`127.0.0.1:${port}`)).toMatch(/^HTTP\/1\.1 200 Connection.*ok$/s);
  expect(proxy!.refused()).toEqual([]);
});

test('VAL-4 everything else is refused: other ports, names, private addresses, and tricks', async () => {
  await start('registry.invalid', `localhost:${port}`, 'localhost', '127.0.0.1:1');
  const tries = [
    tunnel(`127.0.0.1:${port}`),
    tunnel(`localhost:${port}`), // It leads into a private network.
    tunnel('registry.invalid:22'),
    tunnel('169.254.169.254:80'),
    tunnel('[::1]:80'),
    tunnel(`[::ffff:127.0.0.1]:${port}`),
    tunnel('localhost:99999'),
    tunnel(`2130706433:${port}`),
    get(`http://registry.invalid@127.0.0.1:${port}/`),
    get(`http://0x7f.1:${port}/`),
    get('http://169.254.169.254/latest/meta-data'),
    get(`https://localhost:${port}/`),
    get('/etc/passwd', 'localhost'),
    get('file:///etc/passwd'),
  ];
  for (const text of await Promise.all(tries)) expect(text).toMatch(/^HTTP\/1\.1 (?:403|400) /);
  expect(asked).toEqual([]);
  expect(proxy!.refused()).toContain('169.254.169.254:80');
});

test('bytes that are no request, and answers that are none, end only their connection', async () => {
  await start(`127.0.0.1:${port}`);
  for (const bytes of [
    '\u0000\u0001garbage\r\n\r\n',
    'CONNECT\r\n\r\n',
    `CONNECT :${port} HTTP/1.1\r\n\r\n`,
  ])
    expect(await said(bytes)).not.toContain('200');
  for (const wrong of [
    '',
    'nonsense\r\n\r\n',
    'HTTP/1.1 099 Odd\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx',
  ]) {
    answer = wrong;
    await get(`http://127.0.0.1:${port}/`);
  }
  answer = 'HTTP/1.1 204 Fine\r\nConnection: close\r\n\r\n';
  expect(await get(`http://127.0.0.1:${port}/`)).toMatch(/^HTTP\/1\.1 204 /);
});
