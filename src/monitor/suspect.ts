/** Which change may have done what fails at one place, for whoever is about to blame something else. */
import { changesAtTarget } from './at-target.ts';
import { recordRollbackProposed } from './change-store.ts';
import { suspectSentence } from './late-words.ts';
import { LIKELY, SUSPECTED } from './probation.ts';
import { readProbation } from './probation-rows.ts';
import type { MonitorPorts } from './types.ts';
import type { Recorded } from './watch-store.ts';
import { whoDid } from './wide-look.ts';

export interface SuspectedChange {
  readonly proposalId: string;
  readonly probability: number;
  /** It is taken for the cause; else it is only under suspicion. */
  readonly isLikely: boolean;
  /** With its numbers. */
  readonly why: string;
}

type Ports = Pick<MonitorPorts, 'store' | 'callHours' | 'fateOf' | 'nowMs' | 'settings'>;

/** The likeliest one, if any is likely enough to be named. */
export async function suspectOf(
  place: { readonly agent: string; readonly tool: string | undefined },
  ports: Ports,
): Promise<SuspectedChange | undefined> {
  const changes = await changesAtTarget(ports.nowMs, ports);
  const [first] = await whoDid(place, changes, ports);
  if (first === undefined || first.probability < SUSPECTED) return undefined;
  const { change, probability } = first;
  return {
    proposalId: change.proposalId,
    probability,
    isLikely: probability >= LIKELY,
    why: suspectSentence(first, change),
  };
}

/** Undefined where it is proposed already, or the close watch will take it back by itself. */
export async function proposeRollback(
  { proposalId, probability, why }: SuspectedChange,
  { store, nowMs }: Pick<Ports, 'store' | 'nowMs'>,
): Promise<Recorded | undefined> {
  const probation = await readProbation(store, proposalId);
  if (probation === undefined || probation.rollback !== null) return undefined;
  return recordRollbackProposed(proposalId, { why, probability }, nowMs);
}
