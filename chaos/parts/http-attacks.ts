/**
 * Attacks on the server, one by one: what each sends, and how a server that holds answers. `holds` looks at the answer
 * only, so that the control, a server that answers everybody, fails every one of them.
 */
import { request } from 'node:http';
import { connect } from 'node:net';

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** What attackers know or hold; nothing of it opens what they try. */
export interface Setting {
  readonly url: string;
  readonly secrets: Readonly<Record<'viewer' | 'approver' | 'revoked' | 'robot', string>>;
  /** A session of the local person, with its CSRF word: an attacker's page makes the browser send its cookie. */
  readonly cookie: string;
  readonly csrf: string;
  readonly cookieName: string;
  /** A key that was used, one that is too old, and one whose actor was changed after it was signed. */
  readonly keys: Readonly<Record<'used' | 'old' | 'altered' | 'future', string>>;
  /** The cookie of a session that was ended. */
  readonly endedCookie: string;
}

export interface Attack {
  readonly name: string;
  send(setting: Setting): Promise<Answered>;
  holds(answered: Answered): boolean;
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export function ask(
  url: string,
  { method = 'GET', headers = {}, body }: Sent = {},
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const options = { method, headers, agent: false as const, setHost: !('Host' in headers) };
    const sent = request(url, options, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
        // An answer that goes on, such as a stream, has been given.
        if (
          text.length > 100_000 ||
          String(response.headers['content-type']).includes('event-stream')
        )
          response.destroy();
      });
      const done = () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: text });
      response.on('end', done);
      response.on('close', done);
    });
    sent.on('error', (error: NodeJS.ErrnoException) =>
      // Cut off in the middle of what it sends: refused as well.
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(CUT) : reject(error),
    );
    sent.end(body);
  });
}

const CUT: Answered = { status: 0, headers: {}, body: '' };

/** Bytes that no client library sends. */
function raw(url: string, text: string): Promise<Answered> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let got = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.setTimeout(3_000, () => socket.destroy());
    socket.on('data', (chunk) => {
      got += chunk;
      socket.end();
    });
    socket.on('error', () => {});
    socket.on('close', () =>
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(got)?.[1] ?? 0), headers: {}, body: got }),
    );
  });
}

const JSON_TYPE = { 'content-type': 'application/json' };
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
const isOneOf =
  (...statuses: number[]) =>
  ({ status, headers }: Answered) =>
    statuses.includes(status) && headers['access-control-allow-origin'] === undefined;
const noCookie = ({ status, headers }: Answered) =>
  status === 303 &&
  headers['set-cookie'] === undefined &&
  String(headers['location']).startsWith('/');

type Headers = (setting: Setting) => Readonly<Record<string, string>>;

const see = (name: string, path: string, headers: Headers, ...statuses: number[]): Attack => ({
  name,
  send: (setting) => ask(`${setting.url}${path}`, { headers: headers(setting) }),
  holds: isOneOf(...statuses),
});

const change = (
  name: string,
  path: string,
  { headers, body = '{}' }: { readonly headers: Headers; readonly body?: string },
  ...statuses: number[]
): Attack => ({
  name,
  send: (setting) =>
    ask(`${setting.url}${path}`, { method: 'POST', headers: headers(setting), body }),
  holds: isOneOf(...statuses),
});

/** With its dots: a library takes them away before it asks. */
const wayUp = (name: string, path: string): Attack => ({
  name,
  send: ({ url }) => raw(url, `GET ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n\r\n`),
  holds: isOneOf(400, 404),
});

/** As our own page sends it. */
const ours: Headers = ({ cookie, csrf, url }) => ({
  ...JSON_TYPE,
  cookie,
  origin: new URL(url).origin,
  'x-hone-csrf': csrf,
});
const without = (headers: Readonly<Record<string, string>>, name: string) =>
  Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name));
