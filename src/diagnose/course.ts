/**
 * How a failure went over its record: there all the time, begun at a moment, over, or coming and going; and whether
 * the tool was busier than ever when it was there. Pure. `stats/rate-levels.ts` finds the levels.
 */
import type { PlaceBin } from '../facts/index.ts';
import { findRateLevels, type RateLevel, wilsonInterval } from '../stats/index.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A stretch of time in which it was there. */
export interface Episode {
  readonly fromMs: number;
  /** 95 % interval of the beginning. */
  readonly fromLowMs: number;
  readonly fromHighMs: number;
  /** Null while it lasts. */
  readonly toMs: number | null;
}

export interface Course {
  /** `steady`: as long as the record goes, as far as counts can tell. */
  readonly kind: 'steady' | 'began' | 'ended';
  /** The newest one; null where it is steady. */
  readonly episode: Episode | null;
  /** Those before it that ended by themselves, in milliseconds. */
  readonly pastMs: readonly number[];
  /** Share of the calls that failed with it, and without. */
  readonly during: number;
  readonly otherwise: number;
  /**
   * It is there only when the tool gets more calls than it ever gets otherwise, and a whole day was seen: `asked` where that is so
   * without tries after failures, which a failure makes by itself; `tries` where only they make it so.
   */
  readonly load: 'asked' | 'tries' | null;
  /** How much more than by chance it surely varies while nothing changes: 1 where every call may fail or not by itself. */
  readonly dispersionLow: number;
  /**
   * How much it varies within its present level, so that one outage long ago does not count, and how much surely; without bound where
   * it keeps coming and going.
   */
  readonly dispersionNow: number;
  readonly dispersionNowLow: number;
  /** How many times as long calls that succeed take while it is there; null where too few say it. */
  readonly slower: number | null;
}

/** Levels that differ less are taken for one. */
const CHANGE_MIN = 2;
/** Where the present level is so many times another, most of what fails now is new, however ill it was before. */
export const NEW_TIMES = 4;
const TIMED_MIN = 20;
const LOAD_QUANTILE = 0.95;

/** Of what fails, the share that is tried again: by the agent, and by the others at the tool. */
export interface TriedAgain {
  readonly own: number;
  readonly others: number;
}

const NEVER: TriedAgain = { own: 0, others: 0 };

const LOAD_HOURS_MIN = 3;

/**
 * A level is ill above the share of calls that may fail before anything is done; and above a part of what fails now, and of what
 * failed when most of the window's failures came: what was there before, or is left, is not why it was far worse. What is left and is
 * surely too much by itself is a failure of its own.
 */
export function courseOf(
  history: readonly PlaceBin[],
  acceptable: number,
  triedAgain: TriedAgain = NEVER,
): Course {
  const levels = levelsOf(history);
  const rates = levels.map(rateOf);
  const usual = isTooMuch(levels.at(-1), acceptable) ? 0 : usualRate(levels, history);
  const worst = Math.max(rates.at(-1) ?? 0, usual);
  const bar = Math.max(acceptable, worst / NEW_TIMES);
  const isIll = rates.map((rate) => rate > bar);
  const isChanged = Math.max(...rates) >= CHANGE_MIN * Math.min(...rates);
  const whole = {
    rate: sumRate(levels),
    dispersionLow: dispersionOf(levels),
    dispersionNow: keepsComing(rates) ? Number.POSITIVE_INFINITY : (levels.at(-1)?.dispersion ?? 1),
    dispersionNowLow: keepsComing(rates)
      ? Number.POSITIVE_INFINITY
      : (levels.at(-1)?.dispersionLow ?? 1),
  };
  if (levels.length < 2 || !isChanged || !isIll.includes(true) || !isIll.includes(false))
    return steady(whole);
  const endMs = history.at(-1)!.atMs;
  const episodes = episodesOf(levels, isIll, history);
  const episode = episodes.at(-1)!;
  const ill = history.filter(({ atMs }) => isWithin(atMs, episodes, endMs));
  const well = history.filter(({ atMs }) => !isWithin(atMs, episodes, endMs));
  return {
    kind:
      episode.toMs === null
        ? isIll[0] === true && episodes.length === 1
          ? 'steady'
          : 'began'
        : 'ended',
    episode,
    pastMs: episodes.flatMap(({ fromMs, toMs }, index) =>
      // One that was there when the record began is longer than it seems; the newest one is not over, or just was.
      toMs === null || (index === 0 && isIll[0] === true) ? [] : [toMs - fromMs],
    ),
    during: rateOfBins(ill),
    otherwise: rateOfBins(well),
    load: isByLoad(ill, well, triedAgain) ? 'asked' : isByLoad(ill, well, NEVER) ? 'tries' : null,
    dispersionLow: whole.dispersionLow,
    dispersionNow: whole.dispersionNow,
    dispersionNowLow: whole.dispersionNowLow,
    slower: slowerIn(ill, well),
  };
}

/** Once for each array: a dozen diagnosers ask for the course of each failure, some of them for that of every other one. */
const LEVELS = new WeakMap<readonly PlaceBin[], readonly RateLevel[]>();

/** The levels of a history, which nobody changes. */
export function levelsOf(history: readonly PlaceBin[]): readonly RateLevel[] {
  const levels = LEVELS.get(history) ?? findRateLevels(history);
  LEVELS.set(history, levels);
  return levels;
}

function steady({
  rate,
  ...spread
}: Pick<Course, 'dispersionLow' | 'dispersionNow' | 'dispersionNowLow'> & {
  readonly rate: number;
}): Course {
  return {
    ...spread,
    kind: 'steady',
    episode: null,
    pastMs: [],
    during: rate,
    otherwise: rate,
    load: null,
    slower: null,
  };
}

