/** Git's own `http-backend` behind a small HTTP server on this machine, with what real hosts do around it. */
import { spawnSync } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { startProcess } from '../../../git/start-process.ts';

export interface GitHost extends AsyncDisposable {
  readonly url: string;
  /** Paths and queries that were asked for, in order. */
  readonly asked: string[];
  /** Answers in the place of git; undefined lets git answer. */
  answer: ((request: IncomingMessage) => Answer | undefined) | undefined;
}

/** `hang` never answers. `drop` lets git do its work, and the connection breaks before its answer. */
type Answer =
  | { readonly status: number; readonly headers?: Record<string, string> }
  | 'hang'
  | 'drop';

let known: string | undefined;
function corePath(): string {
  known ??= spawnSync('git', ['--exec-path'], { encoding: 'utf8' }).stdout.trim();
  return known;
}

export async function serveGit(folder: string): Promise<GitHost> {
  const server = createServer((request, response) => {
    host.asked.push(request.url ?? '');
    const answer = host.answer?.(request);
    if (answer === 'hang') return;
    if (answer === undefined || answer === 'drop') {
      void backend(folder, request, response, answer === 'drop');
      return;
    }
    request.resume();
    response.writeHead(answer.status, answer.headers).end('no\n');
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  const host: GitHost = {
    url: `http://127.0.0.1:${port}`,
    asked: [],
    answer: undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return host;
}

/** CGI (RFC 3875), as far as git uses it. */
export async function backend(
  folder: string,
  request: IncomingMessage,
  response: ServerResponse,
  isDropped: boolean,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://host');
  const header = (name: string) => request.headers[name]?.toString() ?? '';
  const parts: Buffer[] = [];
  const order = {
    binary: `${corePath()}/git-http-backend`,
    args: [],
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      REQUEST_METHOD: request.method ?? '',
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: header('content-type'),
      HTTP_CONTENT_ENCODING: header('content-encoding'),
      GIT_PROTOCOL: header('git-protocol'),
      REMOTE_USER: 'hone',
      REMOTE_ADDR: '127.0.0.1',
    },
    input: await buffer(request),
  };
  const onOutput = (part: Buffer) => parts.push(part);
  await startProcess(order, { onOutput, onMessages: () => {} }).ended;
  if (isDropped) return void request.socket.destroy();
  const output = Buffer.concat(parts);
  const end = output.indexOf('\r\n\r\n');
  const headers = output.toString('latin1', 0, end).split('\r\n');
  let status = 200;
  for (const line of headers) {
    const [name = '', value = ''] = line.split(/:\s*/, 2);
    if (name.toLowerCase() === 'status') status = Number.parseInt(value, 10);
    else response.setHeader(name, value);
  }
  response.writeHead(status).end(output.subarray(end + 4));
}
