/**
 * Attacks on the HTTP server of a real installation, each with the answer that refuses it; then the same against a
 * server that answers everybody, where every one must be seen to get through.
 */

import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { readDoorFile } from '../src/app/door-file.ts';
import { DOOR_KEY_MS, makeDoorKey } from '../src/app/door-key.ts';
import { systemClock, systemRandom } from '../src/base/index.ts';
import { captureIo } from '../src/cli/captured-io.ts';
import { agentFile, makeTarget, SETTINGS } from '../src/cli/target.test-support.ts';
import { makeContext } from '../src/compose/context.ts';
import { processSurroundings } from '../src/compose/surroundings.ts';
import type { Measurement } from '../tools/measure.ts';
import {
  type Answered,
  ATTACKS,
  type Attack,
  ask,
  FLOODS,
  type Setting,
} from './parts/http-attacks.ts';

const ROBOT = 'identity: { agents: [{ name: robot, matches: ["token:robot"] }] }\n';

export const measurement: Measurement = {
  what: 'attacks on the server',
  aims: { attacks: '>=40', passed_share: '>=1', control_caught: '>=1' },
  async *run({ progress }) {
    const all = [...ATTACKS, ...FLOODS];
    const got = await atInstallation((setting) => throughOf(all, setting, progress));
    const control = await atOpenServer((setting) => throughOf(all, setting, () => {}));
    for (const { name } of all.filter((one) => !control.includes(one.name)))
      progress(`the control was not caught: ${name}`);
    yield { metric: 'attacks', value: all.length };
    yield { metric: 'passed_share', value: 1 - got.length / all.length, n: all.length };
    yield {
      metric: 'control_caught',
      value: Number(control.length === all.length),
      n: control.length,
    };
  },
};

/** The names of those that got through. */
async function throughOf(
  attacks: readonly Attack[],
  setting: Setting,
  progress: (text: string) => void,
): Promise<string[]> {
  const through: string[] = [];
  for (const { name, send, holds } of attacks) {
    const answered = await send(setting);
    const isRefused = holds(answered);
    if (!isRefused) through.push(name);
    progress(`${isRefused ? 'refused' : 'THROUGH'} ${answered.status} ${name}`);
  }
  return through;
}

async function atInstallation<T>(work: (setting: Setting) => Promise<T>): Promise<T> {
  using target = await makeTarget({ 'agents/one.yaml': agentFile('one', 'search') });
  writeFileSync(join(target.repository, 'hone.yaml'), `${SETTINGS}${ROBOT}`);
  const made = (await target.hone('init', '--json')).json() as { token: { secret: string } };
  const context = makeContext(false, 'test', {
    ...processSurroundings(),
    environment: target.installation.environment,
    cwd: target.repository,
    io: captureIo().io,
  });
  const opened = await context.open();
  const server = await context.startServer(opened, 0);
  try {
    await server.prepareDashboard();
    return await work(
      await settingOf(server, made.token.secret, readDoorFile(opened.home)!.secret),
    );
  } finally {
    await server.stop();
    await opened.close();
  }
}

interface Served {
  readonly url: string;
  dashboardUrl(): Promise<string>;
}

async function settingOf(server: Served, operator: string, secret: string): Promise<Setting> {
  const { url } = server;
  const headers = { authorization: `Bearer ${operator}`, 'content-type': 'application/json' };
  const post = (path: string, body: object) =>
    ask(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const token = async (name: string, role: string) =>
    (JSON.parse((await post('/api/tokens', { name, role })).body) as { secret: string }).secret;
  const secrets = {
    viewer: await token('viewer', 'viewer'),
    approver: await token('approver', 'approver'),
    revoked: await token('revoked', 'operator'),
    robot: await token('robot', 'operator'),
  };
  await post('/api/tokens/revoked/revoke', {});
  const used = await server.dashboardUrl();
  const cookie = cookieIn(await ask(used));
  const csrf = await csrfOf(url, cookie);
  const endedCookie = cookieIn(await ask(await server.dashboardUrl()));
  const ending = {
    cookie: endedCookie,
    origin: url,
    'x-hone-csrf': await csrfOf(url, endedCookie),
  };
  await ask(`${url}/api/session/end`, { method: 'POST', headers: ending });
  const key = (shiftMs: number) =>
    makeDoorKey(
      secret,
      { kind: 'human', id: 'somebody', verified: 'local' },
      { nowMs: systemClock.nowMs() + shiftMs, random: systemRandom },
    );
  const [text, signature] = key(0).split('.') as [string, string];
  const payload = JSON.parse(Buffer.from(text, 'base64url').toString()) as { actor: object };
  const boss = { ...payload, actor: { ...payload.actor, id: 'boss' } };
  const altered = `${Buffer.from(JSON.stringify(boss)).toString('base64url')}.${signature}`;
  const keys = {
    used: new URL(used).searchParams.get('key')!,
    old: key(-2 * DOOR_KEY_MS),
    future: key(10 * DOOR_KEY_MS),
    altered,
  };
  return { url, secrets, cookie, csrf, cookieName: cookie.split('=')[0]!, keys, endedCookie };
}

const cookieIn = ({ headers }: Answered) => String(headers['set-cookie']).split(';')[0]!;

async function csrfOf(url: string, cookie: string): Promise<string> {
  const { body } = await ask(`${url}/api/session`, { headers: { cookie } });
  return (JSON.parse(body) as { session: { csrf: string } }).session.csrf;
}

/** The protection taken out: it lets everybody in and says yes to everything. */
async function atOpenServer<T>(work: (setting: Setting) => Promise<T>): Promise<T> {
  const server = createServer(
    { insecureHTTPParser: true, maxHeaderSize: 2 ** 20, requireHostHeader: false },
    (_, response) => {
      response.writeHead(200, { 'set-cookie': 'hone=1', 'access-control-allow-origin': '*' });
      response.end('{}');
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const some = { viewer: 'v', approver: 'a', revoked: 'r', robot: 'b' };
  const keys = { used: 'u', old: 'o', altered: 'a', future: 'f' };
  try {
    const url = `http://127.0.0.1:${port}`;
    return await work({
      url,
      secrets: some,
      cookie: 'c=1',
      csrf: 'x',
      cookieName: 'c',
      keys,
      endedCookie: 'c=2',
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
