/**
 * Whether Hone is right as often as it says: the causes it states in random worlds and in the unseen scenarios, against
 * the truth that each of them carries. Worlds are looked at, not played (`lab/looks.ts`): a diagnosis can be judged without
 * deploying anything. Beside the error stands its floor: what a perfect forecaster with the same confidences would show
 * by chance. A different seed looks at different worlds.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { lookAt } from '../lab/looks.ts';
import { randomWorld } from '../lab/random/world.ts';
import type { Scenario } from '../lab/scenario.ts';
import { readScenarios } from '../lab/scenario-folder.ts';
import { errorMessage, seededRandom } from '../src/base/index.ts';
import type { Figure, Measurement } from '../tools/measure.ts';
import { brierScore, calibrationError, type Statement, separation } from './metrics/calibration.ts';

/** A world states two to three causes: these give the two hundred that an error of .10 needs. */
const WORLDS = 100;
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
    const asked = [...randomWorlds(context.seed, context.scale), ...unseen(context.scale)];
    let missed = 0;
    for (const [at, { set, name, scenario }] of asked.entries()) {
      try {
        const { stated } = await lookAt(scenario(), 1);
        sets.get(set)!.push(...stated);
        context.progress(`${at + 1}/${asked.length} ${name}: ${stated.length} stated`);
      } catch (error) {
        missed += 1;
        context.progress(`${at + 1}/${asked.length} ${name} was missed: ${errorMessage(error)}`);
      }
    }
    for (const [set, statements] of sets) yield* figures(set, statements);
    yield* figures('total', [...sets.values()].flat());
    yield { set: 'total', metric: 'missed_worlds', value: missed, n: asked.length };
  },
};

interface Asked {
  readonly set: 'random' | 'unseen';
  readonly name: string;
  scenario(): Scenario;
}

function randomWorlds(seed: number, scale: number): Asked[] {
  return Array.from({ length: Math.max(1, Math.round(WORLDS * scale)) }, (_, index) => ({
    set: 'random',
    name: `world ${FIRST_SEED * seed + index}`,
    scenario: () => randomWorld(FIRST_SEED * seed + index),
  }));
}

function unseen(scale: number): Asked[] {
  const folder = fileURLToPath(new URL('../lab/scenarios/unseen', import.meta.url));
  if (!existsSync(folder)) return [];
  const listed = readScenarios(folder);
  return listed
    .slice(0, Math.ceil(listed.length * scale))
    .map(({ scenario }) => ({ set: 'unseen', name: scenario.name, scenario: () => scenario }));
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
