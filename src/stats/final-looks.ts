/**
 * One final look for each effect worth knowing, beside a sequential test: when so many events were seen that the effect
 * shows with a good chance (`POWER`), the count so far is judged once, as a test of fixed size would. A sequential test may be
 * looked at for ever and pays for it in its slow tail: at a known baseline and a level of .0087 it takes 13.3 units of
 * information to find four of five effects, and with half of that budget for a final look 11 (medians 7.9 and 9.2).
 *
 * The two divide a budget, but both fail together: most counts that pass a final look by chance have passed the sequential test
 * before. The difference from the baseline, times the information in it, is a Brownian motion in information; the effect's
 * part of the sequential test is a line above it. So the chance of passing at the end without having crossed the line is known
 * (Anderson 1960), and that chance alone is paid for. Should the limit be far off, as for a handful of failures, the budget is
 * overdrawn by the line's level at most.
 *
 * A look says 0 before it and 1/level from then on, if passed. Up to the first alarm it is at most its part of the budget on
 * average, so it may be added to e-processes.
 *
 * How unlikely a count is: failures of a rate that was counted itself are negative binomial (Poisson, with a Gamma
 * distribution for the baseline). That is exact for rare failures also far out in the tail, where levels of one in a million are
 * asked. For frequent ones everything is divided by 1 - rate, which gives them the variance of a binomial and leaves the
 * longer tail. Rejected: the normal limit, which gives ten failures where 2.5 are usual one in a million (it is one in
 * 3600); a boundary that falls (O'Brien and Fleming's) in place of the last look: nothing gained over the line.
 */
import { normalCdf, normalQuantile, normalSf } from './distributions.ts';
import { incompleteBeta } from './special.ts';

export interface FinalLooksOptions {
  /** Of the baseline, and how many events it was counted in. */
  readonly rate: number;
  readonly size: number;
  readonly effects: readonly {
    /** The worsened rate. */
    readonly rate: number;
    /** What the look may cost, and what the sequential test spends on this effect. */
    readonly level: number;
    readonly lineLevel: number;
  }[];
}

interface FinalLook {
  readonly atEvents: number;
  /** It passes where a count is as unlikely as this. */
  readonly chance: number;
}

const POWER = 0.83;
const Z_POWER = normalQuantile(POWER);
/** A look at more events than this many times the baseline's would compare the baseline with itself. */
const TIMES_MAX = 100;

export class FinalLooks {
  readonly #options: FinalLooksOptions;
  /** Those to come, the first one first. */
  readonly #looks: FinalLook[];
  #hasPassed = false;

  constructor(options: FinalLooksOptions) {
    this.#options = options;
    this.#looks = options.effects
      .flatMap((effect) => finalLook(options, effect) ?? [])
      .sort((a, b) => a.atEvents - b.atEvents);
  }

  /** What was seen since the beginning; true once one has passed. */
  look(failures: number, events: number): boolean {
    let chance: number | undefined;
    for (
      let [next] = this.#looks;
      next !== undefined && events >= next.atEvents;
      [next] = this.#looks
    ) {
      chance ??= chanceOfSoMany(failures, events, this.#options);
      if (chance <= next.chance) this.#hasPassed = true;
      this.#looks.shift();
    }
    return this.#hasPassed;
  }
}

/** The chance of so many failures or more while the rate is the baseline's. */
function chanceOfSoMany(
  failures: number,
  events: number,
  { rate, size }: Pick<FinalLooksOptions, 'rate' | 'size'>,
): number {
  if (failures <= 0) return 1;
  const rest = 1 - rate;
  return incompleteBeta(failures / rest, (rate * size) / rest, events / (events + size)).lower;
}

/** Undefined where the baseline is too small for the effect ever to be seen. */
function finalLook(
  { rate, size }: FinalLooksOptions,
  { rate: raised, level, lineLevel }: FinalLooksOptions['effects'][number],
): FinalLook | undefined {
  const z = -normalQuantile(Math.min(0.5, level + lineLevel / 2));
  const atEvents = eventsFor({ rate, size, raised, z });
  if (atEvents === undefined) return undefined;
  const information =
    ((raised - rate) ** 2 / (rate * (1 - rate))) * ((atEvents * size) / (atEvents + size));
  return { atEvents, chance: normalSf(boundaryOf(information, level, lineLevel)) };
}

function eventsFor({
  rate,
  size,
  raised,
  z,
}: {
  readonly rate: number;
  readonly size: number;
  readonly raised: number;
  readonly z: number;
}): number | undefined {
  const isEnough = (events: number) => {
    const [usual, worse, doubt] = [events * rate, events * raised, (events * events * rate) / size];
    const bound = usual + z * Math.sqrt((usual + doubt) * (1 - rate)) + (z * z - 1) / 6;
    return worse - Z_POWER * Math.sqrt((worse + doubt) * (1 - rate)) >= bound;
  };
  let high = 1;
  while (!isEnough(high)) {
    high *= 2;
    if (high > TIMES_MAX * size) return undefined;
  }
  let low = high / 2;
  while (high - low > 0.001 * high) {
    const middle = (low + high) / 2;
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/**
 * How many deviations a count at the end must be beyond, for the chance of that without having crossed the line before to be
 * `level`. `information`: times the square of the effect, so that the effect is a drift of 1 and its line rises by a half.
 */
function boundaryOf(information: number, level: number, lineLevel: number): number {
  const root = Math.sqrt(information);
  const from = -Math.log(lineLevel);
  const top = from + information / 2;
  const chance = (z: number) =>
    z * root >= top
      ? 0
      : normalCdf(top / root) -
        normalCdf(z) -
        lineLevel * (normalCdf((information / 2 - from) / root) - normalCdf(z - (2 * from) / root));
  // Without the line it would cost `level`, and with all of the line's level in common it costs as much less.
  let low = -normalQuantile(Math.min(0.5, level + lineLevel));
  let high = -normalQuantile(level);
  while (high - low > 1e-6) {
    const middle = (low + high) / 2;
    if (chance(middle) > level) low = middle;
    else high = middle;
  }
  return high;
}
