/** The door that telemetry comes in by: what it refuses, and that nothing a stranger sends makes it fall or swell. */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { encodeRequest } from '../observe/sources/otlp/protobuf.test-support.ts';
import {
  JSON_TYPE,
  post,
  type Receiving,
  receive,
  span,
  TOKEN,
  traces,
} from './otlp-receiver.test-support.ts';

const PROTOBUF_TYPE = { 'content-type': 'application/x-protobuf' };
const body = (...given: object[]) => JSON.stringify(traces(...given));

/** With headers that fetch does not let one set. */
async function raw({ door }: Receiving, headers: Record<string, string>, method = 'POST') {
  const sent = httpRequest(`${door.url}/v1/traces`, {
    method,
    headers: { ...JSON_TYPE, ...headers },
  });
  sent.end(body(span()));
  const [response] = await once(sent, 'response');
  response.resume();
  return response.statusCode as number;
}

describe('OBS-2 requests that are taken', () => {
  test.each(['json', 'protobuf'] as const)(
    '%s, plain and packed, answered in their own encoding',
    async (encoding) => {
      await using receiving = await receive();
      const headers: Record<string, string> = encoding === 'json' ? JSON_TYPE : PROTOBUF_TYPE;
      const make = (spanId: string) => {
        const request = traces(span({ spanId }));
        return encoding === 'json'
          ? Buffer.from(JSON.stringify(request))
          : Buffer.from(encodeRequest('traces', request));
      };
      const plain = await post(receiving, make('eee19b7ec3c1b174'), { headers });
      expect([plain.status, plain.headers.get('content-type')]).toEqual([
        200,
        headers['content-type'],
      ]);
      expect(await plain.text()).toBe(encoding === 'json' ? '{}' : '');
      const packed = gzipSync(make('eee19b7ec3c1b175'));
      const answer = await post(receiving, packed, {
        headers: { ...headers, 'content-encoding': 'gzip' },
      });
      expect(answer.status).toBe(200);
      expect(await receiving.events()).toHaveLength(2);
    },
  );

  test('partial success has counts and reasons in both encodings', async () => {
    await using receiving = await receive();
    const given = traces(span(), span({ spanId: '' }), span({ spanId: '' }));
    const json = await post(receiving, JSON.stringify(given));
    expect(await json.json()).toEqual({
      partialSuccess: { rejectedSpans: '2', errorMessage: 'A span has no id. (2)' },
    });
    const answer = await post(receiving, Buffer.from(encodeRequest('traces', given)), {
      headers: PROTOBUF_TYPE,
    });
    // Field 1: a message of 24 bytes, in it field 1: 2, field 2: the text.
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([...bytes.subarray(0, 6)]).toEqual([0x0a, bytes.length - 2, 0x08, 2, 0x12, 21]);
    expect(bytes.subarray(6).toString()).toBe('A span has no id. (2)');
  });

  test('logs and metrics have addresses of their own', async () => {
    await using receiving = await receive();
    const timeUnixNano = '1763287200000000000';
    const logs = {
      resourceLogs: [
        { scopeLogs: [{ logRecords: [{ timeUnixNano, body: { stringValue: 'hello' } }] }] },
      ],
    };
    const dataPoints = [{ timeUnixNano, asInt: '3' }];
    const metrics = {
      resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'm', gauge: { dataPoints } }] }] }],
    };
    expect((await post(receiving, JSON.stringify(logs), { path: '/v1/logs' })).status).toBe(200);
    expect((await post(receiving, JSON.stringify(metrics), { path: '/v1/metrics' })).status).toBe(
      200,
    );
    expect((await receiving.events()).map(({ kind }) => kind)).toEqual(['log_line', 'metric']);
  });

  test('a request with a token is of somebody known', async () => {
    await using receiving = await receive();
    const headers = { ...JSON_TYPE, authorization: `Bearer ${TOKEN}` };
    expect((await post(receiving, body(span()), { headers })).status).toBe(200);
    expect(await receiving.events()).toMatchObject([{ source: 'otlp:token' }]);
  });
});

