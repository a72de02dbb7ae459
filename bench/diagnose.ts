/**
 * A diagnosis of a day, with causes, of ten times as many events: what it takes must hardly grow, because it reads
 * counts and not events. The target has five hundred files with settings.
 */

import { diagnose } from '../src/diagnose/index.ts';
import { memoryRepository } from '../src/git/index.ts';
import { commitFiles } from '../src/git/test-repositories.ts';
import { Telemetry } from '../src/observe/index.ts';
import type { Context, Figure, Measurement } from '../tools/measure.ts';
import { withFolder } from './parts/bench-store.ts';
import { DAY_MS, FROM_MS, TelemetryLines } from './parts/telemetry-lines.ts';
import { openIngest } from './parts/telemetry-store.ts';

const EVENTS = 1_000_000;
const TIMES = 10;
const CHUNK = 20_000;
const FILES = 500;
const ROUNDS = 3;

export const measurement: Measurement = {
  what: 'a diagnosis with causes of a day of 10 000 000 events, against one of 1 000 000',
  aims: { growth_ratio: '<=1.5', seconds: '<=90' },
  async *run(context): AsyncGenerator<Figure> {
    const few = await secondsFor(context, EVENTS);
    const many = await secondsFor(context, TIMES * EVENTS);
    const raw = { measured: many.seconds, floor: few.seconds, unit: 's' };
    yield { metric: 'growth_ratio', value: many.seconds / few.seconds, ...raw };
    yield { metric: 'seconds', value: many.seconds };
    yield {
      metric: 'rollup_keys',
      value: many.keys,
      note: `of ten times fewer events: ${few.keys}`,
    };
  },
};

interface Taken {
  readonly seconds: number;
  /** Counted cells that there are to read. */
  readonly keys: number;
}

/** The median of some rounds on one store. */
function secondsFor(context: Context, events: number): Promise<Taken> {
  const count = Math.max(CHUNK, Math.round((events * context.scale) / CHUNK) * CHUNK);
  return withFolder(async (folder) => {
    await using ingest = await openIngest(folder);
    const lines = new TelemetryLines(context.seed, count);
    for (let read = 0; read < count; read += CHUNK) {
      ingest.append(Array.from({ length: CHUNK }, () => lines.next()));
      await ingest.collect(CHUNK);
      if (read % (20 * CHUNK) === 0) context.progress(`${read + CHUNK} of ${count} events`);
    }
    const ports = await portsOf(new Telemetry(ingest.store));
    const window = { fromMs: FROM_MS, toMs: FROM_MS + DAY_MS };
    const seconds: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const startMs = performance.now();
      const { patterns } = await diagnose(window, 'causes', ports);
      seconds.push((performance.now() - startMs) / 1000);
      context.progress(`${count} events: ${patterns.length} patterns in ${seconds.at(-1)} s`);
    }
    const [row] = await ingest.store.all('SELECT COUNT(*) AS n FROM observe_rollups');
    const median = seconds.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]!;
    return { seconds: median, keys: Number(row!['n']) };
  });
}

async function portsOf(telemetry: Telemetry) {
  const repository = memoryRepository();
  const text = (at: number) =>
    `name: agent-${at}\ntools:\n  tool_${at % 60}:\n    timeout_ms: ${1000 + at}\n    retries: 2\n`;
  const files = Object.fromEntries(
    Array.from({ length: FILES }, (_, at) => [`agents/agent-${at}.yaml`, text(at)]),
  );
  const head = await commitFiles(repository, undefined, files);
  return {
    telemetry,
    known: async () => [],
    ignored: async () => new Map(),
    merged: async () => new Map(),
    fixed: async () => new Map(),
    outcomes: async () => [],
    repository,
    branch: 'main',
    head: async () => head,
    commitsSince: async () => [],
    agentFiles: ['agents/*.yaml'],
    limits: { minOccurrences: 3, failureShare: 0.02 },
  };
}
