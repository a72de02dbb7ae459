/**
 * Reads the sources, and writes the sanitised events of a window as Hone's JSONL: for other programs, and to be read
 * again. Files of earlier runs go after their time.
 */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { errorMessage, isoTime } from '../base/index.ts';
import { parseDuration } from '../config/index.ts';
import type { CollectedEvents, CollectInput } from '../contracts/ingest.ts';
import { absolute, Collector, eventPages, wireOf } from '../observe/index.ts';
import { removeOld, type Write, writeCollected } from './collected-files.ts';
import { type AppContext, type Opened, type OpenLoop, withLoop } from './context.ts';
import { instantOf } from './instant.ts';
import { isRefusal, type Refusal, usage } from './refusal.ts';

/** In the name of the output: the day of the window's end, UTC. */
const DAY = 'YYYY-MM-DD';

export async function collect(
  context: AppContext,
  input: CollectInput,
  signal: AbortSignal,
): Promise<CollectedEvents | Refusal> {
  const nowMs = context.clock.nowMs();
  const fromMs = instantOf(input.since, nowMs);
  if (typeof fromMs === 'object') return fromMs;
  // Up to now, not further: the next run begins there.
  const window = { fromMs, toMs: nowMs };
  const keepMs = parseDuration(input.keep);
  if (keepMs === undefined) return usage(`"${input.keep}" is not a duration. Write 30d, say.`);
  const named = input.output.replaceAll(DAY, isoTime(nowMs).slice(0, DAY.length));
  const { cwd, environment } = context;
  const output = absolute(named, { cwd, home: environment['HOME'] });
  return withLoop(context, {}, async (opened, open): Promise<CollectedEvents | Refusal> => {
    const inTheWay = readByItself(opened, output, environment['HOME']);
    if (inTheWay !== undefined) return usage(inTheWay);
    const collected = await readSources(context, open, signal);
    const folder = await makeFolder(dirname(output));
    if (folder !== undefined) return folder;
    const { telemetry } = open.ports;
    const written = await writeCollected(output, nowMs, (write) =>
      writeEvents(context, eventPages(telemetry, window), write),
    );
    if (isRefusal(written)) return written;
    return {
      output: named,
      ...written,
      from: isoTime(window.fromMs),
      to: isoTime(nowMs),
      collected,
      ...(await removeOld(dirname(output), nowMs - keepMs)),
    };
  });
}

async function writeEvents(
  context: AppContext,
  pages: ReturnType<typeof eventPages>,
  write: Write,
): Promise<{ readonly events: number }> {
  let events = 0;
  for await (const page of pages) {
    await write(page.map(({ event }) => `${JSON.stringify(wireOf(event))}\n`).join(''));
    events += page.length;
    context.progress(`Wrote ${events} events …`);
  }
  return { events };
}

async function readSources(context: AppContext, { ports }: OpenLoop, signal: AbortSignal) {
  const { telemetry: store, files, config, log } = ports;
  const { random } = context;
  const collector = new Collector({ store, files, settings: config.observe, log, random });
  context.progress('Reading the sources …');
  const { events, aside } = await collector.collect({ signal });
  return { events, aside };
}

/** Events that are read again are counted again. */
function readByItself(
  { config, home }: Opened,
  output: string,
  userHome: string | undefined,
): string | undefined {
  const reader = config.observe.sources.find(({ path }) => {
    if (typeof path !== 'string') return false;
    const place = resolve(absolute(path, { cwd: home.configDir, home: userHome }));
    return output === place || output.startsWith(`${place}/`);
  });
  if (reader === undefined) return undefined;
  return `The source ${reader.name} reads from there, and would count these events again. Write them somewhere else.`;
}

/** One by one: where a folder cannot be made at all, as in /proc, Node's own way may not come to an end. */
async function makeFolder(path: string): Promise<Refusal | undefined> {
  const missing: string[] = [];
  for (let at = path; !existsSync(at); at = dirname(at)) missing.unshift(at);
  try {
    for (const one of missing) await mkdir(one);
    return undefined;
  } catch (error) {
    return usage(`Cannot make the folder ${path}: ${errorMessage(error)}. Give another --output.`);
  }
}
