/**
 * The door that agents send telemetry to: OTLP over HTTP on a port of its own, as exporters expect it.
 *
 *   host, origin ─► path, method ─► token ─► type, encoding ─► bounded body ─► unpacked, bounded ─► stored ─► answered
 *
 * It listens on this machine only, unless configured otherwise, and then asks for a token. A page in a browser can reach
 * loopback addresses as well: requests that come from a page are refused. Everything that a stranger can make it hold is
 * bounded: connections, requests at once, bytes before and after unpacking, and the time of a slow client.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { OtlpAnswer, TelemetryIntake, TelemetryReceiver } from '../app/receive-telemetry.ts';
import { errorCode, errorMessage, type Log } from '../base/index.ts';
import { listenError } from './errors.ts';
import { bearerSecret, type GuardSettings, isAllowedHost } from './guard.ts';

const SIGNALS = { '/v1/traces': 'traces', '/v1/logs': 'logs', '/v1/metrics': 'metrics' } as const;
const TYPES = { 'application/x-protobuf': 'protobuf', 'application/json': 'json' } as const;
const RETRY_AFTER_S = 1;

type Encoding = (typeof TYPES)[keyof typeof TYPES];
type Signal = (typeof SIGNALS)[keyof typeof SIGNALS];

/** Limits for anybody who can reach it. */
interface OtlpDoorLimits {
  readonly connectionsMax: number;
  readonly requestsMax: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
}

/** An exporter keeps one or two connections and sends every few seconds. */
const LIMITS: OtlpDoorLimits = {
  connectionsMax: 256,
  requestsMax: 64,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
};

export interface OtlpDoorOptions {
  readonly receiver: TelemetryReceiver;
  readonly host: string;
  readonly port: number;
  readonly guard: GuardSettings;
  /** Whether requests without a token are refused. */
  readonly needsToken: boolean;
  /** Of a body, before and after unpacking. */
  readonly bodyBytesMax: number;
  /** By which others find out whose receiver it is. */
  readonly name: string;
  readonly log: Log;
  readonly limits?: OtlpDoorLimits;
  /** Whether somebody has this token. */
  isKnown(secret: string): Promise<boolean>;
}

export interface OtlpDoor {
  readonly url: string;
  /** No more is taken in; what came is answered. */
  stop(): Promise<void>;
}

/** Rejects with a `ServerError` if it cannot listen. */
export async function openOtlpDoor(options: OtlpDoorOptions): Promise<OtlpDoor> {
  const door = new Door(options);
  const limits = options.limits ?? LIMITS;
  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: Math.ceil(limits.headersTimeoutMs / 4),
    },
    (request, response) => void door.handle(request, response),
  );
  server.maxConnections = limits.connectionsMax;
  await listening(server, options);
  const { address, port } = server.address() as AddressInfo;
  const name = address.includes(':') ? `[${address}]` : address;
  return {
    url: `http://${name}:${port}`,
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      await options.receiver.idle();
      server.closeAllConnections();
      await closed;
    },
  };
}

function listening(server: Server, { host, port }: OtlpDoorOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, { host, port })));
    server.listen(port, host, () => resolve());
  });
}

/** Why a request ends early: it is answered with this. */
class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

class Door {
  readonly #options: OtlpDoorOptions;
  #requests = 0;
  /** Unpacking holds more than was taken in: one after the other. */
  #unpacking: Promise<unknown> = Promise.resolve();

  constructor(options: OtlpDoorOptions) {
    this.#options = options;
  }

