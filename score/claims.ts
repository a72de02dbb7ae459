/**
 * What agents say about code, against the code: `<dir>/<name>/repo/` and `<dir>/<name>/claims.jsonl` of
 * `{"text","level","true"}`. A text is refused when one of its claims is. The level only tells where mistakes are.
 */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CodeIndex, checkText } from '../src/claim/index.ts';
import type { Context, Figure, Measurement } from '../tools/measure.ts';
import { ownClaims } from './parts/own-claims.ts';

export interface LabelledClaim {
  readonly text: string;
  readonly level: number | string;
  readonly true: boolean;
}

export interface ClaimSet {
  readonly name: string;
  readonly files: ReadonlyMap<string, string>;
  readonly claims: readonly LabelledClaim[];
}

interface Tally {
  falseClaims: number;
  caught: number;
  trueClaims: number;
  refused: number;
}

const fresh = (): Tally => ({ falseClaims: 0, caught: 0, trueClaims: 0, refused: 0 });

export const measurement: Measurement = {
  what: 'claims about code: false ones refused, true ones not',
  aims: { false_caught: '>=0.85', true_refused: '<=0.05', n: '>=300' },
  run,
};

async function* run(context: Context): AsyncGenerator<Figure> {
  const total = fresh();
  const byLevel = new Map<string, Tally>();
  for (const set of setsOf(context)) {
    const index = await CodeIndex.of({
      paths: async () => [...set.files.keys()],
      read: async (path) => set.files.get(path),
    });
    const own = fresh();
    for (const claim of set.claims) {
      const refused = checkText(claim.text, index).filter(({ verdict }) => verdict === 'refused');
      const level = byLevel.get(String(claim.level)) ?? fresh();
      byLevel.set(String(claim.level), level);
      for (const tally of [total, own, level]) count(tally, claim, refused.length > 0);
      if (refused.length > 0 === claim.true)
        context.progress(
          `${set.name}: ${claim.true ? 'refused' : 'missed'} ${JSON.stringify(claim.text)} ${refused[0]?.why ?? ''}`,
        );
    }
    yield* figures(own, set.name);
  }
  for (const [level, tally] of byLevel) yield* figures(tally, `level ${level}`);
  yield* figures(total, 'total');
  yield { metric: 'n', set: 'total', value: total.falseClaims + total.trueClaims };
}

function count(tally: Tally, claim: LabelledClaim, isRefused: boolean): void {
  tally[claim.true ? 'trueClaims' : 'falseClaims'] += 1;
  if (isRefused) tally[claim.true ? 'refused' : 'caught'] += 1;
}

function* figures(
  { falseClaims, caught, trueClaims, refused }: Tally,
  set: string,
): Generator<Figure> {
  yield {
    metric: 'false_caught',
    set,
    value: falseClaims === 0 ? 1 : caught / falseClaims,
    n: falseClaims,
  };
  yield {
    metric: 'true_refused',
    set,
    value: trueClaims === 0 ? 0 : refused / trueClaims,
    n: trueClaims,
  };
}

/** The folder that is given; our own set where none is, or where it is not there. */
function setsOf(context: Context): ClaimSet[] {
  const folder = context.dataDir('claims');
  if (!existsSync(folder)) {
    context.progress(`there is no ${folder}: our own set is measured`);
    return ownClaims();
  }
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'claims.jsonl')))
    .sort()
    .map((name) => readSet(folder, name));
}

function readSet(folder: string, name: string): ClaimSet {
  const root = join(folder, name, 'repo');
  const paths = globSync('**/*', { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
  const lines = readFileSync(join(folder, name, 'claims.jsonl'), 'utf8').split('\n');
  return {
    name,
    files: new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')])),
    claims: lines
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line) as LabelledClaim),
  };
}
