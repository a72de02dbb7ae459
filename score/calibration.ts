/**
 * Whether Hone is right as often as it says: the causes it states in random worlds and in the unseen scenarios, against
 * the truth that each of them carries. Beside the error stands its floor: what a perfect forecaster with the same
 * confidences would show by chance. A different seed plays different worlds.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { playAll } from '../lab/play-pool.ts';
import type { PlayOrder } from '../lab/play-worker.ts';
import { readScenarios } from '../lab/scenario-folder.ts';
import { seededRandom } from '../src/base/index.ts';
import type { Figure, Measurement } from '../tools/measure.ts';
import { brierScore, calibrationError, type Statement, separation } from './metrics/calibration.ts';

/** A world states one to three causes: these give the two hundred that an error of .10 needs. */
const WORLDS = 140;
/** Seeds below are for developing. */
const FIRST_SEED = 1_000_000;
const FLOOR_DRAWS = 200;

export const measurement: Measurement = {
  what: 'stated confidence in causes against being right, random worlds and unseen scenarios',
  aims: { expected_calibration_error: '<=0.10', brier: '<=0.18', auroc: '>=0.75' },
  async *run(context) {
    const sets = new Map<string, Statement[]>([
      ['random', []],
      ['unseen', []],
    ]);
    const orders = [...randomOrders(context.seed, context.scale), ...unseenOrders(context.scale)];
    let done = 0;
    await playAll(orders, {
      workers: 2,
      minutesMax: 120,
      runMinutesMax: 15,
      onPlayed: ({ played }) => {
        done += 1;
        const [one] = played;
        const set = one!.scenario.startsWith('random-') ? 'random' : 'unseen';
        sets.get(set)!.push(...one!.stated);
        context.progress(`${done}/${orders.length} ${one!.scenario}: ${one!.stated.length} stated`);
      },
    });
    for (const [set, statements] of sets) yield* figures(set, statements);
    yield* figures('total', [...sets.values()].flat());
  },
};

function randomOrders(seed: number, scale: number): PlayOrder[] {
  return Array.from({ length: Math.max(1, Math.round(WORLDS * scale)) }, (_, index) => ({
    of: { worldSeed: FIRST_SEED * seed + index },
    seed: 1,
    approvers: ['scripted'],
  }));
}

function unseenOrders(scale: number): PlayOrder[] {
  const folder = fileURLToPath(new URL('../lab/scenarios/unseen', import.meta.url));
  if (!existsSync(folder)) return [];
  const listed = readScenarios(folder);
  return listed
    .slice(0, Math.ceil(listed.length * scale))
    .map(({ scenario }) => ({ of: { scenario }, seed: 1, approvers: ['scripted'] }));
}

function* figures(set: string, statements: readonly Statement[]): Generator<Figure> {
  const n = statements.length;
  if (n === 0) return;
  yield { set, metric: 'expected_calibration_error', value: calibrationError(statements), n };
  yield { set, metric: 'calibration_floor', value: floorOf(statements), n };
  yield { set, metric: 'brier', value: brierScore(statements), n };
  const auroc = separation(statements);
  if (auroc !== undefined) yield { set, metric: 'auroc', value: auroc, n };
}

/** The mean error of somebody who is right exactly as often as stated. */
function floorOf(statements: readonly Statement[]): number {
  const random = seededRandom(1);
  let sum = 0;
  for (let draw = 0; draw < FLOOR_DRAWS; draw++) {
    sum += calibrationError(
      statements.map(({ confidence }) => ({ confidence, isRight: random.next() < confidence })),
    );
  }
  return sum / FLOOR_DRAWS;
}
