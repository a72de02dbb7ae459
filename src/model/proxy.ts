/**
 * A way from the sandbox to a model, and to nothing else: one host, one path, one kind of request. It listens on a socket that the
 * sandbox sees. Who asks is not trusted. Of what is asked only the fields of the provider's list go on, sanitised, with headers of
 * the proxy's own; the key is added here, and an answer that repeats it is held back. What may be spent is bounded before it is spent.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { digestOfBytes, type Json } from '../base/index.ts';
import { mask } from '../sanitise/index.ts';
import { providerOf } from './providers.ts';
import type { Purse } from './purse.ts';
import { type Prices, Spending } from './spending.ts';
import type { AskedRequest, ModelRecord, Provider, Usage } from './types.ts';
import { askUpstream, type UpstreamAnswer } from './upstream.ts';

export interface ModelProxyOptions extends Prices {
  /** The path to listen at. */
  readonly socket: string;
  readonly provider: string;
  /** Empty: the provider's own. */
  readonly url: string;
  readonly key: string;
  readonly models: readonly string[];
  readonly purse: Purse;
}

export interface OpenModelProxy extends AsyncDisposable {
  record(): ModelRecord;
}

const BODY_BYTES_MAX = 1024 * 1024;
const CONNECTIONS_MAX = 16;
const KEPT_REQUESTS_MAX = 50;
const KEPT_BYTES_MAX = 256 * 1024;
const REFUSALS_MAX = 20;
const WORDS_MAX = 300;

