/**
 * What observing costs (OBS-9): the CPU that Hone spends on an event, from the line in a file to its counts, over the
 * CPU that whoever emits it spends to say it: JSON.stringify and one POST of it over a connection that stays open to
 * another process on this machine. The receiver's CPU is not counted.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { Context, Figure, Measurement } from '../tools/measure.ts';
import { withFolder } from './parts/bench-store.ts';
import { TelemetryLines } from './parts/telemetry-lines.ts';
import { openIngest } from './parts/telemetry-store.ts';

const EVENTS = 100_000;
const CHUNK = 10_000;
/** A POST takes ten times as long as Hone does; so many of each chunk are enough. */
const POSTED_SHARE = 0.1;

export const measurement: Measurement = {
  what: 'CPU of Hone per event against JSON.stringify and a POST of it to this machine',
  aims: { cpu_ratio: '<=3' },
  run,
};

async function* run(context: Context): AsyncGenerator<Figure> {
  const chunks = Math.max(2, Math.round((EVENTS * context.scale) / CHUNK));
  const lines = new TelemetryLines(context.seed, 1_000_000);
  const us = { hone: 0, posts: 0 };
  await withFolder(async (folder) => {
    await using ingest = await openIngest(folder);
    await using receiver = await startReceiver();
    for (let chunk = 0; chunk < chunks; chunk++) {
      const some = Array.from({ length: CHUNK }, () => lines.next());
      ingest.append(some);
      const hone = await cpuMicros(() => ingest.collect(CHUNK));
      const events = some.slice(0, CHUNK * POSTED_SHARE).map((line) => JSON.parse(line) as unknown);
      const posts = await cpuMicros(async () => {
        for (const event of events) await receiver.post(JSON.stringify(event));
      });
      if (chunk === 0) continue; // compiles the code
      us.hone += hone;
      us.posts += posts;
      context.progress(`${(chunk + 1) * CHUNK} events`);
    }
  });
  const events = (chunks - 1) * CHUNK;
  const [measured, floor] = [us.hone / events, us.posts / (events * POSTED_SHARE)];
  yield { metric: 'cpu_ratio', value: measured / floor, measured, floor, unit: 'µs of CPU' };
}

async function cpuMicros(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

interface Receiver extends AsyncDisposable {
  post(body: string): Promise<void>;
}

async function startReceiver(): Promise<Receiver> {
  const child = fork(new URL('./parts/post-receiver.ts', import.meta.url));
  const [port] = (await once(child, 'message')) as [number];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { 'content-type': 'application/json' };
  return {
    post: (body) =>
      new Promise((resolve, reject) => {
        const sent = request(
          { host: '127.0.0.1', port, method: 'POST', agent, headers },
          (answer) => {
            answer.resume();
            answer.once('end', resolve);
          },
        );
        sent.once('error', reject);
        sent.end(body);
      }),
    async [Symbol.asyncDispose]() {
      agent.destroy();
      child.disconnect();
      await once(child, 'exit');
    },
  };
}
