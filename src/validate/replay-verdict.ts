/**
 * What three replays of the same sessions say: the base twice, the candidate once. Pure. Sessions whose
 * outcome differs between the two runs of the base say nothing about the candidate and are left out, and so are
 * those whose end is not known on one side; the rest is compared in pairs with the exact sign test, by the chance that this
 * look has (`looks.ts`).
 *
 * A replay that does not reproduce what it is to judge has not looked: where most sessions that failed for real work on the base,
 * "no difference" would say more than was seen. It is inconclusive with a word of its own (`unjudged`).
 */
import { shownPath } from '../git/index.ts';
import { binomialSf } from '../stats/index.ts';
import { chanceOfNext } from './looks.ts';
import type { ReplayOutcome, ValidateSettings } from './types.ts';

export type Outcomes = readonly ReplayOutcome[];

export type ReplayCounts = {
  readonly asked: number;
  readonly flaky: number;
  /** Steady, and it is not known how they end on one of the sides; of these, those that failed on the base. */
  readonly unknown: number;
  readonly unknownFailed: number;
  /** Steady on the base, with an end on both sides. */
  readonly usable: number;
  /** Usable, and worked on the base. */
  readonly worked: number;
  readonly better: number;
  readonly worse: number;
  /** One-sided: how likely so many are better (or worse) if the change did nothing. */
  readonly betterByChance: number;
  readonly worseByChance: number;
  readonly brokenSessions: readonly string[];
};

/** Why a replay could not judge. */
export type Unjudged =
  | 'touches_judge'
  | 'too_few_sessions'
  | 'unsteady_base'
  | 'no_answer'
  | 'nothing_failed'
  | 'not_reproduced'
  | 'unknown_ends';

export interface ReplayVerdict {
  readonly outcome: 'passed' | 'failed' | 'inconclusive';
  readonly reason: string;
  /** Null where it could not judge. */
  readonly improvesTarget: boolean | null;
  readonly unjudged?: Unjudged;
  /** So many sessions like these would settle it; undefined where more of them would not. */
  readonly settledBy?: number;
}

/** Why a replay could not judge, in words. */
export type CannotJudge = Required<Pick<ReplayVerdict, 'unjudged' | 'reason'>> &
  Pick<ReplayVerdict, 'settledBy'>;

/** What the base's replay has of the sessions that failed when they were recorded; those that flake are left out. */
export type Reproduced = {
  readonly failedLive: number;
  readonly failedAgain: number;
  /** Some of those that failed for real and work in the replay. */
  readonly workedSessions: readonly string[];
};

type Settings = Pick<
  ValidateSettings,
  'minSessions' | 'significance' | 'flakyMax' | 'regressionMax'
>;

const SESSIONS_TOLD_MAX = 20;

/** What is wrong with an answer; undefined when there is exactly one outcome for each session asked. */
export function answerProblem(asked: readonly string[], outcomes: Outcomes): string | undefined {
  if (!Array.isArray(outcomes)) return 'it gave no list of outcomes';
  const open = new Set(asked);
  for (const one of outcomes as readonly (Partial<ReplayOutcome> | null)[]) {
    if (typeof one?.session !== 'string' || !(typeof one.ok === 'boolean' || one.ok === null))
      return 'an outcome does not name its session or say whether it succeeded';
    if (!open.delete(one.session))
      return 'it answered for a session that was not asked for, or twice';
  }
  return open.size === 0 ? undefined : `it left out ${open.size} of ${asked.length} sessions`;
}

/** The sessions that went well once and badly once on the same base. */
export function flakySessions(first: Outcomes, second: Outcomes): Set<string> {
  const again = okBySession(second);
  return new Set(
    first.filter((one) => again.get(one.session) !== one.ok).map((one) => one.session),
  );
}

function okBySession(outcomes: Outcomes): Map<string, boolean | null> {
  return new Map(outcomes.map(({ session, ok }) => [session, ok]));
}

/** Why the base alone already says that nothing can be shown; undefined when it can. */
export function baseProblem(
  asked: number,
  flaky: number,
  settings: Settings,
): CannotJudge | undefined {
  if (flaky > settings.flakyMax * asked)
    return {
      unjudged: 'unsteady_base',
      reason: `The base itself is too unsteady: ${flaky} of ${asked} sessions differ between two runs of it.`,
    };
  const usable = asked - flaky;
  if (usable < settings.minSessions)
    return {
      unjudged: 'too_few_sessions',
      reason: `There are not enough sessions: ${usable} are usable, ${settings.minSessions} are needed.`,
      settledBy: Math.ceil((settings.minSessions * asked) / usable) || settings.minSessions,
    };
  return undefined;
}

