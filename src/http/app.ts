/** The HTTP door: guards, identity and roles in front of every route, errors in one form behind. */
import { createHash } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { type Clock, errorMessage, HoneError, type Log } from '../base/index.ts';
import { errorStatus } from '../contracts/error-table.ts';
import { mayActAs } from '../facts/index.ts';
import { bearerOf, type Caller, type CallerPorts, callerOf } from './caller.ts';
import { type GuardSettings, hasDotSegment, isAllowedHost, isAllowedOrigin } from './guard.ts';
import { type Rate, RateLimit } from './rate-limit.ts';
import { refusal } from './refusal.ts';
import type { Route, RouteAnswer, RouteRequest } from './types.ts';

const BODY_BYTES_MAX = 1024 * 1024;

export interface AppOptions extends CallerPorts {
  readonly routes: readonly Route[];
  readonly guard: GuardSettings;
  readonly clock: Clock;
  readonly log: Log;
  /** Aborts when the server stops. */
  readonly signal: AbortSignal;
  /** What the answers' `Date` says where the loop's time is simulated; the machine's clock otherwise. */
  simulatedNowMs?(): number;
  readonly rates?: Rates;
}

/** How often one caller may ask. Callers are told apart by who they are, else by their address. */
interface Rates {
  readonly reads: Rate;
  readonly writes: Rate;
  /** Secrets and keys that nobody has. */
  readonly denied: Rate;
}

/** A page asks some twenty times when it opens; a person decides a few times a minute, a script of theirs faster. */
const RATES: Rates = {
  reads: { burst: 1000, perSecond: 200 },
  writes: { burst: 60, perSecond: 5 },
  denied: { burst: 20, perSecond: 1 },
};

/** With every answer; one that says otherwise, such as a page with scripts of its own, says so itself. */
const PROTECTED: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

export function makeApp(options: AppOptions): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  const { reads, writes, denied } = options.rates ?? RATES;
  const limits: Limits = {
    reads: new RateLimit(reads, options.clock),
    writes: new RateLimit(writes, options.clock),
    denied: new RateLimit(denied, options.clock),
  };
  const { simulatedNowMs } = options;
  if (simulatedNowMs !== undefined)
    app.use(async (c, next) => {
      await next();
      c.res.headers.set('date', new Date(simulatedNowMs()).toUTCString());
    });
  app.use(async (c, next) => {
    const host = c.req.header('host');
    if (!isAllowedHost(host, options.guard)) return json(refusal(403, 'host', 'Unknown host.'));
    if (!isAllowedOrigin(c.req.header('origin'), host, options.guard)) {
      return json(refusal(403, 'origin', 'This page may not call Hone.'));
    }
    // What the router sees has no dots any more.
    if (hasDotSegment(c.env.incoming.url ?? '')) {
      return json(refusal(400, 'path', 'A path has no "." or ".." in it.'));
    }
    await next();
    return undefined;
  });
  const limited = bodyLimit({
    maxSize: BODY_BYTES_MAX,
    onError: () => json(refusal(413, 'too_large', 'The body is larger than 1 MiB.')),
  });
  // To look for a body makes a whole request object; most have none and say so.
  app.use((c, next) => (announcesBody(c.env.incoming) ? limited(c, next) : next()));
  for (const route of options.routes) {
    app.on(route.method, route.path, (c) => {
      const { outgoing, incoming } = c.env;
      const drop = () => outgoing.destroy();
      const address = incoming.socket.remoteAddress ?? '';
      const asked = { request: c.req.raw, params: c.req.param(), address, drop };
      return answer(asked, route, { ...options, limits });
    });
  }
  app.notFound(() => json(refusal(404, 'not_found', 'There is no such address.')));
  app.onError((error, c) => {
    if (!isCutOff(c.env)) return json(faultAnswer(error, options.log));
    options.log.debug('a client went away', { error: errorMessage(error) });
    return json(refusal(400, 'cut_off', 'The body was cut off.'));
  });
  return app;
}

/** By its headers (RFC 9112, section 6.3), whatever the method. */
function announcesBody({ headers }: HttpBindings['incoming']): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

type Limits = Readonly<Record<keyof Rates, RateLimit>>;

interface Asked {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  /** Of the machine that asks. */
  readonly address: string;
  drop(): void;
}

async function answer(
  asked: Asked,
  route: Route,
  options: AppOptions & { readonly limits: Limits },
): Promise<Response> {
  const { request, address } = asked;
  const { limits } = options;
  if (limits.denied.isEmpty(address)) return json(tooMany(limits.denied.take(address) ?? 1));
  const caller = await callerOf(request, options);
  if (caller !== undefined && 'refused' in caller) return respond(caller.refused, request);
  const unknown = caller === undefined && request.headers.get('authorization') !== null;
  if (unknown) limits.denied.take(address);
  const refused = notAllowed(route, caller);
  if (refused !== undefined) return json(refused);
  const limit = request.method === 'GET' ? limits.reads : limits.writes;
  const waitS = route.urgent === true ? undefined : limit.take(caller?.bearer.actor.id ?? address);
  if (waitS !== undefined) return json(tooMany(waitS));
  const body = await readBody(request);
  if ('refused' in body) return json(body.refused);
  const given = await route.handle(routeRequest(asked, { caller, body, route, options }));
  if (given.denied === true) limits.denied.take(address);
  return respond(given, request);
}

