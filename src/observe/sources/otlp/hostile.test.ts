/** Whatever is sent is answered with records or a refusal: no crash, no hang, nothing that grows without a bound. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from '../../../../test/any-character.ts';
import { outOfBounds } from '../../check-event.ts';
import { SIGNALS, type Signal } from './model.ts';
import { otlpDecoder } from './otlp.ts';
import { decodePayload } from './payload.ts';
import { encodeRequest } from './protobuf.test-support.ts';
import {
  AT_MS,
  keyValues,
  logRecord,
  logsOf,
  metricsOf,
  span,
  tracesOf,
} from './requests.test-support.ts';

const send = (signal: Signal, encoding: 'json' | 'protobuf', body: Uint8Array | string) =>
  decodePayload({ signal, encoding, body: Buffer.from(body as string) }, AT_MS);

/** Every event of it is one that the room takes. */
async function accepted(signal: Signal, encoding: 'json' | 'protobuf', body: Uint8Array | string) {
  const decoded = await send(signal, encoding, body);
  if (!decoded.ok) return [];
  return decoded.records.flatMap((one) => {
    if (!one.ok) return [];
    const { event } = one;
    const refused = outOfBounds(event, AT_MS);
    // Only its time may be wrong: every text and number was made to fit.
    expect(refused === undefined || refused.reason === 'wrong_time').toBe(true);
    return [event];
  });
}

const signal = fc.constantFrom(...SIGNALS);
const scalar = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);

/** Objects with the names of OTLP and anything in them. */
const name = fc.constantFrom(
  ...['resourceSpans', 'scopeSpans', 'spans', 'resourceLogs', 'scopeLogs', 'logRecords'],
  ...[
    'resourceMetrics',
    'scopeMetrics',
    'metrics',
    'sum',
    'gauge',
    'histogram',
    'summary',
    'dataPoints',
  ],
  ...[
    'attributes',
    'key',
    'value',
    'stringValue',
    'intValue',
    'arrayValue',
    'kvlistValue',
    'values',
  ],
  ...[
    'traceId',
    'spanId',
    'parentSpanId',
    'name',
    'startTimeUnixNano',
    'endTimeUnixNano',
    'status',
  ],
  ...[
    'code',
    'message',
    'events',
    'body',
    'timeUnixNano',
    'asInt',
    'count',
    'resource',
    'eventName',
  ],
);
const anything = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 8, withCrossShrink: true },
    scalar,
    fc.array(tie('node'), { maxLength: 4 }),
    fc.dictionary(name, tie('node'), { maxKeys: 5 }),
  ),
})).node;

const value = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 300 }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.array(fc.string({ maxLength: 10 }), { maxLength: 3 }),
);
const known = fc.constantFrom(
  ...['gen_ai.operation.name', 'gen_ai.tool.name', 'gen_ai.agent.name', 'gen_ai.conversation.id'],
  ...['session.id', 'error.type', 'http.response.status_code', 'gen_ai.tool.call.arguments'],
  ...['tool_name', 'decision', 'source', 'success', 'duration_ms', 'event.name', 'rating', 'type'],
  ...[
    'gen_ai.usage.input_tokens',
    'attempt',
    'cost_usd',
    'gen_ai.response.finish_reasons',
    'variant',
  ],
);
const attributes = fc.dictionary(known, value, { maxKeys: 8 });
const eventName = fc.constantFrom(
  ...[
    'claude_code.tool_result',
    'claude_code.tool_decision',
    'claude_code.api_error',
    'user_feedback',
  ],
  ...[
    'codex.sse_event',
    'codex.tool_result',
    'gemini_cli.tool_call',
    'gen_ai.evaluation.result',
    'x',
  ],
);

describe('OBS-2 anything at all', () => {
  test('bytes as protobuf', async () => {
    await fc.assert(
      fc.asyncProperty(signal, fc.uint8Array({ maxLength: 400 }), async (of, bytes) => {
        await accepted(of, 'protobuf', bytes);
      }),
      { numRuns: 500 },
    );
  });

  test('a real request of protobuf with bytes changed, cut off or put in', async () => {
    const whole = encodeRequest('traces', tracesOf([span({ 'gen_ai.tool.name': 'x' }), span({})]));
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(255), fc.nat(), async (at, byte, cut) => {
        const bytes = Uint8Array.from(whole);
        bytes[at % bytes.length] = byte;
        await accepted('traces', 'protobuf', bytes.subarray(0, (cut % bytes.length) + 1));
        await accepted('traces', 'protobuf', bytes);
      }),
      { numRuns: 500 },
    );
  });

  test('JSON, with the names of OTLP and without', async () => {
    await fc.assert(
      fc.asyncProperty(signal, fc.oneof(anything, fc.jsonValue()), async (of, given) => {
        const text = JSON.stringify(given) ?? '';
        await accepted(of, 'json', text);
        otlpDecoder.decode(text, null, { name: 'a', modifiedMs: null });
      }),
      { numRuns: 500 },
    );
  });

  test('attributes of every name with values of every type fit into events', async () => {
    await fc.assert(
      fc.asyncProperty(attributes, eventName, async (given, event) => {
        const spans = tracesOf([span(given as never)]);
        const logs = logsOf([logRecord(given as never, { eventName: event })]);
        expect(await accepted('traces', 'json', JSON.stringify(spans))).not.toEqual([]);
        await accepted('logs', 'json', JSON.stringify(logs));
      }),
      { numRuns: 300 },
    );
  });

  test('protobuf says the same as JSON', async () => {
    await fc.assert(
      fc.asyncProperty(attributes, async (given) => {
        const request = logsOf([logRecord(given as never, { body: { stringValue: 'x' } })]);
        const [json, protobuf] = [
          await send('logs', 'json', JSON.stringify(request)),
          await send('logs', 'protobuf', encodeRequest('logs', request)),
        ];
        expect(protobuf).toEqual(json);
      }),
      { numRuns: 200 },
    );
  });
});

