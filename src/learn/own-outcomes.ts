/**
 * How causes that were stated here turned out: what a change of the blamed place did says whether the blame was right.
 * A change that was measured better was right. One that held had a halving of the failures to show and did not, and one
 * that did harm was wrong as well. A person's no, a check's no and doubt say nothing of the cause.
 */
import type { FixOutcome } from '../facts/index.ts';
import type { Outcome } from '../stats/index.ts';
import type { Store } from '../store/index.ts';
import { FIXES } from './learn.ts';

const IS_RIGHT: Readonly<Partial<Record<FixOutcome, boolean>>> = {
  proven: true,
  held: false,
  failed: false,
};
/** Diagnosers and targets change: what was learnt fades, so that nobody stays too timid to try again. */
const COUNTS_FOR_MS = 180 * 86_400_000;
const OUTCOMES_MAX = 500;

/** The newest first. */
export async function ownOutcomes(store: Store, nowMs: number): Promise<readonly Outcome[]> {
  const outcomes = Object.keys(IS_RIGHT);
  const rows = await store.all(
    `SELECT by_clues, outcome FROM ${FIXES}
     WHERE by_clues IS NOT NULL AND at_ms >= ? AND outcome IN (${outcomes.map(() => '?').join(', ')})
     ORDER BY at_ms DESC LIMIT ${OUTCOMES_MAX}`,
    [nowMs - COUNTS_FOR_MS, ...outcomes],
  );
  return rows.map((row) => ({
    stated: row['by_clues'] as number,
    isTrue: IS_RIGHT[row['outcome'] as FixOutcome] === true,
  }));
}
