/**
 * Processes that make changes as fast as they can are killed at any moment: while they make the
 * database, recover it, commit, checkpoint, alone and two at a time on one file. What they
 * acknowledged is there, whole, and the ledger verifies. It says nothing about power cuts, because
 * the kernel keeps what a killed process wrote: that is `chaos power`.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Random, seededRandom } from '../src/base/index.ts';
import type { Context, Measurement } from '../tools/measure.ts';
import { bundleWorker, type WorkerBundle } from './parts/bundle.ts';
import { inspectFile } from './parts/changes.ts';
import type { Ended } from './parts/child.ts';
import { inFolder } from './parts/folder.ts';
import { Hearing } from './parts/said.ts';
import { anyMoment, Victim } from './parts/victim.ts';
import type { Removed } from './parts/worker.ts';

const KILLS = 2000;
const CONTROL_KILLS = 60;
/** Databases that are worked on at the same time; one of them always by two processes. */
const LANES = 2;
/** How long a database is used before the next one is made, in kills. */
const KILLS_PER_DATABASE = 40;
/** After the other cycles the next process is the one to recover. */
const INSPECTED_SHARE = 0.6;
const BURSTS = [1, 1, 4, 1, 2, 9];
const PADDING_BYTES = 300;

interface Tally {
  kills: number;
  paired: number;
  acknowledged: number;
  inspections: number;
  lost: number;
  violations: number;
}

interface Trial {
  readonly folder: string;
  readonly bundle: WorkerBundle;
  readonly kills: number;
  readonly removed: Removed | undefined;
  readonly random: Random;
  readonly context: Context;
  readonly tally: Tally;
}

/** One database after the other, until enough were killed. */
async function runLane(trial: Trial, lane: number): Promise<void> {
  for (let round = 0; trial.tally.kills < trial.kills; round++) {
    const folder = join(trial.folder, `lane-${lane}-${round}`);
    mkdirSync(folder);
    const database = new Database(trial, join(folder, 'state', 'control.db'));
    const end = trial.tally.kills + KILLS_PER_DATABASE * LANES;
    while (trial.tally.kills < Math.min(end, trial.kills)) await database.cycle(lane % 2 === 1);
    await database.inspect();
    trial.tally.acknowledged += database.said.acknowledged.size;
    rmSync(folder, { recursive: true });
  }
}

class Database {
  readonly said = new Hearing();
  readonly #trial: Trial;
  readonly #path: string;
  /** Findings stay in the file: each is counted once. */
  readonly #known = new Set<string>();
  #writers = 0;

  constructor(trial: Trial, path: string) {
    this.#trial = trial;
    this.#path = path;
  }

  async cycle(paired: boolean): Promise<void> {
    const { random, tally } = this.#trial;
    const victim = this.#start();
    const survivor = paired ? this.#start() : undefined;
    this.#judge(await victim.kill(anyMoment(random)));
    if (survivor !== undefined) {
      // The other one must not hang on what the first left locked or half-done.
      this.#judge(await survivor.kill(anyMoment(random)));
      tally.paired += 2;
    }
    if (random.next() < INSPECTED_SHARE) await this.inspect();
  }

  async inspect(): Promise<void> {
    const { tally } = this.#trial;
    const found = await inspectFile(this.#path, this.said);
    tally.inspections++;
    for (const id of found.lost) if (this.#isNew(`${id} is lost`)) tally.lost++;
    for (const violation of found.violations) if (this.#isNew(violation)) tally.violations++;
  }

  #start(): Victim {
    const { bundle, removed } = this.#trial;
    const options = {
      path: this.#path,
      writer: `w${this.#writers++}`,
      bursts: BURSTS,
      paddingBytes: PADDING_BYTES,
      ...(removed === undefined ? {} : { removed }),
    };
    return new Victim(bundle, options, this.said);
  }

  /** Only our signal ends it, and nothing that was asked of the store is refused. */
  #judge({ signal, timedOut, stderr }: Ended): void {
    const { tally } = this.#trial;
    if (++tally.kills % 200 === 0) this.#trial.context.progress(`${tally.kills} killed`);
    const what = timedOut ? 'a process hung' : `a process ended by itself: ${stderr}`;
    if ((timedOut || signal !== 'SIGKILL') && this.#isNew(what)) tally.violations++;
    for (const id of this.said.refused) if (this.#isNew(`${id} was refused`)) tally.violations++;
  }

  #isNew(finding: string): boolean {
    if (this.#known.has(finding)) return false;
    this.#known.add(finding);
    const { removed, context } = this.#trial;
    if (removed === undefined) context.progress(`${this.#path}: ${finding}`);
    return true;
  }
}

async function killMany(
  context: Context,
  options: { kills: number; removed?: Removed },
): Promise<Tally> {
  const tally = { kills: 0, paired: 0, acknowledged: 0, inspections: 0, lost: 0, violations: 0 };
  await inFolder(async (folder) => {
    const bundle = await bundleWorker(folder);
    const lanes = Array.from({ length: LANES }, (_, lane) => {
      const random = seededRandom(context.seed * LANES + lane);
      const { kills, removed } = options;
      return runLane({ folder, bundle, kills, removed, random, context, tally }, lane);
    });
    await Promise.all(lanes);
  });
  return tally;
}

export const measurement: Measurement = {
  what: 'processes killed while they commit, alone and two at a time',
  aims: { lost: '<=0', violations: '<=0', cycles: '>=2000', control_caught: '>=1' },
  async *run(context) {
    const tally = await killMany(context, { kills: Math.ceil(KILLS * context.scale) });
    yield { metric: 'lost', value: tally.lost, n: tally.acknowledged };
    yield { metric: 'violations', value: tally.violations, n: tally.inspections };
    yield { metric: 'cycles', value: tally.kills, note: `${tally.paired} of them two at a time` };
    const kills = Math.max(20, Math.ceil(CONTROL_KILLS * context.scale));
    const early = await killMany(context, { kills, removed: 'waiting' });
    const split = await killMany(context, { kills, removed: 'atomicity' });
    yield { metric: 'control_lost', value: early.lost, note: 'acknowledged before the commit' };
    yield { metric: 'control_violations', value: split.violations, note: 'two commits per change' };
    yield { metric: 'control_caught', value: early.lost > 0 && split.violations > 0 ? 1 : 0 };
  },
};
