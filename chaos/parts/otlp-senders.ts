/**
 * Agents that send telemetry as exporters do: a request is sent again, byte by byte the same, until it is acknowledged,
 * to whichever receiver lives. They remember what was acknowledged.
 */
import { gzipSync } from 'node:zlib';
import { type Random, randomInt, systemClock } from '../../src/base/index.ts';
import { encodeRequest } from '../../src/observe/sources/otlp/protobuf.test-support.ts';

const SPANS_MAX = 30;
const TIMEOUT_MS = 5_000;
const RETRY_MS = 8;

/** One request: what its spans are called, and how it is sent. */
interface Sending {
  readonly ids: readonly string[];
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** A request with spans of their own. */
export function request(ids: readonly string[], nowMs: number): object {
  const spans = ids.map((id, at) => ({
    traceId: id.padStart(32, 'a'),
    spanId: id,
    name: 'execute_tool search',
    kind: 1,
    startTimeUnixNano: `${nowMs}000000`,
    endTimeUnixNano: `${nowMs + 20 + at}000000`,
    attributes: [
      { key: 'gen_ai.operation.name', value: { stringValue: 'execute_tool' } },
      { key: 'gen_ai.agent.name', value: { stringValue: 'coder' } },
    ],
    ...(at % 5 === 0 ? { status: { code: 2, message: `no answer after ${at} tries` } } : {}),
  }));
  return { resourceSpans: [{ scopeSpans: [{ spans }] }] };
}

export class Senders {
  readonly acknowledged = new Set<string>();
  readonly sent = new Set<string>();
  /** Requests that were sent more than once. */
  repeated = 0;
  readonly #random: Random;
  readonly #receivers: () => readonly string[];
  #made = 0;
  #isEnding = false;
  #isAbandoned = false;

  constructor(random: Random, receivers: () => readonly string[]) {
    this.#random = random;
    this.#receivers = receivers;
  }

  /** Ids of spans, 16 hexadecimal digits each, never twice. */
  newIds(count: number): string[] {
    return Array.from({ length: count }, () => `f${(++this.#made).toString(16).padStart(15, '0')}`);
  }

  /** No new requests; those under way are sent until they are acknowledged. */
  end(): void {
    this.#isEnding = true;
  }

  /** Also those under way are given up. */
  abandon(): void {
    this.#isEnding = this.#isAbandoned = true;
  }

  async run(pauseMs: number): Promise<void> {
    while (!this.#isEnding) {
      await this.#deliver(this.#next());
      await systemClock.sleep(this.#random.next() * pauseMs);
    }
  }

  #next(): Sending {
    const ids = this.newIds(1 + randomInt(this.#random, SPANS_MAX));
    for (const id of ids) this.sent.add(id);
    const given = request(ids, systemClock.nowMs());
    const isJson = randomInt(this.#random, 3) === 0;
    const plain = isJson ? Buffer.from(JSON.stringify(given)) : encodeRequest('traces', given);
    const isPacked = randomInt(this.#random, 2) === 0;
    return {
      ids,
      body: isPacked ? gzipSync(plain) : plain,
      headers: {
        'content-type': isJson ? 'application/json' : 'application/x-protobuf',
        ...(isPacked ? { 'content-encoding': 'gzip' } : {}),
      },
    };
  }

  async #deliver({ ids, body, headers }: Sending): Promise<void> {
    for (let tries = 0; ; tries++) {
      const receivers = this.#receivers();
      const url = receivers[randomInt(this.#random, Math.max(1, receivers.length))];
      if (tries === 1) this.repeated += 1;
      if (url !== undefined && (await isAcknowledged(url, { body, headers }))) break;
      if (this.#isAbandoned) return;
      await systemClock.sleep(RETRY_MS);
    }
    for (const id of ids) this.acknowledged.add(id);
  }
}

async function isAcknowledged(
  url: string,
  { body, headers }: Pick<Sending, 'body' | 'headers'>,
): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const sent = { method: 'POST', body: Buffer.from(body), headers, signal };
    const response = await fetch(`${url}/v1/traces`, sent);
    await response.arrayBuffer();
    if (response.status === 200) return true;
    if (response.status === 429 || response.status === 503) return false;
    throw new Error(`a request was refused with ${response.status}`);
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('a request was refused')) throw error;
    return false; // the receiver was killed
  }
}
