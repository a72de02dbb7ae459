/**
 * The server host of `hone up`: listens, runs workers, and stops without dropping what it began.
 *
 *   starting ──listening──► ready ──stop()──► draining ──everything ended──► stopped
 *
 * `/healthz` answers while the process lives; `/readyz` while it is ready and its store can be read.
 */

import type { Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { type Clock, errorMessage } from '../base/index.ts';
import { type AppOptions, makeApp } from './app.ts';
import { listenError } from './errors.ts';
import type { Route, Worker } from './types.ts';

const DRAIN_MS = 10_000;
/** A worker that failed comes back after this; its failure is in the log. */
const RETRY_MS = 5_000;

/** Limits for anybody who can reach the server, with or without a token. */
interface DoorLimits {
  readonly connectionsMax: number;
  /** For all headers of a request; a client that sends them byte by byte is cut off. */
  readonly headersTimeoutMs: number;
  /** For a whole request with its body. */
  readonly requestTimeoutMs: number;
}

/** A page and its scripts take a dozen connections; the rest is room for every tool of a team. */
const DOOR_LIMITS: DoorLimits = {
  connectionsMax: 200,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
};

export interface HostOptions extends Omit<AppOptions, 'signal'> {
  readonly door?: DoorLimits;
  readonly host: string;
  readonly port: number;
  readonly workers: readonly Worker[];
  /** Certificate chain and key as PEM; without them it speaks plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** How workers are woken before their time; without it they come back when they said. */
  listen?(channel: string, wake: () => void): Promise<() => Promise<void>>;
  /** Throws when the store cannot be read. */
  probe(): Promise<void>;
}

export interface Host {
  readonly url: string;
  /** Calling it twice is fine. */
  stop(): Promise<void>;
}

export async function startHost(options: HostOptions): Promise<Host> {
  let state: 'starting' | 'ready' | 'draining' = 'starting';
  const ready = async () => {
    if (state !== 'ready') return state;
    try {
      await options.probe();
      return 'ready';
    } catch (error) {
      options.log.warn('the store cannot be read', { error: errorMessage(error) });
      return 'store unreadable';
    }
  };
  const aborted = new AbortController();
  const routes = [...healthRoutes(ready), ...options.routes];
  const app = makeApp({ ...options, routes, signal: aborted.signal });
  const server = await listen(app.fetch, options);
  const working = options.workers.map((worker) => keepRunning(worker, aborted.signal, options));
  state = 'ready';

  let stopping: Promise<void> | undefined;
  const stop = async () => {
    state = 'draining';
    aborted.abort();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    const ended = Promise.all([closed, ...working]).then(() => true);
    const patience = new AbortController();
    const late = options.clock.sleep(DRAIN_MS, patience.signal).then(() => false);
    if (!(await Promise.race([ended, late]))) {
      options.log.warn('requests were cut off', { afterMs: DRAIN_MS });
      server.closeAllConnections();
    }
    patience.abort();
  };
  const { address, port } = server.address() as AddressInfo;
  const name = address.includes(':') ? `[${address}]` : address;
  return {
    url: `${options.tls === undefined ? 'http' : 'https'}://${name}:${port}`,
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

function healthRoutes(ready: () => Promise<string>): Route[] {
  return [
    {
      method: 'GET',
      path: '/healthz',
      role: 'public',
      handle: () => Promise.resolve({ status: 200, body: { state: 'alive' } }),
    },
    {
      method: 'GET',
      path: '/readyz',
      role: 'public',
      handle: async () => {
        const state = await ready();
        return { status: state === 'ready' ? 200 : 503, body: { state } };
      },
    },
  ];
}

function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  options: HostOptions,
): Promise<Server> {
  return new Promise((resolve, reject) => {
    const { host: hostname, port } = options;
    const door = options.door ?? DOOR_LIMITS;
    const serverOptions = {
      headersTimeout: door.headersTimeoutMs,
      requestTimeout: door.requestTimeoutMs,
      // The interval of the check for slow clients.
      connectionsCheckingInterval: Math.ceil(door.headersTimeoutMs / 4),
    };
    const listening = { fetch, hostname, port };
    const tls = options.tls && {
      createServer: createTlsServer,
      serverOptions: { ...serverOptions, ...options.tls },
    };
    const made = { ...listening, ...(tls ?? { serverOptions }) };
    const server = serve(made, () => resolve(server)) as Server;
    server.maxConnections = door.connectionsMax;
    let isFull = false;
    server.on('drop', () => {
      if (!isFull) options.log.warn('too many connections', { most: door.connectionsMax });
      isFull = true;
    });
    server.on('connection', () => {
      isFull = false;
    });
    server.once('error', (error) => reject(listenError(error, options)));
  });
}

async function keepRunning(
  worker: Worker,
  signal: AbortSignal,
  options: HostOptions,
): Promise<void> {
  const rest = wakeable(options.clock, signal);
  const listening = listenFor(worker, rest.wake, options);
  while (!signal.aborted) {
    let againInMs = RETRY_MS;
    try {
      ({ againInMs } = await worker.run(signal));
    } catch (error) {
      options.log.error('a worker failed', { worker: worker.name, error: errorMessage(error) });
    }
    await rest.sleep(againInMs);
  }
  // Not awaited: it may still wait for a server that does not answer.
  void listening.then((stop) => stop?.()).catch(() => {});
}

/** Never rejects: a worker that cannot be woken only runs later. */
async function listenFor(
  { name, wokenBy }: Worker,
  wake: () => void,
  options: HostOptions,
): Promise<(() => Promise<void>) | undefined> {
  if (wokenBy === undefined) return undefined;
  try {
    return await options.listen?.(wokenBy, wake);
  } catch (error) {
    options.log.warn('a worker cannot be woken', { worker: name, error: errorMessage(error) });
    return undefined;
  }
}

/** Sleeps that end early by `wake` or the signal. A wake that comes while nobody sleeps is kept for the next. */
function wakeable(clock: Clock, signal: AbortSignal) {
  let early = new AbortController();
  const wake = () => early.abort();
  signal.addEventListener('abort', wake, { once: true });
  return {
    wake,
    sleep: async (ms: number): Promise<void> => {
      await clock.sleep(ms, early.signal);
      early = new AbortController();
    },
  };
}
