/** How a browser comes in: a key that works once, a cookie, a token that is entered, and what each allows. */
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DOOR_KEY_MS, DoorKeys, makeDoorKey } from '../app/door-key.ts';
import { ManualClock, seededRandom, silentLog } from '../base/index.ts';
import { sessionJson } from '../contracts/server.ts';
import type { Actor } from '../facts/index.ts';
import { doorRoutes } from './door-routes.ts';
import { type Host, startHost } from './host.ts';
import { pagesRoute } from './pages.ts';
import { Sessions } from './sessions.ts';
import type { Bearer, Route } from './types.ts';

const PERSON: Actor = { kind: 'human', id: 'ann@example.org', verified: 'local' };
const AGENT: Actor = { kind: 'agent', id: 'coder', verified: 'local' };
const OPERATOR: Bearer = {
  actor: { kind: 'human', id: 'token:boss', verified: 'token' },
  role: 'operator',
};
const clock = new ManualClock(Date.parse('2026-03-01T12:00:00Z'));
const random = seededRandom(7);
const revoked = new Set<string>();
let host: Host;

const says = (method: Route['method'], path: string, role: Route['role']): Route => ({
  method,
  path,
  role,
  handle: ({ actor, secret }) =>
    Promise.resolve({ status: 200, body: { id: actor?.id, secret: secret ?? null } }),
});

beforeAll(async () => {
  const bearer = (secret: string) =>
    Promise.resolve(secret === 'boss-secret' && !revoked.has(secret) ? OPERATOR : undefined);
  const sessions = new Sessions({ clock, random });
  const door = {
    ...{ sessions, cookieName: 'hone_test', isSecure: false, clock, bearer },
    keys: new DoorKeys('server-secret'),
  };
  const page = new TextEncoder().encode('<!doctype html><title>Hone</title>');
  host = await startHost({
    host: '127.0.0.1',
    port: 0,
    guard: { allowedHosts: [], allowedOrigins: [] },
    clock,
    log: silentLog,
    workers: [],
    ...{ sessions, cookieName: 'hone_test', bearer },
    probe: () => Promise.resolve(),
    routes: [
      says('GET', '/api/look', 'viewer'),
      says('POST', '/api/decide', 'approver'),
      says('POST', '/api/operate', 'operator'),
      ...doorRoutes(door),
      pagesRoute({ files: () => new Map([['index.html', page]]), whyNot: () => '' }),
    ],
  });
});
afterAll(() => host.stop());

const keyFor = (actor: Actor) =>
  makeDoorKey('server-secret', actor, { nowMs: clock.nowMs(), random });

async function open(key: string): Promise<{ to: string | null; cookie: string | undefined }> {
  const answer = await fetch(`${host.url}/open?key=${key}`, { redirect: 'manual' });
  expect(answer.status).toBe(303);
  const cookie = answer.headers.get('set-cookie');
  if (cookie !== null) expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/);
  return { to: answer.headers.get('location'), cookie: cookie?.split(';')[0] };
}

async function sessionOf(cookie: string) {
  const answer = await fetch(`${host.url}/api/session`, { headers: { cookie } });
  return sessionJson.parse(await answer.json()).session;
}

