/**
 * From a line in a file to a stored and counted event, against the floor: JSON.parse and a bulk INSERT of the same
 * rows. A part is a function that gives figures; what arrives over the network is one more of them.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Context, Figure, Measurement } from '../tools/measure.ts';
import { withFolder } from './parts/bench-store.ts';
import { NewMessages, TelemetryLines } from './parts/telemetry-lines.ts';
import { Floor, openIngest } from './parts/telemetry-store.ts';

const EVENTS = 1_000_000;
const NEW_MESSAGES = 100_000;
const CHUNK = 20_000;

type Part = (context: Context) => AsyncIterable<Figure>;

const PARTS: readonly Part[] = [speed, newMessages, memory];

export const measurement: Measurement = {
  what: 'events from a file into the store, counted, against JSON.parse and a bulk INSERT',
  aims: { ratio: '<=4', rss_growth_mb: '<=100' },
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
