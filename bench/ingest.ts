/**
 * From a line in a file to a stored and counted event, against the floor: JSON.parse and a bulk INSERT of the same
 * rows. A part is a function that gives figures; what arrives over the network is one more of them.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { start } from '../chaos/parts/child.ts';
import { openIngestStore } from '../chaos/parts/ingest-store.ts';
import type { Context, Figure, Measurement } from '../tools/measure.ts';
import { withFolder } from './parts/bench-store.ts';
import type { OtlpLoad } from './parts/otlp-load.ts';
import { NewMessages, TelemetryLines } from './parts/telemetry-lines.ts';
import { Floor, openIngest } from './parts/telemetry-store.ts';

const EVENTS = 1_000_000;
const NEW_MESSAGES = 100_000;
const CHUNK = 20_000;
const WARM_UP_MS = 5_000;
const OVERLOAD_MS = 20_000;

type Part = (context: Context) => AsyncIterable<Figure>;

const PARTS: readonly Part[] = [speed, newMessages, memory, overload];

export const measurement: Measurement = {
  what: 'events from a file into the store, counted, against JSON.parse and a bulk INSERT',
  aims: { ratio: '<=4', rss_growth_mb: '<=100', overload_lost: '<=0' },
  async *run(context) {
    for (const part of PARTS) yield* part(context);
  },
};

async function* speed(context: Context): AsyncGenerator<Figure> {
  const lines = new TelemetryLines(context.seed, EVENTS);
  yield* ratio(context, { metric: 'ratio', lines, count: EVENTS });
}

async function* newMessages(context: Context): AsyncGenerator<Figure> {
  const lines = new NewMessages(context.seed);
  yield* ratio(context, { metric: 'ratio_new_messages', lines, count: NEW_MESSAGES });
}

interface Ratio {
  readonly metric: string;
  readonly lines: { next(): string };
  readonly count: number;
}

/** Both take turns, chunk by chunk, so that both meet the same noise and a store that grows alike. */
async function* ratio(context: Context, { metric, lines, count }: Ratio): AsyncGenerator<Figure> {
  const chunks = Math.max(2, Math.round((count * context.scale) / CHUNK));
  const seconds = { measured: 0, floor: 0 };
  await withFolder(async (folder) => {
    await using ingest = await openIngest(folder);
    using floor = new Floor(folder, ingest.store);
    for (let chunk = 0; chunk < chunks; chunk++) {
      const some = Array.from({ length: CHUNK }, () => lines.next());
      ingest.append(some);
      const startMs = performance.now();
      await ingest.collect(CHUNK);
      const measured = (performance.now() - startMs) / 1000;
      const least = await floor.seconds(some);
      if (chunk === 0) continue; // compiles the code
      seconds.measured += measured;
      seconds.floor += least;
      const rate = Math.round(CHUNK / measured);
      context.progress(`${metric}: ${(chunk + 1) * CHUNK} events, ${rate} a second`);
    }
  });
  const events = (chunks - 1) * CHUNK;
  const [measured, floor] = [events / seconds.measured, events / seconds.floor];
  yield { metric, value: floor / measured, measured, floor, unit: 'events/s' };
}

/** In a process of its own, which has nothing else in its memory. */
async function* memory(context: Context): AsyncGenerator<Figure> {
  const events = Math.max(10 * CHUNK, Math.round(EVENTS * context.scale));
  const rss = await withFolder(async (folder) => {
    const worker = fork(new URL('./parts/ingest-memory.ts', import.meta.url), [
      folder,
      String(context.seed),
      String(events),
    ]);
    const [message] = (await Promise.race([
      once(worker, 'message'),
      once(worker, 'exit').then(([code]) => {
        throw new Error(`the measured process ended with ${code}`);
      }),
    ])) as [{ early: number; late: number }];
    return message;
  });
  const note = `${Math.round(rss.early)} MB after ${events / 10} events, ${Math.round(rss.late)} MB after ${events}`;
  yield { metric: 'rss_growth_mb', value: rss.late - rss.early, unit: 'MB', note };
}

/** A receiver in a process of its own, and another that sends four times what it keeps up with. */
async function* overload(context: Context): AsyncGenerator<Figure> {
  const [warmUpMs, overloadMs] = [WARM_UP_MS, OVERLOAD_MS].map((ms) =>
    Math.max(1000, Math.round(ms * context.scale)),
  );
  context.progress('overload_lost: OTLP over HTTP, four times what is kept up with');
  const { load, stored } = await withFolder(async (folder) => {
    const place = join(folder, 'telemetry.db');
    await (await openIngestStore(place)).close();
    const listening = Promise.withResolvers<string>();
    const worker = fileURLToPath(new URL('../chaos/parts/ingest-worker.ts', import.meta.url));
    const receiver = start({
      command: process.execPath,
      args: [worker, JSON.stringify({ place, role: 'receive', folder })],
      env: {},
      limitMs: 10 * (WARM_UP_MS + OVERLOAD_MS),
      output: listening.resolve,
    });
    try {
      const url = await listening.promise;
      const load = await loadOf([url, String(warmUpMs), String(overloadMs)]);
      return { load, stored: await storedSpans(place) };
    } finally {
      receiver.kill();
    }
  });
  const lost = load.acknowledged.filter((id) => !stored.has(id)).length;
  const note = `${load.acknowledged.length} acknowledged, ${load.refused} refused or given up; ${Math.round(load.offered)} spans/s offered, ${Math.round(load.capacity)} kept up with`;
  yield { metric: 'overload_lost', value: lost, unit: 'events', note };
  yield { metric: 'overload_factor', value: load.offered / load.capacity, unit: 'times' };
}

async function loadOf(args: readonly string[]): Promise<OtlpLoad> {
  const sender = fork(new URL('./parts/otlp-load.ts', import.meta.url), [...args]);
  const [message] = (await Promise.race([
    once(sender, 'message'),
    // What it told may still be on its way when it has ended.
    once(sender, 'close').then(([code]) => {
      throw new Error(`the sender ended with ${code}`);
    }),
  ])) as [OtlpLoad];
  return message;
}

async function storedSpans(place: string): Promise<Set<string>> {
  const store = await openIngestStore(place);
  try {
    const rows = await store.all('SELECT body FROM observe_events');
    return new Set(
      rows.map((row) => (JSON.parse(row['body'] as string) as { spanId: string }).spanId),
    );
  } finally {
    await store.close();
  }
}
