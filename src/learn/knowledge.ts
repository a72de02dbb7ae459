/**
 * What is known to help (LRN-1). One success may be luck: a way to fix a kind of failure counts as known once it was measured
 * better three times than what would have been without it, and more often than it did nothing or harm. A way is what one
 * generator does in one direction ("constant-tune up" against timeouts), so that it can be known for a place never seen.
 */
import { type FixOutcome, fixWay, type MadeBy } from '../facts/index.ts';
import type { Store } from '../store/index.ts';
import { type Fix, readFixes } from './learn.ts';

const SUCCESSES_MIN = 3;
/** What a change did; a person's no or an outage says nothing of it. */
const JUDGED: Readonly<Partial<Record<FixOutcome, 'success' | 'setback'>>> = {
  proven: 'success',
  held: 'setback',
  failed: 'setback',
};

/** By its way, how often each known fix succeeded. */
export type KnownFixes = ReadonlyMap<string, number>;

export async function knownFixes(store: Store, failure: MadeBy['failure']): Promise<KnownFixes> {
  const fixes = await readFixes(store, 'WHERE failure = ?', [failure]);
  const counts = new Map<string, { success: number; setback: number }>();
  for (const { madeBy, step, outcome } of fixes) {
    const judged = JUDGED[outcome];
    if (madeBy === undefined || judged === undefined) continue;
    const way = fixWay(madeBy, step);
    const before = counts.get(way) ?? { success: 0, setback: 0 };
    counts.set(way, { ...before, [judged]: before[judged] + 1 });
  }
  return new Map(
    [...counts]
      .filter(([, { success, setback }]) => success >= SUCCESSES_MIN && success > setback)
      .map(([way, { success }]) => [way, success]),
  );
}

/** The ways that helped against one pattern, and did no harm there. */
export function helpedAgainst(fixes: readonly Fix[]): ReadonlySet<string> {
  const ways = (outcome: FixOutcome) =>
    fixes.flatMap(({ madeBy, step, outcome: ended }) =>
      madeBy === undefined || ended !== outcome ? [] : [fixWay(madeBy, step)],
    );
  const harmful = new Set(ways('failed'));
  return new Set(ways('proven').filter((way) => !harmful.has(way)));
}
