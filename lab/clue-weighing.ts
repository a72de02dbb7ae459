/**
 * How much each clue of a cause weighs, from worlds in which it is known which causes were right. Pure.
 *
 * A logistic regression of "right" on the clues, drawn to 0. Rejected: weights counted clue by clue, as if clues were
 * independent: a time limit that nothing comes near and failures in bursts are mostly seen together, and counted twice
 * (calibration error .17 against .06, five-fold on 88 worlds). Some clues can only speak for a cause, or only against it,
 * by what they mean; a world's accidents cannot turn them round.
 */
import { brierScore, calibrationError, separation } from '../score/metrics/calibration.ts';
import { type Clues, type ClueWeights, type Competitor, sharesOf } from '../src/diagnose/index.ts';
import { fitLine, IDENTITY, type Outcome } from '../src/stats/index.ts';
import type { WeighedPattern } from './looks.ts';

/** Of each world all patterns that were seen in it, in the order of time. */
export type Worlds = readonly (readonly WeighedPattern[])[];

/** As much as so many causes would say without a tendency, for each clue. */
const DRAWN_TO_NONE = 1;
/** A factor of ten. */
const NATS_MAX = Math.log(10);
/** What messages say is evidence of last resort: a factor of two. */
const WORDS_MAX = Math.log(2);
const FOLDS = 5;

const ONLY_FOR = ['tail reaches', 'others files well', 'others outside alike'];
const ONLY_AGAINST = [
  ...['tail gap', 'tail thin', 'others files alike', 'others outside well'],
  ...['number', 'strength weak'],
];

/** What was weighed in the other worlds is tried on each, so that the calibration does not flatter itself. */
export function weighClues(worlds: Worlds): ClueWeights {
  const outcomes = Array.from({ length: FOLDS }, (_, fold) => {
    const [apart, others] = [true, false].map((isIt) =>
      worlds.filter((_, at) => (at % FOLDS === fold) === isIt),
    );
    return outcomesIn(apart!, regression(judgedCauses(others!)));
  });
  return { ...regression(judgedCauses(worlds)), calibration: fitLine(outcomes.flat()) };
}

interface JudgedCause {
  readonly clues: Clues;
  readonly isRight: boolean;
  readonly weight: number;
}

/** A cause of a pattern counts once in a world, in equal parts at each look; copies are one cause, as where they are weighed. */
function judgedCauses(worlds: Worlds): JudgedCause[] {
  return worlds.flatMap((world) => {
    const found = world.flatMap((pattern) =>
      [...Map.groupBy(competitors(pattern), ({ among }) => among.copy).values()].map((copies) => ({
        clues: copies[0]!.clues,
        isRight: isOneRight(copies),
        key: `${pattern.id} ${copies[0]!.place}`,
      })),
    );
    const looks = Map.groupBy(found, ({ key }) => key);
    return found.flatMap(({ key, clues, isRight }) =>
      isRight === undefined ? [] : [{ clues, isRight, weight: 1 / looks.get(key)!.length }],
    );
  });
}

type Seen = WeighedPattern['causes'][number] & Competitor;

const competitors = ({ causes }: WeighedPattern) =>
  causes.flatMap((cause): Seen[] => {
    const { among } = cause;
    return among === null ? [] : [{ ...cause, among }];
  });

/** Copies are tried in turn; places of one mechanism exclude each other, and only the likeliest is tried. */
const triedWith = ({ among, place }: Seen) => (among.share === undefined ? among.copy : place);

/** They are tried in turn, so that one of them is enough; undefined where the world does not say. */
function isOneRight(some: readonly Seen[]): boolean | undefined {
  const each = some.map(({ isRight }) => isRight);
  return each.includes(true) ? true : each.includes(undefined) ? undefined : false;
}

/** What would be stated with these weights, each cause of a pattern once, as sure as it was in the end. */
function outcomesIn(worlds: Worlds, weights: ClueWeights): Outcome[] {
  return worlds.flatMap((world) => {
    const newest = new Map<string, Outcome>();
    for (const pattern of world) {
      const causes = competitors(pattern);
      const shares = sharesOf(causes, weights);
      const stated = [...Map.groupBy(causes.keys(), (at) => triedWith(causes[at]!)).values()].map(
        (copies) => ({
          place: causes[copies[0]!]!.place,
          isRight: isOneRight(copies.map((at) => causes[at]!)),
          share: copies.reduce((sum, at) => sum + shares[at]!, 0),
        }),
      );
      const [first, ...others] = stated;
      if (first === undefined) continue;
      const best = others.reduce((a, b) => (b.share > a.share ? b : a), first);
      if (best.isRight !== undefined)
        newest.set(`${pattern.id} ${best.place}`, { stated: best.share, isTrue: best.isRight });
    }
    return [...newest.values()];
  });
}

export interface Figures {
  readonly count: number;
  readonly error: number;
  readonly brier: number;
  readonly auroc: number | undefined;
  /** Of those that are sure enough for a proposal. */
  readonly rightSure: number;
  readonly wrongSure: number;
}

