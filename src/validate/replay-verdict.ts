/**
 * What three replays of the same sessions say: the base twice, the candidate once. Pure. Sessions whose
 * outcome differs between the two runs of the base say nothing about the candidate and are left out;
 * the rest is compared in pairs with the exact sign test, one look at a number of sessions that was
 * fixed before, so that the test keeps what it promises.
 */
import { binomialSf } from '../stats/index.ts';
import type { ReplayOutcome, ValidateSettings } from './types.ts';

export type Outcomes = readonly ReplayOutcome[];

export type ReplayCounts = {
  readonly asked: number;
  readonly flaky: number;
  /** Stable on the base. */
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

export interface ReplayVerdict {
  readonly outcome: 'passed' | 'failed' | 'inconclusive';
  readonly reason: string;
  readonly improvesTarget: boolean;
}

type Settings = Pick<
  ValidateSettings,
  'minSessions' | 'significance' | 'flakyMax' | 'regressionMax'
>;

const BROKEN_TOLD_MAX = 20;

/** What is wrong with an answer; undefined when there is exactly one outcome for each session asked. */
export function answerProblem(asked: readonly string[], outcomes: Outcomes): string | undefined {
  if (!Array.isArray(outcomes)) return 'it gave no list of outcomes';
  const open = new Set(asked);
  for (const one of outcomes as readonly (Partial<ReplayOutcome> | null)[]) {
    if (typeof one?.session !== 'string' || typeof one.ok !== 'boolean')
      return 'an outcome does not name its session or say whether it succeeded';
    if (!open.delete(one.session))
      return 'it answered for a session that was not asked for, or twice';
  }
  return open.size === 0 ? undefined : `it left out ${open.size} of ${asked.length} sessions`;
}

/** The share of sessions that went well once and badly once on the same base. */
export function flakySessions(first: Outcomes, second: Outcomes): Set<string> {
  const again = okBySession(second);
  return new Set(
    first.filter((one) => again.get(one.session) !== one.ok).map((one) => one.session),
  );
}

function okBySession(outcomes: Outcomes): Map<string, boolean> {
  return new Map(outcomes.map(({ session, ok }) => [session, ok]));
}

/** Why the base alone already says that nothing can be shown; undefined when it can. */
export function baseProblem(asked: number, flaky: number, settings: Settings): string | undefined {
  if (flaky > settings.flakyMax * asked)
    return `The base itself is too unsteady: ${flaky} of ${asked} sessions differ between two runs of it.`;
  const usable = asked - flaky;
  if (usable < settings.minSessions)
    return `There are not enough sessions: ${usable} are usable, ${settings.minSessions} are needed.`;
  return undefined;
}

export function countReplay(
  base: Outcomes,
  flaky: ReadonlySet<string>,
  candidate: Outcomes,
): ReplayCounts {
  const now = okBySession(candidate);
  const usable = base.filter(({ session }) => !flaky.has(session));
  const worked = usable.filter(({ ok }) => ok);
  const broken = worked.filter(({ session }) => now.get(session) !== true);
  const better = usable.filter(({ session, ok }) => !ok && now.get(session) === true).length;
  const [worse, differing] = [broken.length, better + broken.length];
  return {
    asked: base.length,
    flaky: flaky.size,
    usable: usable.length,
    worked: worked.length,
    better,
    worse,
    betterByChance: binomialSf(better - 1, differing, 0.5),
    worseByChance: binomialSf(worse - 1, differing, 0.5),
    brokenSessions: broken.slice(0, BROKEN_TOLD_MAX).map(({ session }) => session),
  };
}

export function judgeReplay(counts: ReplayCounts, settings: Settings): ReplayVerdict {
  const { usable, worked, better, worse } = counts;
  const chanceMax = 1 - settings.significance;
  const improvesTarget = counts.betterByChance <= chanceMax;
  const told = `Of ${usable} sessions, ${better} that failed now work and ${worse} that worked now fail`;
  const end = (outcome: ReplayVerdict['outcome'], why: string) => ({
    outcome,
    reason: `${told}: ${why}.`,
    improvesTarget,
  });
  if (worse > settings.regressionMax * worked)
    return end(
      'failed',
      `more than ${Number((settings.regressionMax * 100).toFixed(2))} % of what worked is broken`,
    );
  if (counts.worseByChance <= chanceMax) return end('failed', 'it got significantly worse');
  if (improvesTarget) return end('passed', 'it got significantly better');
  return end('inconclusive', `no difference is shown; ${moreWords(counts, chanceMax)}`);
}

const DIFFERING_MAX = 10_000;

/** How much more would settle it, if the rest is like what was seen. */
function moreWords({ usable, better, worse }: ReplayCounts, chanceMax: number): string {
  if (better + worse === 0) return 'sessions are needed in which what it is to mend goes wrong';
  if (better <= worse) return 'more sessions like these would not show that it helps';
  const share = better / (better + worse);
  for (let differing = better + worse; differing <= DIFFERING_MAX; differing++) {
    if (binomialSf(Math.floor(share * differing) - 1, differing, 0.5) > chanceMax) continue;
    const sessions = Math.ceil((differing * usable) / (better + worse));
    return `about ${sessions} sessions like these would settle it`;
  }
  return 'more sessions like these would not settle it soon';
}
