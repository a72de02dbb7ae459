/** Which failures are at another rate since a commit, in either direction, however rare they are. Pure. */
import type { FailureGroup } from '../facts/index.ts';
import type { RateLevel } from '../stats/index.ts';
import { levelsOf } from './course.ts';
import { placeWords } from './pattern-of.ts';
import type { TargetCommit } from './types.ts';

/** A change shows at once, or when its agents are next started: rarely later than this. */
const LAG_MS = 6 * 3_600_000;
/** Levels that differ less are taken for one, as in a course. */
const CHANGE_MIN = 2;

export interface OutcomeChange {
  readonly commit: TargetCommit;
  /** What fails: `web_search of researcher`. */
  readonly what: string;
  /** Share of the calls that fail, before and since. */
  readonly before: number;
  readonly since: number;
}

/** The newest change of each failure, with the newest commit that came right before it. */
export function changesAfter(
  groups: readonly FailureGroup[],
  commits: readonly TargetCommit[],
): OutcomeChange[] {
  return groups.flatMap((group) => {
    const levels = levelsOf(group.history);
    const at = levels.findLastIndex(
      (level, index) => index > 0 && differs(levels[index - 1]!, level),
    );
    if (at < 1) return [];
    const { fromLowMs, fromHighMs } = levels[at]!;
    const commit = commits.findLast(({ atMs }) => atMs <= fromHighMs && atMs >= fromLowMs - LAG_MS);
    if (commit === undefined) return [];
    const [before, since] = [rateOf(levels[at - 1]!), rateOf(levels[at]!)];
    return [{ commit, what: placeWords(group), before, since }];
  });
}

function differs(one: RateLevel, other: RateLevel): boolean {
  const [low, high] = [smoothed(one), smoothed(other)].sort((a, b) => a - b);
  return high! >= CHANGE_MIN * low!;
}

/** Half a failure more: a level without any is not infinitely below another. */
const smoothed = ({ bad, all }: RateLevel) => (bad + 0.5) / (all + 1);
const rateOf = ({ bad, all }: RateLevel) => (all === 0 ? 0 : bad / all);
