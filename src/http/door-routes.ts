/** How a browser opens the dashboard, and says who uses it. Not in the table: they are about the door itself. */
import type { DoorKeys } from '../app/door-key.ts';
import type { Clock } from '../base/index.ts';
import { type ShownSession, sessionTokenInput } from '../contracts/server.ts';
import { VERSION } from '../version.ts';
import { refusal } from './refusal.ts';
import type { Sessions } from './sessions.ts';
import type { Bearer, Route, RouteAnswer, RouteRequest } from './types.ts';

export interface DoorRoutesPorts {
  readonly sessions: Sessions;
  readonly cookieName: string;
  /** The cookie is only sent over TLS. */
  readonly isSecure: boolean;
  /** Absent where others than this machine reach the server: then a token is asked for. */
  readonly keys: DoorKeys | undefined;
  readonly clock: Clock;
  bearer(secret: string): Promise<Bearer | undefined>;
}

export function doorRoutes(ports: DoorRoutesPorts): Route[] {
  return [openRoute(ports), sessionRoute, beginRoute(ports), forgetRoute(ports), endRoute(ports)];
}

/** A plain link that is followed once. A browser that comes with an old one is shown what to do. */
function openRoute(ports: DoorRoutesPorts): Route {
  return {
    method: 'GET',
    path: '/open',
    role: 'public',
    handle: ({ query }) => {
      const local = ports.keys?.redeem(query['key'] ?? '', ports.clock.nowMs());
      const headers = { location: local === undefined ? '/?key=spent' : '/' };
      if (local === undefined)
        return Promise.resolve({ status: 303, file: '', headers, denied: true });
      const cookie = setCookie(ports, ports.sessions.begin({ local, secret: undefined }));
      return Promise.resolve({
        status: 303,
        file: '',
        headers: { ...headers, 'set-cookie': cookie },
      });
    },
  };
}

/** Public, so that a page that nobody opened yet can say what to do; it says nothing but the version then. */
const sessionRoute: Route = {
  method: 'GET',
  path: '/api/session',
  role: 'public',
  handle: (request) => Promise.resolve({ status: 200, body: shownSession(request) }),
};

function shownSession({ actor, caller }: RouteRequest): ShownSession {
  const session = caller?.session;
  if (session === undefined || actor === undefined) return { version: VERSION, session: null };
  const { csrf, secret } = session;
  const { role } = caller!.bearer;
  return {
    version: VERSION,
    session: { actor: { ...actor }, role, named: secret !== undefined, csrf },
  };
}

/** Enters a token: of a session that is open, or of a new one. */
function beginRoute({ bearer, ...ports }: DoorRoutesPorts): Route {
  return {
    method: 'POST',
    path: '/api/session',
    role: 'public',
    handle: async ({ body, caller, header }): Promise<RouteAnswer> => {
      // Nobody is put into a session that they did not ask for.
      if (header('origin') === undefined)
        return refusal(403, 'origin', 'Only a page of Hone enters a token.');
      const read = sessionTokenInput.safeParse(body);
      if (!read.success) return refusal(400, 'body', 'Send the secret of a token as "secret".');
      const { secret } = read.data;
      if ((await bearer(secret)) === undefined) {
        const hint = '"hone token list" shows the tokens; "hone token add" makes one.';
        return { ...refusal(401, 'unauthorised', 'Nobody has this token.', hint), denied: true };
      }
      // A session of more rights has another cookie than the one of fewer.
      const local = caller?.session?.local;
      if (caller?.cookie !== undefined) ports.sessions.end(caller.cookie);
      const cookie = setCookie(ports, ports.sessions.begin({ local, secret }));
      return { status: 200, body: { entered: true }, headers: { 'set-cookie': cookie } };
    },
  };
}

function forgetRoute(ports: Omit<DoorRoutesPorts, 'bearer'>): Route {
  return {
    method: 'POST',
    path: '/api/session/forget',
    role: 'viewer',
    handle: ({ caller }): Promise<RouteAnswer> => {
      const { session, cookie } = caller ?? {};
      if (session === undefined) return Promise.resolve(NO_SESSION);
      ports.sessions.end(cookie!);
      const { local } = session;
      const next = local === undefined ? '' : ports.sessions.begin({ local, secret: undefined });
      const headers = { 'set-cookie': setCookie(ports, next) };
      return Promise.resolve({ status: 200, body: { entered: false }, headers });
    },
  };
}

function endRoute(ports: Omit<DoorRoutesPorts, 'bearer'>): Route {
  return {
    method: 'POST',
    path: '/api/session/end',
    role: 'viewer',
    handle: ({ caller }): Promise<RouteAnswer> => {
      if (caller?.session === undefined) return Promise.resolve(NO_SESSION);
      ports.sessions.end(caller.cookie!);
      const headers = { 'set-cookie': setCookie(ports, '') };
      return Promise.resolve({ status: 200, body: { ended: true }, headers });
    },
  };
}

const NO_SESSION = refusal(400, 'session', 'This is for sessions of the dashboard.');

/** Without a value it is removed. It ends with the browser; the server forgets it earlier. */
function setCookie(
  { cookieName, isSecure }: Pick<DoorRoutesPorts, 'cookieName' | 'isSecure'>,
  value: string,
): string {
  const parts = [`${cookieName}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Strict'];
  if (isSecure) parts.push('Secure');
  if (value === '') parts.push('Max-Age=0');
  return parts.join('; ');
}
