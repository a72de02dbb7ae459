/**
 * A holder is paused (SIGSTOP) in the middle of its writes, its lease runs out and passes on, and it
 * wakes (SIGCONT) and goes on writing, as a process does that slept through a garbage collection or a
 * closed lid. From the moment the other holder was told that it has the lease, nothing of the first may
 * land. Real time, real processes, both engines. The control leaves the fence out of the plans.
 */
import { join } from 'node:path';
import { type Random, seededRandom, systemClock } from '../src/base/index.ts';
import { type Lease, Leases } from '../src/lease/index.ts';
import type { Store } from '../src/store/index.ts';
import { makeTemplate } from '../test/postgres-database.ts';
import { startPostgres } from '../test/postgres-server.ts';
import type { Context, Measurement } from '../tools/measure.ts';
import { start } from './parts/child.ts';
import { inFolder } from './parts/folder.ts';
import { LEASE, openLeaseStore, TTL_MS } from './parts/lease-store.ts';
import { templateUrl } from './parts/outbox-store.ts';

const TRIALS_PER_ENGINE = 120;
const CONTROL_TRIALS = 6;
const PAUSE_MS_MAX = TTL_MS;
/** A holder that was stopped inside a commit keeps SQLite's lock: it is let go on for a moment. */
const STUCK_MS = 200;
const TRIAL_LIMIT_MS = 60_000;
const LONG_MS = 60_000;

interface Tally {
  trials: number;
  stale: number;
  refused: number;
}

export const measurement: Measurement = {
  what: 'a holder whose lease passed on while it slept writes nothing, on both engines',
  aims: { stale_writes: '<=0', trials: '>=200', control_caught: '>=1' },
  run: (context) => run(context),
};

async function* run(context: Context) {
  const counts = {
    fenced: Math.ceil(TRIALS_PER_ENGINE * context.scale),
    unfenced: CONTROL_TRIALS,
  };
  const tallies: Record<string, Tally> = {};
  await inFolder(async (folder) => {
    const server = await startPostgres();
    try {
      await makeTemplate(server.url);
      const places = { sqlite: join(folder, 'control.db'), postgres: templateUrl(server.url) };
      for (const [engine, place] of Object.entries(places))
        for (const mode of ['fenced', 'unfenced'] as const) {
          context.progress(`${engine}: ${counts[mode]} pauses, ${mode}`);
          tallies[`${engine} ${mode}`] = await pauses(place, mode, counts[mode], context);
        }
    } finally {
      await server.stop();
    }
  });
  const sum = (mode: string, figure: keyof Tally) =>
    Object.entries(tallies).reduce(
      (total, [name, tally]) => total + (name.endsWith(` ${mode}`) ? tally[figure] : 0),
      0,
    );
  yield { metric: 'stale_writes', value: sum('fenced', 'stale') };
  yield { metric: 'trials', value: sum('fenced', 'trials') };
  yield { metric: 'refused', value: sum('fenced', 'refused') };
  const both = ['sqlite', 'postgres'].every((engine) => tallies[`${engine} unfenced`]!.stale > 0);
  const note = `${sum('unfenced', 'stale')} stale writes without the fence`;
  yield { metric: 'control_caught', value: both ? 1 : 0, note };
}

async function pauses(
  place: string,
  mode: 'fenced' | 'unfenced',
  count: number,
  { seed }: Context,
): Promise<Tally> {
  const store = await openLeaseStore(place);
  const tally = { trials: 0, stale: 0, refused: 0 };
  const heard: string[] = [];
  const script = new URL('./parts/lease-holder.ts', import.meta.url).pathname;
  const child = start({
    command: process.execPath,
    args: [script, place, mode],
    env: {},
    limitMs: 30_000 + count * 1000,
    output: (line) => heard.push(line),
  });
  const row = { consumer: 'written', position: 0 };
  await store.commit({ writes: [{ insert: 'ledger_cursors', row, onConflict: 'ignore' }] });
  const random = seededRandom(seed);
  try {
    while (tally.trials < count) await trial({ store, heard, pid: child.pid, random, tally });
  } finally {
    child.kill();
    const { stderr } = await child.ended;
    if (stderr !== '') process.stderr.write(stderr);
    await store.close();
  }
  return tally;
}

interface Trial {
  readonly store: Store;
  readonly heard: string[];
  readonly pid: number;
  readonly random: Random;
  readonly tally: Tally;
}

async function trial({ store, heard, pid, random, tally }: Trial): Promise<void> {
  await until(() => heard.some((line) => line.startsWith('held')));
  await systemClock.sleep(random.next() * PAUSE_MS_MAX);
  process.kill(pid, 'SIGSTOP');
  const leases = new Leases(store);
  const stops = () => heard.filter((line) => line === 'stopped').length;
  const earlier = stops();
  const { lease, asleep } = await takeOver(leases, pid);
  // It holds the lease now. Whatever the paused one adds to this count is a stale write.
  const before = await written(store);
  // One that had to be woken may have stopped already, and does not stop twice.
  const rounds = asleep ? stops() : earlier;
  process.kill(pid, 'SIGCONT');
  await until(() => stops() > rounds);
  const stale = (await written(store)) - before;
  if (asleep) {
    tally.trials += 1;
    tally.stale += stale;
    tally.refused += stale === 0 ? 1 : 0;
  }
  heard.length = 0;
  await leases.release(lease);
}

/** Takes the lease when it has run out; `asleep`: the other did not wake in between. */
async function takeOver(leases: Leases, pid: number): Promise<{ lease: Lease; asleep: boolean }> {
  for (let asleep = true; ; ) {
    const tried = leases.acquire(LEASE, 'other', LONG_MS);
    let got = await Promise.race([tried, systemClock.sleep(STUCK_MS)]);
    if (got === undefined) {
      asleep = false;
      process.kill(pid, 'SIGCONT');
      got = await tried;
      process.kill(pid, 'SIGSTOP');
    }
    if (got.acquired) return { lease: got.lease, asleep };
    await systemClock.sleep(2);
  }
}

async function written(store: Store): Promise<number> {
  const [row] = await store.all(`SELECT position FROM ledger_cursors WHERE consumer = 'written'`);
  return (row?.['position'] as number | undefined) ?? 0;
}

async function until(condition: () => boolean): Promise<void> {
  const startMs = systemClock.monotonicMs();
  while (!condition()) {
    if (systemClock.monotonicMs() - startMs > TRIAL_LIMIT_MS) throw new Error('no end of a trial');
    await systemClock.sleep(1);
  }
}
