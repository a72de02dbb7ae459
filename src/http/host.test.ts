/** The server, asked over real HTTP on a loopback port of its own. */
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestStore, type TestStore } from '../../test/stores.ts';
import type { AppContext } from '../app/context.ts';
import {
  idMaker,
  ManualClock,
  makeLog,
  nextTurn,
  silentLog,
  systemClock,
  systemRandom,
} from '../base/index.ts';
import { errorStatus } from '../contracts/error-table.ts';
import type { Role } from '../facts/index.ts';
import { Tokens } from '../identity/index.ts';
import { KillSwitch } from '../policy/index.ts';
import { apiRoutes } from './api.ts';
import { listenError, ServerError } from './errors.ts';
import { type Host, startHost } from './host.ts';
import type { Route, Worker } from './types.ts';

interface Answer {
  readonly status: number;
  readonly body: { error?: { code: string; message: string }; [key: string]: unknown };
  readonly headers: Record<string, string | string[] | undefined>;
}

/** `fetch` would set Host and Origin by itself; an attacker does not. */
function ask(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body } = options;
    const sent = request(
      url,
      { method, headers, agent: false, setHost: !('Host' in headers) },
      (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            body: text === '' ? {} : JSON.parse(text),
            headers: response.headers,
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

describe('ID-1 the server', () => {
  let opened: TestStore;
  let host: Host;
  let killSwitch: KillSwitch;
  const secrets = {} as Record<Role, string>;
  let broken = false;
  const logged: string[] = [];

  beforeAll(async () => {
    opened = await openTestStore('memory');
    const { store } = opened;
    const tokens = new Tokens(store);
    const local = { kind: 'human', id: 'operator@example.org', verified: 'local' } as const;
    for (const role of ['operator', 'viewer', 'approver'] as const) {
      const made = await tokens.add({
        name: role,
        role,
        asking: { local, secret: secrets.operator },
        random: systemRandom,
        newId: idMaker(systemClock, systemRandom),
      });
      if (!made.granted) throw new Error(made.why);
      secrets[role] = made.secret;
    }
    killSwitch = new KillSwitch(store, () => false);
    const fails: Route = {
      method: 'GET',
      path: '/api/fails',
      role: 'viewer',
      handle: () => Promise.reject(new Error('the secret is hunter2')),
    };
    const fine: Route = {
      method: 'GET',
      path: '/api/status',
      role: 'viewer',
      handle: () => Promise.resolve({ status: 200, body: { fine: true } }),
    };
    const config = { identity: { agents: [] }, policy: { commit: '' } };
    const close = () => Promise.resolve();
    const context = {
      door: 'http',
      open: () => Promise.resolve({ store, killSwitch, config, home: {}, close }),
    } as unknown as AppContext;
    host = await startHost({
      host: '127.0.0.1',
      port: 0,
      guard: { allowedHosts: ['hone.example'], allowedOrigins: ['https://pages.example'] },
      clock: systemClock,
      log: makeLog({ clock: systemClock, level: 'debug', write: (line) => logged.push(line) }),
      routes: [fine, fails, ...apiRoutes({ context, clock: systemClock, log: silentLog })],
      workers: [],
      bearer: async (secret) => {
        const bearer = await tokens.bearer(secret);
        return 'why' in bearer ? undefined : bearer;
      },
      probe: () => (broken ? Promise.reject(new Error('gone')) : Promise.resolve()),
    });
  });
  afterAll(async () => {
    await host.stop();
    await opened[Symbol.asyncDispose]();
  });

  const as = (role: Role) => ({ Authorization: `Bearer ${secrets[role]}` });

  test('health and readiness need no token; readiness fails with the store', async () => {
    expect(await ask(`${host.url}/healthz`)).toMatchObject({
      status: 200,
      body: { state: 'alive' },
    });
    expect((await ask(`${host.url}/readyz`)).status).toBe(200);
    broken = true;
    expect((await ask(`${host.url}/readyz`)).status).toBe(503);
    broken = false;
  });

  test('everything else is closed without a valid token', async () => {
    expect((await ask(`${host.url}/api/status`)).status).toBe(401);
    const wrong = [
      `Bearer ${'a'.repeat(37)}`,
      'Basic abc',
      `Bearer ${secrets.viewer} x`,
      'Bearer ',
    ];
    for (const Authorization of wrong) {
      expect((await ask(`${host.url}/api/status`, { headers: { Authorization } })).status).toBe(
        401,
      );
    }
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const headers = { Authorization: `${scheme} ${secrets.viewer}` };
      const ok = await ask(`${host.url}/api/status`, { headers });
      expect(ok).toMatchObject({ status: 200, body: { fine: true } });
    }
  });

  test('a role that is too low is refused, naming the one that is needed', async () => {
    const stop = { method: 'POST', body: '{"reason":"r"}' };
    const json = { 'Content-Type': 'application/json' };
    const refused = await ask(`${host.url}/api/stop`, {
      ...stop,
      headers: { ...as('viewer'), ...json },
    });
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
    expect(refused.body.error!.message).toContain('approver');
    expect((await killSwitch.state()).stopped).toBe(false);
  });

  test('KILL-1 stop and resume over HTTP', async () => {
    const json = { 'Content-Type': 'application/json' };
    const post = (path: string, role: Role, body: string) =>
      ask(`${host.url}${path}`, { method: 'POST', body, headers: { ...as(role), ...json } });
    expect((await post('/api/stop', 'approver', '{"reason":7}')).status).toBe(400);
    expect((await post('/api/stop', 'approver', '{"reason":"harm"}')).status).toBe(200);
    expect(await killSwitch.state()).toMatchObject({
      stopped: true,
      reason: 'harm',
      actor: 'token:approver',
    });
    expect((await post('/api/resume', 'approver', '{"reason":"x"}')).status).toBe(403);
    expect((await post('/api/resume', 'operator', '{"reason":"mended"}')).status).toBe(200);
    expect((await killSwitch.state()).stopped).toBe(false);
  });

  test('a reason of a stop is cleaned; one with nothing in it is asked for', async () => {
    const headers = { ...as('approver'), 'Content-Type': 'application/json' };
    const stop = (body: string) => ask(`${host.url}/api/stop`, { method: 'POST', body, headers });
    for (const reason of ['', ' ', '\\u0000', '\\u001b\\n']) {
      const answer = await stop(`{"reason":"${reason}"}`);
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'body' } } });
    }
    expect((await killSwitch.state()).stopped).toBe(false);
    expect((await stop('{"reason":"a\\u0000b\\ud800"}')).status).toBe(200);
    expect(await killSwitch.state()).toMatchObject({ stopped: true, reason: 'a b\ufffd' });
    const local = { kind: 'human', id: 'operator@example.org', verified: 'local' } as const;
    await killSwitch.resume(local, 'mended');
  });

  test.each(['evil.example', 'localhost.evil.example', 'evil.example:80', '[bad', 'a b', ''])(
    'a foreign host %j is refused (DNS rebinding)',
    async (Host) => {
      const answer = await ask(`${host.url}/api/status`, { headers: { ...as('viewer'), Host } });
      expect([400, 403]).toContain(answer.status);
    },
  );

  test.each(['localhost:1234', '127.0.0.1', '[::1]:80', 'hone.example'])(
    'host %j is ours',
    async (Host) => {
      expect((await ask(`${host.url}/healthz`, { headers: { Host } })).status).toBe(200);
    },
  );

  test('a page of another origin is refused, its own and allowed ones are not', async () => {
    const from = (Origin: string) =>
      ask(`${host.url}/api/status`, { headers: { ...as('operator'), Origin } });
    expect((await from('https://evil.example')).status).toBe(403);
    expect((await from('null')).status).toBe(403);
    expect((await from(host.url)).status).toBe(200);
    expect((await from('https://pages.example')).status).toBe(200);
  });

  test('bodies must be JSON, declared as JSON, and small', async () => {
    const post = (body: string, type: string) =>
      ask(`${host.url}/api/stop`, {
        method: 'POST',
        body,
        headers: { ...as('approver'), 'Content-Type': type },
      });
    expect((await post('{"reason":"r"}', 'text/plain')).status).toBe(415);
    expect((await post('{"reason":', 'application/json')).status).toBe(400);
    expect((await post(`"${'x'.repeat(1024 * 1024)}"`, 'application/json')).status).toBe(413);
    expect((await killSwitch.state()).stopped).toBe(false);
  });

  test('a client that goes away half-way is no error of ours, with a token or without', async () => {
    const { hostname, port } = new URL(host.url);
    for (const extra of ['', `Authorization: Bearer ${secrets.approver}\r\n`]) {
      logged.length = 0;
      const client = connect(Number(port), hostname);
      client.write(
        `POST /api/stop HTTP/1.1\r\nHost: localhost\r\n${extra}Content-Type: application/json\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"rea\r\n`,
      );
      await once(client, 'data'); // it is told to go on: the request has begun
      client.resetAndDestroy();
      while (logged.length === 0) await nextTurn();
      expect(logged.map((line) => JSON.parse(line))).toMatchObject([
        { level: 'debug', message: 'a client went away' },
      ]);
    }
    expect((await killSwitch.state()).stopped).toBe(false);
  });

  test('a defect says nothing of what it met', async () => {
    const answer = await ask(`${host.url}/api/fails`, { headers: as('viewer') });
    expect(answer.status).toBe(500);
    expect(JSON.stringify(answer.body)).not.toContain('hunter2');
  });

  test('an unknown address is 404, and every answer is guarded', async () => {
    const answer = await ask(`${host.url}/api/nothing`, { headers: as('viewer') });
    expect(answer.status).toBe(404);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    const ok = await ask(`${host.url}/healthz`);
    expect(ok.headers['content-security-policy']).toContain("default-src 'none'");
    expect(ok.headers['cache-control']).toBe('no-store');
  });
});

