/**
 * `node lab/weigh-clues.ts [--worlds <n>] [--from <seed>] [--samples <file>]`: weighs the clues of causes anew, by the
 * random worlds from seed 0 on and the scenarios that are there for developing, and writes `src/diagnose/clue-weights.ts`.
 * To be run after a diagnoser changed. What was seen is kept in the file of samples, one world a line; worlds that it has
 * already are not looked at again.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { errorMessage } from '../src/base/index.ts';
import { sourceOf, weighClues } from './clue-weighing.ts';
import { expectationsOf, triedPlaces } from './expected.ts';
import { type Looked, lookAt } from './looks.ts';
import { randomWorld } from './random/world.ts';
import type { Scenario } from './scenario.ts';
import { readScenarios } from './scenario-folder.ts';

/**
 * Worlds whose obvious cure hurts are drawn so often that the watch has something to find; people meet them more rarely, and
 * one of so many is weighed.
 */
const TRAPS_PER_ONE = 4;
/** Seeds from here on are for reporting. */
const WORLDS_MAX = 1000;

interface Sample extends Looked {
  readonly world: string;
}

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      worlds: { type: 'string', default: '240' },
      from: { type: 'string', default: '0' },
      samples: { type: 'string' },
    },
  });
  const samples = readSamples(values.samples);
  for (const { world, scenario } of developing(Number(values.from), Number(values.worlds))) {
    if (samples.has(world)) continue;
    const sample = await sampleOf(world, scenario);
    if (sample === undefined) continue;
    samples.set(world, sample);
    if (values.samples !== undefined) appendFileSync(values.samples, `${JSON.stringify(sample)}\n`);
    process.stderr.write(`  ${samples.size} ${world}: ${sample.stated.length} stated\n`);
  }
  const seen = [...samples.values()].map(({ weighed }) => weighed);
  writeFileSync(path('../src/diagnose/clue-weights.ts'), sourceOf(weighClues(seen), seen));
}

function* developing(
  from: number,
  worlds: number,
): Generator<{ world: string; scenario: () => Scenario }> {
  for (const { scenario } of readScenarios(path('scenarios/seen')))
    yield { world: scenario.name, scenario: () => scenario };
  for (let seed = from; seed < Math.min(WORLDS_MAX, from + worlds); seed++)
    yield { world: `random-${seed}`, scenario: () => randomWorld(seed) };
}

/** A world that cannot be drawn is left out. */
async function sampleOf(world: string, scenario: () => Scenario): Promise<Sample | undefined> {
  try {
    const drawn = scenario();
    const isTrap = expectationsOf(drawn).some((one) => triedPlaces(one).some(({ hurts }) => hurts));
    if (isTrap && Number(world.split('-')[1]) % TRAPS_PER_ONE !== 0) return undefined;
    return { world, ...(await lookAt(drawn, 1)) };
  } catch (error) {
    process.stderr.write(`  ${world} was left out: ${errorMessage(error)}\n`);
    return undefined;
  }
}

function readSamples(file: string | undefined): Map<string, Sample> {
  if (file === undefined || !existsSync(file)) return new Map();
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const samples = lines.map((line) => JSON.parse(line) as Sample);
  return new Map(samples.map((sample) => [sample.world, sample]));
}

await main();
