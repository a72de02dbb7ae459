/**
 * A process that sends OTLP as fast as it is told, in requests of a hundred spans, whether or not what it sent before was
 * answered: first as many at once as a receiver keeps up with, to learn its rate, then four times that rate. What is not acknowledged is
 * sent again once after what the receiver asked for, and then given up: an overloaded receiver may refuse, but must not
 * lose what it acknowledged. It tells its parent which spans were acknowledged.
 */

import { request } from '../../chaos/parts/otlp-senders.ts';
import { systemClock } from '../../src/base/index.ts';
import { encodeRequest } from '../../src/observe/sources/otlp/protobuf.test-support.ts';

export interface OtlpLoad {
  /** Spans a second that it keeps up with, and that were offered. */
  readonly capacity: number;
  readonly offered: number;
  readonly acknowledged: readonly string[];
  readonly refused: number;
}

const [url, warmUpMs, overloadMs] = process.argv.slice(2) as [string, string, string];
const SPANS = 100;
const TOGETHER = 4;
const OVERLOAD = 4;
const TICK_MS = 20;
const TIMEOUT_MS = 20_000;
/** More would be the sender's own overload. */
const UNDER_WAY_MAX = 512;

const acknowledged: string[] = [];
let refused = 0;
let made = 0;

function next(): { ids: string[]; body: Buffer } {
  const ids = Array.from({ length: SPANS }, () => `f${(++made).toString(16).padStart(15, '0')}`);
  return { ids, body: Buffer.from(encodeRequest('traces', request(ids, systemClock.nowMs()))) };
}

async function send({ ids, body }: ReturnType<typeof next>): Promise<void> {
  for (let tries = 0; tries < 2; tries++) {
    try {
      const response = await fetch(`${url}/v1/traces`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/x-protobuf' },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.arrayBuffer();
      if (response.status === 200) {
        acknowledged.push(...ids);
        return;
      }
      const waitSeconds = Number(response.headers.get('retry-after') ?? 0);
      await systemClock.sleep(Math.min(2000, waitSeconds * 1000));
    } catch {
      // Too slow, or the connection was closed: not acknowledged.
    }
  }
  refused += ids.length;
}

async function learnRate(): Promise<number> {
  const startMs = systemClock.monotonicMs();
  const lane = async () => {
    while (systemClock.monotonicMs() - startMs < Number(warmUpMs)) await send(next());
  };
  await Promise.all(Array.from({ length: TOGETHER }, lane));
  return acknowledged.length / ((systemClock.monotonicMs() - startMs) / 1000);
}

async function overload(rate: number): Promise<number> {
  const startMs = systemClock.monotonicMs();
  const underWay = new Set<Promise<void>>();
  let offered = 0;
  for (let atMs = 0; atMs < Number(overloadMs); atMs = systemClock.monotonicMs() - startMs) {
    while (offered < (rate * atMs) / 1000) {
      offered += SPANS;
      if (underWay.size >= UNDER_WAY_MAX) {
        refused += SPANS;
        continue;
      }
      const one = send(next()).finally(() => underWay.delete(one));
      underWay.add(one);
    }
    await systemClock.sleep(TICK_MS);
  }
  const seconds = (systemClock.monotonicMs() - startMs) / 1000;
  await Promise.all(underWay);
  return offered / seconds;
}

const capacity = await learnRate();
const offered = await overload(OVERLOAD * capacity);
const told: OtlpLoad = { capacity, offered, acknowledged, refused };
process.send?.(told, () => process.disconnect?.());
