/**
 * What a power cut leaves. The writes of real processes are recorded with strace, together with the
 * moments at which they acknowledged changes; then the power is cut at many points of the recording:
 * what was synced stays, what was not is dropped, kept or torn, and the product opens what is left.
 * SIGKILL (`chaos kill`) proves nothing of this, because the kernel keeps what a process wrote.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Random, randomInt, seededRandom } from '../src/base/index.ts';
import type { Context, Measurement } from '../tools/measure.ts';
import { bundleWorker } from './parts/bundle.ts';
import { inspectFile } from './parts/changes.ts';
import { Disk, type Image } from './parts/disk.ts';
import { inMemoryFolder } from './parts/folder.ts';
import { MANNERS, type Manner } from './parts/power-cut.ts';
import { type DiskEvent, RECORDING_OPTIONS, readRecording } from './parts/recording.ts';
import { Hearing } from './parts/said.ts';
import { requireStrace, runTraced } from './parts/strace.ts';
import type { WorkerOptions } from './parts/worker.ts';

/** Below folders that the store must make, and make durable, itself. */
const DATABASE = 'state/hone/control.db';
const CUTS = 1000;
const CONTROL_CUTS = 60;
/** One defect shows at many cuts; the first few say it. */
const TOLD_MAX = 20;
const PADDING_BYTES = 1200;
const BURSTS = [1, 1, 4, 1, 2, 9, 1, 1, 1, 3];

type Synchronous = NonNullable<WorkerOptions['synchronous']>;

interface Process {
  readonly lives: number;
  readonly bursts: readonly number[];
  /** Killed at this write, so that the next process finds what a crash leaves. */
  readonly killedAtWrite?: number;
}

/** One disk, three processes: killed inside a commit; closed and opened again; closed. */
function processes(rounds: number, random: Random): Process[] {
  const bursts = Array.from({ length: rounds }, () => BURSTS).flat();
  const killedAtWrite = 600 * rounds + randomInt(random, 100);
  return [
    { lives: 1, bursts: [...bursts, ...bursts], killedAtWrite },
    { lives: 2, bursts },
    { lives: 1, bursts: BURSTS },
  ];
}

async function record(
  folder: string,
  list: readonly Process[],
  synchronous: Synchronous,
): Promise<DiskEvent[]> {
  const root = join(folder, `recorded-${synchronous}`);
  mkdirSync(root);
  const bundle = await bundleWorker(folder);
  const events: DiskEvent[] = [];
  for (const [index, { lives, bursts, killedAtWrite }] of list.entries()) {
    const log = join(folder, 'log');
    const options = { lives, bursts, synchronous, paddingBytes: PADDING_BYTES };
    const worker = { ...options, path: join(root, DATABASE), writer: `p${index}` };
    const kill = `inject=pwrite64:signal=KILL:when=${killedAtWrite}`;
    const ended = await runTraced({
      strace: ['-o', log, ...RECORDING_OPTIONS, ...(killedAtWrite ? ['-e', kill] : [])],
      bundle,
      worker,
      said: join(root, `said-${index}`),
    });
    const asPlanned = killedAtWrite === undefined ? ended.code === 0 : ended.signal === 'SIGKILL';
    if (!asPlanned) throw new Error(`the recorded process ended otherwise: ${ended.stderr}`);
    events.push(...(await readRecording(log, root, `said-${index}`)));
    rmSync(log);
  }
  return events;
}

/**
 * Points to cut at, each right after an event: by chance among all, after acknowledgements, after
 * changes of names, while a checkpoint copies the WAL into the database, and while the database is
 * made, in equal parts.
 */
function choosePoints(events: readonly DiskEvent[], count: number, random: Random): Set<number> {
  const where = (test: (event: DiskEvent) => boolean) =>
    events.flatMap((event, index) => (test(event) ? [index] : []));
  const made = events.findIndex(({ line }) => line === 'open');
  const pools = [
    where(() => true),
    where(({ kind }) => kind === 'said'),
    where(({ kind, path }) => kind === 'name' || (kind === 'sync' && path !== `${DATABASE}-wal`)),
    where(({ kind, path }) => kind !== 'name' && path === DATABASE),
    Array.from({ length: made }, (_, index) => index),
  ];
  const points = new Set<number>();
  const wanted = Math.min(count, events.length);
  for (let turn = 0; points.size < wanted; turn++) {
    const pool = pools[turn % pools.length]!;
    const [point] = pool.splice(randomInt(random, pool.length), 1);
    if (point !== undefined) points.add(point);
  }
  return points;
}