const viewer: Headers = ({ secrets }) => bearer(secrets.viewer);
const approver: Headers = ({ secrets }) => ({ ...JSON_TYPE, ...bearer(secrets.approver) });
const nobody: Headers = () => ({});
const STOP = '/api/stop';
const APPROVE = '/api/proposals/p_x/approve';
/** Judged by the policies alone: it names nothing that would have to be there. */
const RESUME = '/api/resume';

export const ATTACKS: readonly Attack[] = [
  see(
    'another host name (DNS rebinding)',
    '/api/status',
    (s) => ({ ...viewer(s), Host: 'evil.example' }),
    403,
  ),
  see(
    'a host name that begins as ours',
    '/api/status',
    (s) => ({ ...viewer(s), Host: '127.0.0.1.evil.example' }),
    403,
  ),
  see(
    'a host name with a person in front',
    '/api/status',
    (s) => ({ ...viewer(s), Host: 'localhost@evil.example' }),
    400,
    403,
  ),
  see('an empty host name', '/api/status', (s) => ({ ...viewer(s), Host: '' }), 400, 403),
  {
    name: 'no host name at all',
    send: ({ url }) => raw(url, 'GET /api/status HTTP/1.1\r\n\r\n'),
    holds: isOneOf(400, 403),
  },
  see(
    'another origin',
    '/api/status',
    (s) => ({ ...viewer(s), origin: 'https://evil.example' }),
    403,
  ),
  see(
    'the origin of a sandboxed page',
    '/api/status',
    (s) => ({ ...viewer(s), origin: 'null' }),
    403,
  ),
  see(
    'the origin of another port',
    '/api/status',
    (s) => ({ ...viewer(s), origin: 'http://127.0.0.1:1' }),
    403,
  ),
  see(
    'an origin that begins as ours',
    '/api/status',
    (s) => ({ ...viewer(s), origin: `${new URL(s.url).origin}.evil.example` }),
    403,
  ),
  {
    name: 'a preflight that asks for permission',
    send: ({ url }) =>
      ask(`${url}/api/stop`, {
        method: 'OPTIONS',
        headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
      }),
    holds: isOneOf(403, 404),
  },
  see('no token', '/api/status', nobody, 401),
  see('a token that nobody has', '/api/status', () => bearer('hone_unknown'), 401),
  see(
    'a token of a form that none has',
    '/api/status',
    () => ({ authorization: 'Bearer ../../x' }),
    401,
  ),
  see('another scheme than Bearer', '/api/status', () => ({ authorization: 'Basic YTpi' }), 401),
  see('a token that was revoked', '/api/status', ({ secrets }) => bearer(secrets.revoked), 401),
  {
    name: 'a token in the address',
    send: ({ url, secrets }) => ask(`${url}/api/status?token=${secrets.approver}`),
    holds: isOneOf(401),
  },
  see('metrics without a token', '/metrics', nobody, 401),
  see('the OpenAPI document without a token', '/api/openapi.json', nobody, 401),
  see('the stream of events without a token', '/api/events', nobody, 401),
  change(
    'a viewer who lets Hone go on',
    RESUME,
    { headers: (s) => ({ ...JSON_TYPE, ...viewer(s) }), body: '{"reason":"x"}' },
    403,
  ),
  change(
    'a viewer who stops everything',
    STOP,
    { headers: (s) => ({ ...JSON_TYPE, ...viewer(s) }) },
    403,
  ),
  change(
    'an approver who makes tokens',
    '/api/tokens',
    { headers: approver, body: '{"name":"x","role":"operator"}' },
    403,
  ),
  see('an approver who reads the configuration', '/api/configuration', approver, 403),
  change(
    'an agent’s token that lets Hone go on',
    RESUME,
    {
      headers: ({ secrets }) => ({ ...JSON_TYPE, ...bearer(secrets.robot) }),
      body: '{"reason":"x"}',
    },
    409,
    403,
  ),
  see(
    'a page of another site that uses the session',
    '/api/status',
    ({ cookie }) => ({ cookie, 'sec-fetch-site': 'cross-site' }),
    403,
  ),
  see(
    'a page of another port that uses the session',
    '/api/status',
    ({ cookie }) => ({ cookie, 'sec-fetch-site': 'same-site' }),
    403,
  ),
  change(
    'a change by a session without its CSRF word',
    STOP,
    { headers: (s) => without(ours(s), 'x-hone-csrf') },
    403,
  ),
  change(
    'a change by a session with another CSRF word',
    STOP,
    { headers: (s) => ({ ...ours(s), 'x-hone-csrf': 'x'.repeat(s.csrf.length) }) },
    403,
  ),
  change(
    'a change by a session without an origin',
    STOP,
    { headers: (s) => without(ours(s), 'origin') },
    403,
  ),
  change(
    'a change by a session from another origin',
    STOP,
    { headers: (s) => ({ ...ours(s), origin: 'https://evil.example' }) },
    403,
  ),
  change(
    'a form that another page sends',
    STOP,
    {
      headers: ({ cookie }) => ({ cookie, 'content-type': 'application/x-www-form-urlencoded' }),
      body: 'reason=x',
    },
    403,
  ),
  change(
    'a local session that makes tokens',
    '/api/tokens',
    { headers: ours, body: '{"name":"x","role":"operator"}' },
    403,
  ),
  change(
    'a local session that lifts the stop',
    '/api/resume',
    { headers: ours, body: '{"reason":"x"}' },
    403,
  ),
  see(
    'a cookie that nobody was given',
    '/api/status',
    ({ cookieName }) => ({ cookie: `${cookieName}=${'A'.repeat(43)}` }),
    401,
  ),
  see(
    'the cookie of another name',
    '/api/status',
    ({ cookie }) => ({ cookie: `hone_other=${cookie.split('=')[1]}` }),
    401,
  ),
  see(
    'the cookie of a session that was ended',
    '/api/status',
    ({ endedCookie }) => ({ cookie: endedCookie }),
    401,
  ),
  ...(['used', 'old', 'altered', 'future'] as const).map(
    (which): Attack => ({
      name: `a key that is ${which}`,
      send: ({ url, keys }) => ask(`${url}/open?key=${keys[which]}`),
      holds: noCookie,
    }),
  ),
  {
    name: 'a key with lines for headers in it',
    send: ({ url }) => ask(`${url}/open?key=x%0d%0aSet-Cookie:%20a=b`),
    holds: noCookie,
  },
  {
    name: 'a key that leads elsewhere',
    send: ({ url }) => ask(`${url}/open?key=x&next=https://evil.example`),
    holds: noCookie,
  },
  change(
    'a token entered by a page of nobody',
    '/api/session',
    { headers: () => JSON_TYPE, body: '{"secret":"x"}' },
    403,
  ),
  change(
    'a body above 1 MiB',
    STOP,
    { headers: approver, body: JSON.stringify({ reason: 'x'.repeat(2 ** 20) }) },
    413,
    0,
  ),
  change(
    'a body of another type',
    STOP,
    { headers: (s) => ({ ...approver(s), 'content-type': 'text/plain' }), body: '{"reason":"x"}' },
    415,
  ),
  change('a body that is not JSON', STOP, { headers: approver, body: '{' }, 400),
  change('a body that is a list', STOP, { headers: approver, body: '[]' }, 400),
  change(
    'a field that nobody asked for',
    STOP,
    { headers: approver, body: '{"reason":"x","actor":{"id":"boss"}}' },
    400,
  ),
  change(
    'a field that would change the prototype',
    STOP,
    { headers: approver, body: '{"__proto__":{"reason":"x"}}' },
    400,
  ),
  change(
    'a reason without end',
    STOP,
    { headers: approver, body: JSON.stringify({ reason: 'x'.repeat(5000) }) },
    400,
  ),
  see('a list without end', '/api/proposals?limit=1000000000', viewer, 400),
  see('a negative limit', '/api/proposals?limit=-1', viewer, 400),
  see('a state that is a statement', "/api/proposals?state=pending'%20OR%201=1--", viewer, 400),
  see('an id that is a statement', "/api/proposals/x'%20OR%20'1'='1", viewer, 404),
  see('an id of 600 characters', `/api/proposals/${'x'.repeat(600)}`, viewer, 400),
  wayUp('a way up in the files', '/assets/../../../../etc/passwd'),
  wayUp('a way up from the start page', '/../../etc/passwd'),
  wayUp('a way up, its dots encoded', '/assets/%2e%2E/.%2e/etc/passwd'),
  wayUp('a way up into the API', '/healthz/../api/status'),
  wayUp('a way that stays', '/./assets/./etc/passwd'),
  see('the folder of the assets', '/assets', nobody, 404),
  see('an asset that was not built', '/assets/etc/passwd', nobody, 404),
  see('an asset behind two strokes', '//assets/etc/passwd', nobody, 404),
  see('an asset, its folder encoded', '/%61ssets/etc/passwd', nobody, 404),
  see('a way up, encoded', '/assets/%2e%2e%2f%2e%2e%2fetc%2fpasswd', nobody, 400),
  see('a way up, encoded twice', '/assets/%252e%252e%252fetc%252fpasswd', nobody, 404),
  see('a file of the server', '/assets/..%5c..%5chone.yaml', nobody, 400),
  change(
    'another method behind a header',
    '/api/status',
    { headers: (s) => ({ ...approver(s), 'x-http-method-override': 'GET' }) },
    404,
  ),
  {
    name: 'the method TRACE',
    send: ({ url }) => raw(url, `TRACE / HTTP/1.1\r\nHost: ${new URL(url).host}\r\n\r\n`),
    holds: isOneOf(400, 404, 405, 501),
  },
  {
    name: 'two lengths of one body (smuggling)',
    send: ({ url }) =>
      raw(
        url,
        `POST /api/stop HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x`,
      ),
    holds: isOneOf(400),
  },
  {
    name: 'headers without end',
    send: ({ url }) =>
      raw(url, `GET / HTTP/1.1\r\nHost: ${new URL(url).host}\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`),
    holds: isOneOf(431),
  },
  {
    name: 'a page in a frame, with a script of its own',
    send: ({ url }) => ask(`${url}/`),
    holds: ({ headers }) => {
      const policy = String(headers['content-security-policy']);
      return policy.includes("frame-ancestors 'none'") && !policy.includes('unsafe');
    },
  },
  {
    name: 'a script in an id that an error repeats',
    send: ({ url, secrets }) =>
      ask(`${url}/api/proposals/%3Cscript%3Ealert(1)%3C%2Fscript%3E`, {
        headers: bearer(secrets.viewer),
      }),
    holds: ({ status, headers }) =>
      status === 404 &&
      String(headers['content-type']).includes('json') &&
      headers['x-content-type-options'] === 'nosniff',
  },
];

/** They use up a limit, so they come last and one after the other. */
export const FLOODS: readonly Attack[] = [
  flood('changes as fast as they go', 120, (s) =>
    ask(`${s.url}${APPROVE}`, { method: 'POST', headers: approver(s), body: '{"digest":"x"}' }),
  ),
  flood('secrets, one after the other', 60, (s) =>
    ask(`${s.url}/api/status`, { headers: bearer('hone_guess') }),
  ),
];

/** Holds if it is slowed down before its end, and told so. */
function flood(name: string, times: number, one: (setting: Setting) => Promise<Answered>): Attack {
  return {
    name,
    send: async (setting) => {
      let last = CUT;
      for (let sent = 0; sent < times && last.status !== 429; sent++) last = await one(setting);
      return last;
    },
    holds: ({ status, headers }) => status === 429 && Number(headers['retry-after']) >= 1,
  };
}