async function post(path: string, cookie: string, body: object = {}) {
  const csrf = (await sessionOf(cookie))?.csrf ?? '';
  const headers = {
    cookie,
    origin: host.url,
    'x-hone-csrf': csrf,
    'content-type': 'application/json',
  };
  const answer = await fetch(`${host.url}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  const set = answer.headers.get('set-cookie')?.split(';')[0];
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown>, set };
}

test('a key opens a session of whoever asked for it, once, and proves local only', async () => {
  const key = keyFor(PERSON);
  const { to, cookie } = await open(key);
  expect(to).toBe('/');
  expect(await open(key)).toEqual({ to: '/?key=spent', cookie: undefined });
  const look = await fetch(`${host.url}/api/look`, { headers: { cookie: cookie! } });
  expect(await look.json()).toEqual({ id: PERSON.id, secret: null });
  expect(await sessionOf(cookie!)).toMatchObject({ actor: PERSON, role: 'approver', named: false });
  expect((await post('/api/decide', cookie!)).body).toEqual({ id: PERSON.id, secret: null });
  expect((await post('/api/operate', cookie!)).status).toBe(403);
});

test('a key holds for a minute and not longer, and one of another server opens nothing', async () => {
  const late = keyFor(PERSON);
  await clock.advance(DOOR_KEY_MS);
  const foreign = makeDoorKey('other', PERSON, { nowMs: clock.nowMs(), random });
  for (const key of [late, foreign, '', 'x.y', `${keyFor(PERSON)}.z`])
    expect(await open(key)).toEqual({ to: '/?key=spent', cookie: undefined });
});

test('an agent that opens a page may look, never decide', async () => {
  const { cookie } = await open(keyFor(AGENT));
  expect(await sessionOf(cookie!)).toMatchObject({ role: 'viewer' });
  expect((await post('/api/decide', cookie!)).status).toBe(403);
});

test('a token that is entered acts under its name until it is forgotten or revoked', async () => {
  const { cookie } = await open(keyFor(PERSON));
  expect((await post('/api/session', cookie!, { secret: 'wrong' })).status).toBe(401);
  const entered = await post('/api/session', cookie!, { secret: 'boss-secret' });
  expect(entered).toMatchObject({ status: 200, body: { entered: true } });
  // The cookie of the session with fewer rights is worth nothing now.
  expect(await sessionOf(cookie!)).toBe(null);
  expect(await sessionOf(entered.set!)).toMatchObject({ actor: OPERATOR.actor, named: true });
  const did = await post('/api/operate', entered.set!);
  expect(did.body).toEqual({ id: 'token:boss', secret: 'boss-secret' });
  revoked.add('boss-secret');
  expect((await post('/api/decide', entered.set!)).status).toBe(401);
  revoked.clear();
  const forgot = await post('/api/session/forget', entered.set!);
  expect(await sessionOf(forgot.set!)).toMatchObject({ actor: PERSON, named: false });
  expect((await post('/api/session/end', forgot.set!)).status).toBe(200);
  expect(await sessionOf(forgot.set!)).toBe(null);
});

test('a session nobody used for a working day is over', async () => {
  const { cookie } = await open(keyFor(PERSON));
  await clock.advance(13 * 3_600_000);
  expect(await sessionOf(cookie!)).toBe(null);
});

test('an answer that the client has is not sent again', async () => {
  const { cookie } = await open(keyFor(PERSON));
  const headers = { cookie: cookie! };
  const first = await fetch(`${host.url}/api/look`, { headers });
  const etag = first.headers.get('etag')!;
  const again = await fetch(`${host.url}/api/look`, {
    headers: { ...headers, 'if-none-match': etag },
  });
  expect([again.status, await again.text()]).toEqual([304, '']);
  const other = await fetch(`${host.url}/api/look`, {
    headers: { ...headers, 'if-none-match': '"x"' },
  });
  expect(other.status).toBe(200);
});

test('pages load nothing from elsewhere and nothing inline; an address of the API is never a page', async () => {
  const page = await fetch(`${host.url}/proposals/one`);
  expect(page.headers.get('content-type')).toContain('text/html');
  expect(page.headers.get('content-security-policy')).toMatch(
    /script-src 'self';.*style-src 'self'/,
  );
  expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
  for (const path of ['/api/nowhere', '/assets/nowhere.js', '/assets', '/%61ssets/x', '/metrics/x'])
    expect((await fetch(`${host.url}${path}`)).status).toBe(404);
});

test('every answer protects itself, whatever it is', async () => {
  const headers = { authorization: 'Bearer boss-secret' };
  const etag = (await fetch(`${host.url}/api/look`, { headers })).headers.get('etag')!;
  const asked: [number, string, RequestInit][] = [
    [200, '/api/look', { headers }],
    [304, '/api/look', { headers: { ...headers, 'if-none-match': etag } }],
    [401, '/api/look', {}],
    [404, '/api/nowhere', {}],
    [415, '/api/decide', { method: 'POST', headers, body: 'x' }],
    [403, '/api/look', { headers: { origin: 'https://evil.example' } }],
    [200, '/', {}],
  ];
  for (const [status, path, init] of asked) {
    const answer = await fetch(`${host.url}${path}`, init);
    const policy = answer.headers.get('content-security-policy');
    expect([path, answer.status, policy]).toEqual([
      path,
      status,
      expect.stringContaining("default-src 'none'"),
    ]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': path === '/' ? 'no-cache' : 'no-store',
    });
  }
});

test('a path with dots, as only a hand writes it, is refused and never answered with a page', async () => {
  const { port } = new URL(host.url);
  const statusOf = (path: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject).end();
    });
  for (const path of ['/assets/../../etc/passwd', '/a/%2E./b', '/..%2fetc', '/.', '/x\\..\\y'])
    expect([path, await statusOf(path)]).toEqual([path, 400]);
  for (const path of ['/patterns/v1..2', '/traces/a?of=../b', '/proposals/...'])
    expect([path, await statusOf(path)]).toEqual([path, 200]);
});
