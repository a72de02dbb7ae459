/**
 * The dashboard's files. All of them are read into memory when they are there, so no path of a request ever reaches
 * the file system. They hold no data and are public; what they show they ask for, with the session's cookie.
 */
import { gzipSync } from 'node:zlib';
import { refusal } from './refusal.ts';
import type { Route, RouteAnswer } from './types.ts';

/** Path within the dashboard, such as `assets/index-1a2b.js`, and its bytes. */
export type PageFiles = ReadonlyMap<string, Uint8Array>;

export interface PagesPorts {
  /** Undefined while they are being made; then the reason is shown. */
  files(): PageFiles | undefined;
  /** Why there are none yet, for the person who waits. */
  whyNot(): string;
}

/** Scripts and styles of our own only; nothing from elsewhere, nothing inline. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Addresses that are never pages, so a mistake in one is an error and not the start page. */
const NOT_PAGES = /^\/(?:api|hooks|metrics|healthz|readyz|open)(?:\/|$)/;

/** Below it are the files that were built, and nothing else. */
const ASSETS = /^[/\\]+assets(?:[/\\]|$)/i;

interface Packed {
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly gzip: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Everything that no other route answers; it comes last. */
export function pagesRoute(ports: PagesPorts): Route {
  let packedOf: PageFiles | undefined;
  let packed = new Map<string, Packed>();
  return {
    method: 'GET',
    path: '/*',
    role: 'public',
    handle: ({ path = '/', header }) => {
      const files = ports.files();
      if (NOT_PAGES.test(path)) return Promise.resolve(NOT_FOUND);
      if (files === undefined) return Promise.resolve(notYet(ports.whyNot()));
      if (files !== packedOf) {
        packed = new Map([...files].map(([name, bytes]) => [name, pack(name, bytes)]));
        packedOf = files;
      }
      const isAsset = ASSETS.test(decoded(path));
      const found = packed.get(isAsset ? path.slice(1) : 'index.html');
      if (found === undefined) return Promise.resolve(NOT_FOUND);
      const wantsGzip = /\bgzip\b/.test(header('accept-encoding') ?? '');
      const answer: RouteAnswer = wantsGzip
        ? {
            status: 200,
            file: found.gzip,
            headers: { ...found.headers, 'content-encoding': 'gzip' },
          }
        : { status: 200, file: found.plain, headers: found.headers };
      return Promise.resolve(answer);
    },
  };
}

const NOT_FOUND = refusal(404, 'not_found', 'There is no such address.');

/** However it is written: `/%61ssets` are assets too. */
function decoded(path: string): string {
  return path.replace(/%[0-7][0-9a-f]/gi, (code) =>
    String.fromCharCode(Number.parseInt(code.slice(1), 16)),
  );
}

function pack(name: string, bytes: Uint8Array): Packed {
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  // An asset's name holds the digest of its bytes; the page that names them is asked for anew each time.
  const cache = name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
  return {
    plain: new Uint8Array(bytes),
    gzip: new Uint8Array(gzipSync(bytes)),
    headers: {
      'content-type': type,
      'cache-control': cache,
      'content-security-policy': PAGE_POLICY,
      vary: 'accept-encoding',
    },
  };
}

/** Comes back by itself. */
function notYet(why: string): RouteAnswer {
  const text = why.replace(/[&<>]/g, (one) => `&#${one.charCodeAt(0)};`);
  return {
    status: 503,
    file: `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="2"><title>Hone</title><p>${text}</p></html>`,
    headers: { 'content-type': TYPES['html']!, 'retry-after': '2' },
  };
}