export async function openModelProxy(options: ModelProxyOptions): Promise<OpenModelProxy> {
  const proxy = new ModelProxy(options);
  const server = createServer((incoming, answer) => {
    answer.on('error', () => answer.destroy());
    // Nothing that is asked for, or answered, may end Hone.
    proxy.serve(incoming, answer).catch(() => answer.destroy());
  });
  server.maxConnections = CONNECTIONS_MAX;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.socket, resolve);
  });
  return {
    record: () => proxy.record(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Left by throwing inside this file only: why a request was not sent. */
class Refused extends Error {
  readonly status: number;

  constructor(status: number, why: string) {
    super(why);
    this.status = status;
  }
}

class ModelProxy {
  readonly #options: ModelProxyOptions;
  readonly #provider: Provider;
  readonly #spending: Spending;
  readonly #requests: AskedRequest[] = [];
  readonly #refused = new Map<string, number>();
  #asked = 0;
  #keptBytes = 0;
  #isOverSpent = false;

  constructor(options: ModelProxyOptions) {
    const provider = providerOf(options.provider);
    if (provider === undefined) throw new TypeError(`no provider ${options.provider}`);
    this.#options = options;
    this.#provider = provider;
    this.#spending = new Spending(options.purse, options);
  }

  record(): ModelRecord {
    return {
      provider: this.#provider.name,
      asked: this.#asked,
      requests: this.#requests,
      refused: [...this.#refused].map(([why, count]) => ({ why, count })),
      spentUsd: this.#spending.spentUsd,
      isOverSpent: this.#isOverSpent,
    };
  }

  async serve(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    try {
      const request = this.#read(await this.#bodyOf(incoming));
      const { status, text } = await this.#ask(request, answer);
      send(answer, status, text);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#note(error.message);
      const { message } = error;
      send(answer, error.status, JSON.stringify({ error: { type: 'refused_by_hone', message } }));
    }
  }

  async #bodyOf(incoming: IncomingMessage): Promise<string> {
    const { path } = this.#provider;
    if (incoming.method !== 'POST' || incoming.url !== path)
      throw new Refused(404, `Only POST ${path} is open here.`);
    const parts: Buffer[] = [];
    let bytes = 0;
    for await (const part of incoming as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes > BODY_BYTES_MAX)
        throw new Refused(413, `A request may have ${BODY_BYTES_MAX} bytes at most.`);
      parts.push(part);
    }
    return Buffer.concat(parts).toString();
  }

  /** The request as it will be sent. */
  #read(body: string): Json {
    let value: unknown;
    try {
      value = JSON.parse(body);
    } catch {
      throw new Refused(400, 'The request is not JSON.');
    }
    const read = this.#provider.request.safeParse(value);
    if (!read.success) throw new Refused(400, problemOf(read.error.issues[0]));
    if (!this.#options.models.includes(read.data.model))
      throw new Refused(403, 'This model is not in validate.model.models.');
    return sanitised(read.data as Json);
  }

  async #ask(request: Json, near: ServerResponse): Promise<{ status: number; text: string }> {
    const body = JSON.stringify(request);
    const outputTokens = this.#provider.outputTokensMax(request);
    const reserved = await this.#spending.reserve(Buffer.byteLength(body), outputTokens);
    if (reserved === undefined) {
      this.#isOverSpent = true;
      throw new Refused(429, 'It could cost more than is left of validate.model.spend.');
    }
    this.#asked += 1;
    const gone = new AbortController();
    near.once('close', () => gone.abort());
    let answer: UpstreamAnswer;
    try {
      answer = await askUpstream(this.#onward(body), gone.signal);
    } catch (error) {
      await this.#spending.settle(reserved, undefined);
      this.#keep(request, body, { status: null, answer: null, usage: null });
      throw new Refused(502, error instanceof Error ? error.message : 'The model did not answer.');
    }
    return this.#settled(request, { body, reserved, answer });
  }

  #onward(body: string) {
    const { url, key } = this.#options;
    const { headers, path, url: own } = this.#provider;
    return {
      url: `${(url === '' ? own : url).replace(/\/+$/, '')}${path}`,
      headers: { ...headers(key), 'content-type': 'application/json', accept: 'application/json' },
      body,
    };
  }

  async #settled(
    request: Json,
    asked: { readonly body: string; readonly reserved: number; readonly answer: UpstreamAnswer },
  ): Promise<{ status: number; text: string }> {
    const { body, reserved, answer } = asked;
    const { status, value } = answer;
    const isGood = status >= 200 && status < 300;
    const usage: Usage | undefined | null = isGood ? this.#provider.usage(value) : null;
    await this.#spending.settle(reserved, usage);
    const text = JSON.stringify(value);
    this.#keep(request, body, { status, answer: digestOfBytes(text), usage: usage ?? null });
    if (repeats(text, this.#options.key))
      throw new Refused(502, 'The answer is held back: it holds the key.');
    return { status, text };
  }

  #keep(
    request: Json,
    body: string,
    answered: Pick<AskedRequest, 'status' | 'answer' | 'usage'>,
  ): void {
    if (this.#requests.length >= KEPT_REQUESTS_MAX) return;
    this.#keptBytes += body.length;
    const isKept = this.#keptBytes <= KEPT_BYTES_MAX;
    this.#requests.push({
      request: isKept ? request : null,
      digest: digestOfBytes(body),
      ...answered,
    });
  }

  #note(why: string): void {
    const known = this.#refused.get(why);
    if (known === undefined && this.#refused.size >= REFUSALS_MAX) return;
    this.#refused.set(why, (known ?? 0) + 1);
  }
}

function problemOf(
  issue: { readonly path: readonly PropertyKey[]; readonly message: string } | undefined,
): string {
  const words = (text: string) => mask(text.toWellFormed().slice(0, WORDS_MAX)).text;
  const at = words(issue?.path.map(String).join('.') ?? '');
  const message = words(issue?.message ?? 'it is not of the expected form');
  return `The request is not let through${at === '' ? '' : `, at ${at}`}: ${message}`;
}

/** Every text in it, and the names of fields that somebody chose. */
function sanitised(value: Json): Json {
  // What has no JSON form could not be in a report.
  if (typeof value === 'string') return mask(value.toWellFormed()).text;
  if (Array.isArray(value)) return value.map(sanitised);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      mask(key.toWellFormed()).text,
      sanitised(part as Json),
    ]),
  );
}

/** As it is, and in the forms that a text most easily takes. */
function repeats(text: string, key: string): boolean {
  const bytes = Buffer.from(key);
  const forms = [
    key,
    [...key].reverse().join(''),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    encodeURIComponent(key),
  ];
  const lower = text.toLowerCase();
  return forms.some((form) => lower.includes(form.toLowerCase()));
}

function send(answer: ServerResponse, status: number, text: string): void {
  if (answer.destroyed) return;
  answer.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(text);
}