describe('OBS-2 requests that are refused', () => {
  const refused = async (answer: Response, status: number, code: number) => {
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ code, message: expect.stringMatching(/^[A-Z]/) });
  };

  test('from a page in a browser, whatever its origin', async () => {
    await using receiving = await receive();
    for (const origin of [
      'http://evil.example',
      'http://trusted.example',
      'null',
      receiving.door.url,
    ])
      await refused(
        await post(receiving, body(span()), { headers: { ...JSON_TYPE, origin } }),
        403,
        7,
      );
    expect(await receiving.events()).toEqual([]);
  });

  test('for a host that is not ours', async () => {
    await using receiving = await receive();
    expect(await raw(receiving, { host: 'evil.example:4318' })).toBe(403);
    expect(await raw(receiving, { host: 'localhost:4318' })).toBe(200);
  });

  test('of another address, method, type or encoding', async () => {
    await using receiving = await receive();
    await refused(await post(receiving, body(span()), { path: '/v1/profiles' }), 404, 12);
    await refused(await post(receiving, body(span()), { path: '/v1/traces/../logs/x' }), 404, 12);
    const get = await fetch(`${receiving.door.url}/v1/traces`);
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
    await refused(
      await post(receiving, body(span()), { headers: { 'content-type': 'text/plain' } }),
      415,
      3,
    );
    await refused(
      await post(receiving, body(span()), { headers: { ...JSON_TYPE, 'content-encoding': 'br' } }),
      415,
      3,
    );
    expect(await receiving.events()).toEqual([]);
  });

  test('without the token that is needed, or with one that nobody has', async () => {
    await using open = await receive();
    const wrong = { ...JSON_TYPE, authorization: 'Bearer nobody' };
    await refused(await post(open, body(span()), { headers: wrong }), 401, 16);
    await using closed = await receive({ needsToken: true });
    await refused(await post(closed, body(span())), 401, 16);
    const right = { ...JSON_TYPE, authorization: `Bearer ${TOKEN}` };
    expect((await post(closed, body(span()), { headers: right })).status).toBe(200);
  });

  test('that cannot be read, in words of ours, in the request’s encoding', async () => {
    await using receiving = await receive();
    await refused(await post(receiving, '{"resourceSpans":'), 400, 3);
    await refused(await post(receiving, '[]'), 400, 3);
    const answer = await post(receiving, Buffer.from('hush hush'), { headers: PROTOBUF_TYPE });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      400,
      'application/x-protobuf',
    ]);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0x08, 3, 0x12]); // code 3, then the message
    expect(bytes.toString()).not.toContain('hush');
  });

  test('that are too large, before or after unpacking, or half of what they were', async () => {
    await using receiving = await receive({ bodyBytesMax: 100_000 });
    await refused(await post(receiving, ' '.repeat(100_001)), 413, 8);
    const gzip = { ...JSON_TYPE, 'content-encoding': 'gzip' };
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    expect(bomb.length).toBeLessThan(100_000);
    await refused(await post(receiving, bomb, { headers: gzip }), 413, 8);
    const half = gzipSync(body(span())).subarray(0, 60);
    await refused(await post(receiving, half, { headers: gzip }), 400, 3);
    await refused(await post(receiving, 'no gzip', { headers: gzip }), 400, 3);
    // Streamed without a length, it ends where the limit is.
    const endless = new ReadableStream({
      pull: (stream) => stream.enqueue(new Uint8Array(20_000)),
    });
    const sent = fetch(`${receiving.door.url}/v1/traces`, {
      method: 'POST',
      body: endless,
      headers: JSON_TYPE,
      duplex: 'half',
    } as RequestInit);
    const answer = await sent.catch(() => undefined); // it may find the connection closed
    expect([413, undefined]).toContain(answer?.status);
    expect((await post(receiving, body(span()))).status).toBe(200);
  });
});

describe('OBS-2 under pressure', () => {
  test('a sender is asked to come back when too much is held, and others with a token are not', async () => {
    await using receiving = await receive({ heldBytes: 2000 });
    const [large, small] = [' '.repeat(1500), body(span())];
    using held = receiving.receiver.open('anonymous');
    expect(held.take(1000)).toBe(true);
    const full = await post(receiving, large);
    expect([full.status, full.headers.get('retry-after')]).toEqual([429, '1']);
    const headers = { ...JSON_TYPE, authorization: `Bearer ${TOKEN}` };
    expect((await post(receiving, small, { headers })).status).toBe(200);
    held[Symbol.dispose]();
    expect((await post(receiving, small)).status).toBe(200);
  });

  test('a slow client is cut off, and too many requests at once are sent away', async () => {
    const limits = {
      connectionsMax: 50,
      requestsMax: 1,
      headersTimeoutMs: 500,
      requestTimeoutMs: 1500,
    };
    await using receiving = await receive({ limits });
    const slow = connect(Number(new URL(receiving.door.url).port), '127.0.0.1');
    slow.on('error', () => {});
    slow.resume();
    const head = ['POST /v1/traces HTTP/1.1', 'host: localhost', 'content-type: application/json'];
    slow.write(`${head.join('\r\n')}\r\ncontent-length: 100\r\n\r\n{`);
    let isSentAway = false;
    while (!isSentAway && !slow.closed)
      isSentAway = (await post(receiving, body(span()))).status === 429;
    expect(isSentAway).toBe(true);
    if (!slow.closed) await once(slow, 'close');
    expect((await post(receiving, body(span()))).status).toBe(200);
  });

  test('a store that fails is told as a fault that passes, and the same request is taken later', async () => {
    const { openSqlite, telemetryMigrations } = await import('../store/index.ts');
    const store = await openSqlite({
      path: ':memory:',
      synchronous: 'off',
      migrations: telemetryMigrations,
    });
    let isDown = true;
    const into = Object.assign(Object.create(Object.getPrototypeOf(store)), {
      engine: store.engine,
      location: store.location,
      all: store.all.bind(store),
      nowMs: store.nowMs.bind(store),
      commit: async (plan: never) => {
        if (isDown) throw new Error('disk full');
        return store.commit(plan);
      },
    });
    await using receiving = await receive({ into });
    const answer = await post(receiving, body(span()));
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    isDown = false;
    expect((await post(receiving, body(span()))).status).toBe(200);
    expect(await receiving.events()).toHaveLength(1);
    await store.close();
  });

  test('a port that is taken is reported', async () => {
    await using receiving = await receive();
    const { port } = new URL(receiving.door.url);
    await expect(receive({ port: Number(port) })).rejects.toMatchObject({ code: 'port_taken' });
  });
});