function isTooMuch(level: RateLevel | undefined, acceptable: number): boolean {
  if (level === undefined) return false;
  return wilsonInterval({ failures: level.bad, events: level.all }).low > acceptable;
}

/** Of the failures that were counted by the minute, half came at this rate or a higher one: what is known of them is known of those. */
function usualRate(levels: readonly RateLevel[], history: readonly PlaceBin[]): number {
  const minutesFromMs = minutesFrom(history);
  const fromMs = Number.isFinite(minutesFromMs) ? minutesFromMs : 0;
  const counted = levels
    .map((level, at) => ({
      rate: rateOf(level),
      bad: badWithin(history, Math.max(fromMs, level.fromMs), levels[at + 1]?.fromMs ?? Infinity),
    }))
    .sort((a, b) => b.rate - a.rate);
  let left = badWithin(history, fromMs, Infinity) / 2;
  for (const { rate, bad } of counted) {
    left -= bad;
    if (left <= 0) return rate;
  }
  return 0;
}

function badWithin(history: readonly PlaceBin[], fromMs: number, toMs: number): number {
  return history.reduce((n, { atMs, bad }) => n + (atMs >= fromMs && atMs < toMs ? bad : 0), 0);
}

/** Half a failure more: a level without any is not infinitely below another. */
function rateOf({ bad, all }: Pick<RateLevel, 'bad' | 'all'>): number {
  return (bad + 0.5) / (all + 1);
}

function sumRate(levels: readonly RateLevel[]): number {
  const sum = (count: (level: RateLevel) => number) => levels.reduce((n, one) => n + count(one), 0);
  return levels.length === 0 ? 0 : sum(({ bad }) => bad) / sum(({ all }) => all);
}

/** Without bound where the rate itself changes. */
function dispersionOf(levels: readonly RateLevel[]): number {
  return levels.length > 1 ? Number.POSITIVE_INFINITY : (levels[0]?.dispersionLow ?? 1);
}

/** Whether it rose more than once: a single rise is a beginning, or one outage. */
function keepsComing(rates: readonly number[]): boolean {
  return rates.filter((rate, at) => at > 0 && rate >= CHANGE_MIN * rates[at - 1]!).length > 1;
}

function rateOfBins(bins: readonly PlaceBin[]): number {
  let [bad, all] = [0, 0];
  for (const bin of bins) {
    bad += bin.bad;
    all += bin.all;
  }
  return all === 0 ? 0 : bad / all;
}

function episodesOf(
  levels: readonly RateLevel[],
  isIll: readonly boolean[],
  history: readonly PlaceBin[],
): Episode[] {
  const episodes: Episode[] = [];
  const minutesFromMs = minutesFrom(history);
  for (const [index, level] of levels.entries()) {
    if (isIll[index] !== true || isIll[index - 1] === true) continue;
    const after = isIll.indexOf(false, index);
    episodes.push({
      fromMs: level.fromMs,
      fromLowMs: level.fromLowMs,
      // It began somewhere within that bin, not at its first moment.
      fromHighMs: level.fromHighMs + (level.fromHighMs < minutesFromMs ? HOUR_MS : MINUTE_MS) - 1,
      toMs: after < 0 ? null : levels[after]!.fromMs,
    });
  }
  return episodes;
}

/** Older bins are of an hour each, newer ones of a minute, and none says how long it is. */
function minutesFrom(history: readonly PlaceBin[]): number {
  const first = history.find(({ atMs }) => atMs % HOUR_MS !== 0);
  return first === undefined
    ? Number.POSITIVE_INFINITY
    : Math.floor(first.atMs / HOUR_MS) * HOUR_MS;
}

function isWithin(atMs: number, episodes: readonly Episode[], endMs: number): boolean {
  return episodes.some(({ fromMs, toMs }) => atMs >= fromMs && atMs < (toMs ?? endMs + 1));
}

/** By the hour, so that bins of an hour and of a minute can be compared; without what is tried again. */
function callsByHour(bins: readonly PlaceBin[], { own, others }: TriedAgain): Map<number, number> {
  const hours = new Map<number, number>();
  for (const { atMs, toolCalls, bad, othersFailed } of bins) {
    const hour = Math.floor(atMs / HOUR_MS);
    const calls = toolCalls - own * bad - others * othersFailed;
    hours.set(hour, (hours.get(hour) ?? 0) + calls);
  }
  return hours;
}

function isByLoad(
  ill: readonly PlaceBin[],
  well: readonly PlaceBin[],
  triedAgain: TriedAgain,
): boolean {
  const [during, otherwise] = [callsByHour(ill, triedAgain), callsByHour(well, triedAgain)];
  // An hour that is only in part ill has fewer of its calls there.
  const whole = [...during].filter(([hour]) => !otherwise.has(hour)).map(([, calls]) => calls);
  const hours = [...otherwise.keys()];
  if (whole.length < LOAD_HOURS_MIN || hours.length === 0) return false;
  const seenMs = (Math.max(...hours) - Math.min(...hours)) * HOUR_MS;
  if (seenMs < DAY_MS) return false;
  return quantile(whole, 0.5) > quantile([...otherwise.values()], LOAD_QUANTILE);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
}

function slowerIn(ill: readonly PlaceBin[], well: readonly PlaceBin[]): number | null {
  const mean = (bins: readonly PlaceBin[]) => {
    let [timed, ms] = [0, 0];
    for (const bin of bins) {
      timed += bin.timed;
      ms += bin.timedMs;
    }
    return timed < TIMED_MIN ? undefined : ms / timed;
  };
  const [during, otherwise] = [mean(ill), mean(well)];
  return during === undefined || otherwise === undefined || otherwise <= 0
    ? null
    : during / otherwise;
}