function notAllowed(route: Route, caller: Caller | undefined): Document | undefined {
  if (route.role === 'public') return undefined;
  if (caller === undefined) {
    const hint =
      'Send "Authorization: Bearer <secret>" ("hone token add" makes one), or open the dashboard by "hone open".';
    return refusal(401, 'unauthorised', 'A token is needed.', hint);
  }
  const { role } = caller.bearer;
  if (mayActAs(role, route.role)) return undefined;
  const has = caller.secret === undefined ? 'this session' : 'the token';
  const message = `This needs the role ${route.role}; ${has} has ${role}.`;
  const hint = caller.secret === undefined ? `Enter the token of an ${route.role}.` : null;
  return refusal(403, 'forbidden', message, hint);
}

function routeRequest(
  { request, params, drop }: Asked,
  {
    caller,
    body,
    route,
    options,
  }: { caller: Caller | undefined; body: Body; route: Route; options: AppOptions },
): RouteRequest {
  // A key without a value was left empty by whoever filled in a form; as a number it would be 0.
  const { pathname: path, searchParams } = new URL(request.url);
  const asked = [...searchParams].filter(([, value]) => value !== '');
  return {
    path,
    actor: caller?.bearer.actor,
    secret: caller?.secret,
    caller,
    params,
    query: Object.fromEntries(asked),
    body: body.value,
    rawBody: body.text,
    header: (name) => request.headers.get(name) ?? undefined,
    isStillAllowed: async () => {
      if (route.role === 'public') return true;
      const { cookie, secret } = caller!;
      const session = cookie === undefined ? undefined : options.sessions?.find(cookie);
      if (cookie !== undefined && session === undefined) return false;
      const now = await (session === undefined
        ? options.bearer(secret!)
        : bearerOf(session, options));
      return now !== undefined && mayActAs(now.role, route.role);
    },
    signal: options.signal,
    drop,
  };
}

function tooMany(waitS: number): Document {
  const message = `Too many requests. Try again in ${waitS} s.`;
  return { ...refusal(429, 'too_many', message), headers: { 'retry-after': String(waitS) } };
}

type Body = { readonly value: unknown; readonly text: string };

async function readBody(request: Request): Promise<Body | { refused: Document }> {
  if (request.method === 'GET') return { value: undefined, text: '' };
  const text = await request.text();
  if (text === '') return { value: undefined, text };
  // Browsers send other types across origins without asking first.
  const type = request.headers.get('content-type')?.split(';')[0]?.trim();
  if (type !== 'application/json') {
    return { refused: refusal(415, 'media_type', 'Send application/json.') };
  }
  try {
    return { value: JSON.parse(text), text };
  } catch (error) {
    return { refused: refusal(400, 'json', `The body is not JSON: ${errorMessage(error)}.`) };
  }
}

/** The client disconnected before its whole body arrived, so no route has begun: this is not our fault. */
function isCutOff({ incoming }: Partial<HttpBindings>): boolean {
  return incoming?.destroyed === true && !incoming.complete;
}

/** A fault that is not a `HoneError` is a defect: its message stays in the log. */
function faultAnswer(error: unknown, log: Log): Document {
  const { http } = errorStatus(error);
  if (error instanceof HoneError)
    return refusal(http, error.code, error.message, error.hint ?? null);
  log.error('a request failed', { error: errorMessage(error) });
  return refusal(http, 'internal', 'Hone failed to answer.', "See the server's log.");
}

/** An answer that the client has already is not sent again. */
function respond(given: RouteAnswer, request: Request): Response {
  if ('stream' in given) return streamResponse(given.stream, given.headers);
  if ('file' in given)
    return protectedResponse(given.file, { status: given.status, headers: given.headers ?? {} });
  if (request.method !== 'GET' || given.status !== 200) return json(given);
  const { text, etag } = writtenOf(given.body);
  const known = request.headers.get('if-none-match')?.split(',') ?? [];
  if (known.some((one) => one.trim().replace(/^W\//, '') === etag)) {
    return protectedResponse(null, { status: 304, headers: { etag } });
  }
  return jsonText(text, { status: 200, headers: { ...given.headers, etag } });
}

interface Written {
  readonly text: string;
  readonly etag: string;
}

/** A use case gives the very same answer while nothing changed; it is written once. */
const written = new WeakMap<object, Written>();

function writtenOf(body: unknown): Written {
  const isKept = typeof body === 'object' && body !== null;
  const known = isKept ? written.get(body) : undefined;
  if (known !== undefined) return known;
  const text = `${JSON.stringify(body)}\n`;
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  if (isKept) written.set(body, { text, etag });
  return { text, etag };
}

function streamResponse(
  stream: ReadableStream<Uint8Array>,
  headers: RouteAnswer['headers'] = {},
): Response {
  // Nothing else uses its connection, and a stopping server must not wait until it is idle.
  return protectedResponse(stream, {
    status: 200,
    headers: { 'content-type': 'text/event-stream', connection: 'close', ...headers },
  });
}

type Document = Extract<RouteAnswer, { readonly body: unknown }>;

const json = ({ status, body, headers = {} }: Document): Response =>
  jsonText(`${JSON.stringify(body)}\n`, { status, headers });

const jsonText = (text: string, { status, headers }: Answered): Response =>
  protectedResponse(text, { status, headers: { 'content-type': 'application/json', ...headers } });

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Whole from the start: headers that are added to a finished response make it, and its body, anew. */
const protectedResponse = (
  body: ConstructorParameters<typeof Response>[0],
  { status, headers }: Answered,
): Response => new Response(body, { status, headers: { ...PROTECTED, ...headers } });