  /** Never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { receiver, log, limits = LIMITS } = this.#options;
    const encoding = encodingOf(request) ?? 'json';
    request.on('error', () => {}); // a client that goes away is no fault of ours
    this.#requests += 1;
    try {
      if (this.#requests > limits.requestsMax) throw new Refusal(429, 'Too many requests at once.');
      const answer = await this.#answer(request);
      this.#reply(response, encoding, answer);
    } catch (error) {
      const refused = error instanceof Refusal ? error : undefined;
      if (refused === undefined && !request.destroyed)
        log.error('a request with telemetry failed', { error: errorMessage(error) });
      const { status, message } = refused ?? { status: 503, message: 'Hone failed to take it in.' };
      const answer = await receiver.refuse(encoding, status, message);
      // Its body may still be coming: nobody reads it.
      if (!request.complete) response.setHeader('connection', 'close');
      if (status === 405) response.setHeader('allow', 'POST');
      if (status === 401) response.setHeader('www-authenticate', 'Bearer');
      this.#reply(response, encoding, answer);
    } finally {
      this.#requests -= 1;
    }
  }

  #reply(response: ServerResponse, encoding: Encoding, { status, body }: OtlpAnswer): void {
    const type = encoding === 'json' ? 'application/json' : 'application/x-protobuf';
    if (status === 429 || status === 503) response.setHeader('retry-after', `${RETRY_AFTER_S}`);
    response.writeHead(status, {
      'content-type': type,
      'content-length': body.length,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      server: this.#options.name,
    });
    response.end(body);
  }

  async #answer(request: IncomingMessage): Promise<OtlpAnswer> {
    const signal = this.#signal(request);
    const sender = await this.#sender(request);
    const encoding = encodingOf(request);
    if (encoding === undefined)
      throw new Refusal(415, 'Send application/x-protobuf or application/json.');
    const isPacked = isGzip(request);
    using intake = this.#options.receiver.open(sender);
    const sent = await this.#read(request, intake);
    const body = isPacked ? await this.#unpack(sent, intake) : sent;
    return await intake.send({ signal, encoding, body });
  }

  #signal({ headers, url = '', method }: IncomingMessage): Signal {
    if (!isAllowedHost(headers.host, this.#options.guard)) throw new Refusal(403, 'Unknown host.');
    if (headers.origin !== undefined)
      throw new Refusal(403, 'Telemetry is not taken from pages in a browser.');
    const path = url.split('?', 1)[0]!;
    if (!Object.hasOwn(SIGNALS, path))
      throw new Refusal(404, 'There are /v1/traces, /v1/logs and /v1/metrics.');
    if (method !== 'POST') throw new Refusal(405, 'Send it by POST.');
    return SIGNALS[path as keyof typeof SIGNALS];
  }

  /** A token that nobody has is refused: its sender thinks that it is known. */
  async #sender({ headers }: IncomingMessage): Promise<'anonymous' | 'token'> {
    const { needsToken, isKnown } = this.#options;
    if (headers.authorization === undefined) {
      if (needsToken) throw new Refusal(401, 'A token is needed; "hone token add" makes one.');
      return 'anonymous';
    }
    const secret = bearerSecret(headers.authorization);
    if (secret === undefined || !(await isKnown(secret)))
      throw new Refusal(401, 'Nobody has this token.');
    return 'token';
  }

  async #read(request: IncomingMessage, intake: TelemetryIntake): Promise<Buffer> {
    const most = this.#options.bodyBytesMax;
    const chunks: Buffer[] = [];
    let length = 0;
    if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge(most);
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > most) throw tooLarge(most);
      if (!intake.take(chunk.length)) throw fullyBooked();
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, length);
  }

  async #unpack(packed: Buffer, intake: TelemetryIntake): Promise<Buffer> {
    const most = this.#options.bodyBytesMax;
    const turn = this.#unpacking.then(() => unpacked(packed, most));
    this.#unpacking = turn.catch(() => {});
    const body = await turn;
    if (!intake.take(body.length)) throw fullyBooked();
    return body;
  }
}

const unzip = promisify(gunzip) as (
  packed: Buffer,
  options: { readonly maxOutputLength: number },
) => Promise<Buffer>;

/** Stops where the limit is, however much would come of it. */
async function unpacked(packed: Buffer, most: number): Promise<Buffer> {
  try {
    return await unzip(packed, { maxOutputLength: most });
  } catch (error) {
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(most);
    throw new Refusal(400, 'The body is not whole gzip data.');
  }
}

function tooLarge(most: number): Refusal {
  return new Refusal(413, `The body is larger than ${most} bytes.`);
}

function fullyBooked(): Refusal {
  return new Refusal(429, 'Hone is still storing what was sent before.');
}

function encodingOf({ headers }: IncomingMessage): Encoding | undefined {
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return Object.hasOwn(TYPES, type) ? TYPES[type as keyof typeof TYPES] : undefined;
}

function isGzip({ headers }: IncomingMessage): boolean {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'gzip') return true;
  if (encoding === 'identity' || encoding === '') return false;
  throw new Refusal(415, 'Send it plain or with gzip.');
}
