/**
 * Every file-system call of a commit is failed once: with EIO, with ENOSPC, and by killing the
 * process at it. The calls are not a list that somebody wrote: they are what strace saw on the
 * store's files. Afterwards what was acknowledged is there, nothing is half-written, the process
 * said what happened in the store's own words, and the store goes on.
 */
import { availableParallelism } from 'node:os';
import { type Random, randomInt, seededRandom } from '../src/base/index.ts';
import type { Context, Measurement } from '../tools/measure.ts';
import { bundleWorker } from './parts/bundle.ts';
import { FAULTS, type Fault, FaultLab, type Target } from './parts/fault-lab.ts';
import { inMemoryFolder } from './parts/folder.ts';
import { makeScenarios } from './parts/scenarios.ts';
import { requireStrace } from './parts/strace.ts';

/** More at once than there are processors: a run that SQLite spends waiting costs nothing. */
async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items].reverse();
  const lane = async () => {
    for (let item = rest.pop(); item !== undefined; item = rest.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: 2 * availableParallelism() }, lane));
}

async function failAll(lab: FaultLab, targets: readonly Target[], context: Context) {
  const faults = Object.keys(FAULTS) as Fault[];
  const runs = targets.flatMap((target) => faults.map((fault) => ({ target, fault })));
  const totals = { runs: 0, violations: 0, refused: 0, uncertain: 0 };
  const missed = new Set<Target>();
  await forEach(runs, async ({ target, fault }) => {
    const { scenario, call, nth, file } = target;
    const outcome = await lab.fail(target, fault);
    totals.violations += outcome.lost + outcome.violations.length;
    totals.refused += outcome.refused;
    totals.uncertain += outcome.uncertain;
    const where = `${scenario.name}: ${fault} at ${call} ${nth} of ${file}`;
    if (!outcome.hit) {
      missed.add(target);
      context.progress(`${where}: was not hit`);
    }
    if (outcome.lost > 0) context.progress(`${where}: ${outcome.lost} lost`);
    for (const violation of outcome.violations) context.progress(`${where}: ${violation}`);
    if (++totals.runs % 200 === 0) context.progress(`${totals.runs} of ${runs.length} runs`);
  });
  return { ...totals, covered: targets.length - missed.size };
}

/**
 * A part of the calls, for a smaller run; all of them at scale 1. A lock that is not let go makes
 * SQLite wait for itself, up to 40 s in some runs: only the full measurement takes that time.
 */
function sample(targets: readonly Target[], scale: number, random: Random): Target[] {
  const rest = targets.filter(({ unlocks }) => scale === 1 || !unlocks);
  const count = Math.ceil(rest.length * scale);
  return Array.from({ length: count }, () => rest.splice(randomInt(random, rest.length), 1)[0]!);
}

const CONTROL_RUNS = 12;

/** Believes that a commit happened although it was refused. */
async function control(lab: FaultLab, targets: readonly Target[]): Promise<number> {
  const writes = targets.filter(
    ({ scenario, call, file }) =>
      scenario.from === 'open' && file.endsWith('-wal') && /write|sync/.test(call),
  );
  let lost = 0;
  await forEach(writes.slice(0, CONTROL_RUNS), async (target) => {
    const outcome = await lab.fail(target, 'EIO', 'refusals');
    lost += outcome.lost;
  });
  return lost;
}

async function measure(folder: string, context: Context) {
  const lab = new FaultLab(folder, await bundleWorker(folder));
  const all: Target[] = [];
  for (const scenario of await makeScenarios(folder)) all.push(...(await lab.calls(scenario)));
  const targets = sample(all, context.scale, seededRandom(context.seed));
  context.progress(`${all.length} calls, ${targets.length} of them to be failed`);
  const totals = await failAll(lab, targets, context);
  return { ...totals, all, targets, controlLost: await control(lab, all) };
}

export const measurement: Measurement = {
  what: 'every file-system call of a commit failed with EIO, with ENOSPC, and by SIGKILL',
  aims: { violations: '<=0', covered_share: '>=1', control_caught: '>=1' },
  async *run(context) {
    requireStrace();
    const result = await inMemoryFolder((folder) => measure(folder, context));
    const kinds = new Set(result.all.map(({ call }) => call));
    yield { metric: 'violations', value: result.violations, n: result.runs };
    yield {
      metric: 'covered_share',
      value: result.covered / result.targets.length,
      n: result.targets.length,
      note: `of ${result.all.length} calls: ${[...kinds].sort().join(' ')}`,
    };
    yield { metric: 'runs', value: result.runs };
    yield { metric: 'refused', value: result.refused, note: 'commits refused with a StoreError' };
    yield { metric: 'uncertain', value: result.uncertain, note: 'refused, yet there' };
    yield { metric: 'control_lost', value: result.controlLost, note: 'refusals taken for success' };
    yield { metric: 'control_caught', value: result.controlLost > 0 ? 1 : 0 };
  },
};