const settings = {
  host: '127.0.0.1',
  port: 0,
  guard: { allowedHosts: [], allowedOrigins: [] },
  log: silentLog,
  routes: [],
  bearer: () => Promise.resolve(undefined),
  probe: () => Promise.resolve(),
};

describe('an address that cannot be listened on is said, with what to do', () => {
  const refused = async (changes: { host?: string; port?: number }) => {
    const error = await startHost({
      ...settings,
      ...changes,
      clock: systemClock,
      workers: [],
    }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ServerError);
    expect((error as ServerError).message).not.toMatch(/listen|EADDR|ENOTFOUND|EAI/);
    return { error: error as ServerError, exit: errorStatus(error).exit };
  };

  test('a port that another process has', async () => {
    const first = await startHost({ ...settings, clock: systemClock, workers: [] });
    const port = Number(new URL(first.url).port);
    const { error, exit } = await refused({ port });
    await first.stop();
    expect(error).toMatchObject({
      code: 'port_taken',
      message: `Port ${port} of 127.0.0.1 is taken: is another "hone up" running?`,
      hint: 'Use --port or server.port.',
    });
    expect(exit).toBe(4);
  });

  test('a host that is not here', async () => {
    const { error, exit } = await refused({ host: '192.0.2.77' });
    expect(error.code).toBe('bad_host');
    expect(error.message).toContain('192.0.2.77');
    expect(error.hint).toContain('server.host');
    expect(exit).toBe(2);
  });

  test.each([
    [{ code: 'EACCES' }, 'port_forbidden', 2],
    [{ code: 'ENOTFOUND' }, 'bad_host', 2],
    [{ code: 'EAI_AGAIN' }, 'cannot_listen', 4],
    [{ code: 'EMFILE' }, 'cannot_listen', 4],
    [new Error('odd'), 'cannot_listen', 4],
  ] as const)('%j is %s', (cause, code, exit) => {
    const error = listenError(cause, { host: '127.0.0.1', port: 80 });
    expect(error.code).toBe(code);
    expect(errorStatus(error).exit).toBe(exit);
  });
});

