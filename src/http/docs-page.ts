/** `GET /api/docs`: the routes for people to read, made from the same table as the OpenAPI document. No script. */
import { isNeeded, propertiesOf } from './open-api.ts';
import type { ApiRoute } from './route.ts';
import { API_ROUTES, EVENTS_ROUTE, EXPORT_ROUTE } from './route-table.ts';
import type { Route } from './types.ts';

const POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Public: it is the same for everybody, and stands in the repository as well. */
export function docsRoutes(): Route[] {
  let page: string | undefined;
  const serve = (path: string, type: string, text: () => string): Route => ({
    method: 'GET',
    path,
    role: 'public',
    handle: () =>
      Promise.resolve({
        status: 200,
        file: text(),
        headers: { 'content-type': `${type}; charset=utf-8`, 'content-security-policy': POLICY },
      }),
  });
  return [
    serve('/api/docs', 'text/html', () => {
      page ??= docsPage();
      return page;
    }),
    serve('/api/docs.css', 'text/css', () => STYLE),
  ];
}

function docsPage(): string {
  const routes = [...API_ROUTES, EVENTS_ROUTE, EXPORT_ROUTE];
  const areas = Map.groupBy(routes, ({ path }) => path.split('/')[2]!);
  const nav = [...areas.keys()].map((area) => `<a href="#${area}">${area}</a>`).join(' ');
  const sections = [...areas].map(
    ([area, some]) =>
      `<section id="${area}"><h2>${area}</h2>${some.map(routeHtml).join('')}</section>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Hone: HTTP API</title><link rel="stylesheet" href="/api/docs.css"></head><body><main><h1>HTTP API</h1><p>Every request carries <code>Authorization: Bearer &lt;secret&gt;</code>; <code>hone token add</code> makes a token. Bodies are JSON. Errors are <code>{"error": {"code", "message", "hint"}}</code>. The same as a machine reads it: <a href="/api/openapi.json">openapi.json</a> (asks for a token).</p><nav>${nav}</nav>${sections.join('')}</main></body></html>`;
}

function routeHtml({
  method,
  path,
  role,
  about,
  input,
}: Pick<ApiRoute, 'method' | 'path' | 'role' | 'about' | 'input'>): string {
  const rows = Object.entries(propertiesOf(input)).map(
    ([name, schema]) =>
      `<tr><td><code>${name}</code>${isNeeded(input, name) ? ' (needed)' : ''}</td><td>${escaped(typeWords(schema))}</td></tr>`,
  );
  const table = rows.length === 0 ? '' : `<table>${rows.join('')}</table>`;
  return `<article><h3><b>${method}</b> <code>${path.replace(':id', '{id}')}</code></h3><p>${escaped(about)} Role: ${role}.</p>${table}</article>`;
}

function typeWords(schema: Readonly<Record<string, unknown>>): string {
  const words = schema['enum'] as readonly string[] | undefined;
  if (words !== undefined) return words.join(', ');
  const limits = ['minLength', 'maxLength', 'minimum', 'maximum', 'default']
    .filter((one) => schema[one] !== undefined)
    .map((one) => `${one} ${String(schema[one])}`);
  return [String(schema['type'] ?? 'any'), ...limits].join(', ');
}

const escaped = (text: string) => text.replace(/[&<>]/g, (one) => `&#${one.charCodeAt(0)};`);

const STYLE = `:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:0}main{max-width:56rem;margin:0 auto;padding:2rem 1rem}
nav a{display:inline-block;margin-right:.75rem}h3{margin:1.5rem 0 .25rem;font-size:1rem;font-weight:500}h3 b{display:inline-block;min-width:3.5rem;font-weight:600}
article p{margin:.25rem 0}table{border-collapse:collapse;margin:.25rem 0}td{padding:.15rem 1rem .15rem 0;vertical-align:top}code{overflow-wrap:anywhere}
`;
