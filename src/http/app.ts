/** The HTTP door: guards, identity and roles in front of every route, errors in one form behind. */
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { errorMessage, HoneError, type Log } from '../base/index.ts';
import { errorStatus } from '../contracts/error-table.ts';
import { mayActAs } from '../facts/index.ts';
import { bearerSecret, type GuardSettings, isAllowedHost, isAllowedOrigin } from './guard.ts';
import { refusal } from './refusal.ts';
import type { Bearer, Route, RouteAnswer } from './types.ts';

const BODY_BYTES_MAX = 1024 * 1024;

export interface AppOptions {
  readonly routes: readonly Route[];
  readonly guard: GuardSettings;
  readonly log: Log;
  /** Aborts when the server stops. */
  readonly signal: AbortSignal;
  /** The holder of this secret. */
  bearer(secret: string): Promise<Bearer | undefined>;
}

export function makeApp(options: AppOptions): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.use(async (c, next) => {
    const host = c.req.header('host');
    if (!isAllowedHost(host, options.guard)) return json(refusal(403, 'host', 'Unknown host.'));
    if (!isAllowedOrigin(c.req.header('origin'), host, options.guard)) {
      return json(refusal(403, 'origin', 'This page may not call Hone.'));
    }
    await next();
    c.header('X-Content-Type-Options', 'nosniff');
    c.header('Cache-Control', 'no-store');
    c.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
    c.header('Referrer-Policy', 'no-referrer');
    return undefined;
  });
  app.use(
    bodyLimit({
      maxSize: BODY_BYTES_MAX,
      onError: () => json(refusal(413, 'too_large', 'The body is larger than 1 MiB.')),
    }),
  );
  for (const route of options.routes) {
    app.on(route.method, route.path, (c) => {
      const { outgoing } = c.env;
      const drop = () => outgoing.destroy();
      return answer({ request: c.req.raw, params: c.req.param(), drop }, route, options);
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

interface Asked {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  drop(): void;
}

async function answer(
  { request, params, drop }: Asked,
  route: Route,
  options: AppOptions,
): Promise<Response> {
  const secret = bearerSecret(request.headers.get('authorization') ?? undefined);
  const bearer = secret === undefined ? undefined : await options.bearer(secret);
  if (route.role !== 'public') {
    if (bearer === undefined) {
      const hint = 'Send "Authorization: Bearer <secret>"; "hone token add" makes one.';
      return json(refusal(401, 'unauthorised', 'A token is needed.', hint));
    }
    if (!mayActAs(bearer.role, route.role)) {
      const message = `This needs the role ${route.role}; the token has ${bearer.role}.`;
      return json(refusal(403, 'forbidden', message));
    }
  }
  const body = await readBody(request);
  if ('refused' in body) return json(body.refused);
  // A key without a value was left empty by whoever filled in a form; as a number it would be 0.
  const asked = [...new URL(request.url).searchParams].filter(([, value]) => value !== '');
  const query = Object.fromEntries(asked);
  const given = await route.handle({
    actor: bearer?.actor,
    secret,
    params,
    query,
    body: body.value,
    rawBody: body.text,
    header: (name) => request.headers.get(name) ?? undefined,
    isStillAllowed: async () => {
      if (route.role === 'public') return true;
      const now = await options.bearer(secret!);
      return now !== undefined && mayActAs(now.role, route.role);
    },
    signal: options.signal,
    drop,
  });
  return 'stream' in given ? eventResponse(given.stream) : json(given);
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

function eventResponse(stream: ReadableStream<Uint8Array>): Response {
  // Nothing else uses its connection, and a stopping server must not wait until it is idle.
  return new Response(stream, {
    headers: { 'content-type': 'text/event-stream', connection: 'close' },
  });
}

type Document = Extract<RouteAnswer, { readonly body: unknown }>;

function json({ status, body }: Document): Response {
  return new Response(`${JSON.stringify(body)}\n`, {
    status,
    headers: { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' },
  });
}
