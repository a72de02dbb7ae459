/**
 * Who asks: the holder of a token in `Authorization`, or of a session by its cookie. A cookie is sent by the browser
 * whoever wrote the page, so what it allows is tied to our own pages: the fetch metadata must not name another site,
 * and a change also carries our origin and the session's CSRF word.
 */
import { timingSafeEqual } from 'node:crypto';
import { bearerSecret } from './guard.ts';
import { refusal } from './refusal.ts';
import { localBearer, type Session, type Sessions } from './sessions.ts';
import type { Bearer, RouteAnswer } from './types.ts';

export interface Caller {
  readonly bearer: Bearer;
  /** Of the token; undefined for a local session. */
  readonly secret: string | undefined;
  readonly session: Session | undefined;
  /** The value of the session's cookie. */
  readonly cookie: string | undefined;
}

export interface CallerPorts {
  readonly sessions?: Sessions | undefined;
  readonly cookieName?: string | undefined;
  bearer(secret: string): Promise<Bearer | undefined>;
}

type Found = Caller | undefined | { readonly refused: RouteAnswer };

/** Undefined where nobody is named, or somebody whom nobody knows. */
export async function callerOf(request: Request, ports: CallerPorts): Promise<Found> {
  const header = request.headers.get('authorization');
  if (header !== null) {
    const secret = bearerSecret(header);
    const bearer = secret === undefined ? undefined : await ports.bearer(secret);
    return bearer && { bearer, secret, session: undefined, cookie: undefined };
  }
  const cookie = cookieOf(request.headers.get('cookie'), ports.cookieName ?? '');
  const session = cookie === undefined ? undefined : ports.sessions?.find(cookie);
  if (session === undefined) return undefined;
  const bearer = await bearerOf(session, ports);
  if (bearer === undefined) return undefined;
  const why = notOurPage(request, session);
  if (why !== undefined) return { refused: refusal(403, 'csrf', why) };
  return { bearer, secret: session.secret, session, cookie };
}

/** Also asked while an answer goes on. A token that was revoked leaves nobody, not the local person. */
export function bearerOf(
  { secret, local }: Session,
  ports: CallerPorts,
): Promise<Bearer | undefined> {
  if (secret !== undefined) return ports.bearer(secret);
  return Promise.resolve(local && localBearer(local));
}

function notOurPage(request: Request, { csrf }: Session): string | undefined {
  const site = request.headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin' && site !== 'none') {
    return 'This page may not use the session of another.';
  }
  if (request.method === 'GET') return undefined;
  if (request.headers.get('origin') === null) return 'A change by a session needs its origin.';
  const given = Buffer.from(request.headers.get('x-hone-csrf') ?? '');
  const expected = Buffer.from(csrf);
  if (given.length === expected.length && timingSafeEqual(given, expected)) return undefined;
  return 'The page is older than its session. Reload it.';
}

function cookieOf(header: string | null, name: string): string | undefined {
  if (header === null || name === '') return undefined;
  for (const part of header.split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}
