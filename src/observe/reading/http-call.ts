/** A request of HTTP as a call: what was asked of whom, and how it ended. */
import { httpWentWell } from './outcomes.ts';
import { firstAt, nameOf, numberOf } from './values.ts';

const METHODS = new Set('GET POST PUT PATCH DELETE HEAD OPTIONS CONNECT TRACE'.split(' '));

export interface HttpCall {
  /** `GET /orders/:id`. */
  readonly tool: string;
  readonly success: boolean;
  readonly status: number;
}

export function httpCall(method: unknown, target: unknown, status: unknown): HttpCall | undefined {
  const verb = nameOf(method)?.toUpperCase();
  const code = numberOf(status);
  const success = code === undefined ? undefined : httpWentWell(code);
  if (
    verb === undefined ||
    !METHODS.has(verb) ||
    success === undefined ||
    typeof target !== 'string'
  )
    return undefined;
  return { tool: `${verb} ${routeOf(target)}`, success, status: code! };
}

/** From a record, wherever programs put the three. */
export function httpCallIn(record: unknown): HttpCall | undefined {
  const method = firstAt(
    record,
    'method',
    'request_method',
    'req.method',
    'request.method',
    'http.method',
    'http.request.method',
    'httpRequest.requestMethod',
    'http_method',
  );
  if (method === undefined) return undefined;
  const target = firstAt(
    record,
    'path',
    'uri',
    'url',
    'request_uri',
    'req.url',
    'request.uri',
    'request.path',
    'request.url',
    'http.target',
    'url.path',
    'httpRequest.requestUrl',
    'http_path',
    'endpoint',
    'route',
  );
  const status = firstAt(
    record,
    'status',
    'status_code',
    'statusCode',
    'response_code',
    'res.statusCode',
    'response.status',
    'response.status_code',
    'http.status_code',
    'http.response.status_code',
    'httpRequest.status',
    'http_status',
    'code',
  );
  return httpCall(method, target, status);
}

const PARTS_MAX = 6;

/** The path without its query, and without what names a single thing: those would be as many tools as things. */
function routeOf(target: string): string {
  const path = target
    .slice(0, 1000)
    .replace(/^[a-z]{1,10}:\/\/[^/?#]{0,300}/i, '')
    .split(/[?#]/, 1)[0]!;
  const parts = path.split('/', PARTS_MAX + 2).filter((part) => part !== '');
  const shown = parts
    .slice(0, PARTS_MAX)
    .map((part) => (isSingle(part) ? ':id' : part.slice(0, 60)));
  return `/${shown.join('/')}${parts.length > PARTS_MAX ? '/…' : ''}`.slice(0, 180);
}

/** A number, a hash, a UUID, or a long run of letters and digits. */
function isSingle(part: string): boolean {
  if (/^\d+$/.test(part) || /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(part)) return true;
  return part.length >= 16 && /\d/.test(part) && !/[.]/.test(part);
}
