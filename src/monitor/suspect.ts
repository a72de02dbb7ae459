/** Which change may have done what fails at one place, for whoever is about to blame something else. */
import { changesAtTarget } from './at-target.ts';
import { recordRollbackProposed } from './change-store.ts';
import { AS_EXPERIMENT, suspectSentence } from './late-words.ts';
import { readProbation } from './probation-rows.ts';
import type { Place } from './rings.ts';
import { LIKELY, SUSPECTED, WORTH_TRYING } from './tie-back.ts';
import type { MonitorPorts } from './types.ts';
import type { Recorded } from './watch-store.ts';
import { type Suspected, whoDid } from './wide-look.ts';

const DAY_MS = 86_400_000;
/**
 * Mere suspicion does not hold up a fix for longer than this: nine of ten episodes that end by themselves are over by then.
 * In a fleet with a tenth of the traffic the suspicion itself comes later, and is counted from there. Where changes are the likely
 * cause, this one or all of them together, it holds it up for as long as the harm is beyond noise: a fix elsewhere would answer
 * what is hardly the cause, and the alarm that takes the change back comes with more of the same, or the harm ends.
 */
const SUSPICION_MS = 6.3 * 3_600_000;

export interface SuspectedChange {
  readonly proposalId: string;
  readonly probability: number;
  /** `cause`: it is taken for it. `experiment`: its rollback would show it. `suspicion`: neither. */
  readonly verdict: 'cause' | 'experiment' | 'suspicion';
  /** The day on which the harm was first seen. */
  readonly sinceMs: number;
  /** With its numbers. */
  readonly why: string;
}

type Ports = Pick<
  MonitorPorts,
  | 'store'
  | 'callHours'
  | 'sessionHours'
  | 'recentCalls'
  | 'peoplesCommits'
  | 'fateOf'
  | 'nowMs'
  | 'settings'
>;

/** The likeliest one, if any is likely enough to be named. */
export async function suspectOf(place: Place, ports: Ports): Promise<SuspectedChange | undefined> {
  const changes = await changesAtTarget(ports.nowMs, ports);
  const [first] = await whoDid(place, changes, ports);
  return first === undefined ? undefined : suspectedBy(first, ports.nowMs);
}

/** What follows from a suspicion; undefined where nothing does, or nothing any more. */
export function suspectedBy(found: Suspected, nowMs: number): SuspectedChange | undefined {
  const { change, probability, suspicions, isAlarm, sinceMs } = found;
  if (probability < SUSPECTED) return undefined;
  const isTried = isAlarm && probability >= WORTH_TRYING;
  const together = suspicions.reduce((sum, one) => sum + one.probability, 0);
  if (!isTried && together < LIKELY && nowMs - sinceMs > SUSPICION_MS) return undefined;
  const verdict = !isTried ? 'suspicion' : probability >= LIKELY ? 'cause' : 'experiment';
  const why = suspectSentence(found, change);
  return {
    proposalId: change.proposalId,
    probability,
    verdict,
    sinceMs: Math.floor(sinceMs / DAY_MS) * DAY_MS,
    why: verdict === 'experiment' ? `${why} ${AS_EXPERIMENT}` : why,
  };
}

export type RollbackAsked =
  | { readonly by: 'watch' }
  | { readonly by: 'proposal'; readonly recorded: Recorded | undefined }
  | { readonly by: 'notice' };

/**
 * Who sees to the rollback: the close watch, which takes it back by itself; a proposal to take it back, recorded unless it is
 * open already; or a notice alone, for a change that was settled by a person and has no probation.
 */
export async function askRollback(
  { proposalId, probability, why }: SuspectedChange,
  { store, fateOf, nowMs }: Pick<Ports, 'store' | 'fateOf' | 'nowMs'>,
): Promise<RollbackAsked> {
  const probation = await readProbation(store, proposalId);
  if (probation !== undefined) {
    if (probation.rollback !== null) return { by: 'proposal', recorded: undefined };
    const recorded = recordRollbackProposed(proposalId, { why, probability }, nowMs);
    return { by: 'proposal', recorded };
  }
  return { by: (await fateOf(proposalId)).isWatched ? 'watch' : 'notice' };
}
