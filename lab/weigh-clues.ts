/**
 * `node lab/weigh-clues.ts [--worlds <n>] [--judged <n>] [--samples <file>]`: weighs the clues of causes anew, by the
 * random worlds from seed 0 on and the scenarios that are there for developing, and writes `src/diagnose/clue-weights.ts`.
 * To be run after a diagnoser changed. It judges the weights that were there and the new ones on worlds that neither was
 * weighed on, from seed 2000 on, and keeps the old ones where the new are worse there. What was seen is kept in the file of
 * samples, one world a line; worlds that it has already are not looked at again.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { errorMessage } from '../src/base/index.ts';
import { CLUE_WEIGHTS } from '../src/diagnose/clue-weights.ts';
import { type Figures, figuresOf, sourceOf, weighClues } from './clue-weighing.ts';
import { type Looked, lookAt } from './looks.ts';
import { randomWorld } from './random/world.ts';
import type { Scenario } from './scenario.ts';
import { readScenarios } from './scenario-folder.ts';

/** Seeds from here on are for judging. */
const JUDGED_FROM = 2000;

interface Sample extends Looked {
  readonly world: string;
}

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

interface World {
  readonly world: string;
  scenario(): Scenario;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      worlds: { type: 'string', default: '240' },
      judged: { type: 'string', default: '100' },
      samples: { type: 'string' },
    },
  });
  const known = readSamples(values.samples);
  const look = async (worlds: Iterable<World>) => {
    const seen: Sample[] = [];
    for (const { world, scenario } of worlds) {
      const sample = known.get(world) ?? (await sampleOf(world, scenario));
      if (sample === undefined) continue;
      seen.push(sample);
      if (known.has(world)) continue;
      if (values.samples !== undefined)
        appendFileSync(values.samples, `${JSON.stringify(sample)}\n`);
      process.stderr.write(`  ${seen.length} ${world}: ${sample.stated.length} stated\n`);
    }
    return seen.map(({ weighed }) => weighed);
  };
  const [worlds, judged] = [Number(values.worlds), Number(values.judged)];
  const developing = await look([...forDeveloping(), ...random(0, Math.min(JUDGED_FROM, worlds))]);
  const apart = await look(random(JUDGED_FROM, judged));
  const weights = weighClues(developing);
  const [before, after] = [CLUE_WEIGHTS, weights].map((one) => figuresOf(apart, one));
  process.stderr.write(`  weights that were there, on worlds apart: ${shown(before!)}\n`);
  process.stderr.write(`  new weights, on worlds apart:             ${shown(after!)}\n`);
  process.stderr.write(
    `  new weights, on worlds they come from:    ${shown(figuresOf(developing, weights))}\n`,
  );
  if (apart.length > 0 && after!.brier > before!.brier) {
    process.stderr.write('  The new weights are worse on worlds apart: nothing was written.\n');
    process.exitCode = 1;
    return;
  }
  const command = `node lab/weigh-clues.ts --worlds ${worlds} --judged ${judged}`;
  const source = sourceOf(weights, developing, command);
  writeFileSync(path('../src/diagnose/clue-weights.ts'), source);
}

function* forDeveloping(): Generator<World> {
  for (const { scenario } of readScenarios(path('scenarios/seen')))
    yield { world: scenario.name, scenario: () => scenario };
}

function* random(from: number, count: number): Generator<World> {
  for (let seed = from; seed < from + count; seed++)
    yield { world: `random-${seed}`, scenario: () => randomWorld(seed) };
}

/** A world that cannot be drawn is left out. */
async function sampleOf(world: string, scenario: () => Scenario): Promise<Sample | undefined> {
  try {
    return { world, ...(await lookAt(scenario(), 1)) };
  } catch (error) {
    process.stderr.write(`  ${world} was left out: ${errorMessage(error)}\n`);
    return undefined;
  }
}

function readSamples(file: string | undefined): Map<string, Sample> {
  if (file === undefined || !existsSync(file)) return new Map();
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const samples = lines.map((line) => JSON.parse(line) as Sample);
  const isOld = samples.some(({ weighed }) =>
    weighed.some(({ causes }) => causes.some(({ among }) => among === undefined)),
  );
  if (isOld) throw new Error(`${file} does not say which causes are one; look at its worlds anew`);
  return new Map(samples.map((sample) => [sample.world, sample]));
}

function shown({ count, error, brier, auroc, rightSure, wrongSure }: Figures): string {
  const two = (number: number | undefined) => number?.toFixed(3) ?? 'none';
  return `${count} stated, calibration error ${two(error)}, Brier ${two(brier)}, AUROC ${two(auroc)}, surely right ${rightSure}, surely wrong ${wrongSure}`;
}

await main();
