/**
 * What the outbox sends to: a real HTTP server on loopback with the three kinds of destination. It
 * counts how often each effect happened. Answers are lost, late and wrong at random; an effect happens
 * somewhere between a request's arrival and its answer, so that a sender can die before and after.
 *
 *   POST /keyed/<n>      honours Idempotency-Key
 *   POST /findable/<n>   does it every time; GET /findable/<n>?key= says whether it happened
 *   POST /once/<n>       does it every time
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Random, systemClock } from '../../src/base/index.ts';

/** Far below the outbox's send timeout: what a dead sender began has ended when the next one looks. */
const DELAY_MS_MAX = 12;
const FAILURE_SHARE = 0.1;

export interface EffectsServer extends AsyncDisposable {
  readonly url: string;
  readonly happened: ReadonlyMap<string, number>;
}

export async function startEffectsServer(
  random: Random,
  options: { readonly dedupe: boolean },
): Promise<EffectsServer> {
  const happened = new Map<string, number>();
  const pause = () => systemClock.sleep(random.next() * DELAY_MS_MAX);

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://loopback');
    const keyed = url.pathname.startsWith('/keyed/');
    if (request.method === 'GET') {
      const found = options.dedupe && happened.has(url.searchParams.get('key') ?? '');
      response.writeHead(found ? 200 : 404).end();
      return;
    }
    const key = String(request.headers['idempotency-key']);
    await pause();
    if (random.next() < FAILURE_SHARE / 2) return void response.writeHead(503).end();
    if (!(keyed && options.dedupe && happened.has(key))) {
      happened.set(key, (happened.get(key) ?? 0) + 1);
    }
    await pause();
    response.writeHead(random.next() < FAILURE_SHARE / 2 ? 500 : 200).end();
  };

  const server = createServer((request, response) => {
    request.resume();
    void answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    happened,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