/** As `diagnose.minConfidence` has it unless somebody changes it. */
const SURE = 0.6;

/** How good the weights are on these worlds. */
export function figuresOf(worlds: Worlds, weights: ClueWeights): Figures {
  const statements = outcomesIn(worlds, weights).map(({ stated, isTrue }) => ({
    confidence: stated,
    isRight: isTrue,
  }));
  const sure = statements.filter(({ confidence }) => confidence >= SURE);
  const rightSure = sure.filter(({ isRight }) => isRight).length;
  return {
    count: statements.length,
    error: calibrationError(statements),
    brier: brierScore(statements),
    auroc: separation(statements),
    rightSure,
    wrongSure: sure.length - rightSure,
  };
}

const SWEEPS_MAX = 500;
const SMALL = 1e-6;

/** One coordinate after the other, each by a Newton step within its bounds, until nothing moves. */
function regression(causes: readonly JudgedCause[]): ClueWeights {
  const names = [
    ...new Set(causes.flatMap(({ clues }) => Object.entries(clues).map(([f, s]) => `${f} ${s}`))),
  ].sort();
  const rowsOf = new Map<string, number[]>(names.map((name) => [name, []]));
  for (const [row, { clues }] of causes.entries())
    for (const [family, clue] of Object.entries(clues)) rowsOf.get(`${family} ${clue}`)!.push(row);
  const coordinates = [
    { name: '', rows: causes.map((_, row) => row), pull: 0.01, low: -Infinity, high: Infinity },
    ...names.map((name) => ({
      name,
      rows: rowsOf.get(name)!,
      pull: DRAWN_TO_NONE,
      ...boundsOf(name),
    })),
  ];
  const sums = new Float64Array(causes.length);
  const found = new Map(coordinates.map(({ name }) => [name, 0]));
  for (let sweep = 0; sweep < SWEEPS_MAX; sweep++) {
    let most = 0;
    for (const { name, rows, pull, low, high } of coordinates) {
      const before = found.get(name)!;
      let [gradient, curvature] = [pull * before, pull];
      for (const row of rows) {
        const { isRight, weight } = causes[row]!;
        const p = 1 / (1 + Math.exp(-sums[row]!));
        gradient += weight * (p - Number(isRight));
        curvature += weight * Math.max(0.05, p * (1 - p));
      }
      const after = Math.max(low, Math.min(high, before - gradient / curvature));
      for (const row of rows) sums[row]! += after - before;
      found.set(name, after);
      most = Math.max(most, Math.abs(after - before));
    }
    if (most < SMALL) break;
  }
  const nats: Record<string, Record<string, number>> = {};
  for (const name of names) {
    const at = name.indexOf(' ');
    const [family, clue] = [name.slice(0, at), name.slice(at + 1)];
    nats[family] = { ...nats[family], [clue]: found.get(name)! };
  }
  return { bias: found.get('')!, nats, calibration: IDENTITY };
}

function boundsOf(name: string): { low: number; high: number } {
  const most = name.startsWith('words ') ? WORDS_MAX : NATS_MAX;
  const isOf = (some: readonly string[]) => some.some((one) => name.startsWith(one));
  return { low: isOf(ONLY_FOR) ? 0 : -most, high: isOf(ONLY_AGAINST) ? 0 : most };
}

/** As the file that holds them, with how often each clue was met. */
export function sourceOf(weights: ClueWeights, worlds: Worlds, command: string): string {
  const causes = judgedCauses(worlds);
  const rounded = (number: number) => Math.round(number * 100) / 100;
  const sorted = <T>(of: Readonly<Record<string, T>>) =>
    Object.entries(of).sort(([a], [b]) => (a < b ? -1 : 1));
  const met = (family: string, clue: string) => {
    const own = causes.filter(({ clues }) => (clues as Record<string, string>)[family] === clue);
    const count = (isIt: boolean) =>
      Math.round(
        own.reduce((sum, { isRight, weight }) => sum + (isRight === isIt ? weight : 0), 0),
      );
    return `${count(true)} right, ${count(false)} wrong`;
  };
  const key = (name: string) => (/^[a-z]+$/.test(name) ? name : `'${name}'`);
  const { slope, intercept } = weights.calibration;
  return [
    `/** Nats that each clue adds to the odds of a cause, from ${worlds.length} worlds. Weighed by \`${command}\`; not written by hand. */`,
    "import type { ClueWeights } from './weigh.ts';",
    '',
    'export const CLUE_WEIGHTS: ClueWeights = {',
    `  bias: ${rounded(weights.bias)},`,
    '  nats: {',
    ...sorted(weights.nats).flatMap(([family, clues]) => [
      `    ${family}: {`,
      ...sorted(clues).map(
        ([clue, nats]) => `      ${key(clue)}: ${rounded(nats)}, // ${met(family, clue)}`,
      ),
      '    },',
    ]),
    '  },',
    `  calibration: { slope: ${rounded(slope)}, intercept: ${rounded(intercept)} },`,
    '};',
    '',
  ].join('\n');
}
