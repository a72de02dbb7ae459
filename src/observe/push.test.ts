import { describe, expect, test } from 'vitest';
import type { Plan, Store } from '../store/index.ts';
import { ANONYMOUS_SOURCE } from './anonymous.ts';
import { type Sender, TelemetryPush, type TelemetryPushOptions } from './push.ts';
import { encodeRequest } from './sources/otlp/protobuf.test-support.ts';
import { metricsOf, span, tracesOf } from './sources/otlp/requests.test-support.ts';
import {
  anyKey,
  everything,
  SETTINGS,
  TABLES,
  telemetryPerTest,
} from './telemetry.test-support.ts';
import { Telemetry } from './telemetry-view.ts';

const TOOL = { 'gen_ai.operation.name': 'execute_tool' };

/** A request with so many calls, as bytes. */
const calls = (count: number, more: object = {}) =>
  encodeRequest('traces', tracesOf(Array.from({ length: count }, () => span(TOOL, more))));

describe.each(['memory', 'postgres'] as const)('OBS-2 telemetry that is pushed, on %s', (kind) => {
  const open = telemetryPerTest(kind);

  const receiver = (store: Store = open().store, more: Partial<TelemetryPushOptions> = {}) =>
    new TelemetryPush({ store, settings: SETTINGS, ...more });

  const send = async (to: TelemetryPush, body: Uint8Array, sender: Sender = 'anonymous') => {
    using intake = to.open(sender);
    return await intake.send({ signal: 'traces', encoding: 'protobuf', body });
  };

  const stored = async () => {
    const rows = await open().store.all('SELECT body FROM observe_events ORDER BY id');
    return rows.map((row) => (JSON.parse(row['body'] as string) as { spanId: string }).spanId);
  };

  test('is there when it is acknowledged, and counted', async () => {
    const body = calls(3);
    expect(await send(receiver(), body)).toEqual({ ok: true, rejected: 0, message: '' });
    expect(await stored()).toHaveLength(3);
    const window = { fromMs: 0, toMs: 2 ** 42 };
    expect(await new Telemetry(open().store).totals(window)).toMatchObject({ events: 3, aside: 0 });
  });

  test('of a running total what is new counts, also after a restart and in another process', async () => {
    const atMs = open().clock.nowMs();
    const total = (value: number, minute: number, startMinute = -60) => {
      const nanos = (at: number) => `${atMs + at * 60_000}000000`;
      const [timeUnixNano, startTimeUnixNano] = [nanos(minute), nanos(startMinute)];
      const dataPoints = [{ asInt: value, timeUnixNano, startTimeUnixNano }];
      const sum = { aggregationTemporality: 2, isMonotonic: true, dataPoints };
      return encodeRequest('metrics', metricsOf([{ name: 'm', sum }]));
    };
    const push = async (to: TelemetryPush, body: Uint8Array) => {
      using intake = to.open('token');
      return await intake.send({ signal: 'metrics', encoding: 'protobuf', body });
    };
    const [one, other] = [receiver(), receiver()];
    await push(one, total(1000, -9));
    await push(one, total(1005, -8));
    await push(one, total(1005, -8));
    await push(other, total(1012, -7));
    await push(one, total(1013, -6));
    await push(receiver(), total(1020, -5));
    // It began anew.
    await push(one, total(3, -3, -4));
    const rows = await open().store.all('SELECT body FROM observe_events ORDER BY at_ms, id');
    const values = rows.map(
      (row) => (JSON.parse(row['body'] as string) as { value: number }).value,
    );
    expect(values).toEqual([0, 5, 7, 1, 7, 3]);
  });

  test('counts once, however often it is sent: at once, later, and to another process', async () => {
    const to = receiver();
    const [body, other] = [calls(3), calls(2)];
    await Promise.all([send(to, body), send(to, body), send(to, other), send(to, body)]);
    await send(to, body);
    await send(receiver(), body);
    expect(await send(receiver(), other)).toMatchObject({ ok: true });
    expect(await stored()).toHaveLength(5);
  });

  test('several processes receive at once, also the same', async () => {
    const receivers = Array.from({ length: 4 }, () => receiver());
    const bodies = Array.from({ length: 24 }, (_, at) => calls(1 + (at % 4)));
    const answers = await Promise.all(
      bodies.flatMap((body, at) => [
        send(receivers[at % 4]!, body),
        send(receivers[(at + 1) % 4]!, body),
      ]),
    );
    expect(answers.every(({ ok }) => ok)).toBe(true);
    const ids = await stored();
    expect(ids).toHaveLength(60);
    expect(new Set(ids).size).toBe(60);
  });

  test('a large one takes several commits, and is continued where another process was killed', async () => {
    const body = calls(1300);
    let commits = 0;
    const dying = {
      ...delegate(open().store),
      commit: async (plan: Plan) => {
        if (isBatch(plan) && ++commits === 3) throw new Error('killed');
        return open().store.commit(plan);
      },
    };
    expect(await send(receiver(dying), body)).toMatchObject({ ok: false, why: 'unavailable' });
    expect(await stored()).toHaveLength(1000);
    expect(await send(receiver(), body)).toMatchObject({ ok: true });
    const ids = await stored();
    expect(ids).toHaveLength(1300);
    expect(new Set(ids).size).toBe(1300);
  });

  test('a commit whose outcome nobody knows is found by the one who sends it again', async () => {
    const body = calls(3);
    let isCut = false;
    const cut = {
      ...delegate(open().store),
      commit: async (plan: Plan) => {
        const result = await open().store.commit(plan);
        if (!isBatch(plan) || isCut) return result;
        isCut = true;
        throw new Error('the connection was lost');
      },
    };
    const to = receiver(cut);
    expect(await send(to, body)).toMatchObject({ ok: false, why: 'unavailable' });
    expect(await send(to, body)).toMatchObject({ ok: true });
    expect(await stored()).toHaveLength(3);
  });
});

