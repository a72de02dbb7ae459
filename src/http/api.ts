/** The routes of the table, for the server: input is checked, the use case called, its answer or refusal given. */
import { cleanReason } from '../app/clean-words.ts';
import type { AppContext } from '../app/context.ts';
import { followLedger } from '../app/follow-ledger.ts';
import type { ForgeWebhooks } from '../app/forge-webhook.ts';
import { isRefusal, type Refusal } from '../app/refusal.ts';
import type { Clock, Log } from '../base/index.ts';
import { REFUSALS } from '../contracts/error-table.ts';
import { docsRoutes } from './docs-page.ts';
import { EventStreams } from './event-stream.ts';
import { ledgerLines } from './ledger-lines.ts';
import { metricsRoute } from './metrics-route.ts';
import { openApi } from './open-api.ts';
import { refusal } from './refusal.ts';
import type { ApiRoute } from './route.ts';
import { API_ROUTES, EVENTS_ROUTE, EXPORT_ROUTE } from './route-table.ts';
import type { Route, RouteAnswer, RouteRequest } from './types.ts';

/** Longer than any id, key or name. */
const ID_MAX = 500;

export interface ApiPorts {
  /** What use cases get from the server; who asks is put into it for each request. */
  readonly context: AppContext;
  readonly clock: Clock;
  readonly log: Log;
  /** What a forge sends; absent where nothing is taken. */
  readonly webhooks?: ForgeWebhooks;
}

export function apiRoutes(ports: ApiPorts): Route[] {
  return [
    ...API_ROUTES.map((one) => served(one, ports)),
    eventsRoute(ports),
    exportRoute(ports),
    ...(ports.webhooks === undefined ? [] : [webhookRoute(ports.context, ports.webhooks)]),
    documentRoute,
    ...docsRoutes(),
    metricsRoute(ports.context),
  ];
}

/** Without a token: its signature is what opens it. It says nothing about why one is refused. */
function webhookRoute(context: AppContext, webhooks: ForgeWebhooks): Route {
  return {
    method: 'POST',
    path: '/hooks/github',
    role: 'public',
    handle: async ({ rawBody, header }) => {
      const { taken } = await webhooks(context, { rawBody, header });
      return taken
        ? { status: 202, body: { taken } }
        : refusal(401, 'unauthorised', 'It is not taken.');
    },
  };
}

function served(one: ApiRoute, { context }: ApiPorts): Route {
  const { method, path, role } = one;
  return {
    method,
    path,
    role,
    // Whoever stops everything is never asked to wait.
    urgent: path === '/api/stop',
    handle: async (request) => {
      const given = method === 'GET' ? request.query : (request.body ?? {});
      const read = await readInput(one, given);
      if ('refused' in read) return read.refused;
      const { id = '' } = request.params;
      if (id.length > ID_MAX) return refusal(400, 'id', `An id has at most ${ID_MAX} characters.`);
      const answer = await one.call(askedBy(context, request), read.input as never, id);
      if (isRefusal(answer)) return refusalAnswer(answer);
      const body = read.masked === 0 ? answer : { ...answer, maskedInReason: read.masked };
      return { status: 200, body };
    },
  };
}

/** The caller is the token's holder; the use case checks the token again if it has to be sure. */
function askedBy(context: AppContext, { actor, secret }: RouteRequest): AppContext {
  return { ...context, actor: () => Promise.resolve(actor!), secret };
}

type Read = { readonly input: object; readonly masked: number } | { readonly refused: RouteAnswer };

/** A reason is cleaned before anything is done with it, and whoever sent a secret in it is told. */
async function readInput(
  { method, input }: Pick<ApiRoute, 'method' | 'input'>,
  given: unknown,
): Promise<Read> {
  const parsed = input.safeParse(given);
  const code = method === 'GET' ? 'query' : 'body';
  if (!parsed.success) {
    const wrong = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    return { refused: refusal(400, code, `The request is not valid: ${wrong.join('; ')}.`) };
  }
  const value = parsed.data as { readonly reason?: unknown };
  const isSent = (given as { readonly reason?: unknown }).reason !== undefined;
  if (typeof value.reason !== 'string') return { input: value, masked: 0 };
  const { text, masked } = await cleanReason(value.reason);
  if (isSent && text === '') return { refused: refusal(400, code, 'Give a reason: it is empty.') };
  return { input: { ...value, reason: text }, masked };
}

function refusalAnswer({ refused, kind = 'refused' }: Refusal): RouteAnswer {
  return refusal(REFUSALS[kind].http, kind, refused);
}

const documentRoute: Route = {
  method: 'GET',
  path: '/api/openapi.json',
  role: 'viewer',
  handle: () => Promise.resolve({ status: 200, body: openApi() }),
};

function exportRoute({ context, clock, log }: ApiPorts): Route {
  const { method, path, role, input, media } = EXPORT_ROUTE;
  const lines = ledgerLines({ clock, log });
  return {
    method,
    path,
    role,
    handle: async (request) => {
      const read = await readInput({ method, input }, request.query);
      if ('refused' in read) return read.refused;
      const { signal, drop } = request;
      const stream = lines(askedBy(context, request), { signal, drop });
      if (stream === undefined) return refusal(429, 'too_many', 'Others export it just now.');
      return { status: 200, stream, headers: { 'content-type': media } };
    },
  };
}

/** `Last-Event-ID` is what a client sends by itself when it comes back, so it counts for more than `after`. */
function eventsRoute({ context, clock, log }: ApiPorts): Route {
  const streams = new EventStreams();
  const { method, path, role, input } = EVENTS_ROUTE;
  return {
    method,
    path,
    role,
    handle: async (request) => {
      const last = request.header('last-event-id');
      const given =
        last === undefined || last === '' ? request.query : { ...request.query, after: last };
      const read = await readInput({ method, input }, given);
      if ('refused' in read) return read.refused;
      const { signal, isStillAllowed, drop } = request;
      // How long it waits is of this server's time, not of the loop's.
      const follow = () => followLedger({ ...askedBy(context, request), clock }, read.input);
      const stream = await streams.open(follow, { clock, log, signal, isStillAllowed, drop });
      return isRefusal(stream) ? refusalAnswer(stream) : { status: 200, stream };
    },
  };
}
