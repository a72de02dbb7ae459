/**
 * Whether what a time limit cuts off would have ended a little later. Calls that succeed come near the limit then, or beyond it for
 * others who wait longer. Where none does, it is of another kind and hangs, and a longer limit would not catch it. Pure.
 *
 * Rejected: no clue where it is always the same task, or every further try as well. Raised limits then hurt others later.
 */
import { cutOffAt, shareWithin } from './latency-shape.ts';
import type { Evidence, Failure } from './types.ts';

/** Nearly as long as the limit: within this factor below it. */
const NEAR = 1.6;
const OVER = 1.1;
/** Of what is cut off, in calls that succeed. */
const REACHES = 0.3;
const GAP = 0.05;
const SUCCESSES_MIN = 30;
/** So many that come near say so, also where hardly any call succeeds; that none does only many can say. */
const NEAR_MIN = 5;

export function tailOf(
  failure: Failure,
  evidence: Pick<Evidence, 'all'>,
): 'reaches' | 'thin' | 'gap' | undefined {
  const { failedLatency, succeededLatency, failures, calls } = failure;
  const pile = cutOffAt(failedLatency, succeededLatency);
  if (pile === null) return undefined;
  const { count } = succeededLatency!;
  const near = shareWithin(succeededLatency!, pile.ms / NEAR, pile.ms * OVER);
  const ratio = near / (failures / calls);
  const isSeen = near * count >= NEAR_MIN || count >= SUCCESSES_MIN;
  if ((isSeen && ratio >= REACHES) || othersReach(failure, evidence, pile.ms)) return 'reaches';
  if (count < SUCCESSES_MIN) return undefined;
  return ratio < GAP ? 'gap' : 'thin';
}

/** Whether others who wait longer at the same tool get what is cut off here: as many of their calls end beyond the limit. */
function othersReach(
  { agent, tool, failures, calls }: Failure,
  { all }: Pick<Evidence, 'all'>,
  limitMs: number,
): boolean {
  return all.some(({ agent: other, tool: theirs, succeededLatency: ended }) => {
    if (theirs !== tool || other === agent || ended === null || ended.count < SUCCESSES_MIN)
      return false;
    const beyond = shareWithin(ended, limitMs * OVER, Number.POSITIVE_INFINITY);
    return beyond >= REACHES * (failures / calls);
  });
}