/** Of the sessions that failed when they were recorded, those that fail in the base's replay too. */
export function reproduced(
  base: Outcomes,
  flaky: ReadonlySet<string>,
  failed: ReadonlySet<string>,
): Reproduced {
  const live = base.filter(
    ({ session, ok }) => failed.has(session) && !flaky.has(session) && ok !== null,
  );
  const worked = live.filter(({ ok }) => ok);
  return {
    failedLive: live.length,
    failedAgain: live.length - worked.length,
    workedSessions: worked.slice(0, SESSIONS_TOLD_MAX).map(({ session }) => session),
  };
}

export function countReplay(
  base: Outcomes,
  flaky: ReadonlySet<string>,
  candidate: Outcomes,
): ReplayCounts {
  const now = okBySession(candidate);
  const steady = base.filter(({ session }) => !flaky.has(session));
  const isKnown = ({ session, ok }: ReplayOutcome) => ok !== null && now.get(session) !== null;
  const usable = steady.filter(isKnown);
  const worked = usable.filter(({ ok }) => ok);
  const broken = worked.filter(({ session }) => now.get(session) !== true);
  const better = usable.filter(({ session, ok }) => !ok && now.get(session) === true).length;
  const [worse, differing] = [broken.length, better + broken.length];
  return {
    asked: base.length,
    flaky: flaky.size,
    unknown: steady.length - usable.length,
    unknownFailed: steady.filter((one) => one.ok === false && !isKnown(one)).length,
    usable: usable.length,
    worked: worked.length,
    better,
    worse,
    betterByChance: binomialSf(better - 1, differing, 0.5),
    worseByChance: binomialSf(worse - 1, differing, 0.5),
    brokenSessions: broken.slice(0, SESSIONS_TOLD_MAX).map(({ session }) => session),
  };
}

export interface LiveSessions {
  readonly reproduced: Reproduced;
  /** How many times more of the sessions failed for real than of all: what is mended counts so much less. */
  readonly overdrawn: number;
  /** The change tries less often or waits less long: alone with its tools a session can only lose by that. */
  readonly givesUpSooner: boolean;
}

export function judgeReplay(
  counts: ReplayCounts,
  settings: Settings,
  live: LiveSessions,
): ReplayVerdict {
  const { usable, worked, better, worse } = counts;
  const chanceMax = 1 - settings.significance;
  const improvesTarget = counts.betterByChance <= chanceMax && better > worse * live.overdrawn;
  const told = `Of ${usable} sessions, ${better} that failed now work and ${worse} that worked now fail`;
  const end = (outcome: ReplayVerdict['outcome'], why: string) => ({
    outcome,
    reason: `${told}: ${why}.`,
    improvesTarget,
  });
  const gaveUp = gaveUpOnly(counts, live);
  if (gaveUp !== undefined) return { outcome: 'inconclusive', improvesTarget: null, ...gaveUp };
  if (worse > settings.regressionMax * worked)
    return end(
      'failed',
      `more than ${Number((settings.regressionMax * 100).toFixed(2))} % of what worked is broken`,
    );
  if (counts.worseByChance <= chanceMax) return end('failed', 'it got significantly worse');
  if (improvesTarget) return end('passed', 'it got significantly better');
  const unable = unjudgedBy(counts, live.reproduced, chanceMax);
  if (unable !== undefined) return { outcome: 'inconclusive', improvesTarget: null, ...unable };
  const { words, settledBy } = moreOf(counts, chanceOfNext(chanceMax));
  const verdict = end('inconclusive', `no difference is shown; ${words}`);
  return settledBy === undefined ? verdict : { ...verdict, settledBy };
}

/**
 * What is given up sooner leaves others what sessions share, and no replay plays that: it shows what is lost and not what is won. Where it
 * does not reproduce the failures, the sessions as they were recorded stand for the base: a change with which fewer of them fail did not
 * break what worked.
 */