interface Tally {
  images: number;
  lost: number;
  violations: number;
}

/** Plays the recording on a model disk and cuts it at the points. */
async function cutAll(
  folder: string,
  events: readonly DiskEvent[],
  options: { points: ReadonlySet<number>; random: Random; context: Context; telling: boolean },
): Promise<Tally> {
  const { points, random, context } = options;
  const tally = { images: 0, lost: 0, violations: 0 };
  const disk = new Disk();
  const said = new Hearing();
  let cuts = 0;
  let told = 0;
  for (const [index, event] of events.entries()) {
    event.apply(disk);
    if (event.line !== undefined) said.hear(event.line);
    if (!points.has(index)) continue;
    for (const manner of MANNERS) {
      const found = await inspectImage(folder, disk.cut(manner, random), said);
      tally.images++;
      tally.lost += found.lost.length;
      tally.violations += found.violations.length;
      const first = found.violations[0] ?? (found.lost[0] && `${found.lost[0]} is lost`);
      if (options.telling && first !== undefined && told++ < TOLD_MAX)
        context.progress(finding({ index, event, manner, first, lost: found.lost.length }));
    }
    if (++cuts % 100 === 0) context.progress(`${cuts} of ${points.size} cuts`);
  }
  return tally;
}

function finding(of: {
  index: number;
  event: DiskEvent;
  manner: Manner;
  first: string;
  lost: number;
}): string {
  const { kind, path, line } = of.event;
  const event = `event ${of.index} (${kind} ${line ?? path})`;
  return `cut after ${event}, ${of.manner}: ${of.first}; ${of.lost} lost`;
}

async function inspectImage(folder: string, image: Image, said: Hearing) {
  const root = join(folder, 'found');
  try {
    for (const [path, content] of image) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
    return await inspectFile(join(root, DATABASE), said);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** How often a checkpoint began to copy: writes to the database after writes to the WAL. */
function countCheckpoints(events: readonly DiskEvent[]): number {
  const writes = events.filter(({ kind }) => kind === 'write').map(({ path }) => path);
  return writes.filter((path, at) => path === DATABASE && writes[at - 1] === `${DATABASE}-wal`)
    .length;
}

async function measure(
  folder: string,
  context: Context,
  options: { rounds: number; synchronous: Synchronous; cuts: number },
) {
  const random = seededRandom(context.seed);
  context.progress(`recording with synchronous=${options.synchronous}`);
  const list = processes(options.rounds, random);
  const events = await record(folder, list, options.synchronous);
  const points = choosePoints(events, options.cuts, random);
  const telling = options.synchronous === 'full';
  const tally = await cutAll(folder, events, { points, random, context, telling });
  const acknowledged = events.filter(({ line }) => line?.startsWith('ack ') === true).length;
  const checkpoints = countCheckpoints(events);
  return { ...tally, cuts: points.size, events: events.length, acknowledged, checkpoints };
}

export const measurement: Measurement = {
  what: 'acknowledged changes after a power cut that drops, tears or reorders unsynced writes',
  aims: { lost: '<=0', violations: '<=0', cuts: '>=500', control_caught: '>=1' },
  async *run(context) {
    requireStrace();
    const rounds = Math.max(1, Math.ceil(12 * context.scale));
    const cuts = Math.ceil(CUTS * context.scale);
    const full = await inMemoryFolder((folder) =>
      measure(folder, context, { rounds, cuts, synchronous: 'full' }),
    );
    yield { metric: 'lost', value: full.lost, n: full.acknowledged };
    yield {
      metric: 'violations',
      value: full.violations,
      note: 'unopenable, damaged, half-written',
    };
    yield { metric: 'cuts', value: full.cuts };
    yield { metric: 'images', value: full.images, note: `disks opened; ${MANNERS.join(', ')}` };
    yield { metric: 'events', value: full.events, note: 'calls recorded' };
    yield { metric: 'checkpoints', value: full.checkpoints };
    const off = await inMemoryFolder((folder) =>
      measure(folder, context, {
        rounds: Math.min(rounds, 4),
        cuts: Math.min(cuts, CONTROL_CUTS),
        synchronous: 'off',
      }),
    );
    yield { metric: 'control_lost', value: off.lost, note: 'synchronous=off' };
    yield { metric: 'control_caught', value: off.lost > 0 ? 1 : 0 };
  },
};
