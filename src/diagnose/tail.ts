/**
 * Whether what a time limit cuts off would have ended a little later. Calls that succeed come near the limit then, or beyond it for
 * others who wait longer. Where none does, it is of another kind and hangs, and a longer limit would not catch it; unless something
 * says that it does not hang. What hangs does so whatever is asked, and whoever asks: it comes with one task of several, or with one
 * agent of several at the tool. And a tool of which many calls never end is given up, or mended; many long ones are its work. Pure.
 *
 * Rejected: no clue where every further try is cut off as well. Raised limits then hurt others later.
 */
import { binomialCdf, binomialSf, wilsonInterval } from '../stats/index.ts';
import { cutOffAt, pileOf, shareWithin } from './latency-shape.ts';
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
): 'reaches' | 'thin' | 'gap' | 'of a task' | 'of an agent' | 'many' | undefined {
  const { failedLatency, succeededLatency, failures, calls } = failure;
  const pile = cutOffAt(failedLatency, succeededLatency);
  if (pile === null) return undefined;
  const { count } = succeededLatency!;
  const near = shareWithin(succeededLatency!, pile.ms / NEAR, pile.ms * OVER);
  const ratio = near / (failures / calls);
  const isSeen = near * count >= NEAR_MIN || count >= SUCCESSES_MIN;
  if ((isSeen && ratio >= REACHES) || othersReach(failure, evidence, pile.ms)) return 'reaches';
  if (count < SUCCESSES_MIN) return undefined;
  if (!isForAll(failure, evidence, pile.ms)) {
    if (isOfTask(failure)) return 'of a task';
    if (isOfAgent(failure)) return 'of an agent';
  }
  if (wilsonInterval({ failures: Math.min(failures, calls), events: calls }).low > MANY)
    return 'many';
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

/** So many times as long is longer. */
const LONGER = 1.5;
const ALIKE = 0.5;

/**
 * What becomes of those who wait longer at the same tool for what is cut off here: they get it, or hang as often until their own
 * limit. Undefined where nobody waits longer, or it is not known.
 */
export function longerWaitOf(
  failure: Failure,
  evidence: Pick<Evidence, 'all'>,
): 'get it' | 'hang too' | undefined {
  const { agent, tool, failures, calls } = failure;
  const pile = cutOffAt(failure.failedLatency, failure.succeededLatency);
  if (pile === null) return undefined;
  if (othersReach(failure, evidence, pile.ms)) return 'get it';
  const areHung = evidence.all.some((other) => {
    if (other.tool !== tool || other.agent === agent) return false;
    const theirs = cutOffAt(other.failedLatency, other.succeededLatency);
    const share = other.failures / other.calls;
    return theirs !== null && theirs.ms >= LONGER * pile.ms && share >= (ALIKE * failures) / calls;
  });
  return areHung ? 'hang too' : undefined;
}

/** Whether others at the tool are cut off there as well: what all of them meet is rarely one agent's number. */
function isForAll(
  { agent, tool }: Failure,
  { all }: Pick<Evidence, 'all'>,
  limitMs: number,
): boolean {
  return all.some((other) => {
    if (other.tool !== tool || other.agent === agent) return false;
    const pile = pileOf(other.failedLatency);
    return pile !== null && pile.ms <= limitMs * OVER && limitMs <= pile.ms * OVER;
  });
}

/**
 * Clearly more than one call of five. Hung calls are few, because they are a fault; how many calls are long is a matter of what is asked,
 * so any share is as likely. No time is in it, so that it holds in worlds that are faster or slower; where few call, it takes longer.
 * Rejected: one of seven. Slow calls and hung ones at one place reach a sixth, and there a longer wait hurts others.
 */
const MANY = 1 / 5;

/** Fewer calls of a task, or of all others, show nothing. */
const OF_TASK_CALLS_MIN = 30;
/** Of the others so many times fewer are cut off. */
const FEWER = 5;
const CHANCE = 0.001;

function isOfTask({ tasks = [], failures, calls }: Failure): boolean {
  const shares = tasks.filter((one) => one.calls >= OF_TASK_CALLS_MIN);
  const worst = shares.sort((a, b) => b.failures / b.calls - a.failures / a.calls)[0];
  if (worst === undefined) return false;
  const rest = calls - worst.calls;
  if (rest < OF_TASK_CALLS_MIN) return false;
  const otherwise = (failures - worst.failures + 1) / (rest + 1);
  return (
    FEWER * otherwise < worst.failures / worst.calls &&
    binomialSf(worst.failures - 1, worst.calls, otherwise) < CHANCE
  );
}

/**
 * Whether the other agents at the tool are well, whose calls would hang as well. By the record, because those who never fail are in no
 * other count; all that fails there counts against it.
 */
function isOfAgent({ history }: Failure): boolean {
  let [bad, all, failed, calls] = [0, 0, 0, 0];
  for (const bin of history) {
    bad += bin.bad;
    all += bin.all;
    failed += bin.othersFailed;
    calls += bin.othersCalls;
  }
  if (all === 0 || bad === 0) return false;
  const alike = bad / all / FEWER;
  return failed < alike * calls && binomialCdf(failed, calls, alike) < CHANCE;
}