function gaveUpOnly(
  { usable, worked, better, worse }: ReplayCounts,
  { reproduced, overdrawn, givesUpSooner }: LiveSessions,
): CannotJudge | undefined {
  const failsNow = worse + usable - worked - better;
  if (!givesUpSooner || worse <= better) return undefined;
  if (!isElsewhere(reproduced) || failsNow * overdrawn >= reproduced.failedLive) return undefined;
  const { unjudged, reason } = notReproduced(reproduced);
  const lost = `With the change ${failsNow} of the same sessions fail, because they give up sooner; ${reproduced.failedLive} failed when they were recorded.`;
  return { unjudged, reason: `${reason} ${lost}` };
}

/** Most of them: a few that fail for a reason of their own do not stand for the rest. */
const isElsewhere = ({ failedLive, failedAgain }: Reproduced) => failedAgain * 2 < failedLive;

function notReproduced({ failedLive, failedAgain, workedSessions }: Reproduced): CannotJudge {
  return {
    unjudged: 'not_reproduced',
    reason: `The replay cannot judge this change: of ${failedLive} sessions that failed when they were recorded ${failedLive - failedAgain} work when they are replayed on the base (${namesOf(workedSessions)}). Failures that come from what sessions share, such as slots and quotas, are not played, nor are those that the base has lost since.`,
  };
}

/** What keeps it from judging: it saw too little of what the change is to mend. */
function unjudgedBy(
  { usable, worked, better, worse, asked, unknownFailed }: ReplayCounts,
  live: Reproduced,
  chanceMax: number,
): CannotJudge | undefined {
  const failed = usable - worked + unknownFailed;
  if (live.failedLive === 0 && failed === 0)
    return {
      unjudged: 'nothing_failed',
      reason: `The replay cannot judge this change: none of ${asked} sessions failed, neither when they were recorded nor in the replay of the base.`,
    };
  if (isElsewhere(live)) return notReproduced(live);
  if (unknownFailed * 2 > failed && better === 0)
    return {
      unjudged: 'unknown_ends',
      reason: `The replay cannot judge this change: of ${failed} sessions that fail on the base it does not know how ${unknownFailed} end with the change, because their calls were cut off or never made when they were recorded.`,
    };
  return tooFewFail({ known: usable - worked, better, worse, asked }, chanceMax);
}

/**
 * Whether so few fail on the base that the change could not have passed if it had mended every one of them. What it did with them speaks
 * for it: where it left most as they are, or broke others, it was seen not to help.
 */
function tooFewFail(
  {
    known,
    better,
    worse,
    asked,
  }: Pick<ReplayCounts, 'better' | 'worse' | 'asked'> & {
    readonly known: number;
  },
  chanceMax: number,
): CannotJudge | undefined {
  const needed = Math.ceil(-Math.log2(chanceMax));
  if (known >= needed || worse > 0 || better * 2 < known || known === 0) return undefined;
  return {
    unjudged: 'too_few_sessions',
    reason: `There are not enough sessions that fail: ${known} of ${asked} do on the base, and ${better} of them ${better === 1 ? 'works' : 'work'} with the change. That all of fewer than ${needed} do may be chance.`,
    settledBy: Math.ceil((needed * asked) / known),
  };
}

const NAMED_MAX = 3;

/** The first few, by plain characters. */
function namesOf(sessions: readonly string[]): string {
  const named = sessions.slice(0, NAMED_MAX).map((one) => shownPath(one.slice(0, 80)));
  return `${named.join(', ')}${sessions.length > NAMED_MAX ? ', …' : ''}`;
}

const DIFFERING_MAX = 10_000;

/** How many would settle it at the next look, if the rest is like what was seen. */
function moreOf(
  { asked, usable, worked, better, worse }: ReplayCounts,
  chanceMax: number,
): { readonly words: string; readonly settledBy?: number } {
  if (better + worse === 0) return { words: `none of the ${usable - worked} that fail is mended` };
  if (better <= worse) return { words: 'more sessions like these would not show that it helps' };
  const share = better / (better + worse);
  for (let differing = better + worse; differing <= DIFFERING_MAX; differing++) {
    if (binomialSf(Math.floor(share * differing) - 1, differing, 0.5) > chanceMax) continue;
    const settledBy = Math.ceil((differing * asked) / (better + worse));
    return { words: `about ${settledBy} sessions like these would settle it`, settledBy };
  }
  return { words: 'more sessions like these would not settle it soon' };
}