describe('OBS-2 pushed telemetry', () => {
  const open = telemetryPerTest('memory');
  const receiver = (more: Partial<TelemetryPushOptions> = {}) =>
    new TelemetryPush({ store: open().store, settings: SETTINGS, ...more });
  const send = async (to: TelemetryPush, body: Uint8Array, sender: Sender = 'anonymous') => {
    using intake = to.open(sender);
    return await intake.send({ signal: 'traces', encoding: 'protobuf', body });
  };

  test('what waits while a commit runs shares the next one', async () => {
    let commits = 0;
    const counted = {
      ...delegate(open().store),
      commit: (plan: Plan) => {
        if (isBatch(plan)) commits += 1;
        return open().store.commit(plan);
      },
    };
    const to = receiver({ store: counted });
    await Promise.all(Array.from({ length: 30 }, () => send(to, calls(2))));
    expect(commits).toBeLessThanOrEqual(3);
    await to.idle();
  });

  test('part of a request is refused, with why, and the rest is stored', async () => {
    const spans = [
      span(TOOL),
      span(TOOL, { spanId: '00' }),
      span(TOOL, { startTimeUnixNano: '9'.repeat(19) }),
    ];
    const answer = await send(receiver(), encodeRequest('traces', tracesOf(spans)));
    expect(answer).toEqual({
      ok: true,
      rejected: 2,
      message: 'A span has no id. (1) The timestamp is more than 24 hours in the future. (1)',
    });
    const rows = await open().store.all('SELECT reason FROM observe_aside ORDER BY reason');
    expect(rows).toEqual([{ reason: 'not_an_event' }, { reason: 'wrong_time' }]);
  });

  test('what cannot be read is refused, and nothing is kept of it', async () => {
    const answer = await send(receiver(), Buffer.from('no protobuf'));
    expect(answer).toMatchObject({ ok: false, why: 'unreadable' });
    expect(await open().store.all('SELECT * FROM observe_sources')).toEqual([]);
  });

  test('an empty request is fine and leaves nothing', async () => {
    expect(await send(receiver(), new Uint8Array())).toMatchObject({ ok: true, rejected: 0 });
    expect(await open().store.all('SELECT * FROM observe_positions')).toEqual([]);
  });

  test('OBS-5 no secret of it is stored', async () => {
    const key = anyKey();
    const body = encodeRequest(
      'traces',
      tracesOf([
        span(
          {
            ...TOOL,
            'gen_ai.tool.name': key,
            'gen_ai.conversation.id': `s ${key}`,
            'gen_ai.tool.call.arguments': `{"${key}":1}`,
          },
          {
            status: { code: 2, message: `no ${key}` },
          },
        ),
      ]),
    );
    expect(await send(receiver(), body)).toMatchObject({ ok: true, rejected: 0 });
    expect(await everything(open().store, TABLES)).not.toContain(key.slice(0, 24));
  });

  test('senders that nobody knows have a source of their own', async () => {
    const to = receiver();
    await send(to, calls(1));
    await send(to, calls(1), 'token');
    const rows = await open().store.all('SELECT source FROM observe_sources ORDER BY source');
    expect(rows).toEqual([{ source: ANONYMOUS_SOURCE }, { source: 'otlp:token' }]);
  });

  test('what is held at once is bounded by bytes, for each kind of sender', () => {
    const to = receiver({ heldBytesMax: 100 });
    const [one, two] = [to.open('anonymous'), to.open('anonymous')];
    expect([one.take(60), two.take(60), two.take(40)]).toEqual([true, false, true]);
    expect(to.open('token').take(100)).toBe(true);
    one[Symbol.dispose]();
    expect(to.open('anonymous').take(60)).toBe(true);
  });

  test('what it remembers of payloads is bounded', async () => {
    const to = receiver();
    for (let at = 0; at < 40; at++) await send(to, calls(1));
    const rows = await open().store.all('SELECT stream, value FROM observe_positions');
    expect(rows).toHaveLength(40);
    expect(Math.max(...rows.map((row) => (row['value'] as string).length))).toBeLessThan(100);
    // As if as many commits had come in between as are remembered: the first place is used again.
    await open().store.commit({
      writes: [
        { update: 'observe_sources', where: { source: ANONYMOUS_SOURCE }, set: { batch: 8192 } },
      ],
    });
    await send(receiver(), calls(1));
    expect(await open().store.all('SELECT stream FROM observe_positions')).toHaveLength(40);
  });
});

const isBatch = ({ writes = [] }: Plan) =>
  writes.some((write) => 'insertRows' in write && write.insertRows === 'observe_events');

function delegate(store: Store): Store {
  return {
    engine: store.engine,
    location: store.location,
    commit: (plan) => store.commit(plan),
    claim: (claim) => store.claim(claim),
    all: (sql, values) => store.all(sql, values),
    nowMs: () => store.nowMs(),
    notify: (channel) => store.notify(channel),
    listen: (channel, wake) => store.listen(channel, wake),
    close: () => store.close(),
  };
}