describe('OBS-2 what is too much', () => {
  test('spans that are each other’s parents end', async () => {
    const loop = [
      span({}, { spanId: 'a1', parentSpanId: 'a2' }),
      span({}, { spanId: 'a2', parentSpanId: 'a1' }),
      span({}, { spanId: 'a3', parentSpanId: 'a3' }),
    ];
    expect(await accepted('traces', 'json', JSON.stringify(tracesOf(loop)))).toHaveLength(3);
  });

  test('200 000 names of attributes are one span', async () => {
    const given = Array.from({ length: 200_000 }, (_, at) => ({
      key: `k${at}`,
      value: { intValue: at },
    }));
    const many = {
      ...span({}),
      attributes: [...keyValues({ 'gen_ai.agent.name': 'a' }), ...given],
    };
    const body = encodeRequest('traces', tracesOf([many]));
    expect(await accepted('traces', 'protobuf', body)).toMatchObject([{ agent: 'a' }]);
  });

  test('values as deep as a body allows are left out', async () => {
    let deep: object = { stringValue: 'x' };
    for (let at = 0; at < 500; at++) deep = { arrayValue: { values: [deep] } };
    const record = logRecord({}, { eventName: 'e', body: deep });
    const [line] = await accepted('logs', 'protobuf', deepBytes(4_000_000));
    expect((line as { message: string }).message).toMatch(/^\[{1,40}null\]{1,40}$/);
    expect(await send('logs', 'json', '['.repeat(1_000_000))).toMatchObject({ ok: false });
    expect(await send('logs', 'json', JSON.stringify(logsOf([record])))).toMatchObject({
      ok: false,
    });
  });

  test('a small body that would become an enormous tree is refused', async () => {
    // Two bytes for each empty span.
    const spans = Buffer.alloc(4_000_000);
    for (let at = 0; at < spans.length; at += 2) spans[at] = 0x12;
    const scope = Buffer.concat([Buffer.from([0x12]), varint(spans.length), spans]);
    const resource = Buffer.concat([Buffer.from([0x0a]), varint(scope.length), scope]);
    expect(await send('traces', 'protobuf', resource)).toMatchObject({ ok: false });
    expect(await send('traces', 'json', `[${'{},'.repeat(1_600_000)}{}]`)).toMatchObject({
      ok: false,
    });
  });

  test('megabytes of text are cut where a word ends, names and ids kept short', async () => {
    const long = 'word '.repeat(400_000);
    const given = span(
      { 'gen_ai.tool.name': long, 'gen_ai.conversation.id': long, 'error.type': 'x'.repeat(5000) },
      {
        name: 'execute_tool x',
        status: { code: 2, message: long },
      },
    );
    const [event] = await accepted('traces', 'json', JSON.stringify(tracesOf([given])));
    expect(event).toMatchObject({
      kind: 'tool_call',
      success: false,
      session: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect((event as { errorMessage: string }).errorMessage.length).toBeLessThanOrEqual(20_000);
    expect(event).not.toHaveProperty('errorCode');
  });

  test('clocks in the future are the room’s to refuse; times before 1970 do not exist', async () => {
    const future = span(
      {},
      { startTimeUnixNano: '18446744073709551615', endTimeUnixNano: '18446744073709551615' },
    );
    const [event] = await accepted('traces', 'json', JSON.stringify(tracesOf([future])));
    expect(outOfBounds(event!, AT_MS)).toMatchObject({ reason: 'wrong_time' });
    const past = span({}, { startTimeUnixNano: -5, endTimeUnixNano: -5 });
    expect(await accepted('traces', 'json', JSON.stringify(tracesOf([past])))).toEqual([]);
  });

  test('numbers beyond every bound are cut to it', async () => {
    const dataPoints = [{ timeUnixNano: `${AT_MS}000000`, asDouble: 1e308 }];
    expect(
      await accepted(
        'metrics',
        'json',
        JSON.stringify(metricsOf([{ name: 'm', gauge: { dataPoints } }])),
      ),
    ).toHaveLength(1);
    const spent = { 'gen_ai.usage.input_tokens': 1e300, attempt: 1e300, 'llm.cost.total': 1e300 };
    expect(await accepted('traces', 'json', JSON.stringify(tracesOf([span(spent)])))).toMatchObject(
      [{ inputTokens: 1e12, attempt: 1e6, costUsd: 1e9 }],
    );
  });
});

function varint(length: number): Buffer {
  const bytes: number[] = [];
  for (let left = length; ; left = Math.floor(left / 128)) {
    bytes.push(left < 128 ? left : (left % 128) + 128);
    if (left < 128) return Buffer.from(bytes);
  }
}

/** A log's body that is a list in a list, and so on, for as many bytes. */
function deepBytes(size: number): Uint8Array {
  const parts: Buffer[] = [];
  let length = 0;
  // The list's values, and the value that is a list.
  while (length < size)
    for (const tag of [0x0a, 0x2a]) {
      const head = Buffer.concat([Buffer.from([tag]), varint(length)]);
      parts.push(head);
      length += head.length;
    }
  const body = Buffer.concat(parts.reverse());
  const inside = (tag: number, inner: Buffer) =>
    Buffer.concat([Buffer.from([tag]), varint(inner.length), inner]);
  return inside(0x0a, inside(0x12, inside(0x12, inside(0x2a, body))));
}