describe('workers', () => {
  test('come back when they asked to, and after a failure', async () => {
    const clock = new ManualClock();
    let runs = 0;
    let wake = () => {};
    const ran = () =>
      new Promise<void>((resolve) => {
        wake = resolve;
      });
    const worker: Worker = {
      name: 'counts',
      run: () => {
        runs += 1;
        wake();
        return runs === 2
          ? Promise.reject(new Error('once'))
          : Promise.resolve({ againInMs: 1000 });
      },
    };
    const host = await startHost({ ...settings, clock, workers: [worker] });
    for (const afterMs of [1000, 5000, 1000]) {
      const next = ran();
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(afterMs);
      await next;
    }
    expect(runs).toBe(4);
    await host.stop();
  });

  test('stopping waits for what was begun, and twice is once', async () => {
    let finish = () => {};
    let finished = false;
    const worker: Worker = {
      name: 'slow',
      run: (signal) =>
        new Promise((resolve) => {
          finish = () => {
            finished = signal.aborted;
            resolve({ againInMs: 0 });
          };
        }),
    };
    const host = await startHost({ ...settings, clock: systemClock, workers: [worker] });
    const stopped = Promise.all([host.stop(), host.stop()]);
    finish();
    await stopped;
    expect(finished).toBe(true);
  });
});
