/**
 * What the outbox sends to: a real HTTP server on loopback with the three kinds of destination. It
 * counts how often each effect happened. An effect happens somewhere between a request's arrival and
 * its answer, so that a sender can die before and after; and at random a request meets another fate:
 * its answer is wrong or lost, its connection is cut, or it is carried out after the sender gave up.
 *
 *   POST /keyed/<n>      honours Idempotency-Key
 *   POST /findable/<n>   does it every time; GET /findable/<n>?key= says whether it happened
 *   POST /once/<n>       does it every time
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Random, systemClock } from '../../src/base/index.ts';

const DELAY_MS_MAX = 12;

/** How often a request meets each; all others are carried out and answered. */
const FATE_SHARES = {
  /** Answered 503, not done. */
  refused: 0.05,
  /** Done, answered 500. */
  wrong_answer: 0.03,
  /** Done, and the connection is cut. */
  answer_lost: 0.03,
  /** The connection is cut, and it is never done. */
  cut: 0.03,
  /** The connection is cut, and it is done later. */
  cut_then_done: 0.04,
  /** No answer; it is done after the sender left. */
  done_after_timeout: 0.04,
} as const;
export type Fate = keyof typeof FATE_SHARES | 'answered';

export interface EffectsServer extends AsyncDisposable {
  readonly url: string;
  readonly happened: ReadonlyMap<string, number>;
  readonly fates: ReadonlyMap<Fate, number>;
  /** Resolves when nothing is left to be carried out. */
  idle(): Promise<void>;
}

export async function startEffectsServer(
  random: Random,
  options: {
    readonly dedupe: boolean;
    /** Of the senders. A request ends within two of them, with time to spare for a busy machine. */
    readonly sendTimeoutMs: number;
  },
): Promise<EffectsServer> {
  const happened = new Map<string, number>();
  const fates = new Map<Fate, number>();
  const underWay = new Set<Promise<void>>();
  const sleepUpTo = (ms: number) => systemClock.sleep(random.next() * ms);

  const happen = (key: string, keyed: boolean) => {
    if (keyed && options.dedupe && happened.has(key)) return;
    happened.set(key, (happened.get(key) ?? 0) + 1);
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://loopback');
    if (request.method === 'GET') {
      const found = options.dedupe && happened.has(url.searchParams.get('key') ?? '');
      response.writeHead(found ? 200 : 404).end();
      return;
    }
    const key = String(request.headers['idempotency-key']);
    const fate = drawFate(random);
    fates.set(fate, (fates.get(fate) ?? 0) + 1);
    await sleepUpTo(DELAY_MS_MAX);
    if (fate === 'refused') return void response.writeHead(503).end();
    if (fate === 'cut' || fate === 'cut_then_done') response.destroy();
    if (fate === 'cut') return;
    if (fate === 'cut_then_done') await sleepUpTo(1.25 * options.sendTimeoutMs);
    if (fate === 'done_after_timeout') {
      if (!request.socket.destroyed) await once(response, 'close');
      await sleepUpTo(0.25 * options.sendTimeoutMs);
    }
    happen(key, url.pathname.startsWith('/keyed/'));
    await sleepUpTo(DELAY_MS_MAX);
    if (fate === 'answer_lost') response.destroy();
    else response.writeHead(fate === 'wrong_answer' ? 500 : 200).end();
  };

  const server = createServer((request, response) => {
    request.resume();
    const pending = answer(request, response).finally(() => underWay.delete(pending));
    underWay.add(pending);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    happened,
    fates,
    idle: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function drawFate(random: Random): Fate {
  let left = random.next();
  for (const [fate, share] of Object.entries(FATE_SHARES)) {
    left -= share;
    if (left < 0) return fate as Fate;
  }
  return 'answered';
}
