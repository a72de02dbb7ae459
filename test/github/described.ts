/** GitHub's own description of the endpoints in use (`openapi.json`), as checks of requests and answers. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, object>>;
  readonly body?: object;
  readonly status: number;
  readonly answer: object;
  readonly refusals: readonly number[];
}

const { endpoints } = JSON.parse(
  readFileSync(new URL('openapi.json', import.meta.url), 'utf8'),
) as { endpoints: Endpoint[] };

const checks = endpoints.map((endpoint) => ({
  ...endpoint,
  parts: endpoint.path.split('/').slice(1),
  body: endpoint.body && schemaOf(endpoint.body),
  query: Object.fromEntries(
    Object.entries(endpoint.query).map(([name, schema]) => [name, schemaOf(schema)]),
  ),
  answer: schemaOf(endpoint.answer),
}));
export type Described = (typeof checks)[number];

/** OpenAPI 3.0's `nullable`, and numbers in queries, are not JSON Schema's. */
function schemaOf(schema: object): z.ZodType {
  return z.fromJSONSchema(widened(schema) as Parameters<typeof z.fromJSONSchema>[0]);
}

function widened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(widened);
  if (typeof value !== 'object' || value === null) return value;
  const { nullable, format: _, ...rest } = value as Record<string, unknown>;
  const entries = Object.entries(rest).map(([key, one]) => [key, widened(one)]);
  const schema = Object.fromEntries(entries);
  return nullable === true ? { anyOf: [schema, { type: 'null' }] } : schema;
}

/** The endpoint, and what stands in the places of its parameters. */
export function find(
  method: string,
  path: string,
): [Described, Record<string, string>] | undefined {
  const given = path.split('/').slice(1).map(decodeURIComponent);
  for (const one of checks) {
    if (one.method !== method || one.parts.length !== given.length) continue;
    const isSame = one.parts.every((part, at) => part.startsWith('{') || part === given[at]);
    if (!isSame) continue;
    const named = one.parts.flatMap((part, at): [string, string][] =>
      part.startsWith('{') ? [[part.slice(1, -1), given[at]!]] : [],
    );
    return [one, Object.fromEntries(named)];
  }
  return undefined;
}

/** What GitHub's description says against a request; empty if nothing. */
export function problems(one: Described, query: URLSearchParams, body: unknown): string[] {
  const found: string[] = [];
  for (const [name, text] of query) {
    const schema = one.query[name];
    const isNumber = /^\d+$/.test(text) && schema?.safeParse(Number(text)).success === true;
    if (schema === undefined) found.push(`no such parameter: ${name}`);
    else if (!isNumber && !schema.safeParse(text).success) found.push(`${name} is not ${text}`);
  }
  if (one.body === undefined && body !== undefined) found.push('it takes no body');
  const read = one.body?.safeParse(body ?? {});
  if (read?.success === false)
    found.push(...read.error.issues.map((issue) => JSON.stringify(issue)));
  return found;
}
